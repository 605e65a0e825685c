"""Tests with known failure rates."""

import pytest

from attempts import attempt


def test_stable():
    assert 1 + 1 == 2


def test_broken():
    assert 1 + 1 == 3


@pytest.mark.parametrize("number", [2, 3, 5, 10])
def test_fails_every(number):
    tries = attempt(f"every-{number}")
    assert tries % number != 0, f"attempt {tries}"


@pytest.mark.skip(reason="not today")
def test_skipped():
    raise AssertionError("never reached")
