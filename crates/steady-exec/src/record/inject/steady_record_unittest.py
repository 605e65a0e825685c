"""Stands in for `python -m unittest`: tells the recorder which test runs, and leaves the rest to steady's module."""

import functools
import runpy
import unittest

import steady_record

theirs = unittest.TestCase.run


@functools.wraps(theirs)
def run(self, result=None):
    with steady_record.test(self.id()):
        return theirs(self, result)


if __name__ == "__main__":
    steady_record.start()
    unittest.TestCase.run = run
    runpy.run_module("steady_unittest", run_name="__main__", alter_sys=True)
