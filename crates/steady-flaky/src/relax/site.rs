//! A place and its values every time a call was made.

use std::borrow::Cow;

use serde_json::Value;
use steady_model::{Assertion, Matcher, Place};
use steady_suite::look_up;

use super::handler::holds;
use super::{Subject, captured, documented, kind, pattern, recent, relation, token, unordered};
use crate::compare::{Kind, Variation};
use crate::infer::{Context, Family};

/// A place whose assertion is to be relaxed.
pub(super) struct Site<'a> {
    pub place: &'a Place,
    pub subject: &'a Subject<'a>,
    /// The value each time, in the order of [`Subject::seen`]; none where there was none.
    pub values: Vec<Option<Cow<'a, Value>>>,
}

/// A form: what could be said of a site.
type Form = fn(&Site<'_>, &[Family]) -> Option<Vec<Matcher>>;

/// The strongest first. Relations and what follows are proposals: only what is true of everything seen is taken.
const FORMS: [Form; 8] = [
    captured::variable,
    captured::text,
    relation::form,
    unordered::form,
    documented::form,
    token::form,
    pattern::form,
    kind::form,
];

impl<'a> Site<'a> {
    pub fn new(place: &'a Place, subject: &'a Subject<'a>) -> Self {
        let values =
            subject.seen.iter().map(|seen| look_up(place, &seen.response, seen.document())).collect();
        Self { place, subject, values }
    }

    /// What is known around its values.
    pub fn context(&self) -> Context {
        Context::at(self.place, self.subject.now).owning(self.subject.own)
    }

    pub fn sample(&self) -> Option<&Value> {
        self.values.first()?.as_deref()
    }

    /// The values, when there was one every time.
    pub fn all(&self) -> Option<Vec<&Value>> {
        self.values.iter().map(Option::as_deref).collect()
    }

    /// The values, when there was text every time.
    pub fn texts(&self) -> Option<Vec<&str>> {
        self.all()?.into_iter().map(Value::as_str).collect()
    }

    /// How many different values there were.
    pub fn distinct(&self) -> usize {
        let mut distinct: Vec<&Value> = Vec::new();
        for value in self.values.iter().flatten() {
            if !distinct.iter().any(|known| *known == value.as_ref()) {
                distinct.push(value);
            }
        }
        distinct.len()
    }

    /// The values as a variation, for people and for classification.
    pub fn variation(&self, kind: Kind) -> Variation {
        let values = self.values.iter().flatten().map(|value| value.clone().into_owned());
        Variation::new(self.place.clone(), kind, values)
    }

    /// The same, beginning with what was expected: it was seen when the test was written.
    pub fn variation_from(&self, kind: Kind, expected: &Value) -> Variation {
        let values = self.values.iter().flatten().map(|value| value.clone().into_owned());
        Variation::new(self.place.clone(), kind, std::iter::once(expected.clone()).chain(values))
    }

    /// Whether there was the same value, or none, each time.
    pub fn is_the_same_every_time(&self) -> bool {
        self.distinct() == usize::from(self.values.iter().all(Option::is_some))
    }

    /// The strongest that is true of everything seen; `suspected` families count as varying even where they did not.
    pub fn descend(&self, suspected: &[Family]) -> Option<Vec<Matcher>> {
        FORMS.iter().find_map(|form| {
            let mut matchers = form(self, suspected).filter(|matchers| self.are_true(matchers))?;
            if matches!(matchers.first(), Some(Matcher::Pattern(_) | Matcher::Type(_) | Matcher::Range(_))) {
                matchers.extend(recent::besides(self));
            }
            Some(matchers)
        })
    }

    fn are_true(&self, matchers: &[Matcher]) -> bool {
        let holds_always = |matcher: &Matcher| {
            let assertion = Assertion::new(self.place.clone(), matcher.clone());
            self.subject.seen.iter().all(|seen| holds(&assertion, seen))
        };
        matchers.iter().all(holds_always)
    }
}
