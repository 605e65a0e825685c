//! What the literals of the languages stand for.

use serde_json::{Number, Value};

use crate::language::Language;

/// A number literal; none where JSON has no such number.
pub(crate) fn number(text: &str, negative: bool) -> Option<Value> {
    let plain: String = text.chars().filter(|&c| c != '_').collect();
    let digits = plain.trim_end_matches(['l', 'L', 'n', 'u', 'U']);
    let sign = if negative { "-" } else { "" };
    if let Ok(integer) = format!("{sign}{digits}").parse::<i64>() {
        return Some(integer.into());
    }
    if let Ok(integer) = digits.parse::<u64>()
        && !negative
    {
        return Some(integer.into());
    }
    let digits = plain.trim_end_matches(['f', 'F', 'd', 'D']);
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') || digits.starts_with("0x") {
        return None;
    }
    Number::from_f64(format!("{sign}{digits}").parse().ok()?).map(Value::Number)
}

/// A string literal as it stands in the source, with its quotes; none when part of it is only known when it runs.
pub(crate) fn string(source: &str, language: Language) -> Option<String> {
    let quote = source.find(['"', '\'', '`'])?;
    let (prefix, quoted) = source.split_at(quote);
    let prefix = prefix.to_ascii_lowercase();
    if prefix.contains(['b', 'f', 't']) {
        return None;
    }
    let mark = &quoted[..1];
    let triple = mark.repeat(3);
    let tripled = quoted.len() >= 6 && quoted.starts_with(&triple) && language != Language::JavaScript;
    let mark = if tripled { triple.as_str() } else { mark };
    let inner = quoted.strip_prefix(mark)?.strip_suffix(mark)?;
    match language {
        // A text block loses indentation by rules of its own.
        Language::Java if tripled => None,
        Language::Kotlin if tripled => (!inner.contains('$')).then(|| inner.to_owned()),
        Language::Python if prefix.contains('r') => Some(inner.to_owned()),
        _ => unescape(inner, language),
    }
}

fn unescape(inner: &str, language: Language) -> Option<String> {
    let mut units: Vec<u16> = Vec::with_capacity(inner.len());
    let mut chars = inner.chars();
    let push = |c: char, units: &mut Vec<u16>| units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
    while let Some(c) = chars.next() {
        if c == '$' && language == Language::Kotlin {
            return None;
        }
        if c != '\\' {
            push(c, &mut units);
            continue;
        }
        match chars.next()? {
            'n' => push('\n', &mut units),
            't' => push('\t', &mut units),
            'r' => push('\r', &mut units),
            'b' => push('\u{8}', &mut units),
            'f' => push('\u{c}', &mut units),
            quoted @ ('\\' | '\'' | '"' | '`' | '/' | '$') => push(quoted, &mut units),
            'u' if chars.as_str().starts_with('{') => {
                let (digits, rest) = chars.as_str()[1..].split_once('}')?;
                push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, &mut units);
                chars = rest.chars();
            }
            'u' => units.push(u16::try_from(hex(&mut chars, 4)?).ok()?),
            'x' if !language.is_jvm() => push(char::from_u32(hex(&mut chars, 2)?)?, &mut units),
            'U' if language == Language::Python => push(char::from_u32(hex(&mut chars, 8)?)?, &mut units),
            '0' if !chars.as_str().starts_with(|c: char| c.is_ascii_digit()) => push('\0', &mut units),
            // Rare escapes mean different things in different languages.
            _ => return None,
        }
    }
    String::from_utf16(&units).ok()
}

fn hex(chars: &mut std::str::Chars<'_>, digits: usize) -> Option<u32> {
    let text = chars.as_str().get(..digits)?;
    *chars = chars.as_str()[digits..].chars();
    u32::from_str_radix(text, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_mean_what_their_language_says() {
        for (source, language, meaning) in [
            (r#""a\n\"b\"""#, Language::Java, Some("a\n\"b\"")),
            (r#""\u0041\ud83d\ude00""#, Language::Java, Some("A😀")),
            (r#""$a""#, Language::Kotlin, None),
            (r#""\$a""#, Language::Kotlin, Some("$a")),
            (r#""""raw \n""""#, Language::Kotlin, Some("raw \\n")),
            (r#"r"\d""#, Language::Python, Some("\\d")),
            (r#"f"x""#, Language::Python, None),
            (r"'\x41\U0001F600'", Language::Python, Some("A😀")),
            (r#"'''it's'''"#, Language::Python, Some("it's")),
            (r"'\u{1F600}'", Language::JavaScript, Some("😀")),
            (r"`a`", Language::TypeScript, Some("a")),
            (r#""""#, Language::Java, Some("")),
            (r#""\ud83d""#, Language::Java, None),
        ] {
            assert_eq!(string(source, language).as_deref(), meaning, "{source}");
        }
    }

    #[test]
    fn numbers_lose_their_suffixes() {
        for (source, negative, json) in [
            ("3", false, Some("3")),
            ("200L", false, Some("200")),
            ("1_000", true, Some("-1000")),
            ("1.5f", true, Some("-1.5")),
            ("3.0", false, Some("3.0")),
            ("18446744073709551615", false, Some("18446744073709551615")),
            ("0x1F", false, None),
            ("1e999", false, None),
        ] {
            assert_eq!(number(source, negative).map(|v| v.to_string()).as_deref(), json, "{source}");
        }
    }
}
