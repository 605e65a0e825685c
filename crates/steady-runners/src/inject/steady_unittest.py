"""Stands in for `python -m unittest`: the planned tests in the planned order, results with their dotted ids."""

import sys
import time
import traceback
import unittest

import steady_plan


def each(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from each(test)
        else:
            yield test


def blocks(test):
    return [type(test).__module__, f"{type(test).__module__}.{type(test).__qualname__}", test.id()]


def told(error):
    # What went wrong comes first: a line is often all there is room for.
    return "".join(traceback.format_exception_only(*error[:2])) + "".join(traceback.format_exception(*error))


class Results:
    """Listens to a test result without changing what it prints."""

    def __init__(self, plan, result):
        self.plan = plan
        self.started = {}
        self.outcomes = {}
        for name in ("startTest", "stopTest", "addError", "addFailure", "addSkip", "addSubTest", "addUnexpectedSuccess"):
            setattr(result, name, self.listening(getattr(result, name), getattr(self, name)))

    def listening(self, theirs, ours):
        def both(*args):
            ours(*args)
            return theirs(*args)

        return both

    def startTest(self, test):
        self.started[test.id()] = time.monotonic()
        self.plan.write(test.id(), "started")

    def stopTest(self, test):
        begun = self.started.pop(test.id(), None)
        seconds = None if begun is None else time.monotonic() - begun
        outcome, message = self.outcomes.pop(test.id(), ("passed", None))
        self.plan.write(test.id(), outcome, seconds, message)

    def addError(self, test, error):
        self.outcomes[test.id()] = ("failed", told(error))
        if test.id() not in self.started:
            # The set-up or tear-down of a class or module, which is no test.
            self.stopTest(test)

    addFailure = addError

    def addSkip(self, test, reason):
        self.outcomes.setdefault(test.id(), ("skipped", reason))
        if test.id() not in self.started:
            self.stopTest(test)

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.outcomes[test.id()] = ("failed", told(error))

    def addUnexpectedSuccess(self, test):
        self.outcomes[test.id()] = ("failed", "unexpected success")


class Program(unittest.TestProgram):
    plan = steady_plan.load()

    def runTests(self):
        tests = list(each(self.test))
        tests = [test for test in tests if self.plan.selects(test.id())]
        self.test = unittest.TestSuite(self.plan.sorted(tests, blocks))
        if self.testRunner is None:
            self.testRunner = unittest.TextTestRunner
        theirs = self.testRunner
        if isinstance(theirs, type) and hasattr(theirs, "_makeResult"):
            plan = self.plan

            class Listening(theirs):
                def _makeResult(self):
                    result = super()._makeResult()
                    Results(plan, result)
                    return result

            self.testRunner = Listening
        super().runTests()


if __name__ == "__main__":
    if "__main__.py" in sys.argv[0] or "steady_unittest" in sys.argv[0]:
        sys.argv[0] = "python -m unittest"
    Program(module=None)
