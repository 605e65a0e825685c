//! Where a value counts within a text, and how it is written there.

use super::{Boundary, Replacement};
use crate::{Segment, percent};

/// Where a text stands, which decides how values are written in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    Plain,
    /// In a header that refers to something.
    Reference,
    /// In the target of a request: percent-encoded, and segments are encoded when bound.
    Target,
    /// In a regular expression.
    Regex,
}

/// The text with every value replaced by its segment.
pub(super) fn split(replacements: &[Replacement], text: &str, setting: Setting) -> Vec<Segment> {
    let mut segments = Vec::new();
    if setting == Setting::Reference && text.starts_with('/') && !text.starts_with("//") {
        let mut references = replacements.iter().filter(|known| known.boundary == Boundary::Reference);
        segments.extend(references.next().map(|replacement| replacement.segment.clone()));
    }
    let mut from = 0;
    while let Some((start, end, segment)) = first(replacements, text, from, setting) {
        segments.push(Segment::Literal(text[from..start].to_owned()));
        segments.push(segment.clone());
        from = end;
    }
    segments.push(Segment::Literal(text[from..].to_owned()));
    segments
}

/// Whether a plain text has the value.
pub(super) fn is_at(replacement: &Replacement, text: &str) -> bool {
    position(text, 0, &replacement.literal, replacement.boundary, Setting::Plain).is_some()
}

/// The first value from a position on, the longest of those that begin there.
fn first<'a>(
    replacements: &'a [Replacement],
    text: &str,
    from: usize,
    setting: Setting,
) -> Option<(usize, usize, &'a Segment)> {
    let found = replacements.iter().flat_map(|replacement| {
        let ways = ways(replacement, setting).into_iter();
        let found = ways.filter_map(|way| position(text, from, &way, replacement.boundary, setting));
        found.map(|(start, end)| (start, end, &replacement.segment)).collect::<Vec<_>>()
    });
    found.min_by_key(|(start, end, _)| (*start, std::cmp::Reverse(*end)))
}

/// How a value is written where it stands.
fn ways(replacement: &Replacement, setting: Setting) -> Vec<String> {
    let literal = &replacement.literal;
    match setting {
        Setting::Plain | Setting::Reference => vec![literal.clone()],
        // The reader of a query sees the same either way.
        Setting::Target => match &replacement.segment {
            Segment::Environment { encoded, .. } | Segment::Base { encoded, .. } if !encoded.is_plain() => {
                vec![percent::encode(literal)]
            }
            _ => vec![percent::encode(literal), literal.clone()],
        },
        Setting::Regex => vec![regex_escaped(literal)],
    }
}

/// The characters that mean something else in a regular expression, escaped as all languages read it.
fn regex_escaped(literal: &str) -> String {
    let mut escaped = String::with_capacity(literal.len());
    for character in literal.chars() {
        if r"\.+*?()|[]{}^$".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn position(
    text: &str,
    from: usize,
    literal: &str,
    boundary: Boundary,
    setting: Setting,
) -> Option<(usize, usize)> {
    if literal.is_empty() {
        return None;
    }
    let mut start = from;
    while let Some(found) = text.get(start..)?.find(literal) {
        let (at, end) = (start + found, start + found + literal.len());
        if fits(boundary, text, at, end, setting) {
            return Some((at, end));
        }
        start = at + text[at..].chars().next().map_or(1, char::len_utf8);
    }
    None
}

fn fits(boundary: Boundary, text: &str, start: usize, end: usize, setting: Setting) -> bool {
    let (before, after) = (&text[..start], &text[end..]);
    if setting == Setting::Regex && after.starts_with(['*', '+', '?', '{']) {
        return false;
    }
    match boundary {
        Boundary::Anywhere => true,
        Boundary::Reference => false,
        Boundary::Address => {
            let is_open = setting == Setting::Regex && after.starts_with(['[', '(']);
            begins_apart(before) && ends_apart(after) && !is_open
        }
        Boundary::Path => {
            let before_fits = match before.chars().next_back() {
                None => setting != Setting::Target,
                Some(character) => character.is_whitespace() || "\"'`<(=,;[{".contains(character),
            };
            let after_fits = after.chars().next().is_none_or(|character| {
                character.is_whitespace()
                    || "/?#\"'`>),;]}&\\".contains(character)
                    || after.starts_with("%2F")
            });
            before_fits && after_fits
        }
    }
}

/// Whether what ends here does not go on in an address; an escape such as `%3D` is no letter.
fn begins_apart(before: &str) -> bool {
    let bytes = before.as_bytes();
    if let [.., b'%', high, low] = bytes
        && high.is_ascii_hexdigit()
        && low.is_ascii_hexdigit()
    {
        return true;
    }
    before
        .chars()
        .next_back()
        .is_none_or(|character| !character.is_alphanumeric() && !".-_@".contains(character))
}

/// Whether an address ends here: a full stop may end a sentence.
fn ends_apart(after: &str) -> bool {
    let mut characters = after.chars();
    match characters.next() {
        None => true,
        Some('.' | '-' | ':' | '@') => characters.next().is_none_or(|next| !next.is_alphanumeric()),
        Some(character) => !character.is_alphanumeric() && character != '_',
    }
}
