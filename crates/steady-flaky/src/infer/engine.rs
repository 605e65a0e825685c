//! Runs the rules of all families over a value.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use serde_json::Value;
use steady_model::rerun::Category;

use super::{Context, Family, RULES, Strength, Suspicion};

/// The longest text that is searched; what lies beyond is not looked at.
const MAX_TEXT: usize = 64 * 1024;
/// Shorter texts are found everywhere.
const DISTINCTIVE: usize = 4;

/// One family's rule.
pub(super) struct Rule {
    pub family: Family,
    /// Finds candidates.
    pub pattern: &'static str,
    /// Whether JSON numbers are looked at, written out.
    pub numbers: bool,
    /// Decides on a candidate.
    pub judge: fn(&Candidate<'_>, &Context) -> Option<Judgement>,
}

/// A part of a text that may be a value of some family.
pub(super) struct Candidate<'a> {
    pub text: &'a str,
    /// The text before it.
    pub before: &'a str,
    /// The text after it.
    pub after: &'a str,
    /// Whether it was written as a number rather than as text.
    pub number: bool,
}

impl Candidate<'_> {
    /// Whether nothing is around it.
    pub fn is_whole(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }
}

/// What a judge thinks of a candidate.
pub(super) struct Judgement {
    pub category: Category,
    pub strength: Strength,
    pub detail: String,
}

impl Judgement {
    pub fn new(category: Category, strength: Strength, detail: impl Into<String>) -> Self {
        Self { category, strength, detail: detail.into() }
    }
}

/// Every pattern once compiled, and all of them in one automaton that says which are worth trying.
struct Patterns {
    set: RegexSet,
    single: Vec<Regex>,
}

/// A test holds that every pattern compiles; without one, that family would find nothing.
static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns {
    set: compile_all().unwrap_or_default(),
    single: RULES.iter().filter_map(|rule| compile(rule.pattern).ok()).collect(),
});

/// A pattern whose classes are ASCII where it does not say otherwise: many times smaller and faster.
pub(super) fn compile(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).unicode(false).build()
}

fn compile_all() -> Result<RegexSet, regex::Error> {
    RegexSetBuilder::new(RULES.iter().map(|rule| rule.pattern)).unicode(false).build()
}

/// What a value is suspected of, whole if possible; otherwise the strongest suspicion about a part of it.
pub fn suspect(value: &Value, context: &Context) -> Option<Suspicion> {
    match value {
        Value::String(text) => {
            let found = find(text, context);
            let best = found.iter().enumerate().max_by_key(|(index, suspicion)| {
                (suspicion.whole, suspicion.strength, std::cmp::Reverse(*index))
            });
            best.map(|(_, suspicion)| suspicion.clone())
        }
        Value::Number(number) => search(&number.to_string(), true, context).into_iter().find(|hit| hit.whole),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// All suspected parts of a text, in order and without overlap; where two overlap, the longer one counts.
pub fn find(text: &str, context: &Context) -> Vec<Suspicion> {
    search(text, false, context)
}

fn search(text: &str, number: bool, context: &Context) -> Vec<Suspicion> {
    let text = clip(text);
    let mut hits = Vec::new();
    for index in PATTERNS.set.matches(text) {
        let (Some(rule), Some(pattern)) = (RULES.get(index), PATTERNS.single.get(index)) else { continue };
        if !number || rule.numbers {
            apply(rule, pattern, text, number, context, &mut hits);
        }
    }
    own(text, context, &mut hits);
    // Stable: among hits of equal length the earlier family stays first.
    // What is known comes before what is guessed.
    hits.sort_by_key(|hit| (hit.family != Family::Own, std::cmp::Reverse(hit.span.len())));
    let mut kept: Vec<Suspicion> = Vec::new();
    for hit in hits {
        if kept.iter().all(|other| hit.span.end <= other.span.start || other.span.end <= hit.span.start) {
            kept.push(hit);
        }
    }
    kept.sort_by_key(|hit| hit.span.start);
    kept
}

fn apply(
    rule: &Rule,
    pattern: &Regex,
    text: &str,
    number: bool,
    context: &Context,
    hits: &mut Vec<Suspicion>,
) {
    for hit in pattern.find_iter(text) {
        let Range { start, end } = hit.range();
        let candidate = Candidate { text: hit.as_str(), before: &text[..start], after: &text[end..], number };
        if !stands_alone(&candidate) {
            continue;
        }
        if let Some(judgement) = (rule.judge)(&candidate, context) {
            hits.push(Suspicion {
                family: rule.family,
                category: judgement.category,
                strength: judgement.strength,
                detail: judgement.detail,
                span: start..end,
                whole: candidate.is_whole(),
            });
        }
    }
}

/// Finds what is known to be this machine's, whatever it looks like.
fn own(text: &str, context: &Context, hits: &mut Vec<Suspicion>) {
    let is_frame = hits.iter().any(|hit| hit.family == Family::StackFrame);
    for own in context.own().iter().filter(|own| !own.text.is_empty()) {
        for (start, found) in text.match_indices(own.text.as_str()) {
            let end = start + found.len();
            let candidate =
                Candidate { text: found, before: &text[..start], after: &text[end..], number: false };
            // A version is often written with a letter in front.
            let is_version = found.starts_with(|c: char| c.is_ascii_digit()) && found.contains('.');
            let alone = if is_version && candidate.before.ends_with('v') {
                stands_alone(&Candidate { before: &text[..start - 1], ..candidate })
            } else {
                stands_alone(&candidate)
            };
            // A name of a few letters may mean anything within a text.
            if alone && (candidate.is_whole() || found.len() >= DISTINCTIVE) {
                hits.push(Suspicion {
                    family: Family::Own,
                    // A line of a stack trace is the runtime's, whatever path is in it.
                    category: if is_frame { Category::RunMsg } else { Category::Env },
                    strength: Strength::Certain,
                    detail: "of this machine".to_owned(),
                    span: start..end,
                    whole: candidate.is_whole(),
                });
            }
        }
    }
}

/// Whether a candidate is not merely a part of a longer word.
fn stands_alone(candidate: &Candidate<'_>) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let joins = |outside: Option<char>, inside: Option<char>| {
        outside.is_some_and(is_word) && inside.is_some_and(|c| is_word(c) || c == '/')
    };
    !joins(candidate.before.chars().next_back(), candidate.text.chars().next())
        && !joins(candidate.after.chars().next(), candidate.text.chars().next_back())
}

fn clip(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT)]
}

#[cfg(test)]
mod tests {
    use super::super::Fact;
    use super::super::table::NOW;
    use super::*;

    fn context(name: &str) -> Context {
        Context::new(name, NOW.parse().expect("a time"))
    }

    #[test]
    fn what_is_this_machines_is_known_whatever_it_looks_like() {
        let context = context("note").owning(&["34567", "build-7"].map(Fact::distinctive));
        assert_eq!(suspect(&Value::from(34_567), &context).map(|found| found.family), Some(Family::Own));
        let found = find("at build-7, port 34567, not 134567", &context);
        let spans: Vec<_> = found.iter().map(|found| found.span.clone()).collect();
        assert_eq!(spans, [3..10, 17..22]);
    }

    #[test]
    fn a_fact_that_says_little_counts_under_its_name_only() {
        let cores = Fact { text: "2".to_owned(), names: &["cores"] };
        let facts = [cores, Fact::distinctive("20.20.2")];
        let found = |name: &str, value: Value| {
            suspect(&value, &context(name).owning(&facts)).map(|found| (found.family, found.category))
        };
        assert_eq!(found("cores", 2.into()), Some((Family::Own, Category::Env)));
        assert_eq!(found("quantity", 2.into()), None);
        assert_eq!(found("node", "v20.20.2".into()), Some((Family::Own, Category::Env)));
    }

    #[test]
    fn every_pattern_compiles() {
        for rule in &RULES {
            assert_eq!(compile(rule.pattern).err(), None, "{}", rule.family);
        }
        assert_eq!(compile_all().err(), None);
    }

    #[test]
    fn a_part_of_a_message_is_found_with_its_span() {
        let text = "order 7 failed at 2026-03-10T11:59:58Z in com.shop.Cart@1b6d3586";
        let found = find(text, &context("message"));
        let parts: Vec<(Family, &str)> =
            found.iter().map(|hit| (hit.family, &text[hit.span.clone()])).collect();
        assert_eq!(
            parts,
            [(Family::Iso8601, "2026-03-10T11:59:58Z"), (Family::Identity, "com.shop.Cart@1b6d3586")]
        );
        assert!(found.iter().all(|hit| !hit.whole));
    }

    #[test]
    fn constants_that_only_look_volatile_are_not_believed() {
        let constants = [
            ("version", "1.2.3"),
            ("version", "2.0.0-SNAPSHOT"),
            ("phone", "+1-555-123-4567"),
            ("phone", "5551234567"),
            ("price", "19.99"),
            ("isbn", "978-3-16-148410-0"),
            ("isbn", "9783161484100"),
            ("birthDate", "1990-01-01"),
            ("releasedOn", "2019-04-01"),
            ("email", "alice@example.com"),
            ("email", "bob@decade.org"),
            ("type", "org.springframework.web.bind.MethodArgumentNotValidException"),
            ("path", "/api/v1/organisations/departments"),
            ("name", "internationalisationConfiguration"),
            ("opens", "09:00:00"),
            ("tenant", "00000000-0000-0000-0000-000000000000"),
            ("color", "#ff00ff"),
            ("iban", "DE89370400440532013000"),
            ("zip", "94105-1234"),
            ("ip", "192.168.0.1"),
            ("url", "http://localhost:8080/items"),
            ("timeout", "30s"),
            ("language", "en-US"),
            ("pattern", "^[a-zA-Z0-9]*$"),
            ("card", "4111111111111111"),
        ];
        for (name, text) in constants {
            let suspicion = suspect(&Value::from(text), &context(name));
            assert!(
                suspicion.as_ref().is_none_or(|found| found.strength == Strength::Weak),
                "{name}: {text} is {suspicion:?}"
            );
        }
    }

    #[test]
    fn numbers_are_looked_at_by_their_digits() {
        let found = suspect(&Value::from(1_773_143_990_123_u64), &context("createdAt")).expect("a time");
        assert_eq!((found.family, found.strength), (Family::Epoch, Strength::Certain));
        for stable in [Value::from(42), Value::from(19.99), Value::from(9_783_161_484_100_u64)] {
            assert_eq!(suspect(&stable, &context("value")), None, "{stable}");
        }
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        let text = "ß".repeat(MAX_TEXT);
        assert!(find(&text, &context("")).is_empty());
    }
}
