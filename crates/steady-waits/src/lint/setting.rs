//! Whether the length of a sleep is a time that what is tested was given, or is compared with.

use steady_edit::Span;
use steady_js::{Statement, Wait};

use super::File;
use super::product_timer::names_time;

/// A name may stand for what another name says, this many times.
const HOPS: usize = 2;

/// A statement that uses the time by which a sleep is as long, for something else than to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Use {
    pub(super) line: usize,
    /// Whether it compares something with the time.
    pub(super) is_check: bool,
}

/// The first such statement.
pub(super) fn used_as_setting(file: &File<'_>, wait: &Wait) -> Option<Use> {
    let sleep = file.statement(wait)?;
    let names = names_of_length(file, wait, sleep);
    let uses = names.iter().filter_map(|name| first_use(file, sleep, name));
    uses.min()
}

/// The names that the length of a sleep is made of, with those that these were set to.
fn names_of_length<'f>(file: &File<'f>, wait: &Wait, sleep: &Statement) -> Vec<&'f str> {
    let mut names: Vec<&str> = Vec::new();
    let mut values = vec![length(file.slice(wait.call))];
    for _ in 0..=HOPS {
        // What a function gives is no time that something else could have been given.
        let chains = values.iter().filter(|value| !value.contains('(')).flat_map(|value| chains_of(value));
        let mut next = Vec::new();
        for chain in chains {
            let (root, property) = chain.split_once('.').unwrap_or((chain, ""));
            let Some(value) = declaration(file, sleep, root) else { continue };
            if property.is_empty() {
                names.push(root);
                next.push(value);
            } else {
                // The property is the time: `blockDuration` of `limits.blockDuration`.
                names.extend(property.rsplit('.').next().filter(|name| names_time(name)));
            }
        }
        values = next;
    }
    names
}

/// The names in an expression, each with its properties.
fn chains_of(value: &str) -> impl Iterator<Item = &str> {
    let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '$' | '.');
    value.split(move |sign: char| !is_part(sign)).filter(|chain| is_name(chain))
}

/// The last argument of a call: how long it is to take.
fn length(call: &str) -> &str {
    arguments_of(call).last().copied().unwrap_or_default()
}

/// The arguments of a call, as they are written.
pub(super) fn arguments_of(call: &str) -> Vec<&str> {
    let arguments = call.find('(').map_or("", |at| &call[at + 1..]).trim_end();
    let arguments = arguments.strip_suffix(')').unwrap_or(arguments).trim_end().trim_end_matches(',');
    let mut found = Vec::new();
    let (mut depth, mut start, mut quote) = (0_usize, 0, None);
    for (at, sign) in arguments.char_indices() {
        match (sign, quote) {
            (sign, Some(open)) if sign == open => quote = None,
            (_, Some(_)) => {}
            ('\'' | '"' | '`', None) => quote = Some(sign),
            ('(' | '[' | '{', None) => depth += 1,
            (')' | ']' | '}', None) => depth = depth.saturating_sub(1),
            (',', None) if depth == 0 => {
                found.push(&arguments[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&arguments[start..]);
    found
}

/// What a name is set to where a sleep sees it; nothing if a hook sets it later.
fn declaration<'f>(file: &File<'f>, sleep: &Statement, name: &str) -> Option<&'f str> {
    let declares = |one: &&Statement| {
        one.block.start <= sleep.span.start
            && sleep.span.end <= one.block.end
            && one.declares.iter().any(|declared| declared == name)
    };
    let statement = file.script.statements().iter().rev().find(declares)?;
    let source = file.slice(statement.span);
    Some(source.split_once('=').map_or("", |(_, value)| value.trim().trim_end_matches(';').trim_end()))
}

/// The first statement that does something with a name, other than to wait or to give it another name.
fn first_use(file: &File<'_>, sleep: &Statement, name: &str) -> Option<Use> {
    let text = file.script.text();
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '$';
    let places = text.match_indices(name).filter(|(at, found)| {
        !text[..*at].ends_with(is_part) && !text[at + found.len()..].starts_with(is_part)
    });
    let used = places.filter_map(|(at, found)| {
        let statement = file.script.statement_around(Span { start: at, end: at + found.len() })?;
        let found = Use { line: file.script.line_of(at), is_check: !statement.checks.is_empty() };
        is_use(file, sleep, statement, name).then_some(found)
    });
    used.into_iter().next()
}

fn is_use(file: &File<'_>, sleep: &Statement, statement: &Statement, name: &str) -> bool {
    let source = file.slice(statement.span);
    let inside =
        |other: &Wait| statement.span.start <= other.call.start && other.call.end <= statement.span.end;
    let is_declared = statement.declares.iter().any(|declared| declared == name);
    let is_given = source.contains(['(', '{']) && !source.starts_with("import");
    let is_logged = matches!(statement.root.as_deref(), Some("console" | "log" | "logger"));
    // Another test may have the same name for something else.
    let is_seen = statement.test.is_none() || statement.test == sleep.test;
    is_seen && is_given && !is_logged && !is_declared && !file.waits().any(inside)
}

fn is_name(word: &str) -> bool {
    word.starts_with(|sign: char| sign.is_alphabetic() || sign == '_' || sign == '$')
}
