//! Promises that nothing waits for.

use super::{complaints, said};

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
fn what_may_be_no_promise_is_not_complained_about() {
    let none = Vec::<String>::new();
    let queued = "class Helper { Sleep(ms = 1000) { cy.wait(ms); } Hover(at, ms = 500) { cy.get(at).trigger('over').wait(ms); } }\nconst helper = new Helper();\nit('a', () => { helper.Hover('#a'); helper.Sleep(200); })";
    assert!(said(queued).iter().all(|said| !said.ends_with("unawaited-wait")), "{:?}", said(queued));
    assert_eq!(
        said(
            "it('a', () => { const api = { defaults: { timeout: 5000 } }; expect(result.defaults).toBe(api.defaults); })"
        ),
        none
    );
    assert_eq!(said("it('a', () => { const middleware = timeout(1800000); middleware(next); })"), none);
}

#[test]
fn what_a_later_step_causes_is_awaited_after_it() {
    let text = "import { test } from '@playwright/test'\ntest('a', async ({ page }) => {\n  page.waitForResponse('/save')\n  await page.click('#save')\n})";
    assert!(complaints(text)[0].advice.starts_with("Start it before the step that causes it"));
}

#[test]
fn page_objects_of_cypress_are_queued_by_whatever_names() {
    let chain =
        "it('a', () => { cy.visit('/'); ui.button.findByTitle('Create').should('be.visible').click(); })";
    assert_eq!(said(chain), Vec::<String>::new());
    let below = "export const open = () => { ui.drawer.findByTitle('Switch').click(); };";
    assert_eq!(super::said_in("packages/app/cypress/support/ui.ts", below), Vec::<String>::new());
}
