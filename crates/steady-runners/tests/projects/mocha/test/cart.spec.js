const fs = require('node:fs');
const log = id => fs.appendFileSync(process.env.STEADY_TEST_LOG, `test/cart.spec.js::${id}\n`);

it('adds an item', () => log('adds an item'));

describe('totals', () => {
  for (const text of ['1 + 1 (= $2.00)', 'a/b | [c]*']) {
    it(`sums ${text}`, () => log(`totals::sums ${text}`));
  }

  describe('by "quotes" & \'more\'', () => {
    it('nested > deeper', () => log('totals::by "quotes" & \'more\'::nested > deeper'));
  });
});
