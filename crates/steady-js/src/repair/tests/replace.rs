use super::*;

#[test]
fn a_length_is_replaced_where_it_is_written() {
    for (before, after) in [
        ("await page.waitForTimeout(500);", "await page.waitForTimeout(8000);"),
        ("cy.wait(500);", "cy.wait(8000);"),
        ("await sleep(5 * 1000); // until it is there", "await sleep(8 * 1000); // until it is there"),
        ("await new Promise(r => setTimeout(r, 10_000));", "await new Promise(r => setTimeout(r, 8_000));"),
        (
            "await screen.findByText('a', {}, { timeout: 5e3 });",
            "await screen.findByText('a', {}, { timeout: 8e3 });",
        ),
        (
            "await expect(page.locator('#a')).toBeVisible({ timeout: 1000 });",
            "await expect(page.locator('#a')).toBeVisible({ timeout: 8000 });",
        ),
        (
            "await driver.wait(until.elementLocated(By.id('a')), 1000);",
            "await driver.wait(until.elementLocated(By.id('a')), 8000);",
        ),
        (
            "cy.get('#😀', { timeout: 500 }).should('exist')",
            "cy.get('#😀', { timeout: 8000 }).should('exist')",
        ),
        (
            "await waitFor(() => {\n  «expect»(a).toBe(1);\n}, { timeout: 500 });",
            "await waitFor(() => {\n  expect(a).toBe(1);\n}, { timeout: 8000 });",
        ),
        (
            "await expect(async () => {\n  «expect»(a).toBe(1);\n}).toPass({ timeout: 500 });",
            "await expect(async () => {\n  expect(a).toBe(1);\n}).toPass({ timeout: 8000 });",
        ),
    ] {
        assert_repair("a.test.js", "", before, after, 8000, Action::Replaced);
    }
}

#[test]
fn a_chain_over_several_lines_is_changed_at_the_line_that_is_named() {
    let before = "await page\n  .locator('#a')\n  .«click»({\n    timeout: 500,\n  });";
    let after = "await page\n  .locator('#a')\n  .click({\n    timeout: 900,\n  });";
    assert_repair("a.test.ts", "", before, after, 900, Action::Replaced);
}

#[test]
fn a_constant_is_changed_where_it_is_set_and_the_others_that_read_it_are_counted() {
    let text = "const PATIENCE = 5 * 1000;\nit('a', async () => {\n  await sleep(PATIENCE);\n  await sleep(PATIENCE);\n  await sleep(300);\n});\n";
    let repair = repaired("a.test.js", text, 3, None, 7000).expect("a repair");
    assert_eq!(repair.text, text.replace("5 * 1000", "7 * 1000"));
    assert_eq!((repair.action, repair.line, repair.shared, repair.stop_gap), (Action::Replaced, 1, 1, true));
}

#[test]
fn options_in_a_constant_are_changed_where_they_are_set() {
    let text = "const slow = { timeout: 5_000, polling: 100 };\nit('a', async () => {\n  await page.waitForSelector('#a', slow);\n});\n";
    let repair = repaired("a.test.js", text, 3, None, 7000).expect("a repair");
    assert_eq!(repair.text, text.replace("5_000", "7_000"));
}

#[test]
fn options_of_another_file_are_overridden_where_they_are_used() {
    let times = ["SLOW.timeout", "ALL.slow.timeout", "timeout"].map(|name| (name.to_owned(), 5000.0));
    let times = times.into_iter().chain([("FAST.timeout".to_owned(), 100.0)]);
    let known = KnownHelpers::default().with_times("./options", times.collect());
    for (before, after) in [
        ("page.waitForSelector('#a', SLOW)", "page.waitForSelector('#a', { ...SLOW, timeout: 7000 })"),
        (
            "page.waitForSelector('#a', ALL.slow)",
            "page.waitForSelector('#a', { ...ALL.slow, timeout: 7000 })",
        ),
        (
            "page.waitForSelector('#a', { ...SLOW, state: 'hidden' })",
            "page.waitForSelector('#a', { ...SLOW, timeout: 7000, state: 'hidden' })",
        ),
        ("cy.get('#a', SLOW).click()", "cy.get('#a', { ...SLOW, timeout: 7000 }).click()"),
        ("page.click('#a', ALL['slow'])", "page.click('#a', { ...ALL['slow'], timeout: 7000 })"),
        ("page.click('#a', ALL\n.slow)", "page.click('#a', { ...ALL\n.slow, timeout: 7000 })"),
        ("page.click('#a', SLOW as any)", "page.click('#a', { ...SLOW as any, timeout: 7000 })"),
        ("page.click('#a', ALL!.slow)", "page.click('#a', { ...ALL!.slow, timeout: 7000 })"),
        (
            "page.click('#a', { ...(SLOW as any), force: true })",
            "page.click('#a', { ...(SLOW as any), timeout: 7000, force: true })",
        ),
        ("page.click('#a', { ...FAST, ...SLOW })", "page.click('#a', { ...FAST, ...SLOW, timeout: 7000 })"),
        (
            "page.click('#a', { timeout: 3, ...SLOW })",
            "page.click('#a', { timeout: 3, ...SLOW, timeout: 7000 })",
        ),
        ("page.click('#a', { timeout })", "page.click('#a', { timeout: 7000 })"),
        ("expect(box).toBeVisible({ timeout: SLOW.timeout })", "expect(box).toBeVisible({ timeout: 7000 })"),
    ] {
        let file = |statement: &str| {
            format!("import {{ SLOW, FAST, ALL, timeout }} from './options';\nawait {statement};\n")
        };
        let script = Script::read_with(Path::new("a.test.ts"), &file(before), &known).expect("a file");
        let target = Target::at(&script, 2).expect("a target");
        assert_eq!(target.ms, Some(5000), "{before}");
        let repair = repair(&script, &target, 7000).expect("a repair");
        assert_eq!((repair.text, repair.action), (file(after), Action::Replaced));
    }
}

#[test]
fn a_column_tells_waits_on_one_line_apart() {
    let text = "it('a', async () => {\n  '😀'; await sleep(1); await sleep(2); await sleep(3);\n});\n";
    for (column, expected) in [
        (Some(15), "sleep(9); await sleep(2); await sleep(3)"),
        (Some(31), "sleep(1); await sleep(9)"),
        (None, "sleep(2); await sleep(9)"),
    ] {
        let repair = repaired("a.test.js", text, 2, column, 9).expect("a repair");
        assert!(repair.text.contains(expected), "{column:?}: {}", repair.text);
    }
}

#[test]
fn a_target_says_how_long_is_waited_there() {
    let playwright = "import { expect } from '@playwright/test';";
    for (head, statement, ms) in [
        ("", "await sleep(100);", Some(100)),
        ("", "await screen.findByText('a');", Some(1_000)),
        ("", "cy.get('#a').click();", Some(4_000)),
        ("", "await driver.wait(until.titleIs('a'));", None),
        ("", "await open();", None),
        (playwright, "await expect(box).toBeVisible();", Some(5_000)),
        (playwright, "await box.click();", Some(30_000)),
    ] {
        let (text, line) = test_with(head, statement);
        let script = Script::read(Path::new("a.test.js"), &text).expect("a file");
        assert_eq!(Target::at(&script, line).map(|target| target.ms), Ok(ms), "{statement}");
    }
}

#[test]
fn only_a_wait_that_blocks_every_run_is_a_stop_gap() {
    for (statement, stop_gap) in [
        ("await sleep(100);", true),
        ("setTimeout(next, 100);", true),
        ("await screen.findByText('a', {}, { timeout: 100 });", false),
        ("await screen.findByText('a');", false),
        ("await open();", true),
    ] {
        let (text, line) = test_with("", statement);
        assert_eq!(
            repaired("a.test.js", &text, line, None, 200).map(|repair| repair.stop_gap),
            Ok(stop_gap),
            "{statement}"
        );
    }
}

#[test]
fn the_limit_of_a_test_is_changed_on_the_line_of_the_test_only() {
    let text = "it('a', async () => {\n  await open();\n}, 5000);\n";
    let limit = repaired("a.test.js", text, 1, None, 9000).expect("a repair");
    assert_eq!(limit.text, text.replace("5000", "9000"));
    let inside = repaired("a.test.js", text, 2, None, 90).expect("a repair");
    assert_eq!(inside.action, Action::InsertedWait);
}
