import assert from 'node:assert';
import { describe, it, test } from 'node:test';
describe('cart', () => {
  it('adds up', () => {});
  describe('with discount', () => { it('takes ten per cent', () => { assert.equal(10 - 1, 8); }); });
  it('is skipped', { skip: 'not on this machine' }, () => {});
  it('is to be written', { todo: true }, () => { assert.fail('not yet'); });
  for (const text of ['plain', 'ünï 🛒', 'a # b', '<&"\'>', 'back\\slash']) it(`holds ${text}`, () => { assert.notEqual(text, 'a # b'); });
  it('same name', () => {});
  it('same name', () => { throw new Error('the second'); });
});
test('has parts', async (t) => { await t.test('first', () => {}); await t.test('second', () => { throw new Error('second part'); }); });
test('cancelled', { timeout: 20 }, async () => { await new Promise((r) => setTimeout(r, 2000)); });
