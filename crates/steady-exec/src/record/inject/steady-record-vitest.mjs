// Vitest set-up file: tells the recorder which test runs.
import { createRequire } from 'node:module';
import { afterEach, beforeEach } from 'vitest';

const require = createRequire(process.env.STEADY_PLAN);
const steady = require('./steady-plan.cjs');
const record = require('./steady-record.cjs');

record.watchProcess();

beforeEach(({ task }) => record.begin(steady.within(steady.id(task.file.filepath, titles(task)), task.file.projectName)));
afterEach(({ task }) => {
  const errors = task.result?.errors ?? [];
  if (errors.length) record.failed(steady.within(steady.id(task.file.filepath, titles(task)), task.file.projectName), errors);
  record.end();
});

function titles(task) {
  return task.suite ? [...titles(task.suite), task.name] : task.file === task ? [] : [task.name];
}
