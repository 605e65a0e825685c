// Playwright reporter, added beside the user's: results with steady's ids, and the planned order.
'use strict';
const path = require('node:path');
const steady = require('./steady-plan.cjs');

module.exports = class {
  constructor() {
    if (steady.orders) takeOrder();
  }

  printsToStdio() {
    return false;
  }

  onTestBegin(test, result) {
    steady.write(idOf(test), 'started', null, null, result.retry);
  }

  // Each try is told; the last one is what the test came to.
  onTestEnd(test, result) {
    // Cut short by another test's failure: it came to nothing.
    if (result.status === 'interrupted') return steady.write(idOf(test), 'skipped', result.duration, 'interrupted', result.retry);
    const passed = result.status === test.expectedStatus;
    const message = passed ? null : result.errors.map(error => error.stack ?? error.message ?? error.value).join('\n');
    steady.write(idOf(test), result.status === 'skipped' ? 'skipped' : passed ? 'passed' : 'failed', result.duration, message, result.retry);
  }

  onError(error) {
    if (error.location) steady.write(steady.relative(error.location.file), 'failed', null, error.stack ?? error.message);
  }
};

// Files are named as Playwright names them: relative to the folder of all tests.
function idOf(test) {
  const [, project, file, ...titles] = test.titlePath();
  return steady.within(steady.join([file.split(path.sep).join('/'), ...titles]), project);
}

// Playwright groups tests for its workers in the order in which a project's suite lists them.
function takeOrder() {
  const loaded = Object.entries(require.cache).filter(([file]) => /[\\/]playwright[\\/]lib[\\/]common[\\/]/.test(file));
  const Suite = loaded.map(([, module]) => module.exports?.test?.Suite ?? module.exports?.Suite).find(Boolean);
  if (!Suite?.prototype.allTests) throw new Error('steady: cannot order the tests of this version of Playwright');
  const allTests = Suite.prototype.allTests;
  Suite.prototype.allTests = function () {
    const tests = allTests.call(this);
    if (this._type !== 'project') return tests;
    const files = new Map();
    for (const test of tests) {
      const file = idOf(test).split('::', 1)[0];
      files.set(file, [...(files.get(file) ?? []), test]);
    }
    const sorted = steady.sortFiles([...files], ([file]) => file);
    return sorted.flatMap(([, inFile]) => steady.sort(inFile, idOf, test => [idOf(test)]));
  };
}
