"""The client every test gets."""

import pytest

from steady_suite import SESSION


def pytest_sessionstart():
    """Says once what the environment lacks, before any test is run."""
    missing = SESSION.missing()
    if missing:
        pytest.exit(missing, returncode=4)


@pytest.fixture
def api():
    """The API under test. What a test leaves to `api.cleanup` is sent when the test is over."""
    with SESSION.test() as client:
        yield client
