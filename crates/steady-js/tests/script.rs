//! Reading files: dialects, errors, statements, frameworks and comments.

use std::path::Path;

use proptest::prelude::*;
use steady_js::{Framework, KnownHelpers, LARGEST, ParseError, Script, Waits, spawn_reader};

fn read(name: &str, text: &str) -> Result<Script, ParseError> {
    Script::read(Path::new(name), text)
}

#[test]
fn every_dialect_is_read() {
    let files = [
        ("a.js", "import x from 'y'; await x()"),
        ("a.js", "with (a) { b() }"),
        ("a.js", "var await = 1; f(await)"),
        ("a.js", "const a = <div timeout={5}>x</div>"),
        ("a.js", "const a: number = 5; type B = string"),
        ("a.cjs", "const { a } = require('b'); module.exports = a; return"),
        ("a.mjs", "export const a = await 1"),
        ("a.ts", "const a = <number>5; let b = a satisfies number"),
        ("a.mts", "import type { A } from 'b'"),
        ("a.cts", "import a = require('b')"),
        ("a.tsx", "const a = <T,>(b: T) => <div>{b}</div>"),
        ("a.JSX", "#!/usr/bin/env node\nexport default () => <a/>"),
        ("a.d.ts", "export const a: number\ndeclare function f(): void"),
        ("a.ts", ""),
    ];
    for (name, text) in files {
        assert!(read(name, text).is_ok(), "{name}: {text}: {:?}", read(name, text).err());
    }
}

#[test]
fn a_syntax_error_points_at_its_place() {
    let error = read("a.ts", "const ok = 1\r\nconst s = '😀'; const = 5\r\n").unwrap_err();
    let ParseError::Syntax { line, column, width, source_line, .. } = &error else { panic!("{error}") };
    assert_eq!((*line, *column, *width), (2, 23, 1));
    assert_eq!(source_line, "const s = '😀'; const = 5");
    assert!(error.to_string().ends_with("in line 2, column 23"), "{error}");
}

#[test]
fn what_is_not_javascript_is_refused() {
    assert!(matches!(read("a.py", "x = 1"), Err(ParseError::Extension { extension }) if extension == "py"));
    assert!(matches!(read("Makefile", "x"), Err(ParseError::Extension { .. })));
    let large = " ".repeat(LARGEST + 1);
    assert!(matches!(read("a.js", &large), Err(ParseError::TooLarge { .. })));
}

#[test]
fn hostile_nesting_is_an_error_or_is_read() {
    let units = [
        ("(", ")"),
        ("[", "]"),
        ("!", ""),
        ("a=>", ""),
        ("(a,b)=>", ""),
        ("a?b:", ""),
        ("f(", ")"),
        ("-", ""),
        ("typeof ", ""),
    ];
    for (open, close) in units {
        for times in [2_000, 15_000, 28_000, 200_000] {
            let text = format!("x = {}1{}", open.repeat(times), close.repeat(times));
            match read("a.js", &text) {
                Ok(_) | Err(ParseError::Syntax { .. }) => assert!(times < 200_000, "{open}"),
                Err(error) => {
                    assert!(matches!(error, ParseError::TooDeep { .. }) && times > 2_000, "{open}: {error}");
                }
            }
        }
    }
    let chain = format!("a{}", ".b()".repeat(3_000));
    assert!(read("a.js", &chain).is_ok());
    let branches = format!("if (a) {{ b() }}{}", " else if (a) { b() }".repeat(3_000));
    assert!(read("a.js", &branches).is_ok());
}

#[test]
fn the_innermost_statement_of_a_line_is_found() {
    let text = "\
import { a } from 'b'

test('buys', async ({ page }) => {
\tif (ready) await page.click('#buy')

\tawait expect(
\t\tpage.locator('#total'),
\t).toHaveText('5')
}, 5000)
";
    let script = read("a.ts", text).unwrap();
    let at = |line: usize| script.statement_at(line).unwrap();
    assert_eq!(&text[at(1).span.start..at(1).span.end], "import { a } from 'b'");
    assert!(script.statement_at(2).is_none());
    let click = at(4);
    assert_eq!(&text[click.span.start..click.span.end], "await page.click('#buy')");
    assert_eq!(
        (click.indentation.as_str(), click.root.as_deref(), click.test.as_deref()),
        ("\t", Some("page"), Some("buys"))
    );
    assert!(click.in_async && click.has_await && click.is_unbraced);
    let total = at(7);
    assert_eq!(
        (total.line, total.last_line, total.root.as_deref(), total.is_unbraced),
        (6, 8, Some("page"), false)
    );
    let whole = at(5);
    assert_eq!((whole.line, whole.last_line, whole.has_await, whole.in_async), (3, 9, false, false));
    assert_eq!(at(9), whole);
    assert!(script.statement_at(99).is_none());
}

#[test]
fn the_element_that_a_statement_touches_is_found() {
    let rows = [
        ("await page.click('#a')", Some((None, "'#a'"))),
        (
            "const n = await page.locator('#a').nth(2).count()",
            Some((Some("page.locator('#a').nth(2)"), "'#a'")),
        ),
        (
            "await expect(page.getByRole('button')).toBeVisible()",
            Some((Some("page.getByRole('button')"), "'button'")),
        ),
        ("fireEvent.click(await screen.findByText(/x/))", Some((Some("screen.findByText(/x/)"), "/x/"))),
        ("cy.get('.a').find('b').click()", Some((Some("cy.get('.a').find('b')"), "'.a'"))),
        (
            "await driver.findElement(By.id('a')).click()",
            Some((Some("driver.findElement(By.id('a'))"), "By.id('a')")),
        ),
        ("await (await $('#a')).click()", Some((Some("$('#a')"), "'#a'"))),
        ("await (await page.$('ul')).$('#a')", None),
        ("await request.get('/a')", None),
        ("list.push('a')", None),
    ];
    for (text, expected) in rows {
        let target = read("a.js", text).unwrap().statements()[0].target.clone();
        let slice = |span: steady_edit::Span| &text[span.start..span.end];
        let found = target.map(|target| (target.locator.map(slice), target.selector.map_or("", slice)));
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn comments_silence_rules() {
    let text = "\
a() // steady-ignore
// steady-ignore-next-line fixed-sleep -- the clock is what is tested
b()
/* steady-ignore zero-wait, long-timeout */ c()
/**
 * steady-ignore-next-line
 */
d()
// eslint-disable-next-line
e('steady-ignore')
";
    let script = read("a.js", text).unwrap();
    let lines = |rule: &str| (1..=10).filter(|line| script.is_ignored(*line, rule)).collect::<Vec<_>>();
    assert_eq!(lines("fixed-sleep"), [1, 3, 8]);
    assert_eq!(lines("zero-wait"), [1, 4, 8]);
    let all = read("a.js", "f()\n/* steady-ignore-file fixed-sleep */").unwrap();
    assert!(all.is_ignored(1, "fixed-sleep") && !all.is_ignored(1, "zero-wait"));
}

#[test]
fn frameworks_are_known_by_imports_and_globals() {
    use Framework as F;
    let files: [(&str, &[Framework]); 14] = [
        ("import { test } from '@playwright/test'", &[F::Playwright]),
        ("test('a', async ({ page }) => { await page.click('a') })", &[F::Playwright]),
        ("cy.visit('/')", &[F::Cypress]),
        ("const { Builder } = require('selenium-webdriver')", &[F::Selenium]),
        ("import puppeteer from 'puppeteer-core'", &[F::Puppeteer]),
        ("import { render } from '@testing-library/react'; jest.mock('a')", &[F::TestingLibrary, F::Jest]),
        ("import { browser } from '@wdio/globals'", &[F::WebdriverIo]),
        ("fixture('a').page('b')", &[F::TestCafe]),
        ("import { it } from 'vitest'", &[F::Vitest]),
        ("it('a', function () { this.timeout(5) })", &[F::Mocha]),
        ("import test from 'node:test'", &[F::Node]),
        ("module.exports = { a(client) { client.waitForElementVisible('#a') } }", &[F::Nightwatch]),
        ("element(by.id('a')).click()", &[F::Selenium]),
        ("it('a', () => {})", &[F::Unknown]),
    ];
    for (text, expected) in files {
        assert_eq!(read("a.js", text).unwrap().frameworks(), expected, "{text}");
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "await ",
        "page.",
        "cy.",
        "wait(",
        "setTimeout(",
        "new Promise(r => ",
        ")",
        "(",
        "{ timeout: ",
        "}",
        "5",
        "'a'",
        ", ",
        ";\n",
        "it('x', ",
        "=> ",
        "async () ",
        "const a = ",
        "😀",
        "`${",
        "/",
        "\\",
        "// steady-ignore",
        "?.",
        "\r\n",
        "this",
        "a",
        "<b>",
        "= ",
        "[",
        "]",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn whatever_the_text_is_reading_it_does_not_panic(text in prop_oneof![any::<String>(), pieces()], name in prop::sample::select(vec!["a.js", "a.ts", "a.tsx"])) {
        match read(name, &text) {
            Ok(script) => {
                for wait in script.waits() {
                    prop_assert!(text.get(wait.call.start..wait.call.end).is_some());
                    prop_assert!(wait.line <= script.line_count() && wait.column > 0);
                    if let Some(value) = &wait.value {
                        prop_assert!(text.get(value.span.start..value.span.end).is_some());
                    }
                }
                for line in 0..=script.line_count() + 1 {
                    let _ = script.statement_at(line);
                }
            }
            Err(ParseError::Syntax { line, column, source_line, .. }) => {
                prop_assert!(line >= 1 && column <= source_line.encode_utf16().count() + 2, "{line}:{column} of {source_line:?}");
            }
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}

#[test]
fn a_thread_that_reads_many_files_reads_each_as_any_other_does() {
    let wait = "it('waits', async () => { await page.waitForTimeout(250); });\n";
    // Deeper than such a thread has room for.
    let deep = format!("{wait}x = {}1{};", "[".repeat(10_000), "]".repeat(10_000));
    for (text, expected) in [(wait, Some(vec![Some(250)])), (&deep, Some(vec![Some(250)])), ("it(", None)] {
        let read = || {
            let found = Waits::read(Path::new("a.test.js"), text, &KnownHelpers::default()).ok()?;
            Some(found.waits.iter().map(steady_js::Wait::ms).collect::<Vec<_>>())
        };
        let there = std::thread::scope(|scope| {
            spawn_reader(scope, read).expect("a thread").join().expect("no panic")
        });
        assert_eq!((read(), there), (expected.clone(), expected));
    }
}

#[test]
fn waits_alone_are_those_of_the_script() {
    let text = "export const settle = ms => new Promise(done => setTimeout(done, ms));\nawait settle(20);\ncy.wait(5);\n";
    let script = Script::read(Path::new("a.test.js"), text).expect("a script");
    let found = Waits::read(Path::new("a.test.js"), text, &KnownHelpers::default()).expect("waits");
    assert_eq!(script.waits().len(), 2);
    assert_eq!((found.waits.as_slice(), found.helpers.as_slice()), (script.waits(), script.helpers()));
}
