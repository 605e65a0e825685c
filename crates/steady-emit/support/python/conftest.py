"""The client every test gets."""

import pytest

from steady_suite import SESSION


@pytest.fixture
def api():
    """The API under test. What a test leaves to `api.cleanup` is sent when the test is over."""
    with SESSION.test() as client:
        yield client
