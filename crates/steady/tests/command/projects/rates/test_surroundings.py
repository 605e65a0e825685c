"""Tests that pass only as long as nothing around them changes."""

import locale
import os
import tempfile
import time

from attempts import FOLDER, as_first_seen

WORDS = "apple banana cherry date elder fig grape hazel ivy juniper kale lemon".split()


def test_order_of_a_set():
    assert as_first_seen("order-of-a-set", " ".join(set(WORDS)))


def test_time_zone():
    assert time.localtime().tm_gmtoff == 0


def test_date():
    FOLDER.mkdir(exist_ok=True)
    written = FOLDER / "written"
    written.write_text("now")
    assert abs(time.time() - written.stat().st_mtime) < 3600


def test_language():
    locale.setlocale(locale.LC_ALL, "")
    assert locale.nl_langinfo(locale.CODESET) == "UTF-8"


def test_temporary_folder():
    assert os.system(f"test -d {tempfile.gettempdir()}") == 0


def test_nothing_of_it():
    assert sorted(set(WORDS)) == WORDS
