const fs = require('node:fs');
const { test } = require('@playwright/test');

test('calm', () => {});

test('flaky', () => {
  fs.appendFileSync('attempts.txt', 'x');
  if (fs.readFileSync('attempts.txt', 'utf8').length % 2 === 0) throw new Error('every second time');
});
