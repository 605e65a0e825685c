//! Playwright Test, with Node's own HTTP client: Playwright's reads a body to its end, however long it is.

use super::Framework;

/// Playwright Test.
#[derive(Debug)]
pub(crate) struct Playwright;

impl Framework for Playwright {
    const SUFFIX: &'static str = ".spec.js";
    const IMPORTS: &'static str = "{ expect, test }";
    const PARAMETERS: &'static str = "{ api }";
    const EXPORTS: &'static str = "connect(URL, identities)";
    const PACKAGE: &'static str = include_str!("../../support/javascript/playwright.package.json");
    const CLIENT: &'static str = include_str!("../../support/javascript/playwright_client.js");
    const OWN: Option<(&'static str, &'static str)> =
        Some(("playwright.config.js", include_str!("../../support/javascript/playwright.config.js")));
}
