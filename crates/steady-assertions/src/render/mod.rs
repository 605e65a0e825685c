//! Weaker assertions in the idiom of the framework, with nothing that the project does not have.

mod anything;
mod hamcrest;
mod jest;
mod jvm;
mod python;
mod quote;
mod recent;

use std::collections::BTreeSet;

use serde_json::Value;
use steady_model::{Assertion, JsonType, Matcher, Pattern, Place};

use crate::assertion::{Form, HeldBody, Site, SourceAssertion, part};
use crate::language::Language;
use crate::pointer;

pub(crate) use anything::Anything;
pub(crate) use recent::with_clock;

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
    /// What the subject is of every item of a list, where the subject itself is meant and not the list.
    whole: bool,
    /// The value that was asserted of the subject.
    asserted: Option<&'s Value>,
    /// Whether the modules that have the clock can be had under their names.
    clock: bool,
    /// The bodies of other responses that the test holds.
    held: &'s [HeldBody],
    /// What Python's code calls that which equals everything.
    anything: Anything,
}

impl<'s> Context<'s> {
    pub fn new(language: Language, site: &'s Site, replaced: &'s SourceAssertion, place: &Place) -> Self {
        let original = replaced.places.iter().find_map(|assertion| match &assertion.matcher {
            Matcher::Equals(value) if assertion.place == *place => Some(value),
            _ => None,
        });
        let asserted = match replaced.places.as_slice() {
            [Assertion { matcher: Matcher::Equals(value), .. }] => Some(value),
            _ => None,
        };
        Self {
            language,
            site,
            original,
            whole: false,
            asserted,
            clock: true,
            held: &replaced.held,
            anything: Anything::default(),
        }
    }

    /// The same in a file where the modules that have the clock may not be had under their names.
    pub fn with_clock(mut self, clock: bool) -> Self {
        self.clock = clock;
        self
    }

    /// The same in a file that calls so what equals everything.
    pub fn with_anything(mut self, anything: Anything) -> Self {
        self.anything = anything;
        self
    }

    /// The type of the value that was asserted.
    fn original_type(&self) -> Matcher {
        self.original.map_or(Matcher::Present, |value| Matcher::Type(JsonType::of(value)))
    }

    /// Whether the number that was asserted was written with a fraction, as are integers of some clients.
    fn fractional(&self) -> bool {
        matches!(self.original, Some(Value::Number(number)) if number.is_f64())
    }

    /// Whether what is written in the place of the assertion may compare a value with the clock.
    fn reads_the_clock(&self) -> bool {
        self.clock && matches!(self.site.form, Form::Assert | Form::Unittest | Form::Expect)
    }

    /// Whether what is written in the place of the assertion may name variables of the test.
    fn reads_variables(&self) -> bool {
        matches!(self.site.form, Form::Assert | Form::Unittest | Form::Expect)
    }

    /// The code of a variable that holds a body, and the steps below it, by the name of what is meant in it.
    fn variable(&self, name: &str) -> Option<(&'s str, Vec<String>)> {
        self.held.iter().find_map(|held| {
            let below = name.strip_prefix(held.name.as_str()).filter(|below| below.starts_with('/'))?;
            Some((held.name.as_str(), pointer::steps(below)))
        })
    }

    /// Whether two assertions can speak of the value: it is held, or can be kept in a variable.
    fn may_be_read_twice(&self) -> bool {
        let is_kept = self.site.block.is_some() && matches!(self.site.place, Place::Body(_));
        !self.site.once || (is_kept && self.site.each.is_none())
    }

    /// The longest code that is known to lead towards a place in the body, and the steps that remain.
    fn towards(&self, place: &Place) -> Option<(&'s str, Vec<String>)> {
        let Place::Body(pointer) = place else { return None };
        if self.whole && *place == self.site.place {
            return Some((&self.site.subject, Vec::new()));
        }
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
    if site.form == Form::Expected && site.literal.is_some() {
        return true;
    }
    if site.each.is_some() {
        let context = Context::new(language, site, assertion, &site.place);
        return render(&context, &Assertion::new(site.place.clone(), Matcher::Unordered(Vec::new())))
            .is_some();
    }
    assertion.places.iter().all(|old| {
        let context = Context::new(language, site, assertion, &old.place);
        render(&context, &Assertion::new(old.place.clone(), Matcher::Type(JsonType::Array))).is_some()
    })
}

/// The code that asserts this; none when the framework cannot reach the place.
pub(crate) fn render(context: &Context<'_>, assertion: &Assertion) -> Option<Rendered> {
    let matcher = plain(&assertion.matcher, context);
    if let Matcher::Unordered(seen) = &matcher {
        if let Some(items) = written(context, &assertion.place, seen) {
            let whole = Context { whole: context.site.each.is_some(), ..*context };
            return dispatch(&whole, &assertion.place, &Matcher::Unordered(items));
        }
        if let Some(member) = member(context, &assertion.place) {
            return Some(member);
        }
    }
    let rendered = dispatch(context, &assertion.place, &matcher);
    // A body that is read in the assertion itself is not there for a second one.
    let again = context.site.once && rendered.as_ref().is_none_or(|rendered| rendered.code.len() > 1);
    if again { dispatch(context, &assertion.place, &context.original_type()) } else { rendered }
}

/// The items that the list is compared with, in the order in which they are written: of a whole list, the same items that were
/// seen; of a list of something of every item, whatever they are.
fn written(context: &Context<'_>, place: &Place, seen: &[Value]) -> Option<Vec<Value>> {
    let literal = context.site.literal.as_ref()?;
    let is_whole = *place == context.site.place;
    let list = if is_whole { literal } else { part(literal, place, &context.site.place, None)? };
    let Value::Array(items) = list.constant()? else { return None };
    let same = || items.len() == seen.len() && seen.iter().all(|item| items.contains(item));
    ((is_whole && context.site.each.is_some()) || same()).then_some(items)
}

/// What was said of one item of a list, said of any of them: the list has no order.
fn member(context: &Context<'_>, list: &Place) -> Option<Rendered> {
    let (Place::Body(inner), Place::Body(outer)) = (&context.site.place, list) else { return None };
    let steps = pointer::below(inner, outer).filter(|steps| !steps.is_empty())?;
    let value =
        context.asserted.filter(|_| context.site.literal.is_none() && pointer::is_index(&steps[0]))?;
    match context.site.form {
        Form::Assert | Form::Unittest => python::member(context, list, &steps[1..], value),
        Form::Expect => jest::member(context, list, &steps[1..], value),
        Form::Chained { quoted, .. } => jvm::member(context, list, &steps[1..], value, quoted),
        Form::AssertThat | Form::Expected => None,
    }
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
    let matcher = match plain(&assertion.matcher, context) {
        Matcher::Unordered(seen) => {
            Matcher::Unordered(written(context, &assertion.place, &seen).unwrap_or(seen))
        }
        matcher => matcher,
    };
    match context.site.form {
        Form::Expect => jest::in_literal(context, &assertion.place, &matcher),
        Form::Assert | Form::Unittest => python::in_literal(context, &assertion.place, &matcher),
        Form::Chained { .. } | Form::Expected | Form::AssertThat => None,
    }
}

/// A matcher with those that need a helper turned into the nearest that does not.
fn plain(matcher: &Matcher, context: &Context<'_>) -> Matcher {
    let pattern = |regex: &str, what: &str| Matcher::Pattern(Pattern::new(regex, what));
    match matcher {
        Matcher::Jwt(_) => pattern(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*", "a JSON web token"),
        Matcher::Recent(format) if recent::is_compared(context, *format) => matcher.clone(),
        Matcher::Recent(format) => recent::form(*format, context),
        Matcher::Variable(name) if context.variable(name).is_some() && context.reads_variables() => {
            matcher.clone()
        }
        Matcher::Variable(_) => context.original_type(),
        Matcher::Text(text) => match text.as_literal() {
            Some(literal) => Matcher::Equals(literal.into()),
            None => context.original_type(),
        },
        other => other.clone(),
    }
}

/// Whether all of these are scalars.
fn scalars(values: &[Value]) -> bool {
    values.iter().all(|value| !value.is_array() && !value.is_object())
}
