// Jest test runner around jest-circus: the planned tests of a file in the planned order, results with steady's ids.
'use strict';
const steady = require('./steady-plan.cjs');

const circus = require(steady.through(['jest', '@jest/core', 'jest-config'], 'jest-circus/runner'));

module.exports = async (globalConfig, config, environment, runtime, testPath, ...rest) => {
  const theirs = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = async (event, state) => {
    if (event.name === 'run_start') arrange(state.rootDescribeBlock, testPath);
    if (event.name === 'test_start' && steady.selects(idOf(event.test, testPath))) steady.write(idOf(event.test, testPath), 'started', null, null, retryOf(event.test));
    if (event.name === 'test_done') finished(event.test, testPath);
    if (event.name === 'test_skip' || event.name === 'test_todo') {
      if (steady.selects(idOf(event.test, testPath))) steady.write(idOf(event.test, testPath), 'skipped');
    }
    await theirs?.(event, state);
  };
  try {
    const run = circus.default ?? circus;
    const result = await run(globalConfig, config, environment, runtime, testPath, ...rest);
    if (result.testExecError) steady.write(steady.relative(testPath), 'failed', null, result.testExecError.stack ?? result.testExecError.message);
    return result;
  } catch (error) {
    steady.write(steady.relative(testPath), 'failed', null, error?.stack ?? error);
    throw error;
  }
};

function titles(block) {
  return block.parent ? [...titles(block.parent), block.name] : [];
}

const idOf = (block, file) => steady.id(file, titles(block));

function testsOf(block, file) {
  return block.type === 'test' ? [idOf(block, file)] : block.children.flatMap(child => testsOf(child, file));
}

function arrange(block, file) {
  for (const child of block.children) {
    if (child.type !== 'test') arrange(child, file);
    else if (!steady.selects(idOf(child, file))) child.mode = 'skip';
  }
  if (!steady.orders) return;
  const sorted = steady.sort(block.children, child => idOf(child, file), child => testsOf(child, file));
  block.children.splice(0, block.children.length, ...sorted);
}

// `jest.retryTimes`: every attempt starts and ends; Jest counts them from 1.
const retryOf = test => Math.max(0, (test.invocations ?? 1) - 1);

function finished(test, file) {
  const message = test.errors.map(error => (Array.isArray(error) ? error[0] ?? error[1] : error)).map(error => error?.stack ?? String(error));
  steady.write(idOf(test, file), test.errors.length ? 'failed' : 'passed', test.duration, message.join('\n'), retryOf(test));
}
