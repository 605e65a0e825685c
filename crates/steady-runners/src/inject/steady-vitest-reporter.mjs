// Vitest reporter: results with steady's ids.
import { createRequire } from 'node:module';

const steady = createRequire(process.env.STEADY_PLAN)('./steady-plan.cjs');

export default class {
  onTestCaseReady(test) {
    const id = idOf(test);
    if (steady.selects(id)) steady.write(id, 'started');
  }

  onTestCaseResult(test) {
    const id = idOf(test);
    if (!steady.selects(id)) return;
    const { state, errors } = test.result();
    const message = errors?.map(error => error.stack ?? error.message).join('\n');
    steady.write(id, state, test.diagnostic()?.duration, message);
  }

  onTestModuleEnd(module) {
    const message = module.errors().map(error => error.stack ?? error.message).join('\n');
    if (message) steady.write(steady.relative(module.moduleId), 'failed', null, message);
  }
}

function idOf(test) {
  const titles = [];
  for (let node = test; node.type !== 'module'; node = node.parent) titles.unshift(node.name);
  return steady.within(steady.id(test.module.moduleId, titles), test.project.name);
}
