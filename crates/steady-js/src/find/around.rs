//! What is around a call: who waits for it, which test it stands in.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_span::{GetSpan, Span};

use super::runner::{self, TestNames};
use crate::chain::Call;
use crate::promise::{around_promise, is_function};

/// Calls that give back what they are given, or wait for all of it.
const COMBINERS: [&str; 4] = ["all", "allSettled", "race", "any"];

/// Whether something waits for the expression at `span`, whose ancestors these are.
///
/// What is passed on, stored or chained with `then` is taken to be waited for; only what is dropped is not.
pub(super) fn is_awaited(ancestors: &[AstKind<'_>], span: Span) -> bool {
    let mut child = span;
    for kind in ancestors.iter().rev() {
        match kind {
            AstKind::ExpressionStatement(_) => return false,
            AstKind::ParenthesizedExpression(_)
            | AstKind::TSAsExpression(_)
            | AstKind::TSNonNullExpression(_)
            | AstKind::ChainExpression(_)
            | AstKind::ConditionalExpression(_)
            | AstKind::LogicalExpression(_)
            | AstKind::SequenceExpression(_)
            | AstKind::ArrayExpression(_) => {}
            AstKind::StaticMemberExpression(member) if member.object.span() == child => {
                // Who handles what comes of it has chosen not to wait.
                if matches!(member.property.name.as_str(), "then" | "catch" | "finally") {
                    return true;
                }
            }
            AstKind::CallExpression(call) => {
                let is_combiner = || call.callee_name().is_some_and(|name| COMBINERS.contains(&name));
                if call.callee.span() != child && !is_combiner() {
                    return true;
                }
            }
            _ => return true,
        }
        child = kind.span();
    }
    true
}

/// Whether something waits for the `new Promise` around a timer.
pub(super) fn promise_is_awaited(ancestors: &[AstKind<'_>]) -> bool {
    around_promise(ancestors).is_none_or(|outside| is_awaited(outside, ancestors[outside.len()].span()))
}

/// Whether the innermost function is `async`.
pub(crate) fn is_async(ancestors: &[AstKind<'_>]) -> bool {
    ancestors.iter().rev().find(|kind| is_function(kind)).is_some_and(|kind| match kind {
        AstKind::Function(function) => function.r#async,
        AstKind::ArrowFunctionExpression(arrow) => arrow.r#async,
        _ => false,
    })
}

/// The titles of the tests around a place, kept while a file is walked.
pub(crate) struct Titles<'n> {
    names: &'n TestNames,
    open: Vec<(Span, String)>,
}

impl<'n> Titles<'n> {
    pub(crate) fn new(names: &'n TestNames) -> Self {
        Self { names, open: Vec::new() }
    }

    pub(crate) fn enter(&mut self, kind: &AstKind<'_>) {
        let AstKind::CallExpression(node) = kind else { return };
        if node.arguments.iter().any(super::is_function)
            && let Some(call) = Call::of(node)
            && runner::is_test(&call, self.names)
            && let Some(title) = call.argument(0).and_then(title)
        {
            self.open.push((node.span, title));
        }
    }

    pub(crate) fn leave(&mut self, kind: &AstKind<'_>) {
        if let AstKind::CallExpression(node) = kind
            && self.open.last().is_some_and(|(span, _)| *span == node.span)
        {
            self.open.pop();
        }
    }

    /// The title of the innermost test.
    pub(crate) fn innermost(&self) -> Option<String> {
        self.open.last().map(|(_, title)| title.clone())
    }
}

/// A title: a text, or the text of a template as it is written.
fn title(expression: &Expression<'_>) -> Option<String> {
    match expression.get_inner_expression() {
        Expression::StringLiteral(literal) => Some(literal.value.to_string()),
        Expression::TemplateLiteral(template) => {
            let texts: Vec<&str> = template.quasis.iter().map(|quasi| quasi.value.raw.as_str()).collect();
            Some(texts.join("${…}"))
        }
        _ => None,
    }
}
