"""pytest plugin: tells the recorder which test runs."""

import pytest
import steady_record

steady_record.start()


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    with steady_record.test(item.nodeid):
        yield
