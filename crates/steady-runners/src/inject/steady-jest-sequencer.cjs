// Jest test sequencer: the files of the planned tests, in the planned order.
'use strict';
const steady = require('./steady-plan.cjs');

const Sequencer = require(steady.through(['jest', '@jest/core', 'jest-config'], '@jest/test-sequencer')).default;

module.exports = class extends Sequencer {
  async sort(tests) {
    const nameOf = test => steady.relative(test.path);
    const wanted = tests.filter(test => steady.selectsFile(nameOf(test)));
    return steady.orders ? steady.sortFiles(wanted, nameOf) : super.sort(wanted);
  }
};
