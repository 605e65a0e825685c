//! Statements that are not followed: loops, classes, exports.

use oxc_ast::ast::{self, AssignmentExpression, ExpressionStatement};
use oxc_ast_visit::{Visit, walk};
use steady_edit::Span;
use steady_js::ByteSpan;

use super::statement;
use crate::lower::{is_assertion, names_in};
use crate::syntax::{Action, Expr, Kind, Names, Statement};

/// A statement of which nothing is known but the names that may have a new value after it.
pub(super) fn forget(text: &str, node: &ast::Statement<'_>) -> Vec<Statement> {
    let mut inside = Inside { text, is_in_statement: false, names: Vec::new(), assertions: Vec::new() };
    inside.visit_statement(node);
    let nothing = Expr { span: node.byte_span(), kind: Kind::Opaque };
    let mut forgotten = vec![statement(node, Action::Bind(Names::Unknown(inside.names), nothing))];
    if !inside.assertions.is_empty() {
        forgotten.push(statement(node, Action::Repeated(inside.assertions)));
    }
    forgotten
}

/// What is assigned and asserted in a statement.
struct Inside<'s> {
    text: &'s str,
    /// Only the outermost statements count as assertions.
    is_in_statement: bool,
    names: Vec<String>,
    assertions: Vec<Span>,
}

impl<'a> Visit<'a> for Inside<'_> {
    fn visit_expression_statement(&mut self, node: &ExpressionStatement<'a>) {
        let is_outer = std::mem::replace(&mut self.is_in_statement, true);
        if !is_outer && is_assertion(&self.text[node.byte_span()]) {
            self.assertions.push(node.byte_span());
        }
        walk::walk_expression_statement(self, node);
        self.is_in_statement = is_outer;
    }

    fn visit_assignment_expression(&mut self, node: &AssignmentExpression<'a>) {
        self.names.extend(names_in(&self.text[node.left.byte_span()]));
        walk::walk_assignment_expression(self, node);
    }
}
