import fs from 'node:fs';
import { expect, test } from 'vitest';

test('passes', () => {});

test('fails', () => {
  expect(1 + 1).toBe(3);
});

test('fails every second time', () => {
  fs.appendFileSync('attempts.txt', 'x');
  if (fs.readFileSync('attempts.txt', 'utf8').length % 2 === 0) throw new Error('every second time');
});

test.skip('is skipped', () => {});

test.each([1, 2])('doubles %i', number => {
  expect(number + number).toBe(2 * number);
});
