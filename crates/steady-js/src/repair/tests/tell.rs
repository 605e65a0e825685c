use super::*;

#[track_caller]
fn tells(head: &str, cases: &[(&str, &str)]) {
    for (before, after) in cases {
        assert_repair("a.test.ts", head, before, after, 5000, Action::AddedTimeout);
    }
}

#[test]
fn testing_library_takes_it_behind_the_options_of_the_query() {
    tells(
        "import { render, screen, waitFor } from '@testing-library/react';",
        &[
            ("await screen.findByText('a');", "await screen.findByText('a', {}, { timeout: 5000 });"),
            (
                "await screen.findByRole('button', { name: 'a' });",
                "await screen.findByRole('button', { name: 'a' }, { timeout: 5000 });",
            ),
            (
                "await screen.findAllByText('a', options, { interval: 10 });",
                "await screen.findAllByText('a', options, { interval: 10, timeout: 5000 });",
            ),
            ("await waitFor(() => done());", "await waitFor(() => done(), { timeout: 5000 });"),
            (
                "expect(await screen.findByText('a')).toBeVisible();",
                "expect(await screen.findByText('a', {}, { timeout: 5000 })).toBeVisible();",
            ),
            (
                "await waitFor(() => expect(screen.getByText('a')).toBeVisible());",
                "await waitFor(() => expect(screen.getByText('a')).toBeVisible(), { timeout: 5000 });",
            ),
            (
                "await waitForElementToBeRemoved(spinner);",
                "await waitForElementToBeRemoved(spinner, { timeout: 5000 });",
            ),
            (
                "«await waitFor»(() => {\n  expect(a).toBe(1);\n});",
                "await waitFor(() => {\n  expect(a).toBe(1);\n}, { timeout: 5000 });",
            ),
        ],
    );
    tells(
        "import { findByText } from '@testing-library/dom';",
        &[("await findByText(box, 'a');", "await findByText(box, 'a', {}, { timeout: 5000 });")],
    );
    tells(
        "const { findByText } = render();",
        &[("await findByText('a');", "await findByText('a', {}, { timeout: 5000 });")],
    );
}

#[test]
fn vitest_takes_it_behind_the_callback() {
    tells(
        "import { expect, vi } from 'vitest';",
        &[
            ("await vi.waitFor(() => done());", "await vi.waitFor(() => done(), { timeout: 5000 });"),
            ("await vi.waitUntil(() => ready);", "await vi.waitUntil(() => ready, { timeout: 5000 });"),
            ("await expect.poll(() => a).toBe(1);", "await expect.poll(() => a, { timeout: 5000 }).toBe(1);"),
            (
                "await expect.element(box).toBeVisible();",
                "await expect.element(box, { timeout: 5000 }).toBeVisible();",
            ),
        ],
    );
}

#[test]
fn playwright_takes_it_behind_what_is_expected() {
    tells(
        "import { test, expect } from '@playwright/test';",
        &[
            ("await expect(box).toBeVisible();", "await expect(box).toBeVisible({ timeout: 5000 });"),
            ("await expect(box).not.toBeVisible();", "await expect(box).not.toBeVisible({ timeout: 5000 });"),
            ("await expect(box).toHaveText('a');", "await expect(box).toHaveText('a', { timeout: 5000 });"),
            (
                "await expect(box).toHaveText('a', { useInnerText: true });",
                "await expect(box).toHaveText('a', { useInnerText: true, timeout: 5000 });",
            ),
            (
                "await expect(box).toHaveCSS('color', 'red');",
                "await expect(box).toHaveCSS('color', 'red', { timeout: 5000 });",
            ),
            (
                "await expect(box).toHaveAttribute('id');",
                "await expect(box).toHaveAttribute('id', { timeout: 5000 });",
            ),
            (
                "await expect(box).toHaveAttribute('id', 'a');",
                "await expect(box).toHaveAttribute('id', 'a', { timeout: 5000 });",
            ),
            ("await expect(page).toHaveURL(/a/);", "await expect(page).toHaveURL(/a/, { timeout: 5000 });"),
            ("await expect.poll(() => a).toBe(1);", "await expect.poll(() => a, { timeout: 5000 }).toBe(1);"),
            (
                "await expect(() => check()).toPass();",
                "await expect(() => check()).toPass({ timeout: 5000 });",
            ),
        ],
    );
}

#[test]
fn pages_and_locators_take_it_in_their_own_places() {
    tells(
        "import { test, expect } from '@playwright/test';",
        &[
            ("await page.click('#a');", "await page.click('#a', { timeout: 5000 });"),
            ("await page.click(selector);", "await page.click(selector, { timeout: 5000 });"),
            ("await page.fill('#a', 'b');", "await page.fill('#a', 'b', { timeout: 5000 });"),
            ("await page.locator('#a').click();", "await page.locator('#a').click({ timeout: 5000 });"),
            ("await box.click();", "await box.click({ timeout: 5000 });"),
            ("await box.fill('b');", "await box.fill('b', { timeout: 5000 });"),
            ("await box.click({ force: true });", "await box.click({ force: true, timeout: 5000 });"),
            ("await box.waitFor();", "await box.waitFor({ timeout: 5000 });"),
            (
                "await box.waitFor({ state: 'hidden' });",
                "await box.waitFor({ state: 'hidden', timeout: 5000 });",
            ),
            ("await page.waitForSelector('#a');", "await page.waitForSelector('#a', { timeout: 5000 });"),
            (
                "await page.waitForFunction(() => a);",
                "await page.waitForFunction(() => a, undefined, { timeout: 5000 });",
            ),
            ("await page.waitForFunction(f, 'a');", "await page.waitForFunction(f, 'a', { timeout: 5000 });"),
            ("await page.waitForURL('**/a');", "await page.waitForURL('**/a', { timeout: 5000 });"),
            ("await page.waitForLoadState();", "await page.waitForLoadState('load', { timeout: 5000 });"),
            ("await page.goto('/');", "await page.goto('/', { timeout: 5000 });"),
            (
                "const [answer] = await Promise.all([page.waitForResponse('**/a'), page.click('#a')]);",
                "const [answer] = await Promise.all([page.waitForResponse('**/a', { timeout: 5000 }), page.click('#a')]);",
            ),
            ("await box.click(options);", "await box.click({ ...options, timeout: 5000 });"),
        ],
    );
    tells(
        "const puppeteer = require('puppeteer');",
        &[
            ("await page.waitForSelector('#a');", "await page.waitForSelector('#a', { timeout: 5000 });"),
            (
                "await page.waitForFunction(() => a);",
                "await page.waitForFunction(() => a, { timeout: 5000 });",
            ),
            ("await page.waitForNavigation();", "await page.waitForNavigation({ timeout: 5000 });"),
        ],
    );
}

#[test]
fn cypress_takes_it_on_the_query_before_an_assertion_or_an_action() {
    tells(
        "",
        &[
            ("cy.get('#a');", "cy.get('#a', { timeout: 5000 });"),
            ("cy.get('#a').should('be.visible');", "cy.get('#a', { timeout: 5000 }).should('be.visible');"),
            ("cy.get('#a').click();", "cy.get('#a', { timeout: 5000 }).click();"),
            (
                "cy.get('#a').find('b').should('exist');",
                "cy.get('#a').find('b', { timeout: 5000 }).should('exist');",
            ),
            ("cy.contains('a');", "cy.contains('a', { timeout: 5000 });"),
            ("cy.contains('li', 'a');", "cy.contains('li', 'a', { timeout: 5000 });"),
            (
                "cy.contains('li', 'a', { log: false });",
                "cy.contains('li', 'a', { log: false, timeout: 5000 });",
            ),
            ("cy.wait('@save');", "cy.wait('@save', { timeout: 5000 });"),
            ("cy.url().should('include', 'a');", "cy.url({ timeout: 5000 }).should('include', 'a');"),
            ("cy.task('seed');", "cy.task('seed', undefined, { timeout: 5000 });"),
            ("cy.findByText('a').click();", "cy.findByText('a', { timeout: 5000 }).click();"),
            ("cy.get('#a')\n  .«click»();", "cy.get('#a')\n  .click({ timeout: 5000 });"),
        ],
    );
}

#[test]
fn drivers_take_it_as_their_own_apis_do() {
    tells(
        "const { By, until } = require('selenium-webdriver');",
        &[
            (
                "await driver.wait(until.elementLocated(By.id('a')));",
                "await driver.wait(until.elementLocated(By.id('a')), 5000);",
            ),
            ("await driver.wait(async () => ready());", "await driver.wait(async () => ready(), 5000);"),
        ],
    );
    tells(
        "import { browser, $, expect } from '@wdio/globals';",
        &[
            ("await $('#a').waitForDisplayed();", "await $('#a').waitForDisplayed({ timeout: 5000 });"),
            (
                "await $('#a').waitForExist({ reverse: true });",
                "await $('#a').waitForExist({ reverse: true, timeout: 5000 });",
            ),
            (
                "await browser.waitUntil(() => ready());",
                "await browser.waitUntil(() => ready(), { timeout: 5000 });",
            ),
            (
                "await expect($('#a')).toBeDisplayed();",
                "await expect($('#a')).toBeDisplayed({ wait: 5000 });",
            ),
        ],
    );
    tells(
        "",
        &[
            ("browser.waitForElementVisible('#a');", "browser.waitForElementVisible('#a', 5000);"),
            ("await t.expect(box.exists).ok();", "await t.expect(box.exists).ok({ timeout: 5000 });"),
            ("await t.expect(box.value).eql('a');", "await t.expect(box.value).eql('a', { timeout: 5000 });"),
        ],
    );
}

#[test]
fn a_check_that_is_polled_is_given_time_by_the_call_that_polls() {
    tells(
        "",
        &[
            (
                "await waitFor(() => {\n  «expect»(a).toBe(1);\n});",
                "await waitFor(() => {\n  expect(a).toBe(1);\n}, { timeout: 5000 });",
            ),
            (
                "await waitFor(() => {\n  all.forEach(one => {\n    «expect»(one).toBe(1);\n  });\n});",
                "await waitFor(() => {\n  all.forEach(one => {\n    expect(one).toBe(1);\n  });\n}, { timeout: 5000 });",
            ),
            (
                "await expect(async () => {\n  «expect»(a).toBe(1);\n}).toPass();",
                "await expect(async () => {\n  expect(a).toBe(1);\n}).toPass({ timeout: 5000 });",
            ),
        ],
    );
}

#[test]
fn a_timer_without_a_length_gets_one() {
    tells(
        "",
        &[(
            "await new Promise(done => setTimeout(done));",
            "await new Promise(done => setTimeout(done, 5000));",
        )],
    );
}

#[test]
fn options_keep_the_way_they_are_written() {
    tells(
        "import { expect } from '@playwright/test';",
        &[
            ("await box.click({force: true});", "await box.click({force: true, timeout: 5000});"),
            ("await box.click({ force: true, });", "await box.click({ force: true, timeout: 5000, });"),
            ("await box.click({});", "await box.click({ timeout: 5000 });"),
            (
                "await box.click({\n  force: true,\n});",
                "await box.click({\n  force: true,\n  timeout: 5000,\n});",
            ),
            (
                "await box.click({\n  force: true, // over the banner\n});",
                "await box.click({\n  force: true, // over the banner\n  timeout: 5000,\n});",
            ),
            (
                "await box.click({\n  force: true // over the banner\n});",
                "await box.click({\n  force: true, // over the banner\n  timeout: 5000\n});",
            ),
            (
                "await expect(box).toHaveText(\n  'a',\n);",
                "await expect(box).toHaveText(\n  'a',\n  { timeout: 5000 },\n);",
            ),
            (
                "await expect(box).toHaveText(\n  'a'\n);",
                "await expect(box).toHaveText(\n  'a',\n  { timeout: 5000 }\n);",
            ),
        ],
    );
}

#[test]
fn files_that_separate_thousands_get_separated_lengths() {
    let head = "import { expect } from '@playwright/test';\njest.setTimeout(30_000);";
    assert_repair(
        "a.test.ts",
        head,
        "await expect(box).toBeVisible();",
        "await expect(box).toBeVisible({ timeout: 12_000 });",
        12_000,
        Action::AddedTimeout,
    );
}

#[test]
fn tests_take_their_limit_as_their_runner_does() {
    for (before, after) in [
        ("it('a', async () => {\n  open();\n});\n", "it('a', async () => {\n  open();\n}, 9000);\n"),
        (
            "it.each([1])('a', async n => {\n  open(n);\n});\n",
            "it.each([1])('a', async n => {\n  open(n);\n}, 9000);\n",
        ),
        ("beforeEach(async () => {\n  open();\n});\n", "beforeEach(async () => {\n  open();\n}, 9000);\n"),
        (
            "import { expect } from 'chai';it('a', async () => {\n  open();\n});\n",
            "import { expect } from 'chai';it('a', async () => {\n  open();\n}).timeout(9000);\n",
        ),
        (
            "import { expect } from 'chai';before(async function () {\n  open();\n});\n",
            "import { expect } from 'chai';before(async function () {\n  this.timeout(9000);\n  open();\n});\n",
        ),
        (
            "import { test } from '@playwright/test';test('a', async ({ page }) => {\n\topen()\n\tdone()\n})\n",
            "import { test } from '@playwright/test';test('a', async ({ page }) => {\n\ttest.setTimeout(9000)\n\topen()\n\tdone()\n})\n",
        ),
        (
            "import test from 'node:test';test('a', async () => {\n  open();\n});\n",
            "import test from 'node:test';test('a', { timeout: 9000 }, async () => {\n  open();\n});\n",
        ),
        (
            "it('a', () => {\n  cy.open();\n});\n",
            "it('a', { defaultCommandTimeout: 9000 }, () => {\n  cy.open();\n});\n",
        ),
    ] {
        let repair =
            repaired("a.test.js", before, 1, None, 9000).unwrap_or_else(|error| panic!("{error}\n{before}"));
        assert_eq!(repair.text, after);
    }
}
