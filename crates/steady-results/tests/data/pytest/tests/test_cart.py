import sys

import pytest


class TestCart:
    def test_total(self):
        assert 1 + 1 == 2

    def test_discount(self):
        assert 10 - 1 == 8, "discount is <10 %> & \"odd\""


@pytest.fixture
def database():
    raise RuntimeError("no database")


def test_stored(database):
    pass


@pytest.fixture
def closing():
    yield
    raise RuntimeError("cannot close")


def test_closed(closing):
    pass


def test_failed_and_not_closed(closing):
    assert False


@pytest.mark.skip(reason="not on this machine")
def test_skipped():
    pass


@pytest.mark.xfail(reason="known", strict=True)
def test_known():
    assert False


@pytest.mark.xfail(reason="fixed by now", strict=True)
def test_fixed():
    pass


@pytest.mark.parametrize("text", ["plain", "ünï 🛒", "a/b::c", "<&\"'>", "new\nline"])
def test_text(text, capsys):
    print("seen", text, "\x1b[31mred\x1b[0m")
    assert text != "a/b::c"


@pytest.mark.parametrize("thing", [object()], ids=repr)
def test_object(thing):
    pass
