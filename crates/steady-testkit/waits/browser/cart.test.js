const { expect, test } = require('@playwright/test');

const PAGE = `
  <button onclick="setTimeout(() => { total.textContent = '42'; }, 150)">Add</button>
  <output id="total"></output>`;

test.describe('cart', () => {
  test('shows what is in it', async ({ page }) => {
    await page.setContent(PAGE);
    await page.click('button');
    await page.waitForTimeout(20);
    expect(await page.textContent('#total')).toBe('42');
  });

  test('keeps what is in it', async ({ page }) => {
    await page.setContent(PAGE);
    await page.click('button');
    await page.waitForTimeout(600);
    expect(await page.textContent('#total')).toBe('42');
  });
});
