//! Text in which some parts are only known when a test runs.

use serde::{Deserialize, Serialize};

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
    },
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
        Self(vec![Segment::Environment { env: name.into() }])
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

    /// The names of the variables used.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|segment| match segment {
            Segment::Variable { var } => Some(var.as_str()),
            Segment::Literal(_) | Segment::Environment { .. } => None,
        })
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
}
