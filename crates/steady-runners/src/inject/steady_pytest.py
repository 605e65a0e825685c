"""pytest plugin: runs the planned tests in the planned order and writes their results with their node ids."""

import os

import pytest
import steady_plan


# Set for what the tests themselves start: a pytest run by a test is no part of the plan.
TAKEN = "STEADY_PLAN_TAKEN"


def pytest_configure(config):
    plan = steady_plan.load()
    is_worker = hasattr(config, "workerinput")
    if plan is None or (TAKEN in os.environ and not is_worker):
        return
    os.environ[TAKEN] = "1"
    config.pluginmanager.register(SteadyPlugin(plan, is_worker, config), "steady")


def pytest_unconfigure(config):
    if config.pluginmanager.has_plugin("steady"):
        os.environ.pop(TAKEN, None)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    plan = steady_plan.load()
    if plan is not None and plan.orders and hasattr(config.option, "numprocesses"):
        # An order means one test after the other: pytest-xdist has to stand back.
        config.option.numprocesses = None
        config.option.dist = "no"
        config.option.tx = []


class SteadyPlugin:
    def __init__(self, plan, is_worker, config):
        self.plan = plan
        # With pytest-xdist the workers' reports come together in the process that started them.
        self.writes = not is_worker
        self.open = {}
        self.told = set()
        self.wanted = None
        if plan.select is not None:
            root = str(config.rootpath)
            self.wanted = {os.path.join(root, test.split("::", 1)[0]) for test in plan.select}

    def pytest_ignore_collect(self, collection_path):
        if self.wanted is None:
            return None
        path = str(collection_path)
        below = path + os.sep
        if any(file == path or file.startswith(below) for file in self.wanted):
            return None
        return True

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        left_out = [item for item in items if not self.plan.selects(item.nodeid)]
        if left_out:
            config.hook.pytest_deselected(items=left_out)
        kept = [item for item in items if self.plan.selects(item.nodeid)]
        items[:] = self.plan.sorted(kept, blocks)

    def pytest_collectreport(self, report):
        if self.writes and report.failed:
            self.plan.write(report.nodeid, "failed", None, failure(report))

    def pytest_runtest_logstart(self, nodeid):
        if self.writes:
            self.plan.write(nodeid, "started")

    def pytest_runtest_logreport(self, report):
        if not self.writes:
            return
        if report.when == "setup":
            self.told.discard(report.nodeid)
        if report.nodeid in self.told:
            return
        outcome, seconds, message = self.open.pop(report.nodeid, (None, 0.0, None))
        seconds += getattr(report, "duration", 0.0)
        if report.outcome == "rerun":
            # pytest-rerunfailures: this attempt failed and another one follows. Whether a teardown report comes first depends
            # on its version.
            self.told.add(report.nodeid)
            self.plan.write(report.nodeid, "failed", seconds, failure(report))
            return
        said = outcome_of(report)
        if said == "failed" and outcome != "failed":
            outcome, message = said, failure(report)
        elif said == "skipped" and outcome is None:
            outcome, message = said, skip_reason(report)
        elif report.when == "call" and outcome is None:
            outcome = said
        if report.when == "teardown":
            self.plan.write(report.nodeid, outcome or "passed", seconds, message)
        else:
            self.open[report.nodeid] = (outcome, seconds, message)

    def pytest_sessionfinish(self):
        # A test that ended the whole run has no teardown report.
        for test, (outcome, seconds, message) in self.open.items():
            if outcome is not None:
                self.plan.write(test, outcome, seconds, message)
        self.open = {}


def failure(report):
    # What went wrong comes first: a line is often all there is room for.
    crash = getattr(report.longrepr, "reprcrash", None)
    return f"{crash.message}\n{report.longreprtext}" if crash else report.longreprtext


def blocks(item):
    return [node.nodeid for node in item.listchain() if node.nodeid]


def outcome_of(report):
    if hasattr(report, "wasxfail"):
        # Expected to fail: either way the run goes on as the author wants.
        return "passed"
    return report.outcome


def skip_reason(report):
    return str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else report.longreprtext
