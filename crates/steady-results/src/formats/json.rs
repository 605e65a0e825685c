//! JSON as runners write it: sometimes with half a character in it.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use crate::text;

/// Whether the bytes begin like a JSON object that has all of these keys.
pub(super) fn begins_with_keys(start: &[u8], keys: &[&str]) -> bool {
    let start = text::decode(start);
    start.trim_start().starts_with('{') && keys.iter().all(|key| start.contains(&format!("\"{key}\"")))
}

/// Reads JSON; a surrogate without its other half becomes U+FFFD.
///
/// JavaScript cuts strings in the middle of a character, and Python writes bytes that are not UTF-8 as such halves.
pub(super) fn from_str<T: DeserializeOwned>(json: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(json).or_else(|error| match repaired(json) {
        Cow::Owned(repaired) => serde_json::from_str(&repaired),
        Cow::Borrowed(_) => Err(error),
    })
}

fn repaired(json: &str) -> Cow<'_, str> {
    let mut repaired = String::new();
    let (mut kept, mut at) = (0, 0);
    while let Some(found) = json[at..].find('\\') {
        let start = at + found;
        at = match (surrogate(json, start), surrogate(json, start + 6)) {
            (Some(0xd800..0xdc00), Some(0xdc00..)) => start + 12,
            (Some(_), _) => {
                repaired.push_str(&json[kept..start]);
                repaired.push_str("\\ufffd");
                kept = start + 6;
                kept
            }
            // The character after a backslash may itself be a backslash.
            (None, _) => json.ceil_char_boundary(start + 2),
        };
    }
    if kept == 0 {
        return Cow::Borrowed(json);
    }
    repaired.push_str(&json[kept..]);
    Cow::Owned(repaired)
}

/// The surrogate that is escaped here.
fn surrogate(json: &str, at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok().filter(|unit| (0xd800..0xe000).contains(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_characters_are_replaced_and_whole_ones_kept() {
        let table = [
            (r#""\ud83d\uded2""#, "🛒"),
            (r#""a\ud83d b""#, "a\u{fffd} b"),
            (r#""\ude00\ud83d\uded2""#, "\u{fffd}🛒"),
            (r#""\udcff\\ud800 ü\ud83d""#, "\u{fffd}\\ud800 ü\u{fffd}"),
        ];
        for (json, expected) in table {
            assert_eq!(from_str::<String>(json).unwrap(), expected, "{json}");
        }
        assert!(from_str::<String>("\"\\ü").is_err());
        assert!(from_str::<String>("\"\\").is_err());
    }
}
