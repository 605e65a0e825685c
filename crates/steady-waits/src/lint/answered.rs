//! Tests that ask an API: what they fetch does not change any more.

use steady_js::{Check, Statement, Wait};

use super::File;
use super::follow::{after, earlier};

/// The methods by which clients send requests.
const VERBS: [&str; 8] = [".get(", ".post(", ".put(", ".patch(", ".delete(", ".del(", ".head(", ".request("];

/// Whether code sends a request: by `fetch`, or by a method of a client that is given an address.
pub(super) fn asks_api(source: &str) -> bool {
    let is_address = |given: &str| {
        let given = given.trim_start();
        let text = given.strip_prefix(['\'', '"', '`']);
        text.is_some_and(|text| text.starts_with(['/', '$']) || text.starts_with("http"))
    };
    let after_verb = |verb: &str| source.split(verb).skip(1).any(is_address);
    // A method of that name is defined by some classes.
    let is_fetch = |(at, _): (usize, &str)| {
        let before = source[..at].trim_end();
        before.ends_with(['=', '(', '[', ',', '>']) || before.ends_with("await") || before.ends_with("return")
    };
    source.match_indices("fetch(").any(is_fetch)
        || source.contains(".inject({")
        || source.contains(".expect(200)")
        || VERBS.iter().any(|verb| after_verb(verb))
}

/// Whether all that comes after a sleep only looks at what an API had answered before it.
pub(super) fn is_answered_before(file: &File<'_>, wait: &Wait) -> bool {
    let Some(sleep) = file.statement(wait) else { return false };
    let next = after(file.script, sleep);
    !next.is_empty() && next.iter().all(|next| looks_at_answer(file, sleep, next))
}

/// Whether a statement only checks what was fetched before.
fn looks_at_answer(file: &File<'_>, sleep: &Statement, next: &Statement) -> bool {
    let is_of_answer = |check: &Check| {
        let Some(subject) = check.subject.map(|subject| file.slice(subject).trim()) else { return false };
        let name = subject.split(['.', '[', '?', '!']).next().unwrap_or_default();
        let declared = earlier(file.script, sleep)
            .filter(|last| last.span.end <= sleep.span.start)
            .find(|last| last.declares.iter().any(|declared| declared == name));
        !subject.contains('(')
            && declared.is_some_and(|last| last.has_await && asks_api(file.slice(last.span)))
    };
    !next.checks.is_empty() && !next.has_await && next.checks.iter().all(is_of_answer)
}
