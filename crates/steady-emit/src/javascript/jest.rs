//! Jest, with Node's own HTTP client.

use super::Framework;

/// Jest.
#[derive(Debug)]
pub(crate) struct Jest;

impl Framework for Jest {
    const SUFFIX: &'static str = ".test.js";
    const IMPORTS: &'static str = "{ api }";
    const PARAMETERS: &'static str = "";
    const EXPORTS: &'static str = "{ api: connect(URL, identities) }";
    const PACKAGE: &'static str = include_str!("../../support/javascript/jest.package.json");
    const CLIENT: &'static str = include_str!("../../support/javascript/jest_client.js");
    const OWN: Option<(&'static str, &'static str)> = None;
}
