const fs = require('node:fs');
const { test } = require('@playwright/test');
const log = id => fs.appendFileSync(process.env.STEADY_TEST_LOG, `cart.spec.js::${id}\n`);

test('adds an item', () => log('adds an item'));

test.describe('totals', () => {
  for (const text of ['1 + 1 (= $2.00)', 'a/b | [c]*']) {
    test(`sums ${text}`, () => log(`totals::sums ${text}`));
  }

  test.describe('by "quotes" & \'more\'', () => {
    test('nested > deeper', () => log('totals::by "quotes" & \'more\'::nested > deeper'));
  });
});
