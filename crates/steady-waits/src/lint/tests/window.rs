//! Sleeps that are the time in which a test counts.

use super::{PLAYWRIGHT, advice};

#[test]
fn a_sleep_before_an_upper_bound_has_to_stay() {
    for text in [
        "const calls = []; page.on('request', (one) => { calls.push(one.url()); }); await page.goto('/'); await page.waitForTimeout(5000); expect(calls.length).toBeLessThanOrEqual(1);",
        "const seen = []; page.on('request', (one) => { seen.push(one.url()); }); await page.goto('/'); await page.waitForTimeout(5000); expect(seen.length).toBeGreaterThan(0); expect(seen.length).toBeLessThan(3);",
        "let asked = 0; await page.route('/x', (route) => { asked++; return route.continue(); }); await page.goto('/'); await page.waitForTimeout(5000); expect(asked).toBeLessThanOrEqual(1);",
        "await page.goto('/'); await page.waitForTimeout(5000); expect(save).toHaveBeenCalledTimes(1);",
    ] {
        let advice = advice(&format!("{PLAYWRIGHT}test('a', async ({{ page }}) => {{ {text} }})"));
        assert!(advice.contains("the sleep has to stay"), "{text}: {advice}");
        assert!(!advice.contains("waitForResponse") && !advice.contains("poll"), "{text}: {advice}");
    }
    let unit = "it('a', async () => { start(); await sleep(500); expect(save).toHaveBeenCalledTimes(2) })";
    assert!(
        advice(&format!("import {{ it, vi }} from 'vitest'\n{unit}"))
            .contains("move a fake clock past that interval")
    );
}

#[test]
fn a_helper_that_gives_back_what_it_counted_has_to_sleep() {
    let helper = "async function count(page, url) {\n  const calls = [];\n  await page.route('**/api', async (route) => {\n    calls.push(route.request().url());\n    await route.continue();\n  });\n  await page.goto(url);\n  await page.waitForTimeout(5000);\n  return { total: calls.length };\n}\n";
    let advice = advice(&format!("{PLAYWRIGHT}{helper}"));
    assert!(advice.starts_with("Line 10 counts what happened until then"), "{advice}");
}

#[test]
fn other_bounds_and_other_results_say_nothing_of_a_window() {
    for text in [
        "await page.waitForTimeout(500); const box = await page.locator('#x').boundingBox(); expect(box.y).toBeLessThan(300);",
        "await page.waitForTimeout(500); expect(await page.locator('.row').count()).toBeLessThan(3);",
        "await page.waitForTimeout(500); const calls = await log.calls(); expect(calls.length).toBeLessThan(3);",
        "const rows = []; rows.push(1); await page.waitForTimeout(500); return rows.length;",
    ] {
        let advice = advice(&format!("{PLAYWRIGHT}test('a', async ({{ page }}) => {{ {text} }})"));
        assert!(!advice.contains("has to stay"), "{text}: {advice}");
    }
    // A turn of the event loop is no time in which something is observed.
    let flush = "import { it } from 'vitest'\nit('a', async () => { save(); await sleep(0); expect(fn).toHaveBeenCalledTimes(1) })";
    assert!(!advice(flush).contains("has to stay"));
}

#[test]
fn what_is_chosen_from_all_that_happened_is_counted_too() {
    let text = "it('a', async () => {\n  const calls = [];\n  api.on('call', (call) => { calls.push(call); });\n  await remove();\n  await sleep(2000);\n  const removed = calls.filter(isRemoval);\n  expect(removed.length).toBe(1);\n})";
    assert!(advice(text).starts_with("Line 7 counts what happened"), "{}", advice(text));
}
