//! The helpers of templates.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rand::RngExt as _;
use serde_json::Value;

use super::fill::shown;
use super::{Random, date};
use crate::mapping::JsonPathExpression;

const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
const DIGITS: &str = "0123456789";
/// Nobody needs more, and a template may come from anywhere.
const LONGEST_VALUE: usize = 1 << 20;

/// Calls a helper; an unknown one gives nothing.
pub(super) fn call(name: &str, arguments: &[Value], options: &[(&str, Value)], random: &mut Random) -> Value {
    let text = |at: usize| arguments.get(at).map(shown).unwrap_or_default();
    let option = |name: &str| options.iter().find(|(given, _)| *given == name).map(|(_, value)| value);
    let whole = |name: &str| option(name).and_then(|value| shown(value).parse::<i64>().ok());
    match name {
        "jsonPath" => json_path(arguments.first(), &text(1), option("default")),
        "now" => {
            let format = option("format").map(shown);
            date::now(
                &option("offset").map(shown).unwrap_or_default(),
                format.as_deref(),
                option("timezone").map(shown),
            )
            .into()
        }
        "randomValue" => random_value(
            whole("length"),
            &option("type").map(shown).unwrap_or_default(),
            option("uppercase"),
            random,
        ),
        "randomInt" => {
            let (lower, upper) = (whole("lower").unwrap_or(0), whole("upper").unwrap_or(i64::from(i32::MAX)));
            random.random_range(lower..upper.max(lower + 1)).into()
        }
        "pickRandom" => {
            let items = match arguments {
                [Value::Array(items)] => items.as_slice(),
                several => several,
            };
            if items.is_empty() { Value::Null } else { items[random.random_range(0..items.len())].clone() }
        }
        "upper" => text(0).to_uppercase().into(),
        "lower" => text(0).to_lowercase().into(),
        "capitalize" => {
            let text = text(0);
            let mut characters = text.chars();
            let first =
                characters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
            (first + characters.as_str()).into()
        }
        "trim" => text(0).trim().into(),
        "replace" => text(0).replace(&text(1), &text(2)).into(),
        "substring" => {
            let number = |at: usize| arguments.get(at).and_then(Value::as_u64).map(|number| number as usize);
            let (start, end) = (number(1).unwrap_or(0), number(2).unwrap_or(usize::MAX));
            text(0).chars().skip(start).take(end.saturating_sub(start)).collect::<String>().into()
        }
        "join" => match arguments.first() {
            Some(Value::Array(items)) => items.iter().map(shown).collect::<Vec<_>>().join(&text(1)).into(),
            _ => text(0).into(),
        },
        "size" => match arguments.first() {
            Some(Value::Array(items)) => items.len().into(),
            Some(Value::Object(properties)) => properties.len().into(),
            _ => text(0).chars().count().into(),
        },
        "math" => math(&text(0), &text(1), &text(2)),
        "base64" if option("decode").is_some_and(|value| shown(value) == "true") => {
            let bytes = STANDARD.decode(text(0)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned().into()
        }
        "base64" => STANDARD.encode(text(0)).into(),
        "urlEncode" => url::form_urlencoded::byte_serialize(text(0).as_bytes()).collect::<String>().into(),
        "regexExtract" => {
            let found = regex::Regex::new(&text(1))
                .ok()
                .and_then(|regex| Some(regex.find(&text(0))?.as_str().to_owned()));
            found.map(Value::from).or_else(|| option("default").cloned()).unwrap_or_default()
        }
        "val" => match arguments.first() {
            Some(value) if !value.is_null() => value.clone(),
            _ => option("or").cloned().unwrap_or_default(),
        },
        _ => Value::Null,
    }
}

fn json_path(value: Option<&Value>, expression: &str, default: Option<&Value>) -> Value {
    let parsed = match value {
        Some(Value::String(text)) => serde_json::from_str(text).unwrap_or_default(),
        other => other.cloned().unwrap_or_default(),
    };
    let Ok(expression) = expression.parse::<JsonPathExpression>() else { return Value::Null };
    let found = expression.find(&parsed);
    if !expression.is_definite() {
        return found.into_iter().cloned().collect();
    }
    found.first().map(|found| (*found).clone()).or_else(|| default.cloned()).unwrap_or_default()
}

fn random_value(length: Option<i64>, kind: &str, uppercase: Option<&Value>, random: &mut Random) -> Value {
    if kind == "UUID" {
        let bits: u128 = random.random();
        return crate::mapping::StubId::of_text(&bits.to_string()).to_string().into();
    }
    let characters: String = match kind {
        "ALPHABETIC" => LETTERS.into(),
        "NUMERIC" => DIGITS.into(),
        "HEXADECIMAL" => "0123456789abcdef".into(),
        _ => [LETTERS, DIGITS].concat(),
    };
    let characters: Vec<char> = characters.chars().collect();
    let length = usize::try_from(length.unwrap_or(36)).unwrap_or(0).min(LONGEST_VALUE);
    let value: String = (0..length).map(|_| characters[random.random_range(0..characters.len())]).collect();
    if uppercase.is_some_and(|value| shown(value) == "true") {
        value.to_uppercase().into()
    } else {
        value.into()
    }
}

fn math(left: &str, operator: &str, right: &str) -> Value {
    let (Ok(left), Ok(right)) = (left.parse::<f64>(), right.parse::<f64>()) else { return Value::Null };
    let result = match operator {
        "+" => left + right,
        "-" => left - right,
        "*" => left * right,
        "/" => left / right,
        "%" => left % right,
        _ => return Value::Null,
    };
    if result.fract() == 0.0 && result.abs() < 9e15 { (result as i64).into() } else { result.into() }
}
