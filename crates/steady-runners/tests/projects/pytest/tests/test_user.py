import pytest

from test_cart import log  # noqa: F401


def test_login():
    assert True


class TestRole:
    def test_admin(self):
        pytest.fail("no such role")
