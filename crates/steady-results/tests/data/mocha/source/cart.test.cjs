const assert = require('node:assert');
describe('cart', function () {
  it('adds up', () => {});
  describe('with discount', () => { it('takes ten per cent', () => { assert.equal(10 - 1, 8); }); });
  it.skip('is skipped', () => {});
  for (const text of ['plain', 'ünï 🛒', 'a # b', '<&"\'>']) it(`holds ${text}`, () => { assert.notEqual(text, 'a # b'); });
  describe('broken before', () => { before(() => { throw new Error('no database'); }); it('never gets there', () => {}); });
});
