//! How long waits are.

use std::path::Path;

use steady_js::{Kind, KnownHelpers, Script, Wait};

fn read(text: &str) -> Script {
    Script::read(Path::new("a.test.tsx"), text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn values() {
    let ms =
        |value: &str| read(&format!("{value} }})")).waits().iter().filter_map(Wait::ms).collect::<Vec<_>>();
    let given = |before: &str, value: &str| ms(&format!("{before}; cy.get('a', {{ timeout: {value}"));
    assert_eq!(given("", "5_000"), [5000]);
    assert_eq!(given("", "0.5 * 1000"), [500]);
    assert_eq!(given("", "5 * SECONDS"), [5000]);
    assert_eq!(given("", "2 * 60 * 1000 + 1"), [120_001]);
    assert_eq!(given("", "50 * SCALE"), [50]);
    assert_eq!(given("", "ms('5s')"), [5000]);
    assert_eq!(given("", "'2m'"), [120_000]);
    assert_eq!(given("", "process.env.CI ? 30000 : 5000"), [30_000]);
    assert_eq!(given("", "Number(process.env.WAIT) || 700"), [700]);
    assert_eq!(given("", "Math.max(700, 5 * 100)"), [700]);
    assert_eq!(given("", "Math.max(until - now(), 0)"), Vec::<u64>::new());
    assert_eq!(given("", "parseInt(process.env.WAIT, 10)"), Vec::<u64>::new());
    assert_eq!(given("", "parseInt('800', 10)"), [800]);
    assert_eq!(given("const LONG = 9 as const", "LONG!"), [9]);
    assert_eq!(given("const T = { a: { b: 12 } } as const", "T.a.b"), [12]);
    assert_eq!(given("const T = Object.freeze({ a: 3 })", "T.a"), [3]);
    assert_eq!(given("const A = 3, B = A * 4", "B"), [12]);
    assert_eq!(given("let late = 3; late = other()", "late"), Vec::<u64>::new());
    assert_eq!(given("", "-5"), Vec::<u64>::new());
    assert_eq!(given("", "1e300"), Vec::<u64>::new());
    assert_eq!(given("const a = b, b = a", "a"), Vec::<u64>::new());
    assert_eq!(given("const n = 1; { const n = 2 }", "n"), [1]);
}

#[test]
fn waits_that_only_a_run_can_read_are_listed_apart() {
    let text = "import { LONG } from './times'\nawait page.waitForTimeout(LONG); await page.click('a', { timeout: LONG }); await wait(ready)";
    let script = read(text);
    let unread = script.unread_waits().iter().map(|wait| (wait.kind, wait.call_name(), wait.ms()));
    let expected = [(Kind::Sleep, "page.waitForTimeout", None), (Kind::PollTimeout, "page.click", None)];
    assert!(unread.eq(expected.map(|(kind, name, ms)| (kind, name.to_owned(), ms))));
    assert!(script.waits().is_empty());
    assert!(read("testPlatform('phone', PHONE, EXPECTED)").unread_waits().is_empty());
    assert_eq!(read("test('a', async () => {}, LONG)").unread_waits().len(), 1);
}

#[test]
fn a_value_knows_the_bytes_that_hold_it() {
    let text = "const T = { long: 4 * 1000 }\ntest('a', async () => {\n  await page.click('#b', { timeout: T.long })\n})";
    let script = read(text);
    let value = script.waits()[0].value.as_ref().unwrap();
    assert_eq!((&text[value.span.start..value.span.end], value.line), ("4 * 1000", 1));
    assert_eq!(value.constant.as_deref(), Some("T.long"));
    assert_eq!(script.waits()[0].line, 3);
}

#[test]
fn options_of_other_files_are_read_through_constants_and_spreads() {
    let times = [
        ("timeout".to_owned(), 40.0),
        ("SLOW.timeout".to_owned(), 50.0),
        ("default.fast.timeout".to_owned(), 60.0),
    ];
    let known = KnownHelpers::default().with_times("./options", times.into());
    for (import, call, ms) in [
        ("import { SLOW } from './options'", "page.click('a', SLOW)", Some(50)),
        ("import { SLOW as patience } from './options'", "page.click('a', patience)", Some(50)),
        ("import all from './options'", "page.click('a', all.fast)", Some(60)),
        ("import * as all from './options'", "page.click('a', all)", Some(40)),
        ("const all = require('./options')", "cy.get('a', all.SLOW)", Some(50)),
        (
            "import { SLOW } from './options'; const mine = { ...SLOW, force: true }",
            "page.click('a', mine)",
            Some(50),
        ),
        ("import { SLOW } from './options'", "page.click('a', { ...SLOW, timeout: 3 })", Some(3)),
        ("import { SLOW } from './options'", "page.click('a', { timeout: 3, ...SLOW })", Some(50)),
        ("import { OTHER } from './options'", "page.waitForSelector('a', OTHER)", None),
        (
            "import { timeout } from './options'",
            "nap(async timeout => { await page.waitForTimeout(timeout) })",
            None,
        ),
        (
            "import { SLOW } from './options'",
            "test('a', async ({ page, SLOW }) => { await page.waitForSelector('a', SLOW) })",
            None,
        ),
        (
            "import { SLOW } from './options'",
            "test('a', async () => { const SLOW = made(); await page.waitForSelector('a', SLOW) })",
            None,
        ),
    ] {
        let text = format!("{import}; await {call}");
        let script = Script::read_with(Path::new("a.spec.ts"), &text, &known).unwrap();
        assert_eq!(script.waits().first().and_then(Wait::ms), ms, "{text}");
    }
}

#[test]
fn only_files_that_could_say_how_long_a_wait_is_are_looked_for() {
    let sources = |text: &str| read(text).sources().iter().cloned().collect::<Vec<_>>();
    let imports = "import { LONG } from './times'; import { SLOW } from './options'; import { open } from './page'; import ms from 'ms'";
    assert_eq!(
        sources(&format!("{imports}; await open(); await page.waitForTimeout(5)")),
        Vec::<String>::new()
    );
    assert_eq!(sources(&format!("{imports}; await page.waitForTimeout(LONG * 2)")), ["./times"]);
    assert_eq!(sources(&format!("{imports}; await page.waitForSelector('a', SLOW)")), ["./options"]);
    assert_eq!(sources(&format!("{imports}; await page.locator('a').click(SLOW)")), ["./options"]);
    assert_eq!(sources(&format!("{imports}; cy.get(SLOW.login); cy.get(open.it, LONG)")), ["./times"]);
    assert_eq!(
        sources(&format!(
            "{imports}; const all = {{ ...SLOW, timeout: LONG }}; await page.waitForSelector('a', all)"
        )),
        ["./options", "./times"]
    );
}
