// Vitest runner: the planned tests of a file in the planned order.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const steady = createRequire(process.env.STEADY_PLAN)('./steady-plan.cjs');
const entry = path.join(path.dirname(steady.through([], 'vitest/node')), 'index.js');
// Before Vitest 4.1 the runner has an entry of its own.
const Runner =
  (await import(pathToFileURL(entry))).TestRunner ??
  (await import(pathToFileURL(steady.through([], 'vitest/runners')))).VitestTestRunner;

export default class extends Runner {
  onCollected(files) {
    for (const file of files) arrange(file, file.filepath, this.config.name ?? '');
    return super.onCollected?.(files);
  }
}

function titles(task) {
  return !task || task.filepath ? [] : [...titles(task.suite), task.name];
}

function idOf(task, file, project) {
  return steady.within(steady.id(file, titles(task)), project);
}

function testsOf(task, file, project) {
  return task.tasks ? task.tasks.flatMap(child => testsOf(child, file, project)) : [idOf(task, file, project)];
}

function arrange(block, file, project) {
  for (const child of block.tasks) {
    if (child.tasks) arrange(child, file, project);
    else if (!steady.selects(idOf(child, file, project))) child.mode = 'skip';
  }
  if (block.tasks.every(child => child.mode === 'skip')) block.mode = 'skip';
  if (steady.orders) {
    block.tasks = steady.sort(block.tasks, child => idOf(child, file, project), child => testsOf(child, file, project));
  }
}
