//! Regular expression literals.

use super::expression::{expression, in_template};
use crate::plan::{Piece, Setting, Template};
use crate::prose::is_plain;

/// The characters that JavaScript, in Unicode mode, lets a backslash escape.
const SYNTAX: &str = "^$\\.*+?()[]{}|/";

/// A pattern for a whole text: a literal, or an expression with values in it. It has the flag `u`, so that a
/// character beyond 16 bits is one; then no needless backslash is allowed, and no bracket without one.
pub(super) fn regex(pattern: &Template<'_>) -> String {
    let has_choice = |piece: &Piece<'_>| matches!(piece, Piece::Literal(text) if text.contains('|'));
    let (open, close) = if pattern.pieces().iter().any(has_choice) { ("(?:", ")") } else { ("", "") };
    if let Some(pattern) = pattern.as_literal() {
        return format!("/^{open}{}{close}$/u", inside(pattern));
    }
    let part = |piece: &Piece<'_>| match piece {
        Piece::Literal(text) => in_template(&inside(text)),
        piece => format!("${{{}}}", expression(piece, Setting::Regex)),
    };
    let parts: String = pattern.pieces().iter().map(part).collect();
    format!("new RegExp(`^{open}{parts}{close}$`, \"u\")")
}

fn inside(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let (mut in_class, mut in_count) = (false, false);
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some(escaped) if escaped.is_ascii_alphanumeric() => out.extend(['\\', escaped]),
                Some(escaped) if SYNTAX.contains(escaped) || (in_class && escaped == '-') => {
                    out.extend(['\\', escaped]);
                }
                Some(needless) => out.push_str(&plain(needless)),
                None => out.push_str("\\\\"),
            },
            '[' if !in_class => {
                in_class = true;
                out.push(c);
            }
            ']' if in_class => {
                in_class = false;
                out.push(c);
            }
            '{' if !in_class => {
                in_count = true;
                out.push(c);
            }
            '}' if in_count => {
                in_count = false;
                out.push(c);
            }
            ']' | '}' if !in_class => out.extend(['\\', c]),
            '/' => out.push_str("\\/"),
            c => out.push_str(&plain(c)),
        }
    }
    out
}

/// A character that has no meaning of its own.
fn plain(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        c if is_plain(c) => c.to_string(),
        c => format!("\\u{{{:x}}}", u32::from(c)),
    }
}

#[cfg(test)]
mod tests {
    use steady_model::{BasePart, Encoding};

    use super::*;

    #[test]
    fn a_pattern_is_anchored_and_stays_on_its_line() {
        let cases = [
            ("[0-9a-f]{8}-[0-9]{2,}", "/^[0-9a-f]{8}-[0-9]{2,}$/u"),
            ("a|b/c", "/^(?:a|b\\/c)$/u"),
            ("a\\.b\\-c[\\-\\s\\S/]d\\\\", "/^a\\.b-c[\\-\\s\\S\\/]d\\\\$/u"),
            ("a]b}\n\u{2028}\u{1f600}\\\n", "/^a\\]b\\}\\n\\u{2028}😀\\n$/u"),
            ("", "/^$/u"),
        ];
        for (pattern, literal) in cases {
            assert_eq!(regex(&Template::new(vec![Piece::Literal(pattern)])), literal);
        }
    }

    #[test]
    fn values_stand_for_themselves() {
        let url = Piece::Base(BasePart::Url, Encoding::Plain);
        let pattern = Template::new(vec![url, Piece::Literal("/a\\.`${b}|[0-9]+")]);
        assert_eq!(
            regex(&pattern),
            "new RegExp(`^(?:${escaped(api.base.url)}\\\\/a\\\\.\\`\\${b}|[0-9]+)$`, \"u\")"
        );
    }
}
