//! What is a wait and what is not, family by family.

use std::path::Path;

use steady_js::{KnownHelpers, Script, Wait};

/// `sleep cy_wait cy.wait 500`, with `!` behind it when nothing waits for it.
fn shown(wait: &Wait) -> String {
    let word = |value: Result<serde_json::Value, _>| {
        value.ok().and_then(|value| Some(value.as_str()?.to_owned())).unwrap_or_default()
    };
    let kind = word(serde_json::to_value(wait.kind));
    let form = word(serde_json::to_value(wait.form));
    let callee = if wait.receiver.is_empty() {
        wait.callee.clone()
    } else {
        format!("{}.{}", wait.receiver, wait.callee)
    };
    let ms = wait.ms().map_or("-".to_owned(), |ms| ms.to_string());
    format!("{kind} {form} {callee} {ms}{}", if wait.awaited { "" } else { "!" })
}

fn read(text: &str) -> Script {
    Script::read(Path::new("a.test.tsx"), text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn listed(text: &str) -> String {
    read(text).waits().iter().map(shown).collect::<Vec<_>>().join("; ")
}

#[track_caller]
fn table(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(listed(text), *expected, "in: {text}");
    }
}

#[test]
fn timers() {
    table(&[
        ("await new Promise(done => setTimeout(done, 100))", "sleep timer_promise setTimeout 100"),
        (
            "await new Promise(function (r) { setTimeout(() => { log(); r(1) }, 2e3) })",
            "sleep timer_promise setTimeout 2000",
        ),
        (
            "const f = () => { return new Promise(r => window.setTimeout(r)) }",
            "sleep timer_promise window.setTimeout -",
        ),
        ("new Promise(r => setTimeout(r, 10))", "sleep timer_promise setTimeout 10!"),
        ("new Promise(r => setTimeout(r, 10)).then(done)", "sleep timer_promise setTimeout 10"),
        ("setTimeout(() => { expect(1).toBe(1); done() }, 1_500)", "timer set_timeout setTimeout 1500"),
        ("function App() { useEffect(() => { setTimeout(hide, 300) }) }", "timer set_timeout setTimeout 300"),
        (
            "await Promise.race([work, new Promise((_, no) => setTimeout(() => no(new Error('late')), 5000))])",
            "poll_timeout set_timeout setTimeout 5000",
        ),
        ("new Promise(r => on('x', () => setTimeout(r, 5)))", "timer set_timeout setTimeout 5"),
        ("await new Promise(r => { on('x', r); setTimeout(r, 5) })", "poll_timeout set_timeout setTimeout 5"),
        (
            "await new Promise(r => { on('x', () => r()); setTimeout(() => r(), 5) })",
            "poll_timeout set_timeout setTimeout 5",
        ),
        (
            "await new Promise(r => { if (ready) return r(); setTimeout(r, 5) })",
            "sleep timer_promise setTimeout 5",
        ),
        (
            "await new Promise(r => { const end = () => { tidy(); r() }; setTimeout(end, 5) })",
            "sleep timer_promise setTimeout 5",
        ),
        (
            "await new Promise(r => { function end() { r() } setTimeout(end, 5) })",
            "sleep timer_promise setTimeout 5",
        ),
        (
            "await new Promise(r => { const end = () => r(); on('x', end); setTimeout(end, 5) })",
            "poll_timeout set_timeout setTimeout 5",
        ),
        ("clearTimeout(5)", ""),
        ("setTimeout(done, later)", ""),
    ]);
}

#[test]
fn helpers() {
    table(&[
        ("await sleep(500)", "sleep helper sleep 500"),
        ("delay(20)", "sleep helper delay 20!"),
        ("await utils.sleep(1000 * 3)", "sleep helper utils.sleep 3000"),
        ("import { setTimeout as rest } from 'node:timers/promises'; await rest(50)", "sleep helper rest 50"),
        ("import { setTimeout } from 'timers/promises'; await setTimeout(50)", "sleep helper setTimeout 50"),
        ("const nap = require('util').promisify(setTimeout); await nap(7)", "sleep helper nap 7"),
        ("import { sleep } from 'k6'; sleep(0.5)", "sleep helper sleep 500"),
        ("await setTimeout(300)", "sleep helper setTimeout 300"),
        (
            "await waitSeconds(3); await sleepSec(2)",
            "sleep helper waitSeconds 3000; sleep helper sleepSec 2000",
        ),
        ("Atomics.wait(view, 0, 0, 350)", "sleep pause Atomics.wait 350"),
        (
            "const settle = (n: number) => new Promise(r => setTimeout(r, n)); await settle(40)",
            "sleep helper settle 40",
        ),
        (
            "function rest(s) { return new Promise(r => setTimeout(r, s * 1000)) } await rest(2)",
            "sleep helper rest 2000",
        ),
        (
            "async function press(key, ms) { hit(key); await page.waitForTimeout(ms) } await press('a', 90)",
            "sleep helper press 90",
        ),
        ("await wait('#selector')", ""),
        ("await wait(ready)", ""),
        ("delay(100, 'a', 'b')", ""),
        (
            "const api = { get: ms => new Promise(r => setTimeout(r, ms)) }; get(5); await api.get(6)",
            "sleep helper api.get 6",
        ),
        (
            "const work = () => new Promise(r => setTimeout(r, 9)); await work()",
            "sleep timer_promise setTimeout 9",
        ),
        ("timeout()", ""),
    ]);
}

#[test]
fn a_helper_that_always_takes_as_long_is_seen_where_it_is_called() {
    let text = "const tick = () => new Promise(r => setTimeout(r, 0))\nit('a', async () => { await tick() })";
    let script = read(text);
    assert_eq!(listed(text), "sleep timer_promise setTimeout 0; sleep helper tick 0");
    let value = script.waits()[1].value.as_ref().unwrap();
    assert_eq!((value.line, value.constant.as_deref()), (1, Some("tick")));
}

#[test]
fn helpers_of_other_files_are_known_by_their_name() {
    let library = read(
        "export async function settle(page, ms = 250) { await page.waitForTimeout(ms) }\nfunction own(ms) { return sleep(ms) }",
    );
    let names: Vec<_> = library
        .helpers()
        .iter()
        .map(|helper| (helper.name.as_str(), helper.parameter, helper.exported))
        .collect();
    assert_eq!(names, [("settle", Some(1), true), ("own", Some(0), false)]);
    assert_eq!(library.helpers()[0].default.as_ref().map(|value| value.ms), Some(250));

    let known = KnownHelpers::collect(&[&library]);
    let read = |text: &str| {
        let script = Script::read_with(Path::new("a.js"), text, &known).unwrap();
        script.waits().iter().map(shown).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(
        read("import { settle as calm } from './library'\nawait calm(page, 80); await calm(page)"),
        "sleep helper calm 80; sleep helper calm -"
    );
    assert_eq!(
        read("const { settle } = require('./library')\nawait settle(page, 80)"),
        "sleep helper settle 80"
    );
    assert_eq!(
        read("import * as lib from './library'\nawait lib.settle(page, 80)"),
        "sleep helper lib.settle 80"
    );
    assert_eq!(read("await settle(page, 80)"), "");
}

#[test]
fn sleeps_of_the_frameworks() {
    table(&[
        ("await page.waitForTimeout(500)", "sleep wait_for_timeout page.waitForTimeout 500"),
        ("page.waitForTimeout(500)", "sleep wait_for_timeout page.waitForTimeout 500!"),
        (
            "await this.page.mainFrame().waitForTimeout(5)",
            "sleep wait_for_timeout this.page.waitForTimeout 5",
        ),
        ("await page.waitFor(1000)", "sleep wait_for_timeout page.waitFor 1000"),
        ("cy.wait(1000)", "sleep cy_wait cy.wait 1000"),
        (
            "cy.get('#a').click().wait(250).reload()",
            "poll_timeout timeout_option cy.get -; poll_timeout timeout_option cy.click -; sleep cy_wait cy.wait 250",
        ),
        ("await browser.pause(30)", "sleep pause browser.pause 30"),
        ("async () => { browser.pause(30) }", "sleep pause browser.pause 30!"),
        ("browser.url('/').pause(30)", "sleep pause browser.pause 30"),
        ("await t.click('#a').wait(600)", "sleep pause t.wait 600"),
        ("I.wait(2)", "sleep pause I.wait 2000"),
        ("await driver.sleep(1500)", "sleep driver_sleep driver.sleep 1500"),
        ("await this.webDriver.sleep(1500)", "sleep driver_sleep this.webDriver.sleep 1500"),
        ("browser.pause()", ""),
        ("stream.pause()", ""),
    ]);
}

#[test]
fn polling_calls_that_are_told_how_long() {
    table(&[
        (
            "await waitFor(element(by.id('x'))).toBeVisible().withTimeout(2000)",
            "poll_timeout timeout_option waitFor -; poll_timeout timeout_argument waitFor.withTimeout 2000",
        ),
        (
            "await page.waitForSelector('#a', { timeout: 3000 })",
            "poll_timeout timeout_option page.waitForSelector 3000",
        ),
        ("await page.locator('#a').click({ timeout: 1e4 })", "poll_timeout timeout_option page.click 10000"),
        (
            "await expect(page.locator('b')).not.toBeVisible({ timeout: 50 })",
            "poll_timeout timeout_option expect.toBeVisible 50",
        ),
        (
            "await expect.poll(() => n(), { timeout: 900 }).toBe(1)",
            "poll_timeout timeout_option expect.poll 900",
        ),
        (
            "await expect(async () => {}).toPass({ timeout: 10_000 })",
            "poll_timeout timeout_option expect.toPass 10000",
        ),
        (
            "await screen.findByText('x', {}, { timeout: 4000 })",
            "poll_timeout timeout_option screen.findByText 4000",
        ),
        (
            "await findAllByRole('button', undefined, { timeout: 4000 })",
            "poll_timeout timeout_option findAllByRole 4000",
        ),
        ("await waitFor(() => expect(a).toBe(1), { timeout: 20 })", "poll_timeout timeout_option waitFor 20"),
        (
            "await waitForElementToBeRemoved(() => queryByText('x'), { timeout: 20 })",
            "poll_timeout timeout_option waitForElementToBeRemoved 20",
        ),
        ("cy.get('#a', { timeout: 60000 }).should('be.visible')", "poll_timeout timeout_option cy.get 60000"),
        (
            "cy.get('#a').should('be.visible', { timeout: 60000 })",
            "poll_timeout timeout_option cy.get -; poll_timeout timeout_option cy.should 60000",
        ),
        (
            "cy.wait('@x', { timeout: 8000 }).then({ timeout: 9 }, f => f)",
            "poll_timeout timeout_option cy.wait 8000; poll_timeout timeout_option cy.then 9",
        ),
        (
            "await $('#a').waitForDisplayed({ timeout: 70 })",
            "poll_timeout timeout_option $.waitForDisplayed 70",
        ),
        (
            "await browser.waitUntil(() => ok, { timeout: 70 })",
            "poll_timeout timeout_option browser.waitUntil 70",
        ),
        (
            "await driver.wait(until.elementLocated(By.id('a')), 5000)",
            "poll_timeout timeout_argument driver.wait 5000",
        ),
        ("await driver.wait(until.titleIs('a'))", "poll_timeout timeout_argument driver.wait -"),
        (
            "browser.waitForElementVisible('#a', 1000)",
            "poll_timeout timeout_argument browser.waitForElementVisible 1000",
        ),
        ("I.waitForElement('#a', 5)", "poll_timeout timeout_argument I.waitForElement 5000"),
        ("waitsFor(function () { return done }, 1000)", "poll_timeout timeout_argument waitsFor 1000"),
        ("await request.get('/a', { timeout: 10 })", "poll_timeout timeout_option request.get 10"),
        (
            "await fetch('/a', { signal: AbortSignal.timeout(5000) })",
            "poll_timeout timeout_argument AbortSignal.timeout 5000",
        ),
    ]);
}

#[test]
fn polling_calls_that_are_told_nothing() {
    let playwright = "import { test, expect } from '@playwright/test'; ";
    table(&[
        ("await screen.findByText('x')", "poll_timeout timeout_option screen.findByText -"),
        ("screen.findByText('x')", "poll_timeout timeout_option screen.findByText -!"),
        ("screen.findByText('x').catch(() => {})", "poll_timeout timeout_option screen.findByText -"),
        (
            "async () => { this.api.waitForElementVisible('x') }",
            "poll_timeout timeout_option this.api.waitForElementVisible -",
        ),
        ("cy.wait('@x')", "poll_timeout timeout_option cy.wait -"),
        (
            "cy.contains('a').find('b')",
            "poll_timeout timeout_option cy.contains -; poll_timeout timeout_option cy.find -",
        ),
        ("await waitFor(() => ok)", "poll_timeout timeout_option waitFor -"),
        (
            &format!("{playwright}await expect(page.locator('a')).toBeVisible()"),
            "poll_timeout timeout_option expect.toBeVisible -",
        ),
        (
            &format!("{playwright}await page.getByRole('button').click()"),
            "poll_timeout timeout_option page.click -",
        ),
        (&format!("{playwright}expect(total).toBe(5)"), ""),
        (&format!("{playwright}expect(await page.title()).toHaveLength(5)"), ""),
        ("expect(wrapper).toBeVisible()", ""),
        (&format!("{playwright}await page.keyboard.press('Enter')"), ""),
        ("event.waitUntil(clients.claim())", ""),
        ("button.click()", ""),
        ("screen.getByText('x')", ""),
        ("waitForStart()", "poll_timeout timeout_option waitForStart -"),
        ("await waitForFrames(page, 2)", "poll_timeout timeout_option waitForFrames -"),
        ("await waitForFrames(page, 2000)", "poll_timeout timeout_argument waitForFrames 2000"),
    ]);
}

#[test]
fn limits() {
    table(&[
        ("const LONG = 9000; it('a', async () => {}, LONG)", "test_timeout test_limit it 9000"),
        ("test('a', async () => {}, 3 * 1000)", "test_timeout test_limit test 3000"),
        ("jest.setTimeout(30000)", "test_timeout global_limit jest.setTimeout 30000"),
        ("vi.setConfig({ testTimeout: 10_000 })", "test_timeout global_limit vi.setConfig 10000"),
        (
            "jasmine.DEFAULT_TIMEOUT_INTERVAL = 60 * 1000",
            "test_timeout global_limit jasmine.DEFAULT_TIMEOUT_INTERVAL 60000",
        ),
        ("page.setDefaultTimeout(9000)", "poll_timeout global_limit page.setDefaultTimeout 9000"),
        ("configure({ asyncUtilTimeout: 5000 })", "poll_timeout global_limit configure 5000"),
        (
            "driver.manage().setTimeouts({ implicit: 500 })",
            "poll_timeout global_limit driver.setTimeouts 500",
        ),
        ("it('a', async () => {}, 15000)", "test_timeout test_limit it 15000"),
        ("test.each([1])('a %d', n => {}, 20_000)", "test_timeout test_limit test.each 20000"),
        ("describe.skip('a', { timeout: 5 }, () => {})", "test_timeout test_limit describe.skip 5"),
        ("beforeAll(async () => {}, 3000)", "test_timeout test_limit beforeAll 3000"),
        ("itAsync('a', () => {}, 900)", "test_timeout test_limit itAsync 900"),
        ("describe('a', function () { this.timeout(4000) })", "test_timeout limit_call this.timeout 4000"),
        ("it('a', () => {}).timeout(60000)", "test_timeout limit_call it.timeout 60000"),
        ("test.setTimeout(120_000)", "test_timeout limit_call test.setTimeout 120000"),
        (
            "test.describe.configure({ timeout: 5000, mode: 'serial' })",
            "test_timeout limit_call test.describe.configure 5000",
        ),
        ("test.slow()", "test_timeout limit_call test.slow -"),
        ("it('a', () => {})", ""),
        ("context.drawImage(image, 0, 0)", ""),
        ("testPages('x', 20, 300)", ""),
        ("test.step('a', async () => {}, { timeout: 70 })", "poll_timeout timeout_option test.step 70"),
        ("it('a', check, 700)", "test_timeout test_limit it 700"),
        ("this.timeout()", ""),
        ("it.each([1, 2])('a', () => {})", ""),
    ]);
}

#[test]
fn settings() {
    table(&[
        ("const timeout = 5000", "poll_timeout setting timeout 5000"),
        ("const timeout: number = 30000; visit(timeout)", "poll_timeout setting timeout 30000"),
        ("export const CLICK_DELAY_MS = 250", "sleep setting CLICK_DELAY_MS 250"),
        ("const TIMEOUT_SECONDS = 3", "poll_timeout setting TIMEOUT_SECONDS 3000"),
        (
            "export default defineConfig({ timeout: 30000, expect: { timeout: 5000 } })",
            "poll_timeout setting timeout 30000; poll_timeout setting timeout 5000",
        ),
        ("module.exports = { testTimeout: 20000 }", "test_timeout setting testTimeout 20000"),
        ("const patience = { timeout: 8000 }", "poll_timeout setting timeout 8000"),
        ("const timeout = 5; await page.click('a', { timeout })", "poll_timeout timeout_option page.click 5"),
        (
            "const patience = { timeout: 8 }; await findByText('a', {}, { ...patience })",
            "poll_timeout timeout_option findByText 8",
        ),
        (
            "const patience = { timeout: 8 }; await findByText('a', {}, patience); await findByText('b', {}, patience)",
            "poll_timeout timeout_option findByText 8; poll_timeout timeout_option findByText 8",
        ),
        ("const reply = { timeout: 'never', message: 'timeout' }", ""),
        ("expect(options).toEqual({ timeout: 5000 })", ""),
        ("expect(fetch).toBeCalledWith('/a', { timeout: 5000 })", ""),
        ("const total = 5000", ""),
        ("const row = { delay: 10 }", ""),
    ]);
}

#[test]
fn lines_and_columns_are_those_of_the_name() {
    let text = "it('😀', async () => {\r\n  /* 😀 */ await page\r\n    .locator('#a')\r\n    .click({ timeout: 5 })\r\n}, 100)\r\n";
    let script = read(text);
    let places: Vec<_> =
        script.waits().iter().map(|wait| (wait.callee.as_str(), wait.line, wait.column)).collect();
    assert_eq!(places, [("it", 1, 1), ("click", 4, 6)]);
    assert_eq!(script.waits()[0].value.as_ref().unwrap().line, 5);
    assert_eq!(read("f('😀'); cy.wait(5)").waits()[0].column, 13);
}

#[test]
fn words_and_titles_say_what_is_waited_for() {
    let text = "test.describe('Cart', () => { test(`adds ${n} items`, async () => { await page.getByRole('button', { name: 'Add to cart' }).click({ timeout: 5 }) }) })";
    let wait = read(text).waits()[0].clone();
    assert_eq!(wait.words, ["page", "getByRole", "button", "name", "Add", "to", "cart"]);
    assert_eq!(wait.test.as_deref(), Some("adds ${…} items"));
}
