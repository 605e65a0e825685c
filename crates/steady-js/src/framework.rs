//! Which test frameworks a file uses, by its imports and by the globals it calls.

use serde::{Deserialize, Serialize};

use crate::facts::Facts;

/// A test framework, a driver of browsers or a library for tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Framework {
    /// `@playwright/test`, `playwright`
    Playwright,
    /// `cy`
    Cypress,
    /// `selenium-webdriver`
    Selenium,
    /// `puppeteer`
    Puppeteer,
    /// `webdriverio`
    WebdriverIo,
    /// `@testing-library/…`
    TestingLibrary,
    /// `nightwatch`
    Nightwatch,
    /// `testcafe`
    TestCafe,
    /// `jest`
    Jest,
    /// `vitest`
    Vitest,
    /// `mocha`
    Mocha,
    /// `node:test`
    Node,
    /// None of them, or nothing that says which.
    Unknown,
}

/// Globals by which a framework is known, where no import names it.
const GLOBALS: [(&str, Framework); 5] = [
    ("cy", Framework::Cypress),
    ("Cypress", Framework::Cypress),
    ("jest", Framework::Jest),
    ("vi", Framework::Vitest),
    ("fixture", Framework::TestCafe),
];

/// First names of calls, and parts of the text one of which goes with them. The first that fits counts.
const SHAPES: [(&[&str], &[&str], Framework); 7] = [
    (&["page"], &["page.locator(", "page.getBy", "async ({ page"], Framework::Playwright),
    (&["page"], &["page.$(", "page.waitForSelector("], Framework::Puppeteer),
    (&["browser", "client"], &[".waitForElementVisible(", ".waitForElementPresent("], Framework::Nightwatch),
    (&["browser", "$"], &["browser.url(", ".waitForDisplayed(", ".waitForExist("], Framework::WebdriverIo),
    (&["driver"], &["driver.findElement(", "driver.wait("], Framework::Selenium),
    (&["element"], &["element(by."], Framework::Selenium),
    (&["this"], &["this.timeout("], Framework::Mocha),
];

impl Framework {
    /// Whether it is used in a browser, so that a page has events to wait for.
    pub fn has_page(self) -> bool {
        !matches!(self, Self::Jest | Self::Vitest | Self::Mocha | Self::Node | Self::Unknown)
    }

    /// Those of a file, each once; `Unknown` if there are none.
    pub(crate) fn all(facts: &Facts<'_>) -> Vec<Self> {
        let mut found: Vec<Self> =
            facts.sources.iter().filter_map(|source| Self::of_import(source)).collect();
        found.extend(
            GLOBALS.iter().filter(|(name, _)| facts.roots.contains(name)).map(|(_, framework)| *framework),
        );
        found.extend(Self::of_shape(facts));
        found.extend(is_testing_library(facts).then_some(Self::TestingLibrary));
        found.sort();
        found.dedup();
        if found.is_empty() { vec![Self::Unknown] } else { found }
    }

    /// Whether a file uses it.
    pub(crate) fn is_here(framework: Self, facts: &Facts<'_>) -> bool {
        facts.frameworks.contains(&framework)
    }

    fn of_import(source: &str) -> Option<Self> {
        let source = source.strip_prefix("node:").unwrap_or(source);
        match source {
            "test" => Some(Self::Node),
            "vitest" => Some(Self::Vitest),
            "mocha" => Some(Self::Mocha),
            "testcafe" => Some(Self::TestCafe),
            "webdriverio" => Some(Self::WebdriverIo),
            "selenium-webdriver" | "protractor" => Some(Self::Selenium),
            _ if source.contains("playwright") => Some(Self::Playwright),
            _ if source.contains("puppeteer") => Some(Self::Puppeteer),
            _ if source.starts_with("@testing-library/") || source.contains("testing-library") => {
                Some(Self::TestingLibrary)
            }
            _ if source.starts_with("@wdio/") => Some(Self::WebdriverIo),
            _ if source.starts_with("nightwatch") => Some(Self::Nightwatch),
            _ if source.starts_with("@vitest/") => Some(Self::Vitest),
            _ if source.starts_with("@jest/") || source == "jest" => Some(Self::Jest),
            _ if source.starts_with("cypress") => Some(Self::Cypress),
            _ if source.starts_with("selenium-webdriver/") => Some(Self::Selenium),
            _ => None,
        }
    }

    /// What the shape of the calls says: project fixtures often hide the import.
    fn of_shape(facts: &Facts<'_>) -> Option<Self> {
        let calls = |roots: &[&str], texts: &[&str]| {
            roots.iter().any(|root| facts.roots.contains(root))
                && texts.iter().any(|text| facts.text.contains(text))
        };
        SHAPES.iter().find(|(roots, texts, _)| calls(roots, texts)).map(|(_, _, framework)| *framework)
    }
}

/// Whether a file uses Testing Library through a file of its project, as most large projects do: `import { render, screen } from
/// '../test-utils'`.
fn is_testing_library(facts: &Facts<'_>) -> bool {
    let passed_on = |name: &str| matches!(name, "fireEvent" | "userEvent" | "waitForElementToBeRemoved");
    let queries = ["getBy", "getAllBy", "findBy", "findAllBy", "queryBy", "queryAllBy"];
    let on_screen = || queries.iter().any(|query| facts.text.contains(&format!("screen.{query}")));
    let is_rendered = || {
        let is_render = |name: &&str| name.starts_with("render");
        facts.roots.iter().any(is_render) && queries.iter().any(|query| facts.text.contains(query))
    };
    facts.imports.values().any(|import| passed_on(import.name)) || on_screen() || is_rendered()
}
