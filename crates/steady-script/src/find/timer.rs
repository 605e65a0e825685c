//! `setTimeout`: alone, or as a promise.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, BindingPattern, Expression, FormalParameters};
use oxc_span::GetSpan;

use super::{Found, Site};
use crate::helper::{around_promise, is_function};
use crate::{Form, Kind};

/// What a global `setTimeout` may be called on.
pub(super) const GLOBALS: [&str; 5] = ["window", "global", "globalThis", "self", "timers"];

/// What the timer of a promise does with it.
enum Ends {
    Resolved,
    Rejected,
    Untouched,
}

pub(super) fn find(site: &Site<'_, '_>) -> Option<Found> {
    let call = site.call;
    let is_global = || call.is_function() || GLOBALS.contains(&call.root());
    let import = || site.facts.imports.get(call.root());
    let is_promise = || import().is_some_and(|import| import.source.ends_with("timers/promises"));
    if call.name() != "setTimeout" || !is_global() || is_promise() {
        return None;
    }
    let told = site.facts.told(call.argument(1));
    Some(match ends(site) {
        Ends::Resolved => Found::new(Kind::Sleep, Form::TimerPromise, told),
        // The timer that ends a race is the longest that the race may take.
        Ends::Rejected => Found::new(Kind::Ceiling, Form::SetTimeout, told).free(),
        Ends::Untouched => Found::new(Kind::Timer, Form::SetTimeout, told).free(),
    })
}

fn ends(site: &Site<'_, '_>) -> Ends {
    if around_promise(site.ancestors).is_none() {
        return Ends::Untouched;
    }
    let executor = site.ancestors.iter().rev().find(|kind| is_function(kind));
    let Some(parameters) = executor.and_then(parameters) else { return Ends::Untouched };
    let name = |place: usize| match parameters.items.get(place).map(|item| &item.pattern) {
        Some(BindingPattern::BindingIdentifier(id)) => id.name.as_str(),
        _ => "",
    };
    match site.call.arguments().first() {
        Some(Argument::Identifier(callback)) if callback.name == name(1) => Ends::Rejected,
        // Any other name given to a timer in an executor is the way out of it.
        Some(Argument::Identifier(_)) => Ends::Resolved,
        Some(callback) => {
            let text = callback.as_expression().map_or("", |callback| text(callback, site.facts.text));
            if has_word(text, name(0)) {
                Ends::Resolved
            } else if has_word(text, name(1)) {
                Ends::Rejected
            } else {
                Ends::Untouched
            }
        }
        None => Ends::Untouched,
    }
}

fn parameters<'a>(kind: &AstKind<'a>) -> Option<&'a FormalParameters<'a>> {
    match kind {
        AstKind::Function(function) => Some(&function.params),
        AstKind::ArrowFunctionExpression(arrow) => Some(&arrow.params),
        _ => None,
    }
}

fn text<'t>(expression: &Expression<'_>, text: &'t str) -> &'t str {
    expression.span().source_text(text)
}

/// Whether a name stands in a text as a word of its own.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '$';
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + name.len()..].chars().next();
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })
}
