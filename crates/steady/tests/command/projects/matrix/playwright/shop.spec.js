const fs = require('node:fs');
const { expect, test } = require('@playwright/test');

test('passes', () => {});

test('fails', () => {
  expect(1 + 1).toBe(3);
});

test('fails every second time', () => {
  fs.appendFileSync('attempts.txt', 'x');
  if (fs.readFileSync('attempts.txt', 'utf8').length % 2 === 0) throw new Error('every second time');
});

test.skip('is skipped', () => {});

for (const number of [1, 2]) {
  test(`doubles ${number}`, () => {
    expect(number + number).toBe(2 * number);
  });
}
