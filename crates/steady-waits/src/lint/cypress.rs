//! Chains of Cypress that are tried again until what they demand holds.

use steady_js::{Check, Statement};

use super::File;

/// Methods of Cypress that are tried again together with the assertion behind them.
const QUERIES: [&str; 26] = [
    "and", "children", "closest", "contains", "eq", "filter", "find", "first", "get", "hash", "invoke",
    "its", "last", "location", "next", "not", "parent", "parents", "prev", "should", "siblings", "shadow",
    "title", "url", "window", "xpath",
];

/// Those that begin a chain.
const ROOTS: [&str; 7] = ["contains", "get", "hash", "location", "title", "url", "xpath"];

/// Whether a chain of Cypress only asks for something until it is as demanded: `cy.get('#a').should('be.visible')`.
pub(super) fn is_retried_query(file: &File<'_>, next: &Statement) -> bool {
    let source = file.slice(next.span);
    // What a callback demands is known from its own checks; what a name stands for is not.
    let is_said = |check: &Check| !check.matcher.is_empty() || is_callback(file.slice(check.span));
    let is_demand = next.checks.iter().all(|check| is_said(check) && !check.asserts_absence);
    let methods = methods_of(source);
    source.starts_with("cy")
        && is_demand
        && methods.first().is_some_and(|first| ROOTS.contains(first))
        && matches!(methods.last(), Some(&("should" | "and" | "contains")))
        && methods.iter().all(|method| QUERIES.contains(method))
}

/// `.should(($row) => {…})`
fn is_callback(source: &str) -> bool {
    let given = source.rsplit_once(".should(").map_or("", |(_, given)| given.trim_start());
    given.starts_with('(') || given.starts_with("function") || given.starts_with('$')
}

/// The methods of a chain, without those in its arguments.
fn methods_of(source: &str) -> Vec<&str> {
    let mut methods = Vec::new();
    let (mut depth, mut quote, mut dot) = (0_usize, None, None);
    for (at, sign) in source.char_indices() {
        match (sign, quote) {
            (sign, Some(open)) if sign == open => quote = None,
            (_, Some(_)) => {}
            ('\'' | '"' | '`', None) => quote = Some(sign),
            ('.', None) if depth == 0 => dot = Some(at + 1),
            ('(', None) => {
                if let (0, Some(start)) = (depth, dot.take()) {
                    methods.push(source[start..at].trim());
                }
                depth += 1;
            }
            ('[' | '{', None) => depth += 1,
            (')' | ']' | '}', None) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    methods
}
