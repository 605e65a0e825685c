//! Text in which some parts are only known when a test runs.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Base, BasePart, Encoding};

/// One part of a [`Text`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Segment {
    /// Stands as it is.
    Literal(String),
    /// The value of a test's variable: captured from an earlier response, or fresh in every run.
    Variable {
        /// The variable's name.
        var: String,
    },
    /// An environment variable; how secrets stay out of suites.
    Environment {
        /// The environment variable's name.
        env: String,
        /// How its value is written here.
        #[serde(default, skip_serializing_if = "Encoding::is_plain")]
        encoded: Encoding,
    },
    /// A part of the address the API is reached at, whatever that is when the test runs.
    Base {
        /// Which part.
        base: BasePart,
        /// How it is written here.
        #[serde(default, skip_serializing_if = "Encoding::is_plain")]
        encoded: Encoding,
    },
}

impl Segment {
    /// An environment variable, written as it is.
    pub fn environment(name: impl Into<String>) -> Self {
        Self::Environment { env: name.into(), encoded: Encoding::Plain }
    }

    /// A part of the API's address, written as it is.
    pub fn base(part: BasePart) -> Self {
        Self::Base { base: part, encoded: Encoding::Plain }
    }

    /// The same, written another way; text that stands as it is and variables of a test stay as they are.
    pub fn encoded(self, encoded: Encoding) -> Self {
        match self {
            Self::Environment { env, .. } => Self::Environment { env, encoded },
            Self::Base { base, .. } => Self::Base { base, encoded },
            other @ (Self::Literal(_) | Self::Variable { .. }) => other,
        }
    }
}

/// For people: `{base url}`, `{id}`, `{API_KEY}`.
impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(text) => f.write_str(text),
            Self::Variable { var: name } | Self::Environment { env: name, .. } => write!(f, "{{{name}}}"),
            Self::Base { base, .. } => write!(f, "{{base {base}}}"),
        }
    }
}

/// A string with variables. In JSON: a plain string when it has none, else the list of its segments.
///
/// A list rather than a marked-up string: what an API says may look like any mark-up.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Wire", into = "Wire")]
pub struct Text(Vec<Segment>);

impl Text {
    /// Text of these segments; neighbouring literals become one.
    pub fn new(segments: impl IntoIterator<Item = Segment>) -> Self {
        let mut text = Self::default();
        for segment in segments {
            text.push(segment);
        }
        text
    }

    /// Text that is a single variable.
    pub fn variable(name: impl Into<String>) -> Self {
        Self(vec![Segment::Variable { var: name.into() }])
    }

    /// Text that is a single environment variable.
    pub fn environment(name: impl Into<String>) -> Self {
        Self(vec![Segment::environment(name)])
    }

    /// Appends a segment.
    pub fn push(&mut self, segment: Segment) {
        match (self.0.last_mut(), segment) {
            (_, Segment::Literal(more)) if more.is_empty() => {}
            (Some(Segment::Literal(last)), Segment::Literal(more)) => last.push_str(&more),
            (_, segment) => self.0.push(segment),
        }
    }

    /// The parts, in order.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// The string, when no part is variable.
    pub fn as_literal(&self) -> Option<&str> {
        match self.0.as_slice() {
            [] => Some(""),
            [Segment::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The text with an address filled in.
    #[must_use]
    pub fn at(&self, address: &Base) -> Self {
        Self::new(self.0.iter().map(|segment| match segment {
            Segment::Base { base, encoded } => Segment::Literal(address.text(*base, *encoded)),
            other => other.clone(),
        }))
    }

    /// The names of the variables used.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|segment| match segment {
            Segment::Variable { var } => Some(var.as_str()),
            Segment::Literal(_) | Segment::Environment { .. } | Segment::Base { .. } => None,
        })
    }

    /// The names of the environment variables used.
    pub fn environment_variables(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|segment| match segment {
            Segment::Environment { env, .. } => Some(env.as_str()),
            Segment::Literal(_) | Segment::Variable { .. } | Segment::Base { .. } => None,
        })
    }
}

/// For people, with the names of what is only known when a test runs in braces.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|segment| segment.fmt(f))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::new([Segment::Literal(text.to_owned())])
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::new([Segment::Literal(text)])
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Wire {
    Plain(String),
    Segments(Vec<Segment>),
}

impl From<Wire> for Text {
    fn from(wire: Wire) -> Self {
        match wire {
            Wire::Plain(text) => text.into(),
            Wire::Segments(segments) => Self::new(segments),
        }
    }
}

impl From<Text> for Wire {
    fn from(text: Text) -> Self {
        match text.as_literal() {
            Some(literal) => Self::Plain(literal.to_owned()),
            None => Self::Segments(text.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_a_json_string_and_variables_are_segments() {
        let text: Text = serde_json::from_str(r#"["/a/", "b/", {"var": "id"}]"#).unwrap();
        assert_eq!(text.segments().len(), 2);
        assert_eq!(serde_json::to_string(&text).unwrap(), r#"["/a/b/",{"var":"id"}]"#);
        assert_eq!(serde_json::to_string(&Text::from("/a")).unwrap(), r#""/a""#);
    }

    #[test]
    fn the_base_and_an_encoding_are_written_by_name() {
        let json = r#"[{"base":"url"},"/a?next=",{"base":"origin","encoded":"percent"},{"env":"KEY","encoded":"base64"}]"#;
        let text: Text = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&text).unwrap(), json);
        assert_eq!(text.to_string(), "{base url}/a?next={base origin}{KEY}");
        for broken in [
            r#"[{"base":"host"}]"#,
            r#"[{"base":"url","encoded":"rot13"}]"#,
            r#"[{"var":"a","encoded":"json"}]"#,
        ] {
            assert!(serde_json::from_str::<Text>(broken).is_err(), "{broken}");
        }
    }
}
