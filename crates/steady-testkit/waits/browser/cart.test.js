const { expect, test } = require('@playwright/test');

test('shows what is in it', async ({ page }) => {
  await page.setContent(`
    <button onclick="setTimeout(() => { total.textContent = '42'; }, 150)">Add</button>
    <output id="total"></output>`);
  await page.click('button');
  await page.waitForTimeout(20);
  expect(await page.textContent('#total')).toBe('42');
});
