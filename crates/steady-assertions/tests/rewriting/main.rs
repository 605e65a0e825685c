//! What assertions become: every matcher in every framework, comments, layout, imports.
#![allow(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

mod disabling;
mod following;
mod layout;
mod literals;
mod matchers;
mod runs;
mod times;

use steady_assertions::{Change, RewriteError, Source};
use steady_model::{Assertion, JsonType, Jwt, Matcher, Pattern, Place, Range, Relation, TimeFormat};

/// A place by its text.
fn place(text: &str) -> Place {
    text.parse().unwrap()
}

/// A change that asserts this instead.
fn relax(at: &str, matcher: Matcher) -> Change {
    Change::Relax(vec![Assertion::new(place(at), matcher)])
}

/// A change that asserts this instead, and says why.
fn relax_noted(at: &str, matcher: Matcher, note: &str) -> Change {
    Change::Relax(vec![Assertion::new(place(at), matcher).noted(Some(note.to_owned()))])
}

fn disable(note: &str) -> Change {
    Change::Disable { note: note.to_owned() }
}

/// The new text of a file with one assertion changed.
fn rewritten(path: &str, text: &str, index: usize, change: Change) -> Result<String, RewriteError> {
    let source = Source::read(path, text).unwrap();
    source.rewrite(&[(index, change)]).map(|rewritten| rewritten.text)
}

/// The lines that a change adds, without their indentation.
fn added(path: &str, text: &str, index: usize, change: Change) -> Vec<String> {
    let new = rewritten(path, text, index, change).unwrap();
    let old: Vec<_> = text.lines().map(str::trim).collect();
    new.lines().map(str::trim).filter(|line| !old.contains(line)).map(str::to_owned).collect()
}

fn pattern(regex: &str) -> Matcher {
    Matcher::Pattern(Pattern::new(regex, "text"))
}

fn range(min: i64, max: i64) -> Matcher {
    Matcher::Range(Range { min: Some(min.into()), max: Some(max.into()) })
}

/// One of every matcher, with the place it is about.
fn every() -> Vec<(&'static str, Matcher)> {
    vec![
        ("body:/x", Matcher::Equals("a\"$b".into())),
        ("body:/x", pattern(r"[0-9a-f]{8}\.[/x]|-")),
        ("body:/x", Matcher::Recent(TimeFormat::Http)),
        ("body:/x", Matcher::Recent(TimeFormat::Milliseconds)),
        ("body:/x", Matcher::Jwt(Jwt::default())),
        ("body:/x", Matcher::Unordered(vec!["b".into(), "a".into()])),
        ("body:/x", Matcher::Unordered(vec![serde_json::json!({"a": 1, "b": null}), true.into()])),
        ("body:/x", Matcher::OneOf(vec![1.into(), "b".into()])),
        ("body:/x", range(1, 5)),
        ("body:/x", Matcher::Range(Range { min: Some(1.into()), max: None })),
        ("body:/x", Matcher::Size(2)),
        ("body:/x", Matcher::Type(JsonType::Null)),
        ("body:/x", Matcher::Type(JsonType::Boolean)),
        ("body:/x", Matcher::Type(JsonType::Integer)),
        ("body:/x", Matcher::Type(JsonType::Number)),
        ("body:/x", Matcher::Type(JsonType::String)),
        ("body:/x", Matcher::Type(JsonType::Array)),
        ("body:/x", Matcher::Type(JsonType::Object)),
        ("body:/x", Matcher::Present),
        ("body:/x", Matcher::Absent),
        ("body:/x", Matcher::Relation(Relation::Same(place("body:/y")))),
        ("body:/x", Matcher::Relation(Relation::Sum(vec![place("body:/y"), place("body:/z/0")]))),
        ("body:/x", Matcher::Relation(Relation::Count(place("body:/z")))),
        ("body:/x", Matcher::Variable("id".to_owned())),
    ]
}
