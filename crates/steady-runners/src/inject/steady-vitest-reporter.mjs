// Vitest reporter: results with steady's ids, every attempt of a test that is retried.
import { createRequire } from 'node:module';

const steady = createRequire(process.env.STEADY_PLAN)('./steady-plan.cjs');

export default class {
  onInit(vitest) {
    // Before Vitest 3 (1 does not tell its version) there are task updates instead of events of single tests.
    if (!(parseInt(vitest.version, 10) >= 3)) this.updates = new TaskUpdates(vitest.state);
  }

  onTestCaseReady(test) {
    const id = idOf(test);
    if (steady.selects(id)) steady.write(id, 'started');
  }

  onTestCaseResult(test) {
    const id = idOf(test);
    if (!steady.selects(id)) return;
    const { state, errors } = test.result();
    const { duration, retryCount } = test.diagnostic() ?? {};
    finished(id, state, errors, duration, retryCount);
  }

  onTestModuleEnd(module) {
    const message = module.errors().map(textOf).join('\n');
    if (message) steady.write(steady.relative(module.moduleId), 'failed', null, message);
  }

  onTaskUpdate(packs) {
    this.updates?.changed(packs);
  }

  onFinished(files) {
    this.updates?.finished(files ?? []);
  }
}

const textOf = error => error.stack ?? error.message;

// Vitest keeps the errors of all attempts in one list, and says how many attempts there were before the last.
function finished(id, state, errors = [], duration, retries = 0) {
  for (let retry = 0; retry < retries; retry++) steady.write(id, 'failed', null, errors[retry] && textOf(errors[retry]), retry);
  const last = state === 'failed' ? errors.slice(retries).map(textOf).join('\n') : '';
  steady.write(id, state, duration, last, retries);
}

function idOf(test) {
  const titles = [];
  for (let node = test; node.type !== 'module'; node = node.parent) titles.unshift(node.name);
  return steady.within(steady.id(test.module.moduleId, titles), test.project.name);
}

const STATES = { pass: 'passed', fail: 'failed' };

// The tests of Vitest 1 and 2, which tell of changed tasks.
class TaskUpdates {
  constructor(state) {
    this.state = state;
    this.begun = new Set();
    this.done = new Set();
  }

  changed(packs) {
    for (const [key] of packs) {
      const task = this.state.idMap.get(key);
      if (task && task.type !== 'suite' && !task.filepath) this.changedTest(task);
    }
  }

  changedTest(task) {
    const id = idOfTask(task);
    if (!steady.selects(id) || this.done.has(task.id)) return;
    const { state, errors, duration, retryCount } = task.result ?? {};
    if (state === 'run' && !this.begun.has(task.id)) {
      this.begun.add(task.id);
      steady.write(id, 'started');
    }
    if (!STATES[state]) return;
    this.done.add(task.id);
    finished(id, STATES[state], errors, duration, retryCount);
  }

  finished(files) {
    for (const file of files) {
      this.rest(file);
      const message = file.result?.errors?.map(textOf).join('\n');
      if (message) steady.write(steady.relative(file.filepath), 'failed', null, message);
    }
  }

  // Tests that never began: skipped ones, and those behind a hook that failed.
  rest(block) {
    for (const task of block.tasks) {
      if (task.tasks) this.rest(task);
      else this.changedTest(task);
      if (task.tasks || this.done.has(task.id) || !steady.selects(idOfTask(task))) continue;
      this.done.add(task.id);
      steady.write(idOfTask(task), 'skipped');
    }
  }
}

const titlesOf = task => (!task || task.filepath ? [] : [...titlesOf(task.suite), task.name]);

function idOfTask(task) {
  return steady.within(steady.id(task.file.filepath, titlesOf(task)), task.file.projectName);
}
