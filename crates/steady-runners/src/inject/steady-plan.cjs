// What steady asks of this run: the plan, and the file for results. Shared by all of steady's JavaScript hooks.
'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');

const plan = JSON.parse(fs.readFileSync(process.env.STEADY_PLAN, 'utf8'));
const selected = plan.select && new Set(plan.select);
const ranks = plan.order && new Map(plan.order.map((id, rank) => [id, rank]));

// White space in an id is a single space, as it is when the id comes back from the results.
const tidy = text => text.replace(/\s+/g, ' ').trim();

const join = parts => parts.map(tidy).filter(part => part !== '').join('::');

// An id with the project's name behind it, for runners that have projects.
const within = (test, project) => (project ? `${test} [${tidy(project)}]` : test);

const relative = file => path.relative(plan.root, file).split(path.sep).join('/');

const id = (file, titles) => join([relative(file), ...titles]);

const selects = test => !selected || selected.has(test);

// Whether a file holds a selected test.
const selectsFile = name => !selected || plan.select.some(test => test === name || test.startsWith(`${name}::`));

const drawn = name => createHash('sha256').update(`${plan.seed}:${name}`).digest('hex');

const smallerFirst = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

// A block stands where the last of its listed tests stands; what is not listed comes behind.
const rank = tests => tests.reduce((last, test) => Math.max(last, ranks.get(test) ?? -1), -1);

// Sorts blocks and tests: `nameOf` says what a block is called, `testsOf` which tests are in it.
function sort(blocks, nameOf, testsOf) {
  const keyOf = ranks
    ? block => { const last = rank(testsOf(block)); return last < 0 ? Infinity : last; }
    : plan.seed !== null ? block => drawn(nameOf(block)) : () => 0;
  const keyed = blocks.map(block => ({ block, key: keyOf(block) }));
  return keyed.sort((a, b) => smallerFirst(a.key, b.key)).map(({ block }) => block);
}

// Sorts files: a listed test is in the file its id begins with.
function sortFiles(files, nameOf) {
  const testsOf = file => (plan.order ?? []).filter(test => test.startsWith(`${nameOf(file)}::`));
  return sort(files, nameOf, testsOf);
}

// `retry` counts from 0; without it, a name that comes again is another test's.
function write(test, outcome, ms, message, retry) {
  if (!plan.results) return;
  const result = { id: test, outcome };
  if (retry) result.retry = retry;
  if (ms !== undefined && ms !== null) result.ms = ms;
  if (message) result.message = String(message).slice(0, 4000);
  // One short write to a file opened for appending: lines of several processes do not mix.
  fs.appendFileSync(plan.results, `${JSON.stringify(result)}\n`);
}

// Finds what a package of the user's depends on, package by package: `through(['jest', 'jest-config'], 'jest-circus')`.
function through(packages, target) {
  const starts = [path.join(plan.root, 'package.json'), fs.realpathSync(process.argv[1]), ...Object.keys(require.cache)];
  let problem;
  for (const start of starts) {
    try {
      let from = createRequire(start);
      for (const name of packages) from = createRequire(from.resolve(`${name}/package.json`));
      return from.resolve(target);
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

const orders = plan.order !== null || plan.seed !== null;

module.exports = { plan, orders, join, within, relative, id, selects, selectsFile, sort, sortFiles, write, through };
