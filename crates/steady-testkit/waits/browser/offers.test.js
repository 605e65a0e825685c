const { expect, test } = require('@playwright/test');

test('shows the offers of the day', async ({ page }) => {
  await page.setContent('<button>Offers</button>');
  await page.click('button');
  await page.waitForTimeout(600);
  expect(await page.textContent('button')).toBe('Offers');
});
