import os

import pytest


@pytest.fixture(autouse=True)
def log():
    with open(os.environ["STEADY_TEST_LOG"], "a") as file:
        file.write(os.environ["PYTEST_CURRENT_TEST"].rsplit(" (", 1)[0] + "\n")


def test_adds():
    assert 1 + 1 == 2


class TestTotals:
    @pytest.mark.parametrize("text", ["1+1 = $2", "a::b/c [x]"])
    def test_sum(self, text):
        assert text
