//! Checks that would hold too early without the sleep before them.

use super::{PLAYWRIGHT, advice, complaints, read};
use crate::lint::precedes_negative_assertion;

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
        assert!(advice.contains("checks that something is not there or does not happen"), "{next}: {advice}");
    }
    assert!(
        advice("cy.wait(9); cy.get('#x').should('not.exist')")
            .contains("checks that something is not there or does not happen")
    );
    let library = "import { screen } from '@testing-library/react'; await sleep(9); expect(screen.queryByText('x')).toBeNull()";
    assert!(!advice(library).contains("findByText('x')"));
    let called = "it('a', async () => { await sleep(9); expect(save).not.toHaveBeenCalled() })";
    assert!(advice(called).contains("checks that something is not there or does not happen"));
    assert!(
        advice("cy.wait(9); cy.get('#x').should('have.length', 0)")
            .contains("checks that something is not there or does not happen")
    );
    let removed = "import { screen } from '@testing-library/react'; await sleep(9); await waitForElementToBeRemoved(screen.getByText('x'))";
    assert!(advice(removed).contains("checks that something is not there or does not happen"));
}

#[test]
fn a_check_that_something_stays_as_it_was_is_never_left_without_a_wait() {
    for text in [
        "const before = await page.locator('.row').count(); await scroll(); await page.waitForTimeout(1200); await expect(page.locator('.row')).toHaveCount(before);",
        "const rows = await page.locator('.row').count(); await page.waitForTimeout(9); expect(await page.locator('.row').count()).toBe(rows);",
        "const initialUrl = page.url(); await page.waitForTimeout(9); await expect(page).toHaveURL(initialUrl);",
        "await expect(page.locator('#menu')).toBeVisible(); await page.waitForTimeout(9); await expect(page.locator('#menu')).toBeVisible();",
        "await expect(page.locator('#bar')).toHaveCount(1); await expect(page.locator('#bar')).toHaveText('a'); await page.waitForTimeout(9); await expect(page.locator('#bar')).toHaveCount(1);",
    ] {
        let advice = advice(&format!("{PLAYWRIGHT}test('a', async () => {{ {text} }})"));
        assert!(advice.contains("checks that something stays as it was"), "{text}: {advice}");
        assert!(!advice.contains("Delete it"), "{text}: {advice}");
    }
    let calls =
        "const calls = spy.mock.calls.length; await sleep(9); expect(spy.mock.calls.length).toBe(calls);";
    assert!(advice(&format!("it('a', async () => {{ {calls} }})")).contains("stays as it was"));
    // What has changed can be waited for.
    for text in [
        "const before = await page.locator('.row').count(); await page.waitForTimeout(9); await expect(page.locator('.row')).toHaveCount(before + 1);",
        "const before = await page.textContent('#x'); await page.waitForTimeout(9); await expect(page.locator('#x')).not.toHaveText(before);",
        "const name = 'Ann'; await page.waitForTimeout(9); await expect(page.locator('#x')).toHaveText(name);",
    ] {
        let advice = advice(&format!("{PLAYWRIGHT}test('a', async () => {{ {text} }})"));
        assert!(!advice.contains("stays as it was"), "{text}: {advice}");
    }
}

#[test]
fn a_check_of_absence_is_seen_wherever_it_stands_before_the_next_step() {
    for text in [
        "await page.waitForTimeout(9); const row = page.locator('text=@eve').first(); const v = await row.isVisible(); expect(v).toBe(false);",
        "await page.waitForTimeout(9); await expect(page.locator('#list')).toBeVisible(); expect(await page.locator('.error').count()).toBe(0);",
        "await page.waitForTimeout(9); const user = page.locator(`text=@${unexpectedUser}`); await expect(user).toBeVisible();",
        "for (const key of keys) { await page.keyboard.press(key); await page.waitForTimeout(9); } await expect(page.locator('#x')).toBeHidden();",
        "for (const key of keys) { await expect(page.locator('#x')).toHaveCount(0); await page.waitForTimeout(9); }",
        "await page.waitForTimeout(9); if (mode) { await expect(page.locator('#x')).not.toBeVisible(); }",
        "await page.waitForTimeout(9); await test.step('is empty', async () => { await expect(page.locator('#x')).toHaveText(''); });",
        "await page.waitForTimeout(9); await assertRowNotVisible(page);",
        "await page.waitForTimeout(9); await expect(page.locator('#bar')).toHaveAttribute('data-visible', 'false');",
        "await page.waitForTimeout(9); const room = await load(id); expect(room.owner).toBeUndefined();",
        "await page.waitForTimeout(9); rows = await table.rows(); expect(rows).toEqual([]);",
    ] {
        let advice = advice(&format!("{PLAYWRIGHT}test('a', async () => {{ {text} }})"));
        assert!(advice.contains("checks that something is not there"), "{text}: {advice}");
    }
    let library = "import { render, screen, waitFor } from '@testing-library/react'\n";
    for text in [
        "for (let i = 0; i < 3; i++) { tick(); await sleep(9); } expect(onRefresh).not.toHaveBeenCalled();",
        "for (let i = 0; i < 3; i++) { await sleep(9); expect(onRefresh).not.toHaveBeenCalled(); }",
        "await sleep(9); await waitFor(() => expect(screen.queryByText('x')).not.toBeInTheDocument());",
        "await sleep(9); expect(spy).to.not.have.been.called;",
        "await sleep(9); assert.equal(calls, 0);",
        "await sleep(9); expect(log).toEqual([]);",
    ] {
        let advice = advice(&format!("{library}it('a', async () => {{ render(); {text} }})"));
        assert!(advice.contains("checks that something is not there"), "{text}: {advice}");
        assert!(!advice.contains("waitFor(() => expect"), "{text}: {advice}");
    }
    // What was there before is waited for until it is gone.
    let gone = "await expect(page.locator('#x')).toBeVisible(); await page.keyboard.press('Escape'); await page.waitForTimeout(9); await expect(page.locator('#x')).toBeHidden();";
    assert_eq!(
        advice(&format!("{PLAYWRIGHT}test('a', async () => {{ {gone} }})")),
        "Delete it: the assertion after it waits by itself."
    );
    // The next step is what such a sleep is for.
    let step = "await page.waitForTimeout(9); await page.click('#next'); await expect(page.locator('#x')).toBeHidden();";
    assert!(
        advice(&format!("{PLAYWRIGHT}test('a', async () => {{ {step} }})"))
            .starts_with("The next line waits for its element by itself")
    );
    // So is another test.
    let other = "test('a', async () => { await page.waitForTimeout(9); }); test('b', async () => { await expect(page.locator('#x')).toBeHidden(); })";
    assert!(advice(&format!("{PLAYWRIGHT}{other}")).starts_with("Wait for what the sleep stands for"));
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
        assert_eq!(precedes_negative_assertion(&script, &script.waits()[0]), expected, "{next}");
    }
}

#[test]
fn a_value_that_the_test_gave_before_the_step_holds_at_once() {
    for text in [
        "await page.locator('#name').fill('Ann'); await page.click('#save'); await page.waitForTimeout(9); expect(await page.locator('#name').inputValue()).toBe('Ann');",
        "await page.getByLabel('City').selectOption('Rome'); await page.click('#save'); await page.waitForTimeout(9); await expect(page.getByLabel('City')).toHaveValue('Rome');",
    ] {
        let advice = advice(&format!("{PLAYWRIGHT}test('a', async () => {{ {text} }})"));
        assert!(advice.contains("checks that something stays as it was"), "{text}: {advice}");
    }
    let other = "await page.locator('#name').fill('Ann'); await page.click('#save'); await page.waitForTimeout(9); await expect(page.locator('#title')).toHaveText('Ann');";
    assert_eq!(
        advice(&format!("{PLAYWRIGHT}test('a', async () => {{ {other} }})")),
        "Delete it: the assertion after it waits by itself."
    );
}

#[test]
fn a_query_that_has_to_throw_checks_absence() {
    let library = "import { render, screen, waitFor } from '@testing-library/react'\n";
    for next in [
        "expect(() => screen.getByText('x')).toThrow();",
        "expect(() => getWarningByText('x')).toThrow();",
        "expect(() => { getByText('x'); }).toThrowError();",
        "expect(function () { return screen.getAllByRole('row'); }).to.throw();",
    ] {
        let advice =
            advice(&format!("{library}it('a', async () => {{ render(); await sleep(10); {next} }})"));
        assert!(advice.contains("checks that something is not there"), "{next}: {advice}");
        assert!(!advice.contains("waitFor("), "{next}: {advice}");
    }
    for next in [
        "expect(() => screen.getByText('x')).not.toThrow();",
        "expect(() => save('x')).toThrow();",
        "expect(() => users.getById(3)).toThrow();",
    ] {
        let advice =
            advice(&format!("{library}it('a', async () => {{ render(); await sleep(10); {next} }})"));
        assert!(!advice.contains("checks that something is not there"), "{next}: {advice}");
    }
}

#[test]
fn a_check_of_absence_is_said_to_pass_falsely() {
    let message = |next: &str| {
        let text = format!("{PLAYWRIGHT}test('a', async () => {{ await page.waitForTimeout(9); {next} }})");
        complaints(&text).remove(0).message
    };
    let falsely = "`page.waitForTimeout` sleeps 9 ms in every run, and the check after it passes falsely when 9 ms are not enough";
    assert_eq!(message("await expect(page.locator('#x')).toBeHidden();"), falsely);
    assert_eq!(message("expect(save).toHaveBeenCalledTimes(1);"), falsely);
    assert_eq!(
        message("await page.click('#x');"),
        "`page.waitForTimeout` sleeps 9 ms in every run and still fails when 9 ms are not enough"
    );
}

#[test]
fn a_response_is_waited_for_from_before_the_step() {
    for next in ["await page.click('#y');", "await expect(page.locator('#y')).toBeHidden();", "log();"] {
        let advice =
            advice(&format!("{PLAYWRIGHT}test('a', async () => {{ await page.waitForTimeout(9); {next} }})"));
        assert!(advice.contains("`page.waitForResponse(url)` (started before the step)"), "{next}: {advice}");
    }
}

#[test]
fn what_holds_before_a_sleep_in_cypress_holds_after_it() {
    for text in [
        "cy.get('#search').type('inpia'); cy.wait(500); cy.get('#search').should('be.visible');",
        "cy.get('#n').should('have.text', '3'); cy.get('#add').click(); cy.wait(500); cy.get('#n').should('have.text', '3');",
        "cy.get('#items').type('x');\ncy.wait(500);\n// there are still three\ncy.get('.item').should('have.length', 3);",
    ] {
        let advice = advice(&format!("it('a', () => {{ {text} }})"));
        assert!(advice.contains("stays as it was"), "{text}: {advice}");
    }
    for text in [
        "cy.get('#row').should('exist'); cy.get('#row').should('not.exist'); undo(); cy.wait(9); cy.get('#row').should('exist');",
        "cy.get('#msg').should('be.visible').contains('one'); hover(); cy.wait(9); cy.get('#msg').should('be.visible').contains('two');",
        "cy.get('#head').should('be.visible'); cy.visit('/other'); cy.wait(9); cy.get('#head').should('be.visible');",
    ] {
        let advice = advice(&format!("it('a', () => {{ {text} }})"));
        assert!(!advice.contains("stays as it was"), "{text}: {advice}");
    }
}

#[test]
fn what_went_to_nothing_was_something_before() {
    let text = "import { it, expect } from 'vitest'\nit('a', async () => { expect(sockets()).toBe(2); close(); await sleep(250); expect(sockets()).toBe(0); })";
    assert!(advice(text).contains("vi.waitFor"), "{}", advice(text));
}

#[test]
fn a_promise_that_is_awaited_is_a_step() {
    let text = "it('a', async () => { const done = run(); await sleep(1); expect(count).toEqual(1); release(); await done; expect(count).toEqual(0); })";
    assert!(!advice(text).contains("checks that something is not there"), "{}", advice(text));
}

#[test]
fn a_page_that_must_not_match_is_a_check_of_absence() {
    let text = "import p from 'puppeteer'\nit('a', async () => { await remove(); await sleep(2000); await expect(page).not.toMatchElement('.coupon'); })";
    assert!(advice(text).contains("checks that something is not there"), "{}", advice(text));
}
