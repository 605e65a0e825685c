//! Chains of Cypress that are tried again until what they demand holds.

use steady_js::Statement;

use super::File;

/// Methods of Cypress that are tried again together with the assertion behind them.
const QUERIES: [&str; 18] = [
    "and", "children", "closest", "contains", "eq", "filter", "find", "first", "get", "last", "next", "not",
    "parent", "parents", "prev", "should", "siblings", "shadow",
];

/// Whether a chain of Cypress only asks for something until it is as demanded: `cy.get('#a').should('be.visible')`.
pub(super) fn is_retried_query(file: &File<'_>, next: &Statement) -> bool {
    let source = file.slice(next.span);
    let [check, ..] = next.checks.as_slice() else { return false };
    let is_demand = next.checks.iter().all(|check| !check.matcher.is_empty() && !check.asserts_absence);
    let methods = methods_of(source);
    check.span.start == next.span.start
        && is_demand
        && matches!(methods.as_slice(), [first, .., "should" | "and"] if matches!(*first, "get" | "contains"))
        && methods.iter().all(|method| QUERIES.contains(method))
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
