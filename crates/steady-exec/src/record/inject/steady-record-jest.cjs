// Jest test runner around steady's own: tells the recorder which test runs and shows it the clients of the test's own realm.
'use strict';
const steady = require('./steady-plan.cjs');
const run = require('./steady-jest-runner.cjs');
const record = require('./steady-record.cjs');

record.watchHttp();

module.exports = (globalConfig, config, environment, runtime, testPath, ...rest) => {
  const theirs = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = async (event, state) => {
    if (event.name === 'test_start') record.begin(steady.id(testPath, titles(event.test)));
    if (event.name === 'test_done') {
      if (event.test.errors.length) record.failed(steady.id(testPath, titles(event.test)), event.test.errors);
      record.end();
    }
    await theirs?.(event, state);
  };
  record.watchFetch(environment.global);
  const load = runtime.requireModuleOrMock.bind(runtime);
  runtime.requireModuleOrMock = (from, name) => record.watchClient(name, load(from, name));
  return run(globalConfig, config, environment, runtime, testPath, ...rest);
};

function titles(block) {
  return block.parent ? [...titles(block.parent), block.name] : [];
}
