//! Requests with their variables resolved.

use indexmap::IndexMap;
use serde_json::{Number, Value};
use steady_model::{BasePart, Body, Encoding, Method, Part, Payload, RequestTemplate, Segment, Text};

use super::scope::Scope;
use super::{EmitError, Variable};

/// A request of a test.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) method: Method,
    /// Path and query, or a full URL; values of variables are percent-encoded when put in.
    pub(crate) target: Template<'a>,
    /// Who makes it.
    pub(crate) identity: Option<&'a str>,
    pub(crate) headers: Vec<(&'a str, Template<'a>)>,
    pub(crate) content: Option<Content<'a>>,
}

/// What a request carries.
#[derive(Debug)]
pub(crate) enum Content<'a> {
    Json(Json<'a>),
    Form(Vec<(&'a str, Template<'a>)>),
    Multipart(&'a [Part]),
    Text { content_type: &'a str, text: Template<'a> },
    Bytes { content_type: &'a str, payload: &'a Payload },
}

/// Text whose variables are resolved.
#[derive(Debug, Clone)]
pub(crate) struct Template<'a>(Vec<Piece<'a>>);

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    Literal(&'a str),
    Variable(Variable),
    /// An environment variable, and how its value is written.
    Environment(&'a str, Encoding),
    /// A part of the API's address, and how it is written.
    Base(BasePart, Encoding),
}

/// The context of a template, which decides how its values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setting {
    /// They stand as they are.
    Text,
    /// In a URL: they are percent-encoded.
    Target,
    /// In a regular expression: each of their characters means itself.
    Regex,
}

/// A JSON value in which variables may stand.
#[derive(Debug)]
pub(crate) enum Json<'a> {
    Null,
    Boolean(bool),
    Number(&'a Number),
    String(&'a str),
    Array(Vec<Json<'a>>),
    Object(Vec<(&'a str, Json<'a>)>),
    /// A variable, and the value that stood there when the suite was made.
    Variable(Variable, &'a Value),
    /// Text that is only known when the test runs.
    Text(Template<'a>),
}

/// What takes the place of a value in a JSON text.
#[derive(Debug)]
pub(crate) enum Filling<'j, 'a> {
    Variable(&'j Variable),
    Text(&'j Template<'a>),
}

impl<'a> Request<'a> {
    pub(crate) fn of(
        request: &'a RequestTemplate,
        identity: Option<&'a str>,
        scope: &Scope<'a>,
    ) -> Result<Self, EmitError> {
        Ok(Self {
            method: request.method,
            target: Template::of(&request.target, scope)?,
            identity,
            headers: pairs(&request.headers, scope)?,
            content: request.body.as_ref().map(|body| Content::of(body, scope)).transpose()?,
        })
    }

    /// All templates in it.
    pub(crate) fn templates(&self) -> impl Iterator<Item = &Template<'a>> {
        let content: Vec<&Template<'a>> = match &self.content {
            Some(Content::Form(fields)) => fields.iter().map(|(_, value)| value).collect(),
            Some(Content::Text { text, .. }) => vec![text],
            Some(Content::Json(json)) => json.templates(),
            Some(Content::Multipart(_) | Content::Bytes { .. }) | None => vec![],
        };
        std::iter::once(&self.target).chain(self.headers.iter().map(|(_, value)| value)).chain(content)
    }
}

pub(super) fn pairs<'a>(
    pairs: &'a [(String, Text)],
    scope: &Scope<'a>,
) -> Result<Vec<(&'a str, Template<'a>)>, EmitError> {
    pairs.iter().map(|(name, value)| Ok((name.as_str(), Template::of(value, scope)?))).collect()
}

impl<'a> Content<'a> {
    fn of(body: &'a Body, scope: &Scope<'a>) -> Result<Self, EmitError> {
        Ok(match body {
            Body::Json { value, bind, texts } => {
                let mut json = bound(value, bind, scope)?;
                json.fill(texts, scope)?;
                Self::Json(json)
            }
            Body::Form(fields) => Self::Form(pairs(fields, scope)?),
            Body::Multipart(parts) => Self::Multipart(parts),
            Body::Text { content_type, text } => {
                Self::Text { content_type, text: Template::of(text, scope)? }
            }
            Body::Bytes { content_type, payload } => Self::Bytes { content_type, payload },
        })
    }
}

fn bound<'a>(
    value: &'a Value,
    bind: &'a IndexMap<String, String>,
    scope: &Scope<'a>,
) -> Result<Json<'a>, EmitError> {
    let mut json = Json::of(value);
    for (pointer, name) in bind {
        let variable = scope.find(name)?;
        let (place, sample) = json
            .at_mut(pointer)
            .zip(value.pointer(pointer))
            .ok_or_else(|| EmitError::BindsNothing { place: scope.place(), pointer: pointer.clone() })?;
        *place = Json::Variable(variable, sample);
    }
    Ok(json)
}

impl<'a> Template<'a> {
    pub(crate) fn of(text: &'a Text, scope: &Scope<'a>) -> Result<Self, EmitError> {
        let piece = |segment: &'a Segment| {
            Ok(match segment {
                Segment::Literal(literal) => Piece::Literal(literal),
                Segment::Variable { var } => Piece::Variable(scope.find(var)?),
                Segment::Environment { env, encoded } => Piece::Environment(env, *encoded),
                Segment::Base { base, encoded } => Piece::Base(*base, *encoded),
            })
        };
        Ok(Self(text.segments().iter().map(piece).collect::<Result<_, _>>()?))
    }

    /// Text of these pieces.
    pub(crate) fn new(pieces: Vec<Piece<'a>>) -> Self {
        Self(pieces)
    }

    /// The parts, in order.
    pub(crate) fn pieces(&self) -> &[Piece<'a>] {
        &self.0
    }

    /// The string, when no part is variable.
    pub(crate) fn as_literal(&self) -> Option<&'a str> {
        match self.0.as_slice() {
            [] => Some(""),
            [Piece::Literal(text)] => Some(text),
            _ => None,
        }
    }
}

impl<'a> Json<'a> {
    /// A value without variables.
    pub(crate) fn of(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Boolean(*value),
            Value::Number(number) => Self::Number(number),
            Value::String(text) => Self::String(text),
            Value::Array(items) => Self::Array(items.iter().map(Self::of).collect()),
            Value::Object(fields) => {
                Self::Object(fields.iter().map(|(name, value)| (name.as_str(), Self::of(value))).collect())
            }
        }
    }

    /// Puts texts that are only known when the test runs into it, by JSON pointer.
    pub(super) fn fill(
        &mut self,
        texts: &'a IndexMap<String, Text>,
        scope: &Scope<'a>,
    ) -> Result<(), EmitError> {
        for (pointer, text) in texts {
            let missing = || EmitError::BindsNothing { place: scope.place(), pointer: pointer.clone() };
            *self.at_mut(pointer).ok_or_else(missing)? = Self::Text(Template::of(text, scope)?);
        }
        Ok(())
    }

    /// The templates in it.
    pub(crate) fn templates(&self) -> Vec<&Template<'a>> {
        match self {
            Self::Array(items) => items.iter().flat_map(Self::templates).collect(),
            Self::Object(fields) => fields.iter().flat_map(|(_, value)| value.templates()).collect(),
            Self::Text(text) => vec![text],
            _ => vec![],
        }
    }

    /// The value as it was when the suite was made, and what takes the place of something in it, by JSON pointer.
    pub(crate) fn sample(&self) -> (Value, Vec<(String, Filling<'_, 'a>)>) {
        let mut filled = Vec::new();
        let value = self.sampled("", &mut filled);
        (value, filled)
    }

    fn sampled<'j>(&'j self, at: &str, filled: &mut Vec<(String, Filling<'j, 'a>)>) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Boolean(value) => Value::Bool(*value),
            Self::Number(number) => Value::Number((*number).clone()),
            Self::String(text) => Value::from(*text),
            Self::Array(items) => {
                let items = items.iter().enumerate();
                items.map(|(index, item)| item.sampled(&format!("{at}/{index}"), filled)).collect()
            }
            Self::Object(fields) => {
                let field = |(name, value): &'j (&'a str, Self)| {
                    let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
                    ((*name).to_owned(), value.sampled(&at, filled))
                };
                Value::Object(fields.iter().map(field).collect())
            }
            Self::Variable(variable, sample) => {
                filled.push((at.to_owned(), Filling::Variable(variable)));
                (*sample).clone()
            }
            Self::Text(text) => {
                filled.push((at.to_owned(), Filling::Text(text)));
                Value::String(String::new())
            }
        }
    }

    /// How many values there are in it, itself included.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Array(items) => 1 + items.iter().map(Self::count).sum::<usize>(),
            Self::Object(fields) => 1 + fields.iter().map(|(_, value)| value.count()).sum::<usize>(),
            _ => 1,
        }
    }

    fn at_mut(&mut self, pointer: &str) -> Option<&mut Self> {
        pointer.split('/').skip(1).try_fold(self, |json, token| match json {
            Self::Array(items) => items.get_mut(token.parse::<usize>().ok()?),
            Self::Object(fields) => {
                let name = token.replace("~1", "/").replace("~0", "~");
                fields.iter_mut().find(|(key, _)| *key == name).map(|(_, value)| value)
            }
            _ => None,
        })
    }
}
