const { expect, test } = require('@playwright/test');
const { open, wait } = require('./page.cjs');

test.describe('cart', () => {
  test('shows what is in it', async () => {
    const page = open();
    await wait(150);
    expect(page.text).toBe('ready');
  });

  test('can be empty', async () => {
    await wait(300);
    expect([].length).toBe(0);
  });
});
