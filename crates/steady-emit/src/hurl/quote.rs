//! Strings of Hurl files.

use steady_model::Encoding;

use crate::plan::{Piece, Setting, Template};
use crate::prose::is_plain;

/// The context of a string, which decides what must be escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StringContext {
    /// Between double quotes.
    Quoted,
    /// Between backticks.
    Backtick,
    /// Up to the end of the line.
    Line,
    /// A name before a colon.
    Key,
}

/// Which variables a template's pieces stand for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Naming<'a> {
    /// What the names of variables begin with; keeps the logins of several identities apart.
    pub(super) prefix: &'a str,
    /// Where the values are put in.
    pub(super) setting: Setting,
}

/// A string between double quotes.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text, StringContext::Quoted))
}

/// The text with everything escaped that would end the string or begin a template.
pub(super) fn escaped(text: &str, kind: StringContext) -> String {
    let mut out = String::with_capacity(text.len());
    let mut following = text.chars().skip(1);
    for c in text.chars() {
        let next = following.next();
        match (c, kind) {
            ('\\', _) => out.push_str("\\\\"),
            ('\n', _) => out.push_str("\\n"),
            ('\r', _) => out.push_str("\\r"),
            ('\t', _) => out.push_str("\\t"),
            ('"', StringContext::Quoted) => out.push_str("\\\""),
            ('`', StringContext::Backtick) => out.push_str("\\`"),
            ('#', StringContext::Line | StringContext::Key) => out.push_str("\\#"),
            // The brace may meet another one, or the template that follows.
            ('{', _) if next.is_none_or(|next| next == '{') => out.push_str("\\u{7b}"),
            (c, StringContext::Key) if !is_key_character(c) => {
                out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
            }
            (c, _) if is_plain(c) => out.push(c),
            (c, _) => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        }
    }
    if kind == StringContext::Line { with_edges(&out) } else { out }
}

/// A line whose spaces at the edges are escaped, because Hurl would drop them.
fn with_edges(line: &str) -> String {
    let inner = line.trim_matches(' ');
    let start = line.len() - line.trim_start_matches(' ').len();
    let end = line.len() - start - inner.len();
    let space = "\\u{20}";
    format!("{}{inner}{}", space.repeat(start), space.repeat(end))
}

fn is_key_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '@' | '$')
}

/// A template's text, without quotes.
pub(super) fn template(template: &Template<'_>, kind: StringContext, naming: Naming<'_>) -> String {
    let pieces = template.pieces().iter().map(|piece| match piece {
        // Only the spaces at the edges of the whole line are in danger.
        Piece::Literal(text) if kind == StringContext::Line => escaped(text, kind).replace("\\u{20}", " "),
        Piece::Literal(text) => escaped(text, kind),
        piece => format!("{{{{{}}}}}", variable(piece, naming)),
    });
    let text: String = pieces.collect();
    if kind == StringContext::Line { with_edges(&text) } else { text }
}

/// The variable a piece stands for; each has a percent-encoded twin where a URL needs it, and one for patterns where it is known
/// before the tests are run.
pub(super) fn variable(piece: &Piece<'_>, naming: Naming<'_>) -> String {
    let suffix = match naming.setting {
        Setting::Text => "",
        Setting::Target => "_path",
        Setting::Regex => "_regex",
    };
    match piece {
        Piece::Literal(_) => String::new(),
        Piece::Variable(variable) => {
            let suffix = if naming.setting == Setting::Regex { "" } else { suffix };
            format!("{}{}{suffix}", naming.prefix, variable.name.snake())
        }
        Piece::Environment(name, encoding) => {
            format!("{}{}{suffix}", environment_variable(name), encoding_suffix(*encoding))
        }
        Piece::Base(part, encoding) => format!("base_{part}{}{suffix}", encoding_suffix(*encoding)),
    }
}

/// What the name of a variable ends in that holds a value written this way.
pub(super) fn encoding_suffix(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => "",
        Encoding::Percent => "_percent",
        Encoding::Json => "_json",
        Encoding::Base64 => "_base64",
    }
}

/// A regular expression that matches a whole text, between double quotes; its text is literal.
pub(super) fn pattern(alternatives: &[Template<'_>]) -> String {
    let naming = Naming { prefix: "", setting: Setting::Regex };
    let alternatives: Vec<String> =
        alternatives.iter().map(|text| template(text, StringContext::Quoted, naming)).collect();
    format!("\"^(?:{})$\"", alternatives.join("|"))
}

/// The Hurl variable that holds an environment variable.
pub(super) fn environment_variable(name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    format!("env_{name}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::prose::read_back::{HOSTILE, read_back};

    #[test]
    fn hostile_text_stays_within_its_string() {
        assert_eq!(
            quoted("a\"b\\c\n\0{{x}}{{{`#\u{2028}\u{1f600}"),
            "\"a\\\"b\\\\c\\n\\u{0}\\u{7b}{x}}\\u{7b}\\u{7b}{`#\\u{2028}😀\""
        );
        assert_eq!(escaped(" a # b{", StringContext::Line), "\\u{20}a \\# b\\u{7b}");
        assert_eq!(escaped("a b:c", StringContext::Key), "a\\u{20}b\\u{3a}c");
        assert_eq!(escaped("`", StringContext::Backtick), "\\`");
    }

    proptest! {
        #[test]
        fn a_string_reads_back_as_its_text(text in HOSTILE) {
            for (kind, quote) in [(StringContext::Quoted, '"'), (StringContext::Backtick, '`'), (StringContext::Line, '\n'), (StringContext::Key, ':')] {
                let inside = escaped(&text, kind);
                let begins_template = inside.replace("\\u{", " ").contains("{{") || inside.ends_with('{');
                prop_assert!(!begins_template);
                prop_assert!(kind != StringContext::Line || inside.trim() == inside);
                prop_assert_eq!(read_back(&inside, quote), text.as_str());
            }
        }
    }
}
