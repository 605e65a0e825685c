"""The test case every test of this folder is one of."""

import unittest

from steady_suite import SESSION


class ApiTestCase(unittest.TestCase):
    """A test with a client of its own. What it leaves to `self.api.cleanup` is sent when it is over."""

    def run(self, result=None):
        """Says once what the environment lacks, instead of running any test."""
        missing = SESSION.missing()
        if missing is None or result is None:
            return super().run(result)
        result.startTest(self)
        result.addError(self, (LookupError, LookupError(missing), None))
        result.stopTest(self)
        result.stop()
        return result

    def setUp(self):
        test = SESSION.test()
        self.api = test.__enter__()
        self.addCleanup(test.__exit__, None, None, None)

    def assertMeets(self, found, expected):
        """What is there is what `steady_matchers.py` describes, or the same as what is found elsewhere."""
        if found != expected:
            self.fail(f"{found!r}: expected {expected!r}")

    def assertSize(self, found, size):
        """An array of this length is there."""
        if found.size != size:
            self.fail(f"{found!r}: expected an array of {size}")

    def assertType(self, found, name):
        """A value of this JSON type is there; every integer is a number."""
        if not found.is_a(name):
            self.fail(f"{found!r}: expected the type {name}")

    def assertPresent(self, found):
        """A value is there, null included."""
        if not found.present:
            self.fail(f"{found!r}: expected a value")

    def assertAbsent(self, found):
        """Nothing is there; at the body's root: no body."""
        if not found.absent:
            self.fail(f"{found!r}: expected nothing")
