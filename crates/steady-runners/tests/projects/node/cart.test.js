const fs = require('node:fs');
const { describe, test } = require('node:test');
const log = id => fs.appendFileSync(process.env.STEADY_TEST_LOG, `cart.test.js::${id}\n`);

test('adds an item', () => log('adds an item'));

describe('totals', () => {
  for (const text of ['1 + 1 (= $2.00)', 'a/b | [c]*']) {
    test(`sums ${text}`, () => log(`totals::sums ${text}`));
  }

  describe('by "quotes" & \'more\'', () => {
    test('nested > deeper', () => log('totals::by "quotes" & \'more\'::nested > deeper'));
  });
});
