//! Sleeps that outlast a timer of what is tested.

use super::{PLAYWRIGHT, advice};

#[test]
fn a_sleep_as_long_as_a_timer_that_the_test_gives_is_not_deleted() {
    let vitest = "import { it, expect } from 'vitest'\n";
    for text in [
        "const save = debounce(fn, 300); save(); await sleep(350); expect(fn).toHaveBeenCalledTimes(1)",
        "const cache = createCache({ ttl: 100 }); cache.set('a', 1); await sleep(150); expect(cache.size).toBe(1)",
        "toast('saved', { duration: 3000 }); await sleep(3000); expect(closed).toBe(true)",
    ] {
        let advice = advice(&format!("{vitest}it('a', async () => {{ {text} }})"));
        assert!(
            advice.starts_with("The sleep outlasts a timer of what is tested (line 2: "),
            "{text}: {advice}"
        );
        assert!(advice.contains("vi.useFakeTimers()") && !advice.contains("Delete it"), "{text}: {advice}");
    }
    for text in [
        "const box = open({ width: 300 }); await sleep(350); expect(box.seen).toBe(1)",
        "const save = debounce(fn, 300); save(); await sleep(2000); expect(fn).toHaveBeenCalledTimes(1)",
        "await waitFor(() => expect(a).toBe(1), { timeout: 1000 }); await sleep(1000); expect(fn).toHaveBeenCalledTimes(1)",
    ] {
        let advice = advice(&format!("{vitest}it('a', async () => {{ {text} }})"));
        assert!(!advice.contains("outlasts a timer"), "{text}: {advice}");
    }
}

#[test]
fn a_name_or_a_comment_tells_of_the_timer() {
    for text in [
        "await page.fill('#q', 'ab'); await page.waitForTimeout(SEARCH_DEBOUNCE_MS + 50); await expect(page.locator('li')).toHaveCount(2);",
        "await page.click('#x'); await page.waitForTimeout(400); // let the animation end\n await expect(page.locator('#y')).toBeVisible();",
        "await page.click('#x');\n// the toast is shown for 5 s\nawait page.waitForTimeout(5000); await page.click('#y');",
    ] {
        let advice = advice(&format!("{PLAYWRIGHT}test('a', async ({{ page }}) => {{ {text} }})"));
        assert!(
            advice.starts_with("The sleep outlasts a timer or an animation of what is tested"),
            "{text}: {advice}"
        );
        assert!(advice.contains("page.clock.runFor(ms)"), "{text}: {advice}");
    }
}

#[test]
fn a_time_that_is_also_a_setting_of_what_is_tested_is_its_timer() {
    let sent = "await request(app).get('/me').expect(429);";
    let asked = "const res = await request(app).get('/me'); expect(res.status).toBe(200);";
    for (set_up, length) in [
        ("const blockDuration = 5000; limiter.start({ blockDuration });", "blockDuration"),
        ("const mocked = 5000; config.mockReturnValue(mocked); const block = mocked;", "block"),
        (
            "const limit = await create({ blockDuration: span() }); const block = limit.blockDuration;",
            "block",
        ),
        ("const WINDOW = readWindow(); const app = open({ window: WINDOW });", "WINDOW + 100"),
        (
            "let limit; limit = await create({ blockDuration: span() }); const block = limit.blockDuration;",
            "block",
        ),
    ] {
        let text = format!(
            "it('a', async () => {{\n  {set_up}\n  {sent}\n  await new Promise((done) => setTimeout(done, {length}));\n  {asked}\n}})"
        );
        let advice = advice(&text);
        assert!(
            advice.starts_with("The sleep outlasts a timer of what is tested (line 2"),
            "{set_up}: {advice}"
        );
        assert!(!advice.contains("Ask the API again"), "{set_up}: {advice}");
    }
    for set_up in [
        "const pause = 5000;",
        "const pause = 5000; await sleep(pause);",
        "const pause = 5000; console.log(pause);",
        "const pause = readPause();",
        "const times = { long: 5000 }; open({ long: true }); const pause = times.long;",
        "const read = () => 5000; use(read()); const pause = read();",
    ] {
        let text = format!(
            "it('a', async () => {{\n  {set_up}\n  {sent}\n  await sleep(pause);\n  {asked}\n}})\nit('b', () => {{ use({{ pause: 1 }}) }})"
        );
        let advice = advice(&text);
        assert!(!advice.contains("outlasts a timer"), "{set_up}: {advice}");
    }
}

#[test]
fn a_time_that_is_compared_with_is_measured() {
    let text = "it('a', async () => {\n  const pause = readPause();\n  await answer();\n  await new Promise((done) => setTimeout(done, pause));\n  expect(report.average).toBe(pause / 2);\n})";
    let advice = advice(text);
    assert!(advice.starts_with("Line 5 compares with the time that the sleep takes"), "{advice}");
}

#[test]
fn a_comment_of_several_lines_names_a_timer() {
    let text = "it('a', async () => {\n  await type('abc');\n  // Wait for the typeahead timer to reset, so that\n  // the next keys are a new search.\n  await sleep(500);\n  await type('on');\n})";
    assert!(advice(text).contains("outlasts a timer"), "{}", advice(text));
}

#[test]
fn the_delay_of_a_step_on_a_page_is_no_timer_of_the_page() {
    let text =
        "it('a', () => { cy.get('#a').type('x', { delay: 300 }); cy.wait(500); cy.get('#b').click(); })";
    assert!(!advice(text).contains("outlasts a timer"), "{}", advice(text));
}
