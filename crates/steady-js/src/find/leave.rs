//! Whether a statement may leave the loop or the function around it.

use oxc_ast::ast::{ArrowFunctionExpression, BreakStatement, Function, ReturnStatement, Statement};
use oxc_ast_visit::Visit;
use oxc_syntax::scope::ScopeFlags;

/// Whether there is a `break` or a `return` in it, without those of functions in it.
pub(super) fn leaves(statement: &Statement<'_>) -> bool {
    let mut search = Search { found: false };
    search.visit_statement(statement);
    search.found
}

struct Search {
    found: bool,
}

impl<'a> Visit<'a> for Search {
    fn visit_break_statement(&mut self, _: &BreakStatement<'a>) {
        self.found = true;
    }

    fn visit_return_statement(&mut self, _: &ReturnStatement<'a>) {
        self.found = true;
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}
}
