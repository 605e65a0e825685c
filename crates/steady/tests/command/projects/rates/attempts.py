"""Counts how often something was tried, across runs: the outcome of a test is a function of that number."""

from pathlib import Path

FOLDER = Path(__file__).parent / "attempts"


def attempt(name):
    """The number of this attempt, from 1."""
    FOLDER.mkdir(exist_ok=True)
    file = FOLDER / name
    number = int(file.read_text()) + 1 if file.exists() else 1
    file.write_text(str(number))
    return number


def as_first_seen(name, value):
    """Whether a value is what it was when it was first asked for, like a snapshot that was committed."""
    FOLDER.mkdir(exist_ok=True)
    file = FOLDER / name
    if not file.exists():
        file.write_text(value)
    return file.read_text() == value
