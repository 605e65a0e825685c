use std::path::{Path, PathBuf};

use steady_history::{LineChange, Past};
use steady_script::Script;

use super::{Complaint, Context, Rule, is_before_denial, lint};

fn read(text: &str) -> Script {
    Script::read(Path::new("a.test.ts"), text).unwrap()
}

fn complaints(text: &str) -> Vec<Complaint> {
    let script = read(text);
    lint(&script, Path::new("a.test.ts"), &Context::of(&[&script]))
}

/// `line rule` of every complaint.
fn said(text: &str) -> Vec<String> {
    complaints(text).iter().map(|complaint| format!("{} {}", complaint.line, complaint.rule)).collect()
}

/// The same for a file of another name.
fn said_in(name: &str, text: &str) -> Vec<String> {
    let path = Path::new(name);
    let script = Script::read(path, text).unwrap();
    let complaints = lint(&script, path, &Context::of(&[&script]));
    complaints.iter().map(|complaint| format!("{} {}", complaint.line, complaint.rule)).collect()
}

fn advice(text: &str) -> String {
    complaints(text).into_iter().next().map(|complaint| complaint.advice).unwrap_or_default()
}

#[test]
fn the_next_statement_says_what_to_wait_for() {
    let playwright = "import { test } from '@playwright/test'\n";
    let rows = [
        (format!("{playwright}await page.waitForTimeout(9); await page.click('#x')"), "await expect(page.locator('#x')).toBeVisible()"),
        (format!("{playwright}await page.waitForTimeout(9); log(); const t = await page.getByRole('row').nth(1).textContent()"), "await expect(page.getByRole('row').nth(1)).toBeVisible()"),
        (format!("{playwright}await page.waitForTimeout(9); expect(await page.textContent('#x')).toBe('42')"), "await expect(page.locator('#x')).toHaveText('42')"),
        (format!("{playwright}await page.waitForTimeout(9); expect(await page.locator('li').count()).toBe(3)"), "await expect(page.locator('li')).toHaveCount(3)"),
        (format!("{playwright}await page.waitForTimeout(9); expect(await page.textContent('#x')).not.toBe('42')"), "await expect(page.locator('#x')).toBeVisible()"),
        (format!("{playwright}await page.waitForTimeout(9); const all = await page.locator('li').all()"), "await expect(page.locator('li').first()).toBeVisible()"),
        ("cy.wait(9); cy.get('#x').click()".to_owned(), "cy.get('#x').should('be.visible')"),
        ("import p from 'puppeteer'; await sleep(9); await page.type('#x', 'y')".to_owned(), "await page.waitForSelector('#x')"),
        ("import { By } from 'selenium-webdriver'; await driver.sleep(9); await driver.findElement(By.id('x')).click()".to_owned(), "await driver.wait(until.elementLocated(By.id('x')))"),
        ("import { browser } from '@wdio/globals'; await browser.pause(9); await $('#x').click()".to_owned(), "await $('#x').waitForDisplayed()"),
        ("import { screen } from '@testing-library/react'; await sleep(9); fireEvent.click(screen.getByText('x'))".to_owned(), "await screen.findByText('x')"),
    ];
    for (text, expected) in rows {
        assert_eq!(advice(&text), format!("Wait for what the next line needs: `{expected}`."), "{text}");
    }
}

#[test]
fn a_sleep_before_an_assertion_that_is_tried_again_can_go() {
    let text = "import { test } from '@playwright/test'\nawait page.waitForTimeout(9); await expect(page.locator('#x')).toHaveText('y')";
    assert_eq!(advice(text), "Delete it: the assertion after it waits by itself.");
}

#[test]
fn no_query_is_made_up() {
    let text = "import { screen } from '@testing-library/react'; await sleep(9); expect(getByClass(box, 'x')).toBeDefined()";
    assert!(!advice(text).contains("findByClass"));
}

#[test]
fn a_sleep_before_a_line_that_waits_can_go() {
    let library =
        "import { screen } from '@testing-library/react'; await sleep(9); await screen.findByText('x')";
    assert_eq!(advice(library), "Delete it: the next line waits by itself.");
}

#[test]
fn a_line_that_demands_absence_says_nothing_about_what_to_wait_for() {
    let playwright = "import { test } from '@playwright/test'\nawait page.waitForTimeout(9); ";
    for next in [
        "await expect(page.locator('#x')).toHaveCount(0)",
        "await expect(page.locator('#x')).not.toBeVisible()",
        "await expect(page.locator('#x')).toBeHidden()",
        "await page.waitForSelector('#x', { state: 'hidden' })",
        "await page.locator('#x').waitFor({ state: 'detached' })",
        "expect(await page.locator('#x').isVisible()).toBe(false)",
    ] {
        let advice = advice(&format!("{playwright}{next}"));
        assert!(advice.starts_with("The next line demands that something is not so"), "{next}: {advice}");
    }
    assert!(advice("cy.wait(9); cy.get('#x').should('not.exist')").starts_with("The next line demands"));
    let library = "import { screen } from '@testing-library/react'; await sleep(9); expect(screen.queryByText('x')).toBeNull()";
    assert!(!advice(library).contains("findByText('x')"));
    let called = "it('a', async () => { await sleep(9); expect(save).not.toHaveBeenCalled() })";
    assert!(advice(called).starts_with("The next line demands"));
    assert!(advice("cy.wait(9); cy.get('#x').should('have.length', 0)").starts_with("The next line demands"));
    let removed = "import { screen } from '@testing-library/react'; await sleep(9); await waitForElementToBeRemoved(screen.getByText('x'))";
    assert!(advice(removed).starts_with("The next line demands"));
}

#[test]
fn a_line_that_demands_that_nothing_lacks_says_what_to_wait_for() {
    let playwright = "import { test } from '@playwright/test'\nawait page.waitForTimeout(9); ";
    for next in [
        "await expect(page.locator('#x')).not.toBeDisabled()",
        "await expect(page.locator('#x')).not.toBeEmpty()",
        "expect(page.locator('#x')).not.toBeUndefined()",
    ] {
        assert!(advice(&format!("{playwright}{next}")).contains("page.locator('#x')"), "{next}");
    }
    let ready = "cy.wait(9); cy.get('#x').should('not.be.disabled')";
    assert_eq!(advice(ready), "Wait for what the next line needs: `cy.get('#x').should('be.visible')`.");
}

#[test]
fn what_comes_after_another_step_is_not_what_a_sleep_waits_for() {
    let playwright = "import { test } from '@playwright/test'\nawait page.waitForTimeout(9); ";
    for next in [
        "await page.reload(); await page.click('#x')",
        "await save(page); await expect(page.locator('#x')).toBeVisible()",
        "await page.keyboard.press('ArrowRight'); await page.click('#x')",
    ] {
        assert!(
            advice(&format!("{playwright}{next}")).starts_with("Wait for what the sleep stands for"),
            "{next}"
        );
    }
    assert!(advice("cy.wait(9); cy.visit('/'); cy.get('#x').click()").contains("cy.intercept"));
    let again = format!("{playwright}await page.waitForTimeout(8); await page.click('#x')");
    assert!(advice(&again).contains("page.locator('#x')"));
    let named = format!("{playwright}await row.click()");
    assert_eq!(advice(&named), "Wait for what the next line needs: `await expect(row).toBeVisible()`.");
}

#[test]
fn a_page_of_the_projects_own_fixtures_is_one_of_playwright() {
    assert!(advice("it('a', async () => { await page.waitForTimeout(9) })").contains("page.waitForResponse"));
}

#[test]
fn without_a_next_element_the_idiom_of_the_framework_is_shown() {
    assert!(advice("cy.wait(500)").contains("cy.intercept"));
    assert!(
        advice("import { vi } from 'vitest'; vi.useFakeTimers(); await sleep(5)")
            .contains("vi.advanceTimersByTimeAsync")
    );
    assert!(advice("it('a', async () => { await sleep(5) })").contains("once(emitter"));
}

#[test]
fn sleeps_are_complained_about_where_they_are_used() {
    let text = "const nap = () => new Promise(r => setTimeout(r, 20))\nit('a', async () => {\n  await nap()\n  await nap()\n})";
    assert_eq!(said(text), ["3 fixed-sleep", "4 fixed-sleep"]);
}

#[test]
fn sleeps_whose_time_only_a_run_knows_are_sleeps_all_the_same() {
    let text = "import { LONG } from './times'\nit('a', async () => {\n  page.waitForTimeout(LONG)\n})";
    assert_eq!(said(text), ["3 fixed-sleep", "3 unawaited-wait"]);
    assert_eq!(said("async function rest(ms) { await page.waitForTimeout(ms) }"), Vec::<String>::new());
}

#[test]
fn latency_of_a_stand_in_for_a_server_is_no_sleep_of_the_test() {
    let text = "test('a', async ({ page }) => {\n  await page.route('/x', async route => {\n    await sleep(50)\n    await route.fulfill()\n  })\n  await sleep(60)\n})";
    assert_eq!(said(text), ["6 fixed-sleep"]);
    assert_eq!(
        said("it('a', () => { run(() => new Promise(done => setTimeout(() => done('row'), 10))) })"),
        Vec::<String>::new()
    );
    assert_eq!(said("it('a', () => { vi.fn(async () => { await sleep(10) }) })"), Vec::<String>::new());
}

#[test]
fn a_pause_of_a_component_or_of_what_answers_is_no_sleep_of_the_test() {
    for text in [
        "const load = async () => { await sleep(50); return 'row' }",
        "async function load() { await sleep(50); throw new Error('no row') }",
        "it('a', () => { useSWR('key', async () => { log(); await sleep(50) }) })",
        "it('a', () => { render(<Page key=\"a\" onSave={async () => { await sleep(50); saved() }} />) })",
        "it('a', () => { useSWR('key', () => sleep(30).then(() => rows())) })",
        "const load = (row, ms) => new Promise((done, fail) => setTimeout(() => { if (row) done(row); else fail() }, ms))",
        "it('a', () => { api.get.mockImplementation(async () => { await sleep(0); other() }) })",
        "it('a', () => { new Worker('queue', async () => { await sleep(12000); done() }) })",
        "it('a', () => { new Writable({ write(chunk, done) { sleep(5).then(() => done()) } }) })",
        "async function* rows() { yield 1; await sleep(5); yield 2 }",
        "it('a', async () => { let i = 0; while (i < 30) { if (await open()) break; await sleep(5); i++ } })",
        "it('a', async () => { while (rows < 3) { await sleep(5); rows = await count() } })",
    ] {
        assert_eq!(said_in("a.test.jsx", text), Vec::<String>::new(), "{text}");
    }
    for text in [
        "const rows = async () => { await sleep(50); return page.locator('tr') }",
        "const rows = async () => { await sleep(50); return await load() }",
        "class Page { async isOpen() { await browser.pause(50); return $('#x').isDisplayed() } }",
        "class Page { async next() { await this.page.waitForTimeout(50); return new Other(this.page) } }",
        "async function settle(page) { await page.waitForTimeout(50); return true }",
        "it('a', async () => { let i = 0; while (i < 3) { await page.click('#x'); await page.waitForTimeout(50); i++ } })",
        "it('a', async () => { let left = 3; while (left--) { await page.waitForTimeout(50) } })",
        "it('a', () => sleep(30).then(() => rows()))",
        "it('a', async () => { api.mockImplementation(() => 1); await sleep(30) })",
        "it('a', async () => { await new Promise(done => setTimeout(() => done(true), 30)) })",
        "it('a', async () => { await new Promise(r => setTimeout(() => { clear(rows); r() }, 30)) })",
    ] {
        assert_eq!(said_in("a.test.jsx", text), ["1 fixed-sleep"], "{text}");
    }
}

#[test]
fn work_of_a_queue_a_lost_race_and_a_clock_that_the_test_turns_are_no_sleeps() {
    let helper = "const sleep = ms => new Promise(done => setTimeout(done, ms));\n";
    for text in [
        "queue.process(async job => { await sleep(250); });",
        "queue.process('mail', 3, () => sleep(250));",
        "test('a', async () => { const late = new Promise(done => setTimeout(done, 2000, false)); await Promise.race([came, late]); });",
        "test('a', async () => { for (let i = 0; i < 200 && spy.callCount < 2; i++) { await sleep(10); } });",
        "test('a', async () => { vi.useFakeTimers(); const done = sleep(500); await vi.advanceTimersByTimeAsync(500); });",
    ] {
        assert!(said(&format!("{helper}{text}")).is_empty(), "{text}");
    }
    for text in [
        "test('a', async () => { for (let i = 0; i < 3; i++) { await sleep(10); } });",
        "test('a', async () => { vi.useFakeTimers(); await sleep(500); });",
        "test('a', async () => { await new Promise(done => setTimeout(done, 2000, undefined)); });",
    ] {
        assert_eq!(said(&format!("{helper}{text}")), ["2 fixed-sleep"], "{text}");
    }
}

#[test]
fn a_sleep_before_a_line_that_demands_absence_is_known() {
    let rows = [
        ("expect(called).not.toHaveBeenCalled()", true),
        ("expect(seen).toBe(false)", true),
        ("expect(seen).toBeFalsy()", true),
        ("expect(sum).toBe(2)", false),
        ("await page.click('#x')", false),
    ];
    for (next, expected) in rows {
        let script = read(&format!("test('a', async () => {{ await sleep(9); {next}; }});"));
        assert_eq!(is_before_denial(&script, &script.waits()[0]), expected, "{next}");
    }
}

#[test]
fn a_timer_that_gives_up_waiting_for_an_event_is_no_sleep() {
    let opened =
        "const opened = (s, ms) => new Promise(done => { s.once('open', done); setTimeout(done, ms) })\n";
    assert_eq!(
        said(&format!("{opened}it('a', async () => {{ await opened(s, 500) }})")),
        Vec::<String>::new()
    );
    let raced = "it('a', async () => { await Promise.race([once(s, 'open'), sleep(500)]); await Promise.race([opened, new Promise(r => setTimeout(r, 500))]); await Promise.race([opened, sleep(500).then(() => 'late')]) })";
    assert_eq!(said(raced), Vec::<String>::new());
    let polling = "const opened = async (s, ms) => { while (!s.open) await sleep(ms) }\nit('a', async () => { await opened(s, 50) })";
    assert_eq!(said(polling), Vec::<String>::new());
    let looking = "it('a', async () => { do { await sleep(50) } while (!s.open)\n  for (const s of all) await sleep(60)\n  for (;;) { if (s.open) break; await sleep(70) } })";
    assert_eq!(said(looking), ["2 fixed-sleep"]);
    let failing = "const opened = (s, ms) => new Promise((done, fail) => { s.once('open', done); setTimeout(() => fail(), ms) })\n";
    assert_eq!(
        said(&format!("{failing}it('a', async () => {{ await opened(s, 500) }})")),
        Vec::<String>::new()
    );
}

#[test]
fn what_only_looks_like_a_wait_is_none() {
    for text in [
        "dispatcher.waitFor([other])",
        "it('a', async () => { store.findById('x') })",
        "import { app } from './app'\nGiven('a page', () => { app.waitForLoad() })",
        "describe('a', function () { this.waitForTimeout(1100) })",
        "it('a', () => { expect(options).to.deep.equal({ timeout: 90000 }) })",
        "import { setTimeout } from 'timers/promises'\nconst later = done => { return setTimeout(1).then(() => done()) }",
        "it('a', () => { new Beacon(makeEvent('x', { timeout: 86400000 })) })",
    ] {
        assert_eq!(said(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_timer_of_nothing_is_complained_about_in_tests() {
    let text = "it('a', async () => {\n  await new Promise(r => setTimeout(r))\n  setTimeout(done, 0)\n  await sleep(0)\n})\nsetTimeout(app, 0)";
    assert_eq!(said(text), ["2 zero-wait", "3 zero-wait", "4 zero-wait"]);
    let helper =
        "const flush = () => new Promise(r => setTimeout(r))\nit('a', async () => {\n  await flush()\n})";
    assert_eq!(said(helper), ["3 zero-wait"]);
}

#[test]
fn promises_that_nothing_waits_for_are_complained_about() {
    let text = "\
import { test, expect } from '@playwright/test'
test('a', async ({ page }) => {
  page.waitForTimeout(5)
  expect(page.locator('b')).toBeVisible()
  const arrived = page.waitForResponse('/x')
  await Promise.all([page.waitForURL('/y'), arrived])
  return page.waitForSelector('c')
})
";
    assert_eq!(said(text), ["3 fixed-sleep", "3 unawaited-wait", "4 unawaited-wait"]);
    let unawaited = complaints(text).into_iter().find(|complaint| complaint.line == 4).unwrap();
    assert_eq!(unawaited.advice, "Write `await expect(page.locator('b')).toBeVisible()`.");
    let outside = complaints("it('a', () => {\n  screen.findByText(\n    'x')\n})");
    assert_eq!(
        outside[0].advice,
        "Make the function around it `async` and write `await screen.findByText( …`, or return the promise."
    );
}

#[test]
fn queued_commands_need_no_await() {
    assert_eq!(
        said("it('a', () => {\n  cy.get('a', { timeout: 5 })\n  cy.wait('@b')\n})"),
        Vec::<String>::new()
    );
    assert_eq!(
        said("module.exports = { a(browser) { browser.url('/').waitForElementVisible('#a', 100) } }"),
        Vec::<String>::new()
    );
}

#[test]
fn a_limit_must_leave_room_for_the_waits() {
    assert_eq!(
        said("it('a', async () => { await sleep(3000); await sleep(2500) }, 5000)")[0],
        "1 limit-below-waits"
    );
    assert_eq!(
        said("it('a', async () => { await findByText('x', {}, { timeout: 9000 }) }, 5000)"),
        ["1 limit-below-waits"]
    );
    assert_eq!(
        said("it('a', async () => { await findByText('x', {}, { timeout: 900 }) }, 5000)"),
        Vec::<String>::new()
    );
    let call = "it('a', async function () {\n  this.timeout(50)\n  await sleep(60)\n})\nit('b', async () => { await sleep(70) })";
    assert_eq!(said(call), ["2 limit-below-waits", "3 fixed-sleep", "5 fixed-sleep"]);
    let suite =
        "describe('s', { timeout: 50 }, () => {\n  it('a', () => sleep(30))\n  it('b', () => sleep(30))\n})";
    assert_eq!(said(suite), ["2 fixed-sleep", "3 fixed-sleep"]);
}

#[test]
fn long_times_are_measured_by_the_folder_and_the_framework() {
    let long = |text: &str| {
        complaints(text)
            .into_iter()
            .filter(|complaint| complaint.rule == Rule::LongTimeout)
            .map(|complaint| complaint.message)
            .collect::<Vec<_>>()
    };
    let folder = "cy.get('a', { timeout: 9000 }); cy.get('b', { timeout: 8000 }); cy.get('c', { timeout: 7000 }); cy.get('d', { timeout: 60000 })";
    assert_eq!(
        long(folder),
        ["`cy.get` may take 60000 ms, 6 times the 9000 ms that such calls have in this folder"]
    );
    assert_eq!(
        long("cy.get('d', { timeout: 60000 })"),
        ["`cy.get` may take 60000 ms, 15 times the 4000 ms that Cypress gives by default"]
    );
    assert_eq!(long("cy.get('d', { timeout: 30000 })"), Vec::<String>::new());
    assert_eq!(long("cy.visit('/'); module.exports = { startTimeout: 900000 }"), Vec::<String>::new());
    assert_eq!(long("await driver.wait(f(), 60000)"), Vec::<String>::new());
    assert_eq!(long("await sleep(10001); await sleep(10000)").len(), 1);
}

#[test]
fn a_limit_raised_at_once_is_measured_by_what_its_line_had_before() {
    let text = "cy.get('d', { timeout: 25000 })\n";
    let change = |time, old: &str, new: &str| LineChange {
        commit: "0123456789abcdef".to_owned(),
        time,
        subject: "wait longer".to_owned(),
        path: PathBuf::from("e2e/a.ts"),
        old_line: Some(1),
        old: Some(old.to_owned()),
        new_line: Some(1),
        new: Some(new.to_owned()),
        hunk_before: [None, None],
    };
    let said = |changes: Vec<LineChange>| {
        let script = read(text);
        let mut context = Context::of(&[&script]);
        let mut past = Past::default();
        past.changes.extend(changes);
        context.learn(Path::new("a.ts"), &script, &past, Path::new("e2e/a.ts"));
        lint(&script, Path::new("a.ts"), &context).into_iter().map(|one| one.message).collect::<Vec<_>>()
    };
    let (now, middle, first) =
        (text.trim(), "cy.get('d', { timeout: 9000 })", "cy.get('d', { timeout: 5000 })");
    let april_2023 = 1_681_000_000;
    assert_eq!(
        said(vec![change(april_2023, first, now)]),
        ["`cy.get` may take 25000 ms, 5 times the 5000 ms that this line had until 2023-04 (0123456789)"]
    );
    // 5 s and 9 s were not enough.
    let steps = vec![change(april_2023, middle, now), change(april_2023 - 9, first, middle)];
    assert_eq!(said(steps), Vec::<String>::new());
    assert_eq!(said(Vec::new()), Vec::<String>::new());
}

#[test]
fn comments_silence_at_the_call_and_at_its_statement() {
    assert_eq!(said("await sleep(5) // steady-ignore"), Vec::<String>::new());
    assert_eq!(
        said("// steady-ignore-next-line fixed-sleep -- animation\ncy.get('a')\n  .wait(5)"),
        Vec::<String>::new()
    );
    assert_eq!(said("/* steady-ignore-file zero-wait */\nawait sleep(0)\nawait sleep(5)"), ["3 fixed-sleep"]);
    assert_eq!(said("await sleep(5) // steady-ignore zero-wait"), ["1 fixed-sleep"]);
}

#[test]
fn rules_have_names_and_summaries() {
    for rule in Rule::ALL {
        assert!(rule.summary().ends_with('.') && rule.name() == serde_json::to_value(rule).unwrap());
    }
}
