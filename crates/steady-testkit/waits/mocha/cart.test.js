const assert = require('node:assert');
const { open, wait } = require('./page.cjs');

describe('cart', () => {
  it('shows what is in it', async () => {
    const page = open();
    await wait(150);
    assert.equal(page.text, 'ready');
  });

  it('can be empty', async () => {
    await wait(300);
    assert.equal([].length, 0);
  });
});
