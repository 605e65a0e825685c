import { describe, expect, test } from 'vitest';
describe('cart', () => {
  test('adds up', () => { expect(1 + 1).toBe(2); });
  describe('with discount', () => {
    test('takes ten per cent', () => { expect(10 - 1).toBe(8); });
  });
  test.skip('is skipped', () => {});
  test.todo('is to be written');
  test.each(['plain', 'ünï 🛒', 'a > b', '<&"\'>'])('holds %s', (text) => { expect(text).not.toBe('a > b'); });
  test('same name', () => {});
  test('same name', () => { throw new Error('the second'); });
});
let tries = 0;
test('passes at the second try', { retry: 1 }, () => { tries += 1; expect(tries).toBe(2); });
