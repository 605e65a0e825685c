//! Sleeps that can go without anything in their place.

use super::{PLAYWRIGHT, advice, complaints};

#[test]
fn a_sleep_before_an_assertion_that_is_tried_again_can_go() {
    let text = "import { test } from '@playwright/test'\nawait page.waitForTimeout(9); await expect(page.locator('#x')).toHaveText('y')";
    assert_eq!(advice(text), "Delete it: the assertion after it waits by itself.");
}

#[test]
fn a_sleep_stays_while_a_line_behind_it_looks_only_once() {
    let text = "await page.waitForTimeout(9);\nawait expect(page.locator('#x')).toBeVisible();\nexpect(await page.locator('#x').innerText()).toBe('y');";
    let complaint = complaints(&format!("{PLAYWRIGHT}{text}")).remove(0);
    assert_eq!(
        complaint.advice,
        "Line 3 waits by itself, and line 4 looks only once: let that line wait, too, then the sleep can go."
    );
    assert_eq!(complaint.deletion, None);
    for next in
        ["await expect(side.item('x')).toHaveCount(1)", "await expect.poll(() => focused(page)).toBe(true)"]
    {
        let text = format!(
            "{PLAYWRIGHT}await page.waitForTimeout(9); {next}; await expect(page.locator('#y')).toHaveText('z')"
        );
        assert_eq!(advice(&text), "Delete it: the assertion after it waits by itself.", "{next}");
    }
}

#[test]
fn a_sleep_before_a_line_that_waits_can_go() {
    let library =
        "import { screen } from '@testing-library/react'; await sleep(9); await screen.findByText('x')";
    assert_eq!(advice(library), "Delete it: the next line waits by itself.");
}

#[test]
fn a_sleep_longer_than_the_next_line_waits_is_not_simply_deleted() {
    let library = "import { screen } from '@testing-library/react'; ";
    let long = complaints(&format!("{library}await sleep(3000); await screen.findByText('x')")).remove(0);
    assert!(long.advice.contains("`timeout: 4000`"), "{}", long.advice);
    assert_eq!(long.deletion, None);
    let short = complaints(&format!("{library}await sleep(300); await screen.findByText('x')")).remove(0);
    assert!(short.advice.starts_with("Delete it: ") && short.deletion.is_some(), "{}", short.advice);
}

#[test]
fn only_a_statement_that_does_nothing_but_sleep_can_be_deleted() {
    let next = "await expect(page.locator('#x')).toBeVisible();";
    let deleted = |text: &str| {
        let text = format!("{PLAYWRIGHT}test('a', async ({{ page }}) => {{ {text} {next} }})");
        let complaint = complaints(&text).remove(0);
        complaint.deletion.map(|span| text[span.start..span.end].to_owned())
    };
    assert_eq!(deleted("await page.waitForTimeout(9);").as_deref(), Some("await page.waitForTimeout(9);"));
    let promise = "await new Promise(done => setTimeout(done, 9));";
    assert_eq!(deleted(promise).as_deref(), Some(promise));
    for text in [
        "await Promise.all([save(), page.waitForTimeout(9)]);",
        "if (slow) await page.waitForTimeout(9);",
        "page.waitForTimeout(9);",
        "await page.waitForTimeout(time());",
    ] {
        assert_eq!(deleted(text), None, "{text}");
    }
}

#[test]
fn a_next_line_that_polls_in_any_way_lets_the_sleep_go() {
    let helper = "async function rowIsThere(page) {\n  const row = page.locator('#row');\n  await expect(row).toBeVisible();\n}\n";
    for next in [
        "await page.waitForFunction(() => window.ready === true);",
        "await page.waitForURL('**/done');",
        "await rowIsThere(page);",
        "await orders.waitForRow('a');",
        "await waitForSaved(page);",
    ] {
        let text = format!(
            "{PLAYWRIGHT}{helper}test('a', async ({{ page }}) => {{ await page.click('#x'); await page.waitForTimeout(9); {next} }})"
        );
        assert_eq!(advice(&text), "Delete it: the next line waits by itself.", "{next}");
    }
    let bare = "test('a', async ({ page }) => {\n  {\n    await page.click('#x');\n    await page.waitForTimeout(9);\n  }\n  await expect(page.locator('#y')).toBeVisible();\n});";
    assert_eq!(advice(&format!("{PLAYWRIGHT}{bare}")), "Delete it: the assertion after it waits by itself.");
    let library = "import { waitFor } from '@testing-library/react'\nit('a', async () => { save(); await sleep(9); await waitFor(() => expect(saved).toBe(true)) })";
    assert_eq!(advice(library), "Delete it: the next line waits by itself.");
    let wdio = "import { browser } from '@wdio/globals'; await browser.pause(9); await browser.waitUntil(async () => (await rows()).length > 2)";
    assert_eq!(advice(wdio), "Delete it: the next line waits by itself.");
    // What is over before it began, what came before, and a branch that is not taken say nothing.
    let gone =
        "async function spinnerIsGone(page) {\n  await expect(page.locator('#spin')).toBeHidden();\n}\n";
    for next in [
        "await page.waitForFunction(() => !document.querySelector('.loading'));",
        "await page.waitForResponse('/x');",
        "await page.waitForLoadState('networkidle');",
        "await waitForSpinnerHidden(page);",
        "await spinnerIsGone(page);",
    ] {
        let text = format!(
            "{PLAYWRIGHT}{gone}test('a', async ({{ page }}) => {{ await page.click('#x'); await page.waitForTimeout(9); {next} }})"
        );
        assert!(!advice(&text).contains("Delete it"), "{next}: {}", advice(&text));
    }
    let branch = "test('a', async ({ page }) => {\n  if (x) {\n    await page.click('#x');\n    await page.waitForTimeout(9);\n  } else {\n    await expect(page.locator('#y')).toBeVisible();\n  }\n});";
    assert!(!advice(&format!("{PLAYWRIGHT}{branch}")).contains("Delete it"));
}

#[test]
fn a_sleep_before_checks_of_an_answer_that_is_there_can_go() {
    for text in [
        "const res = await request(app).get('/orders'); await sleep(500); expect(res.status).toBe(200); expect(res.body.error).toBeUndefined();",
        "const res = await fetch(url); await sleep(500); assert.equal(res.status, 200);",
    ] {
        let complaint = complaints(&format!("it('a', async () => {{ {text} }})")).remove(0);
        assert_eq!(
            complaint.advice, "Delete it: all that is checked after it was answered before.",
            "{text}"
        );
        assert!(complaint.deletion.is_some(), "{text}");
    }
    for text in [
        "const res = await request(app).get('/orders'); await sleep(500); expect(res.status).toBe(200); await request(app).get('/orders/1');",
        "const log = []; await sleep(500); expect(log.length).toBe(2);",
        "const server = await start('/orders'); await sleep(500); expect(server.requests).toBe(2);",
        "const res = await request(app).get('/orders'); await sleep(500); expect(calls.length).toBe(1);",
    ] {
        let advice = advice(&format!("it('a', async () => {{ {text} }})"));
        assert!(!advice.contains("Delete it"), "{text}: {advice}");
    }
}

#[test]
fn an_assertion_of_cypress_is_what_is_waited_for() {
    for next in [
        "cy.get('#x').should('be.visible');",
        "cy.get(\"#x\").should(\n  \"be.visible\",\n);",
        "cy.get('#x', { timeout: 50000 }).should(\"not.be.disabled\");",
        "cy.contains('#x', 'Save').find('b').should('have.text', 'ok').and('be.visible');",
    ] {
        let complaint = complaints(&format!("cy.visit('/');\ncy.wait(1500);\n{next}")).remove(0);
        assert_eq!(complaint.advice, "Delete it: line 3 waits for that by itself.", "{next}");
        assert!(complaint.deletion.is_some(), "{next}");
    }
    let short = "cy.visit('/');\ncy.wait(2000);\ncy.get('#x', { timeout: 1000 }).should('not.be.disabled');";
    let advice = advice(short);
    assert!(
        advice.starts_with("Give line 3 the time instead") && advice.contains("`timeout: 3000`"),
        "{advice}"
    );
    for next in [
        "cy.get('#x').click().should('be.visible');",
        "cy.get('#x').then((x) => check(x)).should('be.visible');",
        "cy.get('#x').should('not.exist');",
    ] {
        let advice = super::advice(&format!("cy.visit('/');\ncy.wait(1500);\n{next}"));
        assert!(!advice.contains("Delete it"), "{next}: {advice}");
    }
}

#[test]
fn the_advised_line_is_known_in_other_quotes() {
    let text = "cy.wait(1500);\nconst label = 'a';\nconst kind = 'b';\ncy.get(`#x`).find(\"b\").should(\"be.visible\");";
    assert_eq!(advice(text), "Delete it: line 4 waits for that by itself.");
}

#[test]
fn a_sleep_that_a_comment_explains_is_left_to_a_person() {
    let deleted = |lines: &str| {
        let text =
            format!("{PLAYWRIGHT}await open();\n{lines}\nawait expect(page.locator('#x')).toBeVisible();");
        complaints(&text).remove(0).deletion.is_some()
    };
    assert!(deleted("await page.waitForTimeout(9);"));
    assert!(!deleted("await page.waitForTimeout(9); // key presses would race with an update"));
    assert!(!deleted("// Key presses would race with an update.\nawait page.waitForTimeout(9);"));
    assert!(!deleted("/* Key presses would race. */\nawait page.waitForTimeout(9);"));
}
