import fs from 'node:fs';
import { test } from 'vitest';

test('calm', () => {});

test('flaky', () => {
  fs.appendFileSync('attempts.txt', 'x');
  if (fs.readFileSync('attempts.txt', 'utf8').length % 2 === 0) throw new Error('every second time');
});
