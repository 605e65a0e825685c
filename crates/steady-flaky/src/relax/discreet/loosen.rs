//! Assertions that would show a secret say less.

use serde_json::{Map, Value};
use steady_model::{Assertion, Found, JsonType, Matcher, Pattern, Place, Secrets, Segment, Text};

use super::super::{shape, token};

/// Why an assertion is not stronger.
const NOTE: &str = "a secret stands here";

/// The assertion without secrets; nothing when its very place is named after one.
pub(super) fn loosen(mut assertion: Assertion, status: u16, secrets: &Secrets) -> Option<Assertion> {
    let loosener = Loosener { secrets, status, place: assertion.place.clone() };
    if !secrets.find(&assertion.place.to_string()).is_empty() {
        return None;
    }
    if let Some(note) = &mut assertion.note {
        secrets.mask_in(note);
    }
    if let Matcher::Pattern(pattern) = &mut assertion.matcher {
        secrets.mask_in(&mut pattern.what);
    }
    let shows = assertion.texts.values().any(|text| loosener.shows_text(text));
    let loose = if shows { Some(loosener.anything()) } else { loosener.loose(&mut assertion) };
    if let Some(matcher) = loose {
        assertion.matcher = matcher;
        assertion.texts.clear();
        assertion.note.get_or_insert_with(|| NOTE.to_owned());
    }
    Some(assertion)
}

struct Loosener<'a> {
    secrets: &'a Secrets,
    status: u16,
    place: Place,
}

impl Loosener<'_> {
    /// What is left to say when the matcher shows a secret.
    fn loose(&self, assertion: &mut Assertion) -> Option<Matcher> {
        match &mut assertion.matcher {
            Matcher::Equals(Value::String(text)) => {
                let found = self.found(text);
                (!found.is_empty()).then(|| self.around(text, &found))
            }
            Matcher::Equals(value) => {
                self.shows(&self.place, value).then(|| Matcher::Type(JsonType::of(value)))
            }
            Matcher::Text(text) => self.shows_text(text).then(|| self.around_segments(text)),
            Matcher::Unordered(items) => self.shows_any(items).then(|| Matcher::Size(items.len())),
            Matcher::OneOf(values) => self.shows_any(values).then(|| self.anything()),
            Matcher::Jwt(jwt) => {
                let mut removed = Vec::new();
                for (part, fields) in [("header", &mut jwt.header), ("claims", &mut jwt.claims)] {
                    self.retain(part, fields, &mut removed);
                }
                assertion.texts.retain(|pointer, _| !removed.iter().any(|gone| pointer.starts_with(gone)));
                None
            }
            Matcher::Pattern(pattern) => self.shows_regex(&pattern.regex).then(|| self.anything()),
            Matcher::MediaType(text) => (!self.secrets.find(text).is_empty()).then_some(Matcher::Present),
            _ => None,
        }
    }

    /// That something is there, whatever it is.
    fn anything(&self) -> Matcher {
        match self.place {
            Place::Body(_) => Matcher::Type(JsonType::String),
            Place::Header(_) | Place::Status => Matcher::Present,
        }
    }

    /// The secrets in a text at the place, by value and by place.
    fn found(&self, text: &str) -> Vec<Found> {
        let mut found = self.secrets.find(text);
        found.extend(self.secrets.at_place(&self.place, text, self.status));
        found.sort_by_key(|one| (one.range.start, std::cmp::Reverse(one.range.end)));
        let mut apart: Vec<Found> = Vec::with_capacity(found.len());
        for next in found {
            match apart.last_mut() {
                Some(last) if next.range.start < last.range.end => {
                    last.range.end = last.range.end.max(next.range.end);
                }
                _ => apart.push(next),
            }
        }
        apart
    }

    /// What stands around the secrets of a text.
    fn around(&self, text: &str, found: &[Found]) -> Matcher {
        if let [only] = found
            && only.range == (0..text.len())
        {
            return token::common(&[text]).map_or_else(
                || self.anything(),
                |mut jwt| {
                    self.retain("header", &mut jwt.header, &mut Vec::new());
                    self.retain("claims", &mut jwt.claims, &mut Vec::new());
                    Matcher::Jwt(jwt)
                },
            );
        }
        let mut outline = Outline::default();
        outline.literal(text, found);
        outline.pattern()
    }

    fn around_segments(&self, text: &Text) -> Matcher {
        let mut outline = Outline::default();
        for segment in text.segments() {
            match segment {
                Segment::Literal(literal) => outline.literal(literal, &self.secrets.find(literal)),
                other => outline.segment(other),
            }
        }
        outline.pattern()
    }

    fn shows_text(&self, text: &Text) -> bool {
        text.segments().iter().any(|segment| match segment {
            Segment::Literal(literal) => !self.secrets.find(literal).is_empty(),
            _ => false,
        })
    }

    /// The literal parts of an expression with what escapes them taken away.
    fn shows_regex(&self, regex: &Text) -> bool {
        regex.segments().iter().any(|segment| match segment {
            Segment::Literal(literal) => {
                !self.secrets.find(&literal.replace('\\', "")).is_empty()
                    || !self.secrets.find(literal).is_empty()
            }
            _ => false,
        })
    }

    fn shows_any(&self, items: &[Value]) -> bool {
        items
            .iter()
            .enumerate()
            .any(|(index, item)| self.shows(&below(&self.place, &index.to_string()), item))
    }

    /// Whether a value at a place shows a secret, in its fields' names as well.
    fn shows(&self, place: &Place, value: &Value) -> bool {
        match value {
            Value::String(text) => {
                !self.secrets.find(text).is_empty()
                    || !self.secrets.at_place(place, text, self.status).is_empty()
            }
            Value::Array(items) => {
                let mut indexed = items.iter().enumerate();
                indexed.any(|(index, item)| self.shows(&below(place, &index.to_string()), item))
            }
            Value::Object(members) => members.iter().any(|(name, value)| {
                !self.secrets.find(name).is_empty() || self.shows(&below(place, name), value)
            }),
            Value::Number(number) => !self.secrets.find(&number.to_string()).is_empty(),
            Value::Null | Value::Bool(_) => false,
        }
    }

    fn retain(&self, part: &str, fields: &mut Map<String, Value>, removed: &mut Vec<String>) {
        fields.retain(|name, value| {
            let shows = !self.secrets.find(name).is_empty()
                || self.shows(&Place::Body(format!("/{}", escaped(name))), value);
            if shows {
                removed.push(format!("/{part}/{}", escaped(name)));
            }
            !shows
        });
    }
}

/// A pattern, as it grows.
#[derive(Default)]
struct Outline {
    regex: Vec<Segment>,
    what: String,
}

impl Outline {
    fn literal(&mut self, text: &str, found: &[Found]) {
        let mut from = 0;
        for Found { range, .. } in found {
            self.plain(&text[from..range.start]);
            self.regex.push(Segment::Literal(shape::SOMETHING.to_owned()));
            self.what.push_str("{…}");
            from = range.end;
        }
        self.plain(&text[from..]);
    }

    fn plain(&mut self, text: &str) {
        self.regex.push(Segment::Literal(shape::escaped(text)));
        self.what.push_str(text);
    }

    fn segment(&mut self, segment: &Segment) {
        self.regex.push(segment.clone());
        self.what.push_str(&segment.to_string());
    }

    fn pattern(self) -> Matcher {
        Matcher::Pattern(Pattern { regex: Text::new(self.regex), what: format!("text like `{}`", self.what) })
    }
}

fn below(place: &Place, token: &str) -> Place {
    match place {
        Place::Body(pointer) => Place::Body(format!("{pointer}/{}", escaped(token))),
        other => other.clone(),
    }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
