//! What to write instead of a sleep.

use super::{PLAYWRIGHT, advice};

#[test]
fn the_next_statement_says_what_to_wait_for() {
    let playwright = "import { test } from '@playwright/test'\n";
    let rows = [
        (format!("{playwright}await page.waitForTimeout(9); log(); const t = await page.getByRole('row').nth(1).textContent()"), "await expect(page.getByRole('row').nth(1)).toBeVisible()"),
        (format!("{playwright}await page.waitForTimeout(9); expect(await page.textContent('#x')).toBe('42')"), "await expect(page.locator('#x')).toHaveText('42')"),
        (format!("{playwright}await page.waitForTimeout(9); expect(await page.locator('li').count()).toBe(3)"), "await expect(page.locator('li')).toHaveCount(3)"),
        (format!("{playwright}await page.waitForTimeout(9); expect(await page.textContent('#x')).not.toBe('42')"), "await expect(page.locator('#x')).toBeVisible()"),
        (format!("{playwright}await page.waitForTimeout(9); const all = await page.locator('li').all()"), "await expect(page.locator('li').first()).toBeVisible()"),
        ("import p from 'puppeteer'; await sleep(9); await page.type('#x', 'y')".to_owned(), "await page.waitForSelector('#x')"),
        ("import { By } from 'selenium-webdriver'; await driver.sleep(9); await driver.findElement(By.id('x')).click()".to_owned(), "await driver.wait(until.elementLocated(By.id('x')))"),
        ("import { browser } from '@wdio/globals'; await browser.pause(9); await $('#x').click()".to_owned(), "await $('#x').waitForDisplayed()"),
        ("import { screen } from '@testing-library/react'; await sleep(9); const text = screen.getByText('x').textContent".to_owned(), "await screen.findByText('x')"),
    ];
    for (text, expected) in rows {
        assert_eq!(advice(&text), format!("Wait for what the next line needs: `{expected}`."), "{text}");
    }
    let step = "import { screen } from '@testing-library/react'; await sleep(9); fireEvent.click(screen.getByText('x'))";
    assert!(
        advice(step)
            .starts_with("If the element of the next line comes late, `await screen.findByText('x')`")
    );
}

#[test]
fn no_query_is_made_up() {
    let text = "import { screen } from '@testing-library/react'; await sleep(9); expect(getByClass(box, 'x')).toBeDefined()";
    assert!(!advice(text).contains("findByClass"));
}

#[test]
fn what_is_there_already_is_not_asked_for_again() {
    let named = "await page.waitForTimeout(500); const drawer = page.locator('#drawer'); await expect(drawer).toBeVisible();";
    assert_eq!(advice(&format!("{PLAYWRIGHT}{named}")), "Delete it: the assertion after it waits by itself.");
    let waiting = "await page.waitForTimeout(500); await page.locator('#drawer').waitFor();";
    assert_eq!(advice(&format!("{PLAYWRIGHT}{waiting}")), "Delete it: the next line waits by itself.");
    for above in [
        "await expect(page.locator('#x')).toBeVisible(); await page.waitForTimeout(9); await page.locator('#x').click();",
        "await page.locator('#x').click(); await page.waitForTimeout(9); await page.locator('#x').fill('a');",
        "await field.waitFor(); await other.waitFor(); await page.waitForTimeout(9); await field.fill('a');",
    ] {
        let advice = advice(&format!("{PLAYWRIGHT}{above}"));
        assert!(advice.contains("the sleep stands for"), "{above}: {advice}");
    }
}

#[test]
fn an_element_is_named_by_all_of_its_locator() {
    let rows = [
        (
            "const id = (await page\n  .getByTestId('modal')\n  .locator('img')\n  .first()\n  .getAttribute('id'));",
            "await expect(page.getByTestId('modal').locator('img').first()).toBeVisible()",
        ),
        (
            "const list = page.locator('#list'); expect(await list.locator('li').count()).toBe(2);",
            "await expect(page.locator('#list').locator('li')).toHaveCount(2)",
        ),
        (
            "{ const tip = page.getByRole('tooltip'); const tips = await tip.getByText('Next').count(); expect(tips).toBe(1); } await page.click('#x');",
            "await expect(page.getByRole('tooltip').getByText('Next')).toHaveCount(1)",
        ),
    ];
    for (next, expected) in rows {
        let advice =
            advice(&format!("{PLAYWRIGHT}test('a', async () => {{ await page.waitForTimeout(9); {next} }})"));
        assert_eq!(advice, format!("Wait for what the next line needs: `{expected}`."), "{next}");
    }
}

#[test]
fn whether_something_is_so_is_not_decided_by_waiting_for_it() {
    for next in [
        "const open = await page.locator('#menu').isVisible(); if (open) { close() }",
        "await page.locator('#banner').click().catch(() => {});",
        "const rows = await page.locator('tr').count(); log(rows);",
    ] {
        let advice = advice(&format!("{PLAYWRIGHT}await page.waitForTimeout(9); {next}"));
        assert!(advice.starts_with("Wait for what the sleep stands for"), "{next}: {advice}");
    }
    let shown = "await page.waitForTimeout(9); const open = await page.locator('#menu').isVisible(); expect(open).toBe(true);";
    assert!(
        advice(&format!("{PLAYWRIGHT}{shown}"))
            .contains("`await expect(page.locator('#menu')).toBeVisible()`")
    );
    let files = "await page.waitForTimeout(9); await page.locator('input').setInputFiles('a.png');";
    assert!(
        advice(&format!("{PLAYWRIGHT}{files}")).starts_with("The next line waits for its element by itself")
    );
    let forced = "await page.waitForTimeout(9); await page.locator('input').click({ force: true });";
    assert!(advice(&format!("{PLAYWRIGHT}{forced}")).contains("toBeAttached()"));
    // Queries of Cypress wait until the element exists.
    for next in [
        "cy.get('#x').click({ force: true })",
        "cy.get('#x').find('input').selectFile('a.png', { force: true })",
    ] {
        let advice = advice(&format!("cy.wait(9); {next}"));
        assert!(advice.starts_with("The next line waits for its element by itself"), "{next}: {advice}");
        assert!(!advice.contains("should('exist')"), "{next}: {advice}");
    }
}

#[test]
fn testing_library_is_known_through_a_file_of_the_project() {
    let text = "import { renderWithContext, screen, userEvent } from '../tests/utils'\nit('a', async () => { renderWithContext(); await sleep(9); log(); })\nit('b', () => { screen.getByText('x') })";
    assert!(advice(text).contains("screen.findByText"), "{}", advice(text));
}

#[test]
fn a_line_that_demands_that_nothing_lacks_says_what_to_wait_for() {
    let playwright = "import { test } from '@playwright/test'\nawait page.waitForTimeout(9); ";
    for next in [
        "await expect(page.locator('#x')).not.toBeDisabled()",
        "await expect(page.locator('#x')).not.toBeEmpty()",
        "expect(page.locator('#x')).not.toBeUndefined()",
    ] {
        assert!(advice(&format!("{playwright}{next}")).contains("page.locator('#x')"), "{next}");
    }
    let ready = "cy.wait(9); cy.get('#x').should('not.be.disabled')";
    assert_eq!(advice(ready), "Delete it: line 1 waits for that by itself.");
}

#[test]
fn what_comes_after_another_step_is_not_what_a_sleep_waits_for() {
    let playwright = "import { test } from '@playwright/test'\nawait page.waitForTimeout(9); ";
    for next in [
        "await page.reload(); await page.click('#x')",
        "await save(page); await expect(page.locator('#x')).toBeVisible()",
        "await page.keyboard.press('ArrowRight'); await page.click('#x')",
    ] {
        assert!(
            advice(&format!("{playwright}{next}")).starts_with("Wait for what the sleep stands for"),
            "{next}"
        );
    }
    assert!(advice("cy.wait(9); cy.visit('/'); cy.get('#x').click()").contains("cy.intercept"));
    let again = format!("{playwright}await page.waitForTimeout(8); await page.textContent('#x')");
    assert!(advice(&again).contains("page.locator('#x')"));
}

#[test]
fn the_element_of_a_step_that_waits_by_itself_is_not_what_a_sleep_stands_for() {
    for next in [
        "await page.click('#x')",
        "await row.click()",
        "const row = page.locator('#row'); await row.click()",
        "await search.getByRole('row').first().click()",
        "await page.locator('#x').fill('a')",
    ] {
        let advice = advice(&format!("{PLAYWRIGHT}await page.waitForTimeout(500); {next}"));
        assert!(advice.starts_with("The next line waits for its element by itself"), "{next}: {advice}");
    }
    assert!(advice("cy.wait(9); cy.get('#x').click()").contains("cy.wait('@data')"));
}

#[test]
fn a_page_of_the_projects_own_fixtures_is_one_of_playwright() {
    assert!(advice("it('a', async () => { await page.waitForTimeout(9) })").contains("page.waitForResponse"));
}

#[test]
fn without_a_next_element_the_idiom_of_the_framework_is_shown() {
    assert!(advice("cy.wait(500)").contains("cy.intercept"));
    assert!(
        advice("import { vi } from 'vitest'; vi.useFakeTimers(); await sleep(5)")
            .contains("vi.advanceTimersByTimeAsync")
    );
    assert!(advice("it('a', async () => { await sleep(5) })").contains("ask again until it is so"));
}

#[test]
fn what_was_used_in_a_block_around_is_there_already() {
    let used = "test('a', async ({ page }) => { await page.locator('#list').click(); if (await isOpen()) { await page.click('#next'); await page.waitForTimeout(9); const text = await page.locator('#list').textContent(); } });";
    assert!(advice(&format!("{PLAYWRIGHT}{used}")).starts_with("Wait for what the sleep stands for"));
    let elsewhere = used.replace("if (await", "await page.goto('/other'); if (await");
    assert!(advice(&format!("{PLAYWRIGHT}{elsewhere}")).contains("page.locator('#list')"));
}

#[test]
fn tests_of_an_api_are_told_to_ask_it_again() {
    let text = "const request = require('supertest')\nit('a', async () => { await request(app).post('/jobs'); await sleep(500); const done = await request(app).get('/jobs/1'); expect(done.body.state).toBe('done') })";
    assert!(advice(text).starts_with("Ask the API again until it answers as expected"), "{}", advice(text));
    let vitest = format!("import {{ it }} from 'vitest'\n{text}");
    assert!(advice(&vitest).contains("`await vi.waitFor(async () => expect(…))`"));
    let events =
        "it('a', async () => { const map = new Map(); map.get('x'); cache.delete(key); await sleep(5) })";
    assert!(!advice(events).contains("API"), "{}", advice(events));
}

#[test]
fn one_picture_is_to_be_compared_by_the_assertion_that_takes_several() {
    let text = "test('a', async ({ page }) => {\n  await bar.waitFor();\n  await page.waitForTimeout(1250);\n  await bar.waitFor();\n  expect(await page.locator('#bar').screenshot()).toMatchSnapshot('bar.png');\n});";
    let advice = advice(&format!("{PLAYWRIGHT}{text}"));
    assert!(
        advice
            .starts_with("Line 6 compares one picture: with `await expect(locator).toHaveScreenshot(name)`"),
        "{advice}"
    );
}

#[test]
fn a_time_limit_shorter_than_the_sleep_is_not_advised() {
    let rows = [
        ("cy.get('#x', { timeout: 1000 })", "cy.get('#x')"),
        ("cy.get('#x', { timeout: 1_000, log: false })", "cy.get('#x', { log: false })"),
        ("cy.get('#x', { log: false, timeout: 1000 })", "cy.get('#x', { log: false })"),
        ("cy.get('#x', { timeout: 9000 })", "cy.get('#x', { timeout: 9000 })"),
    ];
    for (next, expected) in rows {
        let advice = advice(&format!("cy.wait(2000); {next}.should(asWanted);"));
        let expected = format!("Wait for what the next line needs: `{expected}.should('be.visible')`.");
        assert_eq!(advice, expected, "{next}");
    }
}

#[test]
fn what_cypress_asks_until_it_is_so_needs_no_sleep() {
    for next in [
        "cy.get('#msg').should('be.visible').contains('Saved')",
        "cy.contains('Saved')",
        "cy.get('#msg').should(($x) => { expect($x).contain('Saved') })",
        "cy.get('#name').first().invoke('val').should('contain', 'Tab 2')",
        "cy.url().should('contain', '/new')",
    ] {
        let text = format!("it('a', () => {{\n  cy.get('#save').click();\n  cy.wait(500);\n  {next};\n}})");
        assert_eq!(advice(&text), "Delete it: line 4 waits for that by itself.", "{next}");
    }
    let unknown = advice("cy.get('#save').click(); cy.wait(500); cy.get('#msg').should(demand, 'Saved');");
    assert!(!unknown.starts_with("Delete"), "{unknown}");
    let twice = "cy.wait(500);\ncy.get('#a').should('have.length', 1);\ncy.get('#b').should('contain', 'x');";
    assert_eq!(advice(twice), "Delete it: line 2 waits for that by itself.");
}

#[test]
fn advice_never_repeats_the_sleep_of_a_chain_or_looks_at_an_alias() {
    let chain = advice("cy.wait(1000).get('#tree').first().click({ force: true });");
    assert!(chain.starts_with("The rest of the chain waits for its element by itself"), "{chain}");
    let alias = advice("cy.wait(2000); cy.get('@saved.all').then((all) => look(all));");
    assert!(!alias.contains("@saved.all"), "{alias}");
}

#[test]
fn what_is_done_in_a_branch_comes_before_the_check_behind_it() {
    let text = "cy.get('#a').clear(); cy.wait(300); if (text) { cy.get('#a').type(text); } cy.get('#a').should('have.value', text);";
    assert!(!advice(text).starts_with("Delete"), "{}", advice(text));
}

#[test]
fn a_long_sleep_before_what_may_be_there_already_is_not_simply_deleted() {
    let long = advice("cy.visit('/'); cy.wait(2000); cy.get('#table').should('be.visible');");
    assert!(long.contains("if it is there already"), "{long}");
    let text = advice("cy.visit('/'); cy.wait(1500); cy.get('#table').should('have.text', 'x');");
    assert!(text.starts_with("Delete it"), "{text}");
}

#[test]
fn a_step_of_the_project_that_also_pauses_is_not_to_be_deleted() {
    let text = "const read = async (row, ms) => { await sleep(ms); return rows[row]; };\nit('a', async () => { await read(1, 2000); await waitFor(() => ready()); })";
    let advice = advice(text);
    assert!(advice.starts_with("`read` does more than to pause"), "{advice}");
}

#[test]
fn where_the_next_line_is_a_step_the_code_does_not_show_what_a_sleep_waits_for() {
    let text =
        "it('a', async () => { await socket.send('leave'); await sleep(200); await socket.send('join'); })";
    assert!(advice(text).starts_with("The code does not show what the sleep waits for"), "{}", advice(text));
    let api = "const request = require('supertest')\nit('a', async () => { await sleep(100); const again = await request(app).post('/jobs'); expect(again.status).toBe(200) })";
    assert!(advice(api).starts_with("The code does not show"), "{}", advice(api));
}

#[test]
fn helpers_below_a_folder_of_cypress_are_queued_there() {
    let path = std::path::Path::new("app/cypress/e2e/a.spec.ts");
    let script = steady_js::Script::read(path, "it('a', () => { helper.sleep(2000); })").unwrap();
    let complaints = super::lint(&script, path, &super::Context::of(&[&script]));
    assert!(complaints[0].advice.contains("cy.intercept"), "{}", complaints[0].advice);
}
