use super::*;

#[track_caller]
fn inserts(head: &str, cases: &[(&str, &str)]) {
    for (before, after) in cases {
        assert_repair("a.test.ts", head, before, after, 500, Action::InsertedWait);
    }
}

const TIMER: &str = "await new Promise(resolve => setTimeout(resolve, 500))";

#[test]
fn a_wait_follows_what_needs_time_and_goes_before_what_looks_at_it() {
    inserts(
        "",
        &[
            ("await open();", &format!("await open();\n{TIMER};")),
            ("const a = await open();\nuse(a);", &format!("const a = await open();\n{TIMER};\nuse(a);")),
            ("expect(box).toBe(1);", &format!("{TIMER};\nexpect(box).toBe(1);")),
            ("assert.equal(box, 1);", &format!("{TIMER};\nassert.equal(box, 1);")),
            ("return open();", &format!("{TIMER};\nreturn open();")),
            ("if (ready()) {\n  go();\n}", &format!("{TIMER};\nif (ready()) {{\n  go();\n}}")),
            (
                "if (!done) throw new Error('late');",
                &format!("{TIMER};\nif (!done) throw new Error('late');"),
            ),
            (
                "open()\n  .then(go)\n  .«then»(stay);",
                &format!("open()\n  .then(go)\n  .then(stay);\n{TIMER};"),
            ),
        ],
    );
}

#[test]
fn the_file_s_own_idiom_is_used() {
    for (head, statement, wait) in [
        ("import { sleep } from './helpers';", "await open();", "await sleep(500);"),
        ("const delay = require('delay');", "await open();", "await delay(500);"),
        ("import { setTimeout as sleep } from 'node:timers/promises';", "await open();", "await sleep(500);"),
        ("import { setTimeout } from 'timers/promises';", "await open();", "await setTimeout(500);"),
        ("import { wait } from './wait';\nwait(view, 3);", "await open();", &format!("{TIMER};")),
        ("import { wait } from '@testing-library/react';", "await open();", &format!("{TIMER};")),
        (
            "import { test } from '@playwright/test';\nlet page;",
            "await open();",
            "await page.waitForTimeout(500);",
        ),
        (
            "import { test } from '@playwright/test';",
            "await this.page.keyboard.down('a');",
            "await this.page.waitForTimeout(500);",
        ),
        (
            "import { test } from '@playwright/test';\nawait adminPage.goto('/');",
            "await adminPage.mouse.down();",
            "await adminPage.waitForTimeout(500);",
        ),
        ("const puppeteer = require('puppeteer');", "await page.click('#a');", &format!("{TIMER};")),
        (
            "const puppeteer = require('puppeteer');\nawait page.waitForTimeout(1);",
            "await page.click('#a');",
            "await page.waitForTimeout(500);",
        ),
        ("", "cy.scrollTo('bottom');", "cy.wait(500);"),
        (
            "import { test } from '@playwright/test';\nlet page;",
            "await loginPage.goto();",
            "await page.waitForTimeout(500);",
        ),
        (
            "const { By } = require('selenium-webdriver');",
            "await driver.get('/');",
            "await driver.sleep(500);",
        ),
        ("import { browser } from '@wdio/globals';", "await browser.url('/');", "await browser.pause(500);"),
        ("fixture('a');", "await t.click('#a');", "await t.wait(500);"),
        (
            "import helpers from './helpers';\nawait helpers.pauseFor(1);\nconst nap = (s) => new Promise(r => setTimeout(r, s * 1000));\nawait nap(1);",
            "await open();",
            "await nap(0.5);",
        ),
    ] {
        assert_repair(
            "a.test.ts",
            head,
            statement,
            &format!("{statement}\n{wait}"),
            500,
            Action::InsertedWait,
        );
    }
}

#[test]
fn a_helper_of_another_function_is_not_used() {
    let text = "it('a', async () => {\n  const nap = ms => new Promise(r => setTimeout(r, ms));\n  await nap(1);\n});\nit('b', async () => {\n  await open();\n});\n";
    let repair = repaired("a.test.js", text, 6, None, 500).expect("a repair");
    assert_eq!(repair.text, text.replace("await open();", &format!("await open();\n  {TIMER};")));
}

#[test]
fn the_layout_of_the_file_is_kept() {
    for (before, line, after) in [
        // Tabs.
        ("it('a', async () => {\n\tawait open();\n});\n", 2, format!("it('a', async () => {{\n\tawait open();\n\t{TIMER};\n}});\n")),
        // Windows.
        (
            "it('a', async () => {\r\n  await open();\r\n});\r\n",
            2,
            format!("it('a', async () => {{\r\n  await open();\r\n  {TIMER};\r\n}});\r\n"),
        ),
        // No semicolons.
        ("it('a', async () => {\n  await open()\n  go()\n})\n", 2, format!("it('a', async () => {{\n  await open()\n  {TIMER}\n  go()\n}})\n")),
        // No semicolons, and a line that would go on.
        (
            "it('a', async () => {\n  await open()\n  ;[1].map(go)\n})\n",
            2,
            format!("it('a', async () => {{\n  await open()\n  {TIMER}\n  ;[1].map(go)\n}})\n"),
        ),
        // A comment stays on its line.
        (
            "it('a', async () => {\n  await open(); // the door\n  go();\n});\n",
            2,
            format!("it('a', async () => {{\n  await open(); // the door\n  {TIMER};\n  go();\n}});\n"),
        ),
        // A comment stays with its line.
        (
            "it('a', async () => {\n  go();\n  // @ts-expect-error\n  expect(a).toBe(1);\n});\n",
            4,
            format!("it('a', async () => {{\n  go();\n  {TIMER};\n  // @ts-expect-error\n  expect(a).toBe(1);\n}});\n"),
        ),
        // Several statements on a line.
        (
            "it('a', async () => {\n  await a(); await b(); // both\n});\n",
            2,
            format!("it('a', async () => {{\n  await a(); await b(); // both\n  {TIMER};\n}});\n"),
        ),
        ("it('a', async () => { await open() })\n", 1, format!("it('a', async () => {{ await open(); {TIMER}; }})\n")),
        // No braces.
        (
            "it('a', async () => {\n  if (b) await open();\n});\n",
            2,
            format!("it('a', async () => {{\n  if (b) {{ await open(); {TIMER}; }}\n}});\n"),
        ),
        (
            "it('a', async () => {\n  if (b)\n    await open();\n  else\n    go();\n});\n",
            3,
            format!("it('a', async () => {{\n  if (b) {{\n    await open();\n    {TIMER};\n  }}\n  else\n    go();\n}});\n"),
        ),
        (
            "it('a', async () => {\n  for (const b of c)\n    expect(b).toBe(1);\n});\n",
            3,
            format!("it('a', async () => {{\n  for (const b of c) {{\n    {TIMER};\n    expect(b).toBe(1);\n  }}\n}});\n"),
        ),
        // An arrow that leads to an expression.
        ("it('a', async () => open());\n", 1, format!("it('a', async () => {{ {TIMER}; return open(); }});\n")),
        // Brackets around the parameter of an arrow.
        (
            "it('a', async (done) => {\n  await open();\n});\n",
            2,
            "it('a', async (done) => {\n  await open();\n  await new Promise((resolve) => setTimeout(resolve, 500));\n});\n".to_owned(),
        ),
        // Cypress needs no async function.
        (
            "it('a', () => {\n  cy.viewport(1, 2);\n  window.open();\n});\n",
            3,
            "it('a', () => {\n  cy.viewport(1, 2);\n  window.open();\n  cy.wait(500);\n});\n".to_owned(),
        ),
    ] {
        let target = if before.starts_with("it('a', async () =>") && line == 1 { Some(before.find("open").expect("open") + 1) } else { None };
        let repair = repaired("a.test.js", before, line, target, 500).unwrap_or_else(|error| panic!("{error}\n{before}"));
        assert_eq!(repair.text, after, "{before}");
        assert_eq!(repair.action, Action::InsertedWait, "{before}");
    }
}

#[test]
fn a_file_that_awaits_outside_of_functions_may_wait_there() {
    let repair = repaired("a.mjs", "await open();\ngo();\n", 2, None, 500).expect("a repair");
    assert_eq!(repair.text, format!("await open();\ngo();\n{TIMER};\n"));
}

#[test]
fn the_line_of_the_new_wait_is_told() {
    let text = "it('a', async () => {\n  await open(); // the door\n  expect(a).toBe(1);\n});\n";
    assert_eq!(repaired("a.test.js", text, 2, None, 500).map(|repair| repair.line), Ok(3));
    assert_eq!(repaired("a.test.js", text, 3, None, 500).map(|repair| repair.line), Ok(3));
}
