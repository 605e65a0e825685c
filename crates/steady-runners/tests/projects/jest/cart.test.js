const fs = require('node:fs');
const log = id => fs.appendFileSync(process.env.STEADY_TEST_LOG, `cart.test.js::${id}\n`);

test('adds an item', () => log('adds an item'));

describe('totals', () => {
  test.each([['1 + 1 (= $2.00)'], ['a/b | [c]*']])('sums %s', text => log(`totals::sums ${text}`));

  describe('by "quotes" & \'more\'', () => {
    test('nested > deeper', () => log('totals::by "quotes" & \'more\'::nested > deeper'));
  });
});
