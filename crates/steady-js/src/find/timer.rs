//! `setTimeout`: alone, or as a promise.

use oxc_ast::ast::Expression;

use super::{Found, Site};
use crate::promise::{Ends, ends};
use crate::{Form, Kind};

/// What a global `setTimeout` may be called on.
pub(super) const GLOBALS: [&str; 5] = ["window", "global", "globalThis", "self", "timers"];

pub(super) fn find(site: &Site<'_, '_>) -> Option<Found> {
    let call = site.call;
    // `env.window.setTimeout(…)`: the window of a page that a test made.
    let receiver = call.links().iter().rev().nth(1);
    let is_window = || receiver.is_some_and(|link| link.arguments.is_none() && GLOBALS.contains(&link.name));
    let is_global = || call.is_function() || GLOBALS.contains(&call.root()) || is_window();
    let import = || site.facts.imports.get(call.root());
    let is_promise = || import().is_some_and(|import| import.source.ends_with("timers/promises"));
    // A number where the callback would be: a promise, wherever it comes from.
    let is_called_back = || !matches!(call.argument(0), Some(Expression::NumericLiteral(_)));
    if call.name() != "setTimeout" || !is_global() || is_promise() || !is_called_back() {
        return None;
    }
    let told = site.facts.told(call.argument(1));
    Some(match ends(call, site.ancestors, site.facts.text) {
        Ends::Resolved => Found::new(Kind::Sleep, Form::TimerPromise, told),
        // The timer that ends a race, or a wait for an event, is the longest that it may take.
        Ends::Rejected | Ends::GivenUp => Found::new(Kind::PollTimeout, Form::SetTimeout, told).free(),
        Ends::Untouched => Found::new(Kind::Timer, Form::SetTimeout, told).free(),
    })
}
