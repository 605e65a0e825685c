//! Parameter values as text, by style and explode (OpenAPI 3.1 section 4.8.12.3).

use serde_json::Value;
use steady_model::percent;
use steady_openapi::{Location, Parameter, Style};

/// RFC 3986's reserved characters less those that would end a query component.
const RESERVED: &[u8] = b":/?@!$'()*,;[]";

/// A scalar as it is written; structures inside a parameter are written as JSON.
pub fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "null".to_owned(),
        other => other.to_string(),
    }
}

/// A path parameter's text, encoded.
pub fn path(parameter: &Parameter, value: &Value) -> String {
    let mut out = String::new();
    let name = &parameter.name;
    match (parameter.style, value) {
        (_, value) if parameter.content_type.is_some() => out.push_str(&percent::encode(&value.to_string())),
        (Style::Label, value) => {
            out.push('.');
            join(value, parameter.explode, if parameter.explode { "." } else { "," }, &mut out);
        }
        (Style::Matrix, Value::Array(items)) if parameter.explode => {
            for item in items {
                out.push_str(&format!(";{name}="));
                out.push_str(&percent::encode(&scalar(item)));
            }
        }
        (Style::Matrix, Value::Object(_)) if parameter.explode => {
            out.push(';');
            join(value, true, ";", &mut out);
        }
        (Style::Matrix, value) => {
            out.push_str(&format!(";{name}="));
            join(value, false, ",", &mut out);
        }
        (_, value) => join(value, parameter.explode, ",", &mut out),
    }
    out
}

/// A query parameter's pairs, names and values encoded.
pub fn query(parameter: &Parameter, value: &Value) -> Vec<(String, String)> {
    let encoded = |text: &str| {
        let mut out = String::new();
        let keep = if parameter.allow_reserved { RESERVED } else { b"" };
        percent::encode_except(text, keep, &mut out);
        out
    };
    let name = encoded_name(&parameter.name);
    if parameter.content_type.is_some() {
        return vec![(name, encoded(&value.to_string()))];
    }
    match value {
        Value::Array(items) if parameter.explode && parameter.style != Style::DeepObject => {
            items.iter().map(|item| (name.clone(), encoded(&scalar(item)))).collect()
        }
        Value::Array(items) => {
            let separator = separator(parameter.style);
            let joined: Vec<String> = items.iter().map(|item| encoded(&scalar(item))).collect();
            vec![(name, joined.join(separator))]
        }
        Value::Object(fields) if parameter.style == Style::DeepObject => fields
            .iter()
            .map(|(field, value)| (format!("{name}%5B{}%5D", encoded_name(field)), encoded(&scalar(value))))
            .collect(),
        Value::Object(fields) if parameter.explode => {
            fields.iter().map(|(field, value)| (encoded_name(field), encoded(&scalar(value)))).collect()
        }
        Value::Object(_) => {
            let mut out = String::new();
            join(value, false, separator(parameter.style), &mut out);
            vec![(name, out)]
        }
        value => vec![(name, encoded(&scalar(value)))],
    }
}

/// A header or cookie parameter's text, made fit for the wire.
pub fn header(parameter: &Parameter, value: &Value) -> String {
    let text = match value {
        value if parameter.content_type.is_some() => value.to_string(),
        Value::Array(items) => items.iter().map(scalar).collect::<Vec<_>>().join(","),
        Value::Object(fields) => {
            let equals = if parameter.explode { "=" } else { "," };
            fields
                .iter()
                .map(|(name, value)| format!("{name}{equals}{}", scalar(value)))
                .collect::<Vec<_>>()
                .join(",")
        }
        value => scalar(value),
    };
    let allowed = |character: &char| match parameter.location {
        Location::Cookie => character.is_ascii_graphic() && !matches!(character, ';' | ',' | '"' | '\\'),
        _ => *character == ' ' || character.is_ascii_graphic(),
    };
    text.chars().filter(allowed).collect::<String>().trim().to_owned()
}

/// A name in a query; brackets stay readable, as APIs document them.
pub fn encoded_name(name: &str) -> String {
    let mut out = String::new();
    percent::encode_except(name, b"[]$:@/", &mut out);
    out
}

fn separator(style: Style) -> &'static str {
    match style {
        Style::SpaceDelimited => "%20",
        Style::PipeDelimited => "%7C",
        Style::TabDelimited => "%09",
        _ => ",",
    }
}

fn join(value: &Value, explode: bool, separator: &str, out: &mut String) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(separator);
                }
                out.push_str(&percent::encode(&scalar(item)));
            }
        }
        Value::Object(fields) => {
            for (index, (name, value)) in fields.iter().enumerate() {
                if index > 0 {
                    out.push_str(separator);
                }
                out.push_str(&percent::encode(name));
                out.push_str(if explode { "=" } else { separator });
                out.push_str(&percent::encode(&scalar(value)));
            }
        }
        value => out.push_str(&percent::encode(&scalar(value))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use steady_openapi::Schema;

    fn parameter(location: Location, style: Style, explode: bool) -> Parameter {
        Parameter {
            name: "color".to_owned(),
            location,
            required: true,
            schema: Schema(std::sync::Arc::new(json!({}))),
            style,
            explode,
            allow_reserved: false,
            content_type: None,
            examples: Vec::new(),
        }
    }

    /// The table of style examples in OpenAPI 3.1 section 4.8.12.4.
    #[test]
    fn styles_are_written_as_the_specification_shows() {
        let array = json!(["blue", "black"]);
        let object = json!({"R": 100, "G": 200});
        let text = json!("blue");
        for (style, explode, value, expected) in [
            (Style::Matrix, false, &text, ";color=blue"),
            (Style::Matrix, false, &array, ";color=blue,black"),
            (Style::Matrix, true, &array, ";color=blue;color=black"),
            (Style::Matrix, false, &object, ";color=R,100,G,200"),
            (Style::Matrix, true, &object, ";R=100;G=200"),
            (Style::Label, false, &text, ".blue"),
            (Style::Label, true, &array, ".blue.black"),
            (Style::Label, true, &object, ".R=100.G=200"),
            (Style::Simple, false, &array, "blue,black"),
            (Style::Simple, false, &object, "R,100,G,200"),
            (Style::Simple, true, &object, "R=100,G=200"),
        ] {
            assert_eq!(
                path(&parameter(Location::Path, style, explode), value),
                expected,
                "{style:?} {explode}"
            );
        }
        for (style, explode, value, expected) in [
            (Style::Form, false, &array, "color=blue,black"),
            (Style::Form, true, &array, "color=blue&color=black"),
            (Style::Form, false, &object, "color=R,100,G,200"),
            (Style::Form, true, &object, "R=100&G=200"),
            (Style::SpaceDelimited, false, &array, "color=blue%20black"),
            (Style::PipeDelimited, false, &array, "color=blue%7Cblack"),
            (Style::DeepObject, true, &object, "color%5BR%5D=100&color%5BG%5D=200"),
        ] {
            let pairs = query(&parameter(Location::Query, style, explode), value);
            let written: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
            assert_eq!(written.join("&"), expected, "{style:?} {explode}");
        }
    }

    #[test]
    fn a_value_cannot_become_structure() {
        assert_eq!(
            path(&parameter(Location::Path, Style::Simple, false), &json!("a/b?c#d")),
            "a%2Fb%3Fc%23d"
        );
        assert_eq!(
            header(&parameter(Location::Header, Style::Simple, false), &json!("a\r\nX-Evil: 1")),
            "aX-Evil: 1"
        );
    }
}
