//! Weaker assertions in the idiom of the framework, with nothing that the project does not have.

mod hamcrest;
mod jest;
mod jvm;
mod python;
mod quote;

use std::collections::BTreeSet;

use serde_json::{Number, Value};
use steady_model::{Assertion, JsonType, Matcher, Pattern, Place, Range, TimeFormat};

use crate::assertion::{Form, Site, SourceAssertion};
use crate::language::Language;
use crate::pointer;

/// Code that takes the place of an assertion, and what it needs imported.
#[derive(Debug, Default)]
pub(crate) struct Rendered {
    /// Statements without their terminator, or calls of a chain.
    pub code: Vec<String>,
    pub imports: BTreeSet<&'static str>,
}

/// What a literal's part becomes: code in its place, and what is said of the value besides.
#[derive(Debug)]
pub(crate) struct InLiteral {
    pub value: String,
    pub besides: Rendered,
}

/// What the renderers know about the assertion that is replaced.
pub(crate) struct Context<'s> {
    pub language: Language,
    pub site: &'s Site,
    /// The value that was asserted at the place.
    pub original: Option<&'s Value>,
}

impl<'s> Context<'s> {
    pub fn new(language: Language, site: &'s Site, replaced: &'s SourceAssertion, place: &Place) -> Self {
        let original = replaced.places.iter().find_map(|assertion| match &assertion.matcher {
            Matcher::Equals(value) if assertion.place == *place => Some(value),
            _ => None,
        });
        Self { language, site, original }
    }

    /// The type of the value that was asserted.
    fn original_type(&self) -> Matcher {
        self.original.map_or(Matcher::Present, |value| Matcher::Type(JsonType::of(value)))
    }

    /// Whether the number that was asserted was written with a fraction, as are integers of some clients.
    fn fractional(&self) -> bool {
        matches!(self.original, Some(Value::Number(number)) if number.is_f64())
    }

    /// The longest code that is known to lead towards a place in the body, and the steps that remain.
    fn towards(&self, place: &Place) -> Option<(&'s str, Vec<String>)> {
        let Place::Body(pointer) = place else { return None };
        let known = self.site.known.iter().rev();
        known
            .filter_map(|(outer, code)| Some((outer, code, pointer::below(pointer, outer)?)))
            .max_by_key(|(outer, ..)| outer.len())
            .map(|(_, code, steps)| (code.as_str(), steps))
    }

    /// The subject's own code, where it is the value at a place.
    fn subject(&self, place: &Place) -> Option<&'s str> {
        (*place == self.site.place && !self.site.length && !self.site.subject.is_empty())
            .then_some(&self.site.subject)
    }
}

/// Whether weaker assertions can take the place of one.
pub(crate) fn supports(language: Language, site: &Site, assertion: &SourceAssertion) -> bool {
    // Python has nothing to put into a literal but the value's own code, which can be had only once.
    if language == Language::Python && site.once && site.literal.is_some() {
        return false;
    }
    assertion.places.iter().all(|old| {
        let context = Context::new(language, site, assertion, &old.place);
        render(&context, &Assertion::new(old.place.clone(), Matcher::Type(JsonType::Array))).is_some()
    })
}

/// The code that asserts this; none when the framework cannot reach the place.
pub(crate) fn render(context: &Context<'_>, assertion: &Assertion) -> Option<Rendered> {
    let matcher = plain(&assertion.matcher, context);
    let rendered = dispatch(context, &assertion.place, &matcher);
    // A body that is read in the assertion itself is not there for a second one.
    let again = context.site.once && rendered.as_ref().is_none_or(|rendered| rendered.code.len() > 1);
    if again { dispatch(context, &assertion.place, &context.original_type()) } else { rendered }
}

fn dispatch(context: &Context<'_>, place: &Place, matcher: &Matcher) -> Option<Rendered> {
    if *matcher == Matcher::Disabled {
        return Some(Rendered::default());
    }
    match context.site.form {
        Form::Chained { quoted, text } => jvm::chained(context, place, matcher, quoted, text),
        Form::AssertThat => jvm::statement(context, place, matcher),
        Form::Assert | Form::Unittest => python::statement(context, place, matcher),
        Form::Expect => jest::statement(context, place, matcher),
        Form::Expected => jest::expectation(context, place, matcher),
    }
}

/// What takes the place of a part of a literal; none when the whole assertion must be replaced.
pub(crate) fn in_literal(context: &Context<'_>, assertion: &Assertion) -> Option<InLiteral> {
    let matcher = plain(&assertion.matcher, context);
    match context.site.form {
        Form::Expect => jest::in_literal(context, &assertion.place, &matcher),
        Form::Assert | Form::Unittest => python::in_literal(context, &assertion.place, &matcher),
        Form::Chained { .. } | Form::Expected | Form::AssertThat => None,
    }
}

/// A matcher with those that need a helper turned into the nearest that does not.
fn plain(matcher: &Matcher, context: &Context<'_>) -> Matcher {
    let pattern = |regex: &str, what: &str| {
        Matcher::Pattern(Pattern { regex: regex.to_owned(), what: what.to_owned() })
    };
    match matcher {
        Matcher::Jwt(_) => pattern(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*", "a JSON web token"),
        Matcher::Recent(TimeFormat::Rfc3339) => pattern(
            r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})",
            "a time",
        ),
        Matcher::Recent(TimeFormat::Http) => {
            pattern("[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT", "a date")
        }
        Matcher::Recent(format) => recent_number(*format, context),
        Matcher::Variable(_) => context.original_type(),
        Matcher::Text(text) => match text.as_literal() {
            Some(literal) => Matcher::Equals(literal.into()),
            None => context.original_type(),
        },
        other => other.clone(),
    }
}

/// Seconds since 1970 had ten digits since 2001, and will until 2286.
fn recent_number(format: TimeFormat, context: &Context<'_>) -> Matcher {
    let zeros = match format {
        TimeFormat::Seconds | TimeFormat::Rfc3339 | TimeFormat::Http => 0,
        TimeFormat::Milliseconds => 3,
        TimeFormat::Microseconds => 6,
        TimeFormat::Nanoseconds => 9,
    };
    if matches!(context.original, Some(Value::String(_))) {
        let regex = format!(r"[0-9]{{{}}}(?:\.[0-9]+)?", 10 + zeros);
        return Matcher::Pattern(Pattern { regex, what: "a time".to_owned() });
    }
    let unit = 10_u64.pow(zeros);
    let bound = |seconds: u64| Some(Number::from(seconds.saturating_mul(unit)));
    Matcher::Range(Range { min: bound(1_000_000_000), max: bound(9_999_999_999) })
}

/// Whether all of these are scalars.
fn scalars(values: &[Value]) -> bool {
    values.iter().all(|value| !value.is_array() && !value.is_object())
}
