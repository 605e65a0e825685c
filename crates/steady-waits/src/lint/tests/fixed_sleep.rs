//! What is a sleep of the test, and what is not.

use super::{said, said_in};

#[test]
fn a_pause_between_two_attempts_is_no_sleep() {
    for text in [
        "for (let attempt = 0; attempt < 3; attempt++) { try { await page.goto('/'); return; } catch (e) { await new Promise(r => setTimeout(r, 200 * (attempt + 1))); } }",
        "for (const wait of [100, 200]) { try { await open(); break; } catch (e) { log(e); } await sleep(90); }",
        "let left = 3; while (left--) { try { return await open(); } catch { await sleep(50); } }",
        "for (let i = 0; i < 9; i++) { if (await isOpen()) return; await sleep(50); }",
        "await expect.poll(async () => { await page.waitForTimeout(1100); return read(page); }).toBe('x');",
        "await expect(async () => { await page.waitForTimeout(90); await open(page); }).toPass();",
    ] {
        assert_eq!(said(&format!("async function go(page) {{ {text} }}")), Vec::<String>::new(), "{text}");
    }
    // The attempt itself may not sleep.
    let kept = "async function go(page) {\n  for (const row of rows) {\n    try {\n      await page.waitForTimeout(70);\n      return;\n    } catch { }\n  }\n}";
    assert_eq!(said(kept), ["4 fixed-sleep"]);
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
        "class Fake extends Provider { async load(id) { this.check(id); await sleep(5); return [id] } }",
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
fn the_time_for_which_something_is_held_down_is_a_gesture() {
    for text in [
        "await page.mouse.down(); await page.waitForTimeout(600); await page.mouse.up();",
        "await page.mouse.down(); for (const x of path) { await page.mouse.move(x, 0); await page.waitForTimeout(20); } await page.mouse.up();",
        "await page.keyboard.down('Shift'); await page.waitForTimeout(100); await page.click('#x'); await page.keyboard.up('Shift');",
        "cy.get('#x').trigger('mousedown'); cy.wait(600); cy.get('#x').trigger('mouseup');",
        "fireEvent.pointerDown(button); await sleep(500); fireEvent.pointerUp(button);",
    ] {
        let text = format!("test('a', async ({{ page }}) => {{ {text} }})");
        assert_eq!(said(&text), Vec::<String>::new(), "{text}");
    }
    for text in [
        "await page.mouse.down(); await page.mouse.up(); await page.waitForTimeout(600); await page.click('#x');",
        "await page.mouse.up(); await page.waitForTimeout(600); await page.mouse.down(); await page.mouse.up();",
        "await page.mouse.down(); await page.waitForTimeout(600); await page.click('#x');",
    ] {
        let text = format!("test('a', async ({{ page }}) => {{ {text} }})");
        assert_eq!(said(&text), ["1 fixed-sleep"], "{text}");
    }
}

#[test]
fn a_method_of_what_a_call_gives_back_builds_something() {
    let helper = "const delay = ms => new Promise(done => setTimeout(done, ms))\n";
    let built = "it('a', async () => { await automation(config).onSave().delay({ time: 250 }).save(); queue('x').delay(50); })";
    assert_eq!(said(&format!("{helper}{built}")), Vec::<String>::new());
    assert_eq!(
        said(&format!("{helper}it('a', async () => {{ await delay(250); await utils.delay(50) }})")).len(),
        2
    );
}

#[test]
fn a_step_that_pauses_by_default_is_complained_about_where_it_pauses() {
    let text = "class Helper {\n  Click(at, ms = 500) {\n    return cy.get(at).click().wait(ms);\n  }\n}\nit('a', () => { helper.Click('#a'); helper.Click('#b'); })";
    assert_eq!(said(text), ["3 fixed-sleep"]);
}

#[test]
fn a_function_that_looks_again_by_calling_itself_pauses_between_two_looks() {
    for text in [
        "async function untilUp(left) { if (await isUp()) return; await sleep(50); return untilUp(left - 1); }",
        "const untilUp = () => isUp().then((up) => up || sleep(50).then(untilUp));",
        "class Page { untilUp() { cy.get('#up').then((up) => { if (!up.length) { cy.wait(1000); this.untilUp(); } }); } }",
    ] {
        assert_eq!(said(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn what_the_tested_calls_back_and_what_options_say_is_no_sleep_of_a_test() {
    for text in [
        "it('a', async () => { addAction('save', async () => { await new Promise((r) => setTimeout(r, 10)); log.push(1); }); await run(); })",
        "it('a', async () => { stub.onSecondCall().returns(new Promise((done) => setTimeout(() => done(), 20))); await run(); })",
        "export async function retry(fn, options = {}) { const { first = 10 } = options; await delay(first); return fn(); }",
    ] {
        assert_eq!(said(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_pause_that_a_comment_calls_intentional_is_none() {
    let paced = "for (const word of words) {\n  await input.fill(word)\n  // intentional small delay to simulate rapid typing\n  await page.waitForTimeout(100)\n}";
    assert_eq!(said(paced), Vec::<String>::new());
    assert_eq!(
        said(&paced.replace("intentional small delay to simulate rapid typing", "the list is slow")),
        ["4 fixed-sleep"]
    );
}
