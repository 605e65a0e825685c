//! Where tests turn the clock themselves.

use steady_edit::Span;
use steady_js::{Script, Statement};

const FAKE: &str = "useFakeTimers(";
const REAL: &str = "useRealTimers(";

/// Calls that hold tests.
const SUITES: [&str; 7] = ["describe", "fdescribe", "xdescribe", "context", "suite", "Feature", "concurrent"];

/// The places of a file that change the clock of timers.
#[derive(Debug, Default)]
pub(super) struct FakeClock {
    changes: Vec<Change>,
}

/// A call that makes the clock a fake one or the real one.
#[derive(Debug)]
struct Change {
    at: usize,
    is_fake: bool,
    /// The test that it stands in, or the suite or the file whose tests it is for.
    scope: Span,
    is_in_test: bool,
}

impl FakeClock {
    pub(super) fn of(script: &Script) -> Self {
        let text = script.text();
        let fakes = text.match_indices(FAKE).map(|(at, call)| (at, fakes_timers(&text[at + call.len()..])));
        let reals = text.match_indices(REAL).map(|(at, _)| (at, Some(false)));
        let known = fakes.chain(reals).filter_map(|(at, is_fake)| change(script, at, is_fake?));
        let mut changes: Vec<Change> = known.collect();
        changes.sort_by_key(|change| change.at);
        Self { changes }
    }

    /// Whether the clock is a fake one at a statement: by the last change before it in its test, or by a hook or a suite around it.
    pub(super) fn is_at(&self, statement: &Statement) -> bool {
        let at = statement.span.start;
        let around = || self.changes.iter().filter(move |one| one.scope.start <= at && at < one.scope.end);
        let own = around().rfind(|one| one.is_in_test && one.at < at);
        match own {
            Some(own) => own.is_fake,
            None => around().any(|one| !one.is_in_test && one.is_fake),
        }
    }
}

/// Whether a call fakes the clock of timers, by its arguments; some fake other things alone: `useFakeTimers({ toFake: ['Date'] })`.
fn fakes_timers(arguments: &str) -> Option<bool> {
    let given = arguments.split(')').next().unwrap_or_default();
    (!given.contains("toFake") || given.contains("setTimeout")).then_some(true)
}

fn change(script: &Script, at: usize, is_fake: bool) -> Option<Change> {
    let mut outermost = script.statement_around(Span { start: at, end: at + 1 })?;
    let is_in_test = outermost.test.is_some();
    // A test, a hook or a function is a statement of its suite, or of the file.
    while let Some(parent) = outermost.parent.and_then(|parent| script.statements().get(parent))
        && !is_suite(parent)
    {
        outermost = parent;
    }
    let scope = if is_in_test { outermost.span } else { outermost.block };
    Some(Change { at, is_fake, scope, is_in_test })
}

fn is_suite(statement: &Statement) -> bool {
    let names = [statement.root.as_deref(), statement.call.as_deref()];
    names.into_iter().flatten().any(|name| SUITES.contains(&name))
}
