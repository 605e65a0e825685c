//! The elements of a JUnit report that matter, while they are open.

use std::borrow::Cow;

use quick_xml::events::{BytesRef, BytesStart};

use crate::text::{self, MESSAGE_LIMIT};

/// A `<testsuite>`.
#[derive(Debug, Clone, Default)]
pub(super) struct Suite {
    pub(super) name: String,
    pub(super) file: String,
    pub(super) host: String,
}

impl Suite {
    pub(super) fn of(start: &BytesStart<'_>) -> Self {
        let mut suite = Self::default();
        each_attribute(start, |key, value| match key {
            "name" => suite.name = value.into_owned(),
            "file" => suite.file = value.into_owned(),
            "hostname" => suite.host = value.into_owned(),
            _ => {}
        });
        suite
    }
}

/// What a child of a `<testcase>` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutcomeElement {
    /// It failed, or broke off with an error.
    Failure,
    /// It was not run.
    Skipped,
    /// An earlier or later try failed.
    Retry,
}

/// A child of a `<testcase>` that reports an outcome.
#[derive(Debug)]
pub(super) struct Verdict {
    pub(super) kind: OutcomeElement,
    pub(super) seconds: Option<f64>,
    pub(super) headline: String,
    pub(super) body: String,
}

/// A `<testcase>` until its end.
#[derive(Debug, Default)]
pub(super) struct OpenCase {
    pub(super) name: String,
    pub(super) class: String,
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) seconds: Option<f64>,
    /// Whether an attribute says that it was not run.
    pub(super) not_run: bool,
    pub(super) verdicts: Vec<Verdict>,
    /// Elements open inside the case, and whether the text at each level belongs to the last verdict.
    inside: Vec<bool>,
}

impl OpenCase {
    pub(super) fn of(start: &BytesStart<'_>) -> Self {
        let mut case = Self::default();
        each_attribute(start, |key, value| match key {
            "name" => case.name = value.into_owned(),
            "classname" => case.class = value.into_owned(),
            "file" => case.file = value.into_owned(),
            "line" => case.line = value.parse().unwrap_or(0),
            "time" => case.seconds = seconds(&value),
            "status" => case.not_run = matches!(&*value, "notrun" | "disabled" | "skipped" | "ignored"),
            _ => {}
        });
        case
    }

    pub(super) fn begin(&mut self, start: &BytesStart<'_>) {
        let kind = match start.local_name().as_ref() {
            "failure" | "error" => OutcomeElement::Failure,
            "skipped" => OutcomeElement::Skipped,
            "rerunFailure" | "rerunError" | "flakyFailure" | "flakyError" => OutcomeElement::Retry,
            // Surefire wraps the text of a retry once more.
            "stackTrace" => return self.inside.push(self.inside.last().is_some_and(|reported| *reported)),
            _ => return self.inside.push(false),
        };
        // Inside `<system-out>` a test may print anything.
        if !self.inside.is_empty() {
            return self.inside.push(false);
        }
        let mut verdict = Verdict { kind, seconds: None, headline: String::new(), body: String::new() };
        each_attribute(start, |key, value| match key {
            "message" => verdict.headline = text::front(&value, MESSAGE_LIMIT * 8).to_owned(),
            "time" => verdict.seconds = seconds(&value),
            _ => {}
        });
        self.verdicts.push(verdict);
        self.inside.push(true);
    }

    pub(super) fn end(&mut self) {
        self.inside.pop();
    }

    pub(super) fn text(&mut self, content: &str) {
        if let (Some(true), Some(verdict)) = (self.inside.last(), self.verdicts.last_mut()) {
            let room = (MESSAGE_LIMIT * 8).saturating_sub(verdict.body.len());
            verdict.body.push_str(text::front(content, room));
        }
    }
}

/// Hands over every attribute that can be read.
pub(super) fn each_attribute(start: &BytesStart<'_>, mut take: impl FnMut(&str, Cow<'_, str>)) {
    for attribute in start.attributes().with_checks(false).flatten() {
        take(attribute.key.local_name().as_ref(), unescape(&attribute.value));
    }
}

/// One attribute, if it is there.
pub(super) fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let found =
        start.attributes().with_checks(false).flatten().find(|attribute| attribute.key.as_ref() == name)?;
    Some(unescape(&found.value).into_owned())
}

/// What a reference in the text stands for; one that XML does not define stays as it is written.
pub(super) fn entity(reference: &BytesRef<'_>) -> String {
    named(reference).map_or_else(|| format!("&{};", &**reference), String::from)
}

fn named(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code).filter(|character| *character != '\0')
        }
    }
}

fn unescape(raw: &str) -> Cow<'_, str> {
    if !raw.contains('&') {
        return Cow::Borrowed(raw);
    }
    let mut plain = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(';').filter(|end| *end < 12);
        match end.and_then(|end| Some((named(&rest[1..end])?, end))) {
            Some((character, end)) => {
                plain.push(character);
                rest = &rest[end + 1..];
            }
            None => {
                plain.push('&');
                rest = &rest[1..];
            }
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// Seconds, also with separators of thousands as older Surefire writes them (`1,234.5`).
fn seconds(value: &str) -> Option<f64> {
    value.trim().parse().or_else(|_| value.replace(',', "").trim().parse()).ok()
}
