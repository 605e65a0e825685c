// Reporter for `node --test`: results with steady's ids; it prints nothing.
import { createRequire } from 'node:module';

const steady = createRequire(process.env.STEADY_PLAN)('./steady-plan.cjs');

export default async function* report(events) {
  const titles = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      titles.length = data.nesting;
      titles[data.nesting] = data.name;
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite' && !isOwnFailure(data)) continue;
    titles.length = data.nesting;
    const id = steady.id(data.file ?? steady.plan.root, [...titles, data.name]);
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const error = data.details?.error;
    const message = error && (error.cause?.stack ?? error.cause ?? error.message);
    if (skipped && !steady.selects(id)) continue;
    steady.write(id, type === 'test:fail' ? (data.todo === undefined ? 'failed' : 'skipped') : skipped ? 'skipped' : 'passed', data.details?.duration_ms, message);
  }
}

// A suite fails with its tests; only what went wrong in the suite itself is told.
function isOwnFailure(data) {
  const error = data.details?.error;
  return error !== undefined && error.failureType !== 'subtestsFailed';
}
