"""pytest plugin: tells the recorder which test runs, and where it fails."""

import pytest
import steady_record

steady_record.start()


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    with steady_record.test(item.nodeid):
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    with steady_record.never_in_the_way():
        if outcome.get_result().failed and call.excinfo is not None:
            steady_record.failed(item.nodeid, call.excinfo.tb)
