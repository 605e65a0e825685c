//! What the sleeps of a file cost.

use super::read;
use crate::lint::{Cost, cost};

#[test]
fn only_what_a_test_waits_for_costs() {
    let text = "\
const RETRY_DELAY_MS = 10 * 60 * 1000;
const nap = () => new Promise(done => setTimeout(done, 20));
test('a', async ({ page }) => {
  vi.fn(async () => { await sleep(5000); });
  while (!open) { await sleep(700); }
  await nap();
  await page.waitForTimeout(100);
  await page.waitForTimeout(ttl());
  page.waitForTimeout(9000);
});
";
    assert_eq!(cost(&read(text)), Cost { sleeps: 2, ms: 120, unknown: 1 });
}
