//! A repaired file says the new length where it said the old one, and repairing it again changes nothing else.

use super::*;

/// Tests as people write them.
const SNIPPETS: [(&str, usize); 20] = [
    ("it('opens', async () => {\n  await page.waitForTimeout(2000);\n});\n", 2),
    ("it('opens', async () => {\n  await new Promise((r) => setTimeout(r, 100));\n});\n", 2),
    ("test('opens', async ({ page }) => {\n  await expect(page.getByRole('alert')).toBeVisible();\n});\n", 2),
    (
        "test('opens', async ({ page }) => {\n  await expect(page.getByText('Total')).toHaveText('30');\n});\n",
        2,
    ),
    ("test('opens', async ({ page }) => {\n  await page.locator('#save').click();\n});\n", 2),
    ("test('opens', async ({ page }) => {\n  await page.goto('/');\n});\n", 2),
    ("test('opens', async ({ page }) => {\n  await page.waitForFunction(() => window.ready);\n});\n", 2),
    ("test('opens', async ({ page }) => {\n  await expect.poll(async () => count()).toBe(3);\n});\n", 2),
    ("it('saves', () => {\n  cy.get('[data-cy=save]').click();\n});\n", 2),
    ("it('saves', () => {\n  cy.contains('button', 'Save').should('be.enabled');\n});\n", 2),
    ("it('saves', () => {\n  cy.get('.row').should('have.length', 3);\n});\n", 2),
    ("it('saves', () => {\n  cy.wait('@save');\n});\n", 2),
    ("it('saves', () => {\n  cy.wait(300);\n});\n", 2),
    (
        "it('lists', async () => {\n  render(<List />);\n  expect(await screen.findByText('one')).toBeVisible();\n});\n",
        3,
    ),
    (
        "it('lists', async () => {\n  await waitFor(() => {\n    expect(screen.getByText('one')).toBeVisible();\n  });\n});\n",
        2,
    ),
    ("it('lists', async () => {\n  await vi.waitFor(() => expect(calls).toBe(2));\n});\n", 2),
    (
        "it('logs in', async function () {\n  this.timeout(10000);\n  await driver.findElement(By.id('a'));\n});\n",
        2,
    ),
    ("it('logs in', async () => {\n  await driver.wait(until.titleIs('Home'));\n});\n", 2),
    ("it('logs in', async () => {\n  await $('#a').waitForDisplayed();\n});\n", 2),
    (
        "const LIMIT = 10 * 1000;\nit('logs in', async () => {\n  await $('#a').waitForExist({ timeout: LIMIT });\n});\n",
        3,
    ),
];

#[test]
fn the_new_length_is_found_where_the_old_one_was() {
    for (text, line) in SNIPPETS {
        for ms in [350, 7000, 12_345] {
            let first = repaired("a.test.tsx", text, line, None, ms)
                .unwrap_or_else(|error| panic!("{error}\n{text}"));
            let script = Script::read(Path::new("a.test.tsx"), &first.text).expect("a file that parses");
            let target = Target::at(&script, line).expect("a wait");
            let found = target.wait.and_then(|at| script.waits()[at].ms());
            assert_eq!(found, Some(ms), "{}", first.text);
            let again = repair(&script, &target, ms).expect("a repair");
            assert_eq!(again.text, first.text);
        }
    }
}

#[test]
fn a_repair_of_any_place_leaves_a_file_that_parses_and_all_other_text() {
    for (text, _) in SNIPPETS {
        for (line, code) in text.lines().enumerate() {
            for column in (0..=code.len() + 8).step_by(8).map(Some).chain([None]) {
                let Ok(repair) = repaired("a.test.tsx", text, line + 1, column, 350) else { continue };
                let mut kept = text.to_owned();
                for edit in repair.edits.iter().rev() {
                    kept.replace_range(edit.span.start..edit.span.end, &edit.text);
                }
                assert_eq!(kept, repair.text, "line {line}, column {column:?}: {text}");
                Script::read(Path::new("a.test.tsx"), &repair.text).expect("a file that parses");
            }
        }
    }
}

#[test]
fn an_inserted_wait_is_a_sleep_of_that_length() {
    for statement in ["await open();", "expect(a).toBe(1);", "return open();", "if (a) await open();"] {
        let (text, line) = test_with("", statement);
        let repair = repaired("a.test.ts", &text, line, None, 350).expect("a repair");
        let script = Script::read(Path::new("a.test.ts"), &repair.text).expect("a file that parses");
        let sleeps: Vec<_> = script.waits().iter().filter(|wait| wait.kind.is_blocking()).collect();
        assert_eq!(
            sleeps.iter().map(|wait| (wait.ms(), wait.line)).collect::<Vec<_>>(),
            [(Some(350), repair.line)],
            "{statement}"
        );
    }
}
