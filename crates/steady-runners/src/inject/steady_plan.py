"""What steady asks of this run: the plan, and the file for results."""

import hashlib
import json
import os


class Plan:
    def __init__(self, path):
        self.tries = {}
        with open(path, encoding="utf-8") as file:
            plan = json.load(file)
        self.select = None if plan["select"] is None else set(plan["select"])
        self.order = None if plan["order"] is None else {test: rank for rank, test in enumerate(plan["order"])}
        self.seed = plan["seed"]
        self.results = plan["results"]

    @property
    def orders(self):
        return self.order is not None or self.seed is not None

    def selects(self, test):
        return self.select is None or self.named(test) in self.select

    def sorted(self, tests, blocks_of):
        """The tests in the planned order; `blocks_of` names a test's blocks from the outside in, itself last."""
        if self.order is not None:
            return sorted(tests, key=lambda test: self.order.get(self.named(blocks_of(test)[-1]), len(self.order)))
        if self.seed is not None:
            return sorted(tests, key=lambda test: [self._drawn(block) for block in blocks_of(test)])
        return tests

    def _drawn(self, name):
        return hashlib.sha256(f"{self.seed}:{name}".encode("utf-8", "surrogatepass")).hexdigest()

    def named(self, test):
        """An id with single spaces, as it is when it comes back from the results."""
        return " ".join(test.split())

    def write(self, test, outcome, seconds=None, message=None):
        if self.results is None:
            return
        result = {"id": self.named(test), "outcome": outcome}
        # Python's names are unique: one that comes again is tried again.
        tries = self.tries.get(test, 0)
        if tries:
            result["retry"] = tries
        if outcome != "started":
            self.tries[test] = tries + 1
        if seconds is not None:
            result["ms"] = round(seconds * 1000, 3)
        if message:
            result["message"] = message[:4000]
        # One short write to a file opened for appending: lines of several processes do not mix.
        with open(self.results, "ab") as file:
            file.write(json.dumps(result).encode("ascii") + b"\n")


def load():
    path = os.environ.get("STEADY_PLAN")
    return Plan(path) if path else None
