//! Fills in what is only known when a test runs.

use indexmap::IndexMap;
use serde_json::{Map, Value};
use steady_model::{Assertion, Matcher, Segment, Text};

use crate::{BindError, Variables};

/// Text with everything filled in.
pub(crate) fn text(text: &Text, variables: &Variables) -> Result<String, BindError> {
    text.segments().iter().map(|segment| value_of(segment, variables)).collect()
}

/// What a segment stands for.
pub(crate) fn value_of(segment: &Segment, variables: &Variables) -> Result<String, BindError> {
    match segment {
        Segment::Literal(literal) => Ok(literal.clone()),
        Segment::Variable { var } => {
            variables.text(var).ok_or_else(|| BindError::UnboundVariable { name: var.clone() })
        }
        Segment::Environment { env, encoded } => match variables.environment(env) {
            Some(secret) => Ok(encoded.apply(secret.reveal())),
            None => Err(BindError::UnsetEnvironment { name: env.clone() }),
        },
        Segment::Base { base, encoded } => match variables.base() {
            Some(known) => Ok(known.text(*base, *encoded)),
            None => Err(BindError::UnknownBase),
        },
    }
}

/// Puts texts into a JSON value, by pointer.
pub(crate) fn value(
    value: &mut Value,
    texts: &IndexMap<String, Text>,
    variables: &Variables,
) -> Result<(), BindError> {
    for (pointer, template) in texts {
        let filled = text(template, variables)?;
        let missing = || BindError::NoSuchPlace { pointer: pointer.clone(), name: template.to_string() };
        *value.pointer_mut(pointer).ok_or_else(missing)? = Value::String(filled);
    }
    Ok(())
}

/// The regular expression of a pattern; filled-in text is literal.
pub(crate) fn regex(pattern: &Text, variables: &Variables) -> Result<String, BindError> {
    let part = |segment: &Segment| match segment {
        Segment::Literal(regex) => Ok(regex.clone()),
        other => Ok(regex::escape(&value_of(other, variables)?)),
    };
    pattern.segments().iter().map(part).collect()
}

/// An assertion with everything filled in that it expects, patterns aside.
pub(crate) fn assertion(assertion: &Assertion, variables: &Variables) -> Result<Matcher, BindError> {
    let mut matcher = assertion.matcher.clone();
    let in_list = |items: &mut Vec<Value>| -> Result<(), BindError> {
        let mut list = Value::Array(std::mem::take(items));
        value(&mut list, &assertion.texts, variables)?;
        *items = list.as_array().cloned().unwrap_or_default();
        Ok(())
    };
    match &mut matcher {
        Matcher::Equals(expected) => value(expected, &assertion.texts, variables)?,
        Matcher::Unordered(items) | Matcher::OneOf(items) => in_list(items)?,
        Matcher::Jwt(jwt) => {
            let part = |fields: &mut Map<String, Value>| Value::Object(std::mem::take(fields));
            let mut token =
                serde_json::json!({"header": part(&mut jwt.header), "claims": part(&mut jwt.claims)});
            value(&mut token, &assertion.texts, variables)?;
            let fields = |name: &str| token[name].as_object().cloned().unwrap_or_default();
            (jwt.header, jwt.claims) = (fields("header"), fields("claims"));
        }
        _ => {}
    }
    Ok(matcher)
}
