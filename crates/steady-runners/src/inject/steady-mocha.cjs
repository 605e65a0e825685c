// Mocha hook: the planned tests in the planned order, results with steady's ids beside the user's reporter.
'use strict';
const steady = require('./steady-plan.cjs');

// Mocha 12 is made of ES modules, which are not in the cache; this one still is.
const [, mocha] = Object.entries(require.cache).find(([file]) => /[\\/]mocha[\\/]lib[\\/]mocha\.c?js$/.test(file)) ?? [];
const Runner = mocha?.exports.Runner;
if (!Runner) throw new Error('steady: cannot find the running Mocha');
const run = Runner.prototype.run;

Runner.prototype.run = function (...args) {
  choose(this.suite);
  if (steady.orders) arrange(this.suite);
  this.total = this.suite.total();
  listen(this);
  return run.apply(this, args);
};

const titles = node => (node.parent ? [...titles(node.parent), node.title] : []);

const fileOf = node => node.file ?? (node.parent && fileOf(node.parent));

const idOf = node => steady.id(fileOf(node) ?? steady.plan.root, titles(node));

const testsOf = node => (node.suites ? [...node.tests, ...node.suites].flatMap(testsOf) : [idOf(node)]);

function choose(suite) {
  suite.tests = suite.tests.filter(test => steady.selects(idOf(test)));
  suite.suites.forEach(choose);
  suite.suites = suite.suites.filter(child => child.total() > 0);
}

function arrange(suite) {
  if (suite.tests.length && suite.suites.length) {
    // Mocha runs the tests of a block before the blocks in it; a block without a title frees each test of that.
    for (const test of suite.tests) {
      const alone = suite.constructor.create(suite, '');
      alone.file = test.file;
      // A block gives a test its own limits; those that were set for the test alone have to stay.
      const { _retries, _timeout, _slow } = test;
      alone.addTest(test);
      Object.assign(test, { _retries, _timeout, _slow });
    }
    suite.tests = [];
  }
  suite.tests = steady.sort(suite.tests, idOf, testsOf);
  suite.suites = steady.sort(suite.suites, child => steady.join([idOf(child), ...testsOf(child)]), testsOf);
  suite.suites.forEach(arrange);
}

function listen(runner) {
  const tell = outcome => (test, error) => {
    if (test.type === 'hook') {
      steady.write(idOf(test.ctx?.currentTest ?? test.parent), outcome, null, error?.stack ?? error);
    } else {
      steady.write(idOf(test), outcome, test.duration, error?.stack ?? error, test.currentRetry?.());
    }
  };
  runner.on('test', test => steady.write(idOf(test), 'started', null, null, test.currentRetry?.()));
  // An attempt that failed and is followed by another.
  runner.on('retry', tell('failed'));
  runner.on('pass', tell('passed'));
  runner.on('fail', tell('failed'));
  runner.on('pending', tell('skipped'));
}
