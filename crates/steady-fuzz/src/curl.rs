//! A request as one line for the shell.

use steady_model::Identity;
use steady_model::{Base, Call, Method, Payload, Request, Segment, Text};

/// `curl` with everything quoted; credentials are environment lookups, never their values.
pub fn line(base_url: &str, call: &Call, request: &Request, identity: Option<&Identity>) -> String {
    let mut words = vec!["curl -sS".to_owned()];
    match request.method {
        Method::Get if request.body.is_none() => {}
        Method::Head => words.push("-I".to_owned()),
        method => words.push(format!("-X {method}")),
    }
    for (name, value) in &request.headers {
        let secret = call.request.headers.iter().any(|(known, text)| known == name && has_environment(text));
        if !secret && !name.starts_with("content-length") {
            words.push(format!("-H {}", quote(&header(name, value))));
        }
    }
    for (name, text) in identity.iter().flat_map(|identity| &identity.headers) {
        words.push(format!("-H {}", with_lookups(name, text, base_url)));
    }
    match &request.body {
        Some(Payload::Text(text)) => words.push(format!("--data-raw {}", quote(text))),
        Some(Payload::Bytes(bytes)) => words.push(format!("--data-binary @<(printf '{}')", octal(bytes))),
        None => {}
    }
    words.push(quote(&format!("{}{}", base_url.trim_end_matches('/'), request.target)));
    words.join(" ")
}

/// A header as curl takes it; a colon with nothing after it would remove the header.
fn header(name: &str, value: &str) -> String {
    if value.is_empty() { format!("{name};") } else { format!("{name}: {value}") }
}

/// Bytes as every `printf` writes them back.
fn octal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\{byte:03o}")).collect()
}

fn has_environment(text: &Text) -> bool {
    text.segments().iter().any(|segment| matches!(segment, Segment::Environment { .. }))
}

/// In double quotes: the shell looks the secrets up.
fn with_lookups(name: &str, text: &Text, base_url: &str) -> String {
    let mut value = String::new();
    for segment in text.segments() {
        match segment {
            Segment::Literal(literal) => value.extend(literal.chars().flat_map(|character| {
                let escape = matches!(character, '"' | '\\' | '$' | '`').then_some('\\');
                escape.into_iter().chain([character])
            })),
            Segment::Variable { var: name } | Segment::Environment { env: name, .. } => {
                value.push_str(&format!("${{{name}}}"));
            }
            Segment::Base { base, encoded } => {
                value.push_str(&Base::at(base_url).text(*base, *encoded));
            }
        }
    }
    format!("\"{name}: {value}\"")
}

/// In single quotes; control characters as `$'…'` escapes, which keeps the command on one line.
fn quote(text: &str) -> String {
    if text.chars().any(char::is_control) {
        let escaped: String = text
            .chars()
            .map(|character| match character {
                '\\' => "\\\\".to_owned(),
                '\'' => "\\'".to_owned(),
                '\n' => "\\n".to_owned(),
                character if character.is_control() => format!("\\u{:04x}", u32::from(character)),
                character => character.to_string(),
            })
            .collect();
        format!("$'{escaped}'")
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::{header, octal, quote};

    #[test]
    fn an_empty_header_is_sent_and_not_left_out() {
        assert_eq!(header("if-match", ""), "if-match;");
        assert_eq!(header("if-match", "*"), "if-match: *");
    }

    #[test]
    fn nothing_leaves_its_quotes() {
        assert_eq!(quote("a'b; rm -rf $HOME"), r"'a'\''b; rm -rf $HOME'");
        assert_eq!(quote("a\nb'c"), r"$'a\nb\'c'");
    }

    #[test]
    fn bytes_that_are_no_text_are_written_out() {
        assert_eq!(octal(b"\xff\x00{"), r"\377\000\173");
    }
}
