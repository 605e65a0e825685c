import pytest

attempts = []


@pytest.mark.flaky(reruns=2)
def test_passes_on_its_second_attempt():
    attempts.append(1)
    assert len(attempts) > 1, "boom"
