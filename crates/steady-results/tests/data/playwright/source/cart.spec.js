import { expect, test } from '@playwright/test';
test.describe('cart', () => {
  test('adds up', () => { expect(1 + 1).toBe(2); });
  test('takes ten per cent', () => { expect(10 - 1).toBe(8); });
  test.skip('is skipped', () => {});
  test('is known to fail', () => { test.fail(); expect(1).toBe(2); });
  test('is fixed by now', () => { test.fail(); });
  for (const text of ['plain', 'ünï 🛒', '<&"\'>'])
    test(`holds ${text}`, () => {});
  test('passes at the second try', ({}, info) => { expect(info.retry).toBe(1); });
  test('takes too long', async () => { test.setTimeout(50); await new Promise(() => {}); });
});
test.describe('broken before', () => {
  test.beforeAll(() => { throw new Error('no database'); });
  test('never gets there', () => {});
});
