//! Whether a sleep lasts as long as a timer of what is tested: a debounce, the time that a message is shown, an animation, a
//! time to live.

use steady_js::{Kind, Wait};

use super::File;
use super::follow::earlier;
use super::guard::words;
use super::setting::{Use, used_as_setting};

/// Words of names that say whose time it is.
const OWN: [&str; 16] = [
    "timer",
    "typeahead",
    "debounce",
    "debounced",
    "throttle",
    "throttled",
    "animation",
    "animate",
    "transition",
    "toast",
    "ttl",
    "expiry",
    "expires",
    "expiration",
    "cooldown",
    "fade",
];
/// Words of names that hold a time which the test gives to what it tests.
const GIVEN: [&str; 9] =
    ["delay", "duration", "interval", "timeout", "lifetime", "age", "wait", "dismiss", "hide"];

/// Shorter times are given for other reasons.
const SHORTEST: u64 = 20;

/// Where the timer is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProductTimer {
    /// The test gives this time to what it tests, at this line.
    Given { ms: u64, line: usize },
    /// The test uses the time of the sleep for something else, too, at this line.
    Setting { line: usize },
    /// The test compares with the time of the sleep, at this line: how long something took is what it measures.
    Measured { line: usize },
    /// A name or a comment at the sleep says so.
    Named,
}

pub(super) fn product_timer(file: &File<'_>, wait: &Wait) -> Option<ProductTimer> {
    given(file, wait)
        .or_else(|| {
            used_as_setting(file, wait).map(|Use { line, is_check }| match is_check {
                true => ProductTimer::Measured { line },
                false => ProductTimer::Setting { line },
            })
        })
        .or_else(|| (is_named(file, wait) || is_commented(file, wait)).then_some(ProductTimer::Named))
}

/// The time of an earlier statement of the test that the sleep just outlasts.
fn given(file: &File<'_>, wait: &Wait) -> Option<ProductTimer> {
    let (slept, sleep) = (file.script.length_of(wait)?, file.statement(wait)?);
    let above = earlier(file.script, sleep).filter(|last| last.span.end <= sleep.span.start);
    // A wait's own time is the test's.
    let own_waits = |last: &steady_js::Statement| {
        let inside = |other: &Wait| last.span.start <= other.call.start && other.call.end <= last.span.end;
        file.waits().any(|other| inside(other) && other.kind != Kind::Timer)
    };
    // On a page, a time that is given is most often one of the test's own steps: `type(text, { delay: 300 })`.
    let is_on_page = file.touches_page;
    above.filter(|last| !own_waits(last)).find_map(|last| {
        let times = times_in(file.slice(last.span), is_on_page);
        let fits = |ms: &u64| *ms >= SHORTEST && *ms <= slept && slept <= ms.saturating_mul(2);
        times.into_iter().find(fits).map(|ms| ProductTimer::Given { ms, line: last.line })
    })
}

/// The numbers of code that a name of a time holds: `debounceMs: 300`, `duration={300}`, `debounce(save, 300)`.
fn times_in(source: &str, only_own: bool) -> Vec<u64> {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '$';
    let mut times = Vec::new();
    let mut rest = source;
    let mut at = 0;
    while let Some(start) = rest.find(|sign: char| sign.is_ascii_digit()) {
        let begin = at + start;
        let digits = &source[begin..];
        let length =
            digits.find(|sign: char| !(sign.is_ascii_digit() || sign == '_')).unwrap_or(digits.len());
        let before = source[..begin].trim_end();
        let is_whole = !source[..begin].ends_with(|sign: char| is_part(sign) || sign == '.')
            && !source[begin + length..].starts_with(|sign: char| is_part(sign) || sign == '.');
        let before = before.strip_suffix('{').map_or(before, str::trim_end);
        let name = before
            .strip_suffix([':', '='])
            .map(str::trim_end)
            .map(|name| name.rsplit(|sign: char| !is_part(sign)).next().unwrap_or_default());
        let called = before.strip_suffix(',').and_then(|before| function_around(before));
        let holds_time = name.or(called).is_some_and(|name| {
            words(name).any(|word| {
                OWN.contains(&word.as_str())
                    || (called.is_none() && !only_own && GIVEN.contains(&word.as_str()))
            })
        });
        if is_whole && holds_time {
            times.extend(digits[..length].replace('_', "").parse::<u64>());
        }
        at = begin + length;
        rest = &source[at..];
    }
    times
}

/// Whether a name is one of a time.
pub(super) fn names_time(name: &str) -> bool {
    words(name).any(|word| OWN.contains(&word.as_str()) || GIVEN.contains(&word.as_str()))
}

/// The name of the function in whose arguments some code ends.
fn function_around(code: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, sign) in code.char_indices().rev() {
        match sign {
            ')' | ']' | '}' => depth += 1,
            '(' if depth == 0 => {
                return code[..at].rsplit(|sign: char| !(sign.is_alphanumeric() || sign == '_')).next();
            }
            '(' | '[' | '{' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// Whether the time has a name that says so: `sleep(DEBOUNCE_MS + 50)`.
fn is_named(file: &File<'_>, wait: &Wait) -> bool {
    let arguments = file.slice(wait.call);
    let arguments = arguments.find('(').map_or("", |at| &arguments[at..]);
    let constant = wait.value.as_ref().and_then(|value| value.constant.as_deref()).unwrap_or_default();
    words(arguments).chain(words(constant)).any(|word| OWN.contains(&word.as_str()))
}

/// Whether a comment at the sleep says so.
fn is_commented(file: &File<'_>, wait: &Wait) -> bool {
    file.comments_at(wait).any(|comment| words(&comment).any(|word| OWN.contains(&word.as_str())))
}
