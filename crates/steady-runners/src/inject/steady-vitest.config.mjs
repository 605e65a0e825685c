// Vitest configuration: the user's own, with steady's reporter, sequencer and runner beside it.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = path.dirname(process.env.STEADY_PLAN);
const steady = createRequire(process.env.STEADY_PLAN)('./steady-plan.cjs');
const vitest = steady.through([], 'vitest/node');
const { BaseSequencer } = await import(pathToFileURL(vitest));
// What `require` finds is another build in Vite 5, without this function.
const vite = path.join(path.dirname(createRequire(vitest).resolve('vite/package.json')), 'dist/node/index.js');
const { loadConfigFromFile } = await import(pathToFileURL(vite));

// What Vitest looks for, in its order.
const NAMES = ['vitest.config', 'vite.config'].flatMap(name => ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map(end => `${name}.${end}`));

class Sequencer extends BaseSequencer {
  async sort(specs) {
    // Before Vitest 2.1 a file is a pair of its project and its path.
    const nameOf = spec => steady.relative(spec.moduleId ?? spec[1]);
    const wanted = specs.filter(spec => steady.selectsFile(nameOf(spec)));
    return steady.orders ? steady.sortFiles(wanted, nameOf) : super.sort(wanted);
  }
}

export default async environment => {
  const given = process.env.STEADY_VITEST_CONFIG;
  const { existsSync } = await import('node:fs');
  const file = given ? path.resolve(given) : NAMES.map(name => path.join(steady.plan.root, name)).find(name => existsSync(name));
  const theirs = (file && (await loadConfigFromFile(environment, file))?.config) ?? {};
  const reporters = [theirs.test?.reporters ?? 'default'].flat();
  const sequence = { ...theirs.test?.sequence };
  if (steady.orders || steady.plan.select) sequence.sequencer = Sequencer;
  if (steady.orders) sequence.shuffle = false;
  const test = { ...theirs.test, sequence, reporters: [...reporters, path.join(folder, 'steady-vitest-reporter.mjs')] };
  if (steady.orders || steady.plan.select) test.runner = path.join(folder, 'steady-vitest-runner.mjs');
  if (steady.orders) test.fileParallelism = false;
  // A file of steady's own that has to run before each test file.
  const setup = process.env.STEADY_VITEST_SETUP;
  if (setup) test.setupFiles = [setup, ...[test.setupFiles ?? []].flat()];
  return { ...theirs, root: theirs.root ?? steady.plan.root, test };
};
