//! What a timer in the executor of a promise does with it.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, BindingPattern, CallExpression, Expression, FormalParameters,
    Function, IdentifierReference, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

use crate::chain::Call;

/// What the timer of a promise does with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// Nothing but time resolves it.
    Resolved,
    /// It resolves, unless an event did so before.
    GivenUp,
    Rejected,
    Untouched,
}

/// What a timer does with the promise whose executor it stands in.
pub(crate) fn ends<'a>(call: &Call<'a>, ancestors: &[AstKind<'a>], text: &str) -> Ends {
    let executor = ancestors.iter().rev().find(|kind| is_function(kind));
    let (Some(_), Some(executor)) = (around_promise(ancestors), executor) else { return Ends::Untouched };
    let Some(parameters) = parameters(executor) else { return Ends::Untouched };
    let name = |place: usize| match parameters.items.get(place).map(|item| &item.pattern) {
        Some(BindingPattern::BindingIdentifier(id)) => id.name.as_str(),
        _ => "",
    };
    let callback = match call.arguments().first() {
        Some(Argument::Identifier(callback)) => callback.name.as_str(),
        _ => "",
    };
    let resolves = || {
        if is_resolved_by_an_event(executor, name(0), callback, call.node.span) {
            Ends::GivenUp
        } else {
            Ends::Resolved
        }
    };
    match call.arguments().first() {
        Some(Argument::Identifier(callback)) if callback.name == name(1) => Ends::Rejected,
        // Any other name given to a timer in an executor is the way out of it.
        Some(Argument::Identifier(_)) => resolves(),
        Some(callback) => {
            let text = callback.as_expression().map_or("", |callback| callback.span().source_text(text));
            if has_word(text, name(0)) {
                resolves()
            } else if has_word(text, name(1)) {
                Ends::Rejected
            } else {
                Ends::Untouched
            }
        }
        None => Ends::Untouched,
    }
}

/// The ancestors of the `new Promise` whose executor the last function among these is.
pub(crate) fn around_promise<'s, 'a>(ancestors: &'s [AstKind<'a>]) -> Option<&'s [AstKind<'a>]> {
    let executor = ancestors.iter().rposition(is_function)?;
    let above = executor.checked_sub(1)?;
    match ancestors[above] {
        AstKind::NewExpression(new) if new.callee.is_specific_id("Promise") => Some(&ancestors[..above]),
        _ => None,
    }
}

/// Whether what has these ancestors runs a race with something else: then it is the longest that the race may take.
pub(crate) fn is_raced(mut ancestors: &[AstKind<'_>]) -> bool {
    // `sleep(100).then(() => 'late')` runs as `sleep(100)` does.
    while let [around @ .., AstKind::CallExpression(next), AstKind::StaticMemberExpression(_)] = ancestors
        && matches!(next.callee_name(), Some("then" | "catch" | "finally"))
    {
        ancestors = around;
    }
    let [.., AstKind::CallExpression(race), AstKind::ArrayExpression(runners)] = ancestors else {
        return false;
    };
    matches!(race.callee_name(), Some("race" | "any")) && runners.elements.len() > 1
}

/// Whether what has these ancestors is done again and again by the innermost function around it.
pub(crate) fn is_repeated(ancestors: &[AstKind<'_>]) -> bool {
    let inside = ancestors.iter().rev().take_while(|kind| !is_function(kind));
    inside.into_iter().any(is_loop)
}

pub(crate) fn is_loop(kind: &AstKind<'_>) -> bool {
    matches!(
        kind,
        AstKind::WhileStatement(_)
            | AstKind::DoWhileStatement(_)
            | AstKind::ForStatement(_)
            | AstKind::ForOfStatement(_)
            | AstKind::ForInStatement(_)
    )
}

pub(crate) fn is_function(kind: &AstKind<'_>) -> bool {
    matches!(kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_))
}

fn parameters<'a>(kind: &AstKind<'a>) -> Option<&'a FormalParameters<'a>> {
    match kind {
        AstKind::Function(function) => Some(&function.params),
        AstKind::ArrowFunctionExpression(arrow) => Some(&arrow.params),
        _ => None,
    }
}

/// Whether something else than the timer is handed the way out: `socket.once('open', resolve)`.
fn is_resolved_by_an_event(executor: &AstKind<'_>, resolve: &str, callback: &str, timer: Span) -> bool {
    let mut search = Search { resolve, callback, timer, functions: 0, found: false };
    match executor {
        AstKind::Function(function) => {
            if let Some(body) = &function.body {
                search.visit_function_body(body);
            }
        }
        AstKind::ArrowFunctionExpression(arrow) => search.visit_arrow_function_body(&arrow.body),
        _ => {}
    }
    search.found
}

/// Looks for uses of a name other than a call of it at once.
struct Search<'n> {
    resolve: &'n str,
    /// The function that the timer calls: what it does is the timer's doing, unless something else is given it too.
    callback: &'n str,
    timer: Span,
    functions: usize,
    found: bool,
}

impl<'a> Visit<'a> for Search<'_> {
    fn visit_call_expression(&mut self, node: &CallExpression<'a>) {
        if node.span == self.timer {
            return;
        }
        let is_way_out =
            |callee: &Expression<'_>| matches!(callee, Expression::Identifier(id) if id.name == self.resolve);
        if self.functions == 0 && is_way_out(&node.callee) {
            return self.visit_arguments(&node.arguments);
        }
        walk::walk_call_expression(self, node);
    }

    fn visit_identifier_reference(&mut self, node: &IdentifierReference<'a>) {
        self.found |= node.name == self.resolve || node.name == self.callback;
    }

    fn visit_variable_declarator(&mut self, node: &VariableDeclarator<'a>) {
        let is_callback = node.id.get_binding_identifier().is_some_and(|id| id.name == self.callback);
        if !is_callback {
            walk::walk_variable_declarator(self, node);
        }
    }

    fn visit_function(&mut self, node: &Function<'a>, flags: ScopeFlags) {
        if node.id.as_ref().is_some_and(|id| id.name == self.callback) {
            return;
        }
        self.functions += 1;
        walk::walk_function(self, node, flags);
        self.functions -= 1;
    }

    fn visit_arrow_function_expression(&mut self, node: &ArrowFunctionExpression<'a>) {
        self.functions += 1;
        walk::walk_arrow_function_expression(self, node);
        self.functions -= 1;
    }
}

/// Whether a name stands in a text as a word of its own.
pub(crate) fn has_word(text: &str, name: &str) -> bool {
    after_word(text, name).next().is_some()
}

/// What follows wherever a name stands in a text as a word of its own.
pub(crate) fn after_word<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '$';
    let found = text.match_indices(name).filter(|(_, found)| !found.is_empty());
    found.filter_map(move |(at, found)| {
        let (before, after) = (&text[..at], &text[at + found.len()..]);
        (!before.ends_with(is_part) && !after.starts_with(is_part)).then_some(after)
    })
}
