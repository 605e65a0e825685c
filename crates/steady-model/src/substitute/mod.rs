//! Replaces values by what they stand for, everywhere in a suite.
//!
//! A [`Substitution`] knows what to look for; `find` knows where a value counts and how it is written there.

mod find;
#[cfg(test)]
mod tests;

use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::{
    Assertion, Base, BasePart, Body, Encoding, Identity, Matcher, Place, RequestTemplate, Segment, Suite,
    TestCase, Text,
};
use find::{Setting, is_at, split};

/// Headers whose value is a reference to something of the API.
const REFERENCES: [&str; 2] = ["location", "content-location"];

/// A value and the segment it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// The value.
    pub literal: String,
    /// What takes its place.
    pub segment: Segment,
    /// What may stand around it.
    pub boundary: Boundary,
}

/// What may stand around a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    /// Anything.
    Anywhere,
    /// Nothing that makes it a part of another host, port or URL: `h:80` is not in `h:8080`.
    Address,
    /// The beginning of a path: a text, a quoted word or an argument begins with it, and a whole segment ends with it.
    Path,
    /// Nothing before it, in a header that refers to something by its path. The value is empty: it is the path of an API whose base
    /// has none.
    Reference,
}

/// Replacements, to be made together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Substitution {
    /// The longest first.
    replacements: Vec<Replacement>,
}

impl Substitution {
    /// These replacements; of two that fit, the longer one is made. Empty values are left alone.
    pub fn new(replacements: impl IntoIterator<Item = Replacement>) -> Self {
        let fits = |replacement: &Replacement| {
            !replacement.literal.is_empty() || replacement.boundary == Boundary::Reference
        };
        let mut replacements: Vec<Replacement> = replacements.into_iter().filter(fits).collect();
        replacements.sort_by_key(|replacement| std::cmp::Reverse(replacement.literal.len()));
        Self { replacements }
    }

    /// The parts of an address that an API mentions, in the ways it may write them. A path alone counts where something begins
    /// with it, host and port only together; numbers and host names elsewhere are no address.
    pub fn of_base(base: &Base) -> Self {
        let anywhere = base.is_placeholder();
        let mut replacements = Vec::new();
        let mut add = |value: BasePart, part: BasePart, encoded: Encoding, boundary: Boundary| {
            replacements.push(Replacement {
                literal: base.text(value, encoded),
                segment: Segment::Base { base: part, encoded },
                boundary: if anywhere { Boundary::Anywhere } else { boundary },
            });
        };
        let path = base.text(BasePart::Path, Encoding::Plain);
        for encoded in [Encoding::Plain, Encoding::Percent, Encoding::Json] {
            add(BasePart::Url, BasePart::Url, encoded, Boundary::Address);
            if !path.is_empty() {
                add(BasePart::Origin, BasePart::Origin, encoded, Boundary::Address);
                add(BasePart::Path, BasePart::Path, encoded, Boundary::Path);
            }
            if anywhere || base.has_port() {
                add(BasePart::Authority, BasePart::Authority, encoded, Boundary::Address);
            }
        }
        if path.is_empty() {
            add(BasePart::Path, BasePart::Path, Encoding::Plain, Boundary::Reference);
        }
        // Of two ways that write a value alike, the first, which is the plainer one, is kept.
        let mut distinct: Vec<Replacement> = Vec::new();
        for replacement in replacements {
            if !distinct.iter().any(|known| known.literal == replacement.literal) {
                distinct.push(replacement);
            }
        }
        Self::new(distinct)
    }

    /// Replaces in all tests and identities of a suite.
    pub fn suite(&self, suite: &mut Suite) {
        suite.identities.iter_mut().for_each(|identity| self.identity(identity));
        suite.tests.iter_mut().for_each(|test| self.test(test));
    }

    /// Replaces in a test. Assertions about a place that is named after a value are removed.
    pub fn test(&self, test: &mut TestCase) {
        test.about = self.prose(&test.about);
        for call in test.calls.iter_mut().chain(&mut test.cleanup) {
            self.request(&mut call.request);
            self.expectations(&mut call.expect);
        }
    }

    /// Replaces in assertions, and removes those about a place that is named after a value.
    pub fn expectations(&self, expect: &mut Vec<Assertion>) {
        expect.retain_mut(|assertion| self.assertion(assertion));
    }

    /// Replaces in a text of an exchange.
    pub fn text(&self, text: &str) -> Text {
        Text::new(split(&self.replacements, text, Setting::Plain))
    }

    /// Replaces in the value of a header.
    pub fn header(&self, name: &str, value: &str) -> Text {
        Text::new(split(&self.replacements, value, setting_of(name)))
    }

    /// Replaces in text for people.
    pub fn prose(&self, text: &str) -> String {
        self.text(text).to_string()
    }

    /// Whether a text has one of the values.
    pub fn is_in(&self, text: &str) -> bool {
        self.replacements.iter().any(|replacement| is_at(replacement, text))
    }

    /// Replaces in the headers, the sign-up and the login of an identity.
    pub fn identity(&self, identity: &mut Identity) {
        identity.headers.iter_mut().for_each(|(name, value)| self.within(value, setting_of(name)));
        let sign_up = identity.sign_up.iter_mut().map(|sign_up| &mut sign_up.request);
        let login = identity.login.iter_mut().map(|login| &mut login.request);
        sign_up.chain(login).for_each(|request| self.request(request));
    }

    /// Replaces in a request.
    pub fn request(&self, request: &mut RequestTemplate) {
        self.target(&mut request.target);
        request.headers.iter_mut().for_each(|(_, value)| self.within(value, Setting::Plain));
        match &mut request.body {
            Some(Body::Json { value, texts, .. }) => {
                texts.values_mut().for_each(|text| self.within(text, Setting::Plain));
                self.value(value, &mut String::new(), texts);
            }
            Some(Body::Form(fields)) => {
                fields.iter_mut().for_each(|(_, value)| self.within(value, Setting::Plain));
            }
            Some(Body::Text { text, .. }) => self.within(text, Setting::Plain),
            Some(Body::Multipart(_) | Body::Bytes { .. }) | None => {}
        }
    }

    /// A full URL under the API's own address is a target like any other.
    fn target(&self, target: &mut Text) {
        let is_url = |replacement: &&Replacement| replacement.segment == Segment::base(BasePart::Url);
        if let [Segment::Literal(first), rest @ ..] = target.segments()
            && let Some(url) = self.replacements.iter().find(is_url)
            && let Some(path) = first.strip_prefix(&url.literal)
            && path.starts_with('/')
        {
            *target = Text::new([Segment::Literal(path.to_owned())].into_iter().chain(rest.iter().cloned()));
        }
        if !target.segments().first().is_some_and(is_full_url) {
            self.within(target, Setting::Target);
        }
    }

    /// Whether the assertion can be kept.
    fn assertion(&self, assertion: &mut Assertion) -> bool {
        let setting = match &assertion.place {
            Place::Header(name) => setting_of(name),
            Place::Body(pointer) if pointer.split('/').any(|token| self.names(&unescaped(token))) => {
                return false;
            }
            Place::Body(_) | Place::Status => Setting::Plain,
        };
        assertion.note = assertion.note.take().map(|note| self.prose(&note));
        let texts = &mut assertion.texts;
        texts.values_mut().for_each(|text| self.within(text, Setting::Plain));
        let mut pointer = String::new();
        match &mut assertion.matcher {
            Matcher::Equals(Value::String(expected)) if !texts.contains_key("") => {
                let text = Text::new(split(&self.replacements, expected, setting));
                if text.as_literal().is_none() {
                    assertion.matcher = Matcher::Text(text);
                }
                true
            }
            Matcher::Equals(value) => self.value(value, &mut pointer, texts),
            Matcher::Text(text) => {
                self.within(text, setting);
                true
            }
            Matcher::Unordered(items) | Matcher::OneOf(items) => {
                let mut indexed = items.iter_mut().enumerate();
                indexed.all(|(index, item)| self.value(item, &mut format!("/{index}"), texts))
            }
            Matcher::Jwt(jwt) => {
                let mut fields = |part: &str, fields: &mut Map<String, Value>| {
                    fields.iter_mut().all(|(name, value)| {
                        !self.names(name)
                            && self.value(value, &mut format!("/{part}/{}", escaped(name)), texts)
                    })
                };
                fields("header", &mut jwt.header) && fields("claims", &mut jwt.claims)
            }
            Matcher::Pattern(pattern) => {
                self.within(&mut pattern.regex, Setting::Regex);
                pattern.what = self.prose(&pattern.what);
                true
            }
            _ => true,
        }
    }

    /// Replaces in a JSON value: texts that are not the same in every run any more go to `texts`, what is left is a sample.
    /// False when a field is named after one of the values.
    fn value(&self, value: &mut Value, pointer: &mut String, texts: &mut IndexMap<String, Text>) -> bool {
        let length = pointer.len();
        match value {
            Value::String(sample) if !texts.contains_key(pointer.as_str()) => {
                let text = self.text(sample);
                if text.as_literal().is_none() {
                    *sample = text.to_string();
                    texts.insert(pointer.clone(), text);
                }
                true
            }
            Value::Array(items) => items.iter_mut().enumerate().all(|(index, item)| {
                pointer.push_str(&format!("/{index}"));
                let kept = self.value(item, pointer, texts);
                pointer.truncate(length);
                kept
            }),
            Value::Object(fields) => {
                let mut all = true;
                for (name, field) in fields {
                    pointer.push_str(&format!("/{}", escaped(name)));
                    all &= self.value(field, pointer, texts) && !self.names(name);
                    pointer.truncate(length);
                }
                all
            }
            _ => true,
        }
    }

    /// Whether a field's name has one of the values; a path alone may well be a name.
    fn names(&self, name: &str) -> bool {
        let is_name = |replacement: &&Replacement| {
            !matches!(replacement.boundary, Boundary::Path | Boundary::Reference)
        };
        self.replacements.iter().filter(is_name).any(|replacement| is_at(replacement, name))
    }

    /// Replaces in the literal parts of a text.
    fn within(&self, text: &mut Text, setting: Setting) {
        let mut at_start = true;
        let mut segments = Vec::new();
        for segment in text.segments() {
            match segment {
                // What begins later is no reference of its own.
                Segment::Literal(literal) => {
                    let setting =
                        if at_start || setting != Setting::Reference { setting } else { Setting::Plain };
                    segments.extend(split(&self.replacements, literal, setting));
                }
                other => segments.push(other.clone()),
            }
            at_start = false;
        }
        *text = Text::new(segments);
    }
}

fn setting_of(header: &str) -> Setting {
    if REFERENCES.contains(&header) { Setting::Reference } else { Setting::Plain }
}

fn is_full_url(segment: &Segment) -> bool {
    matches!(segment, Segment::Literal(text) if text.starts_with("http://") || text.starts_with("https://"))
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}
