//! What Cypress prints: Mocha's report with stacks that name files as a bundler does, by the formats it documents.
//!
//! ```text
//!       at Context.eval (webpack://shop/./cypress/e2e/cart.cy.js:12:4)
//!       at Context.eval (http://localhost:3000/__cypress/tests?p=cypress/e2e/cart.cy.js:12:4)
//! ```
//!
//! The second form is what is left when the source map is missing: it names the file, and its numbers count the lines of
//! the bundle.

use steady_model::percent;

use super::{Evidence, Frame, Told, node};

/// Where Cypress serves a bundle of tests.
const BUNDLE: &str = "/__cypress/tests?p=";

pub(super) fn read(line: &str) -> Option<Told> {
    let (function, place) = node::call(line.trim())?;
    let (_, file) = place.path.split_once(BUNDLE)?;
    let file = file.split('&').next().unwrap_or(file);
    Some(Told::Frame(Frame {
        evidence: Evidence::Bundle,
        function: function.map(str::to_owned),
        path: percent::decode(file),
        line: place.line,
        column: place.column,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_names_its_file() {
        let line = "      at Context.eval (http://localhost:3000/__cypress/tests?p=cypress%2Fe2e%2Fa.cy.js&v=1:12:4)";
        let Some(Told::Frame(frame)) = read(line) else { panic!("no frame") };
        assert_eq!(
            (frame.path.as_str(), frame.line, frame.evidence),
            ("cypress/e2e/a.cy.js", 12, Evidence::Bundle)
        );
    }

    #[test]
    fn the_runner_itself_is_none_of_its_bundles() {
        assert_eq!(read("    at run (http://localhost:3000/__cypress/runner/cypress_runner.js:1:2)"), None);
    }
}
