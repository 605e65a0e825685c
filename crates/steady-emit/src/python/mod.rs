//! Python: literals and expressions, shared by pytest and unittest.

mod pytest;
mod unittest;

pub(crate) use pytest::Pytest;
pub(crate) use unittest::Unittest;

use steady_model::{Fresh, Payload, Place, Take};

use crate::EmittedFile;
use crate::language::{Statements, fresh_arguments};
use crate::layout::{Code, Style, WIDTH};
use crate::plan::{Content, Credential, Identity, Json, Piece, Plan, Request, Template, Variable};
use crate::prose::{escape, is_plain, wrapped};

const STYLE: Style = Style { tab: "    ", trailing_comma: true, breaks_last: false };

/// What every test file may need; unused names are left out of its import.
const SUPPORT: &str = include_str!("../../support/python/steady_support.py");

fn support() -> EmittedFile {
    EmittedFile::new("steady_support.py", SUPPORT)
}

/// A string literal, in whichever quotes need less escaping.
fn literal(text: &str) -> String {
    let quote = if text.contains('"') && !text.contains('\'') { '\'' } else { '"' };
    format!("{quote}{}{quote}", escaped(text, quote))
}

/// The inside of a string literal.
fn escaped(text: &str, quote: char) -> String {
    escape(text, |c| match c {
        '\\' => Some("\\\\".to_owned()),
        '\n' => Some("\\n".to_owned()),
        '\r' => Some("\\r".to_owned()),
        '\t' => Some("\\t".to_owned()),
        c if c == quote => Some(format!("\\{quote}")),
        c if is_plain(c) => None,
        c if u32::from(c) <= 0xff => Some(format!("\\x{:02x}", u32::from(c))),
        c if u32::from(c) <= 0xffff => Some(format!("\\u{:04x}", u32::from(c))),
        c => Some(format!("\\U{:08x}", u32::from(c))),
    })
}

/// A bytes literal.
fn bytes(bytes: &[u8]) -> String {
    let mut out = String::from("b\"");
    for byte in bytes {
        match byte {
            b'\\' => out.push_str("\\\\"),
            b'"' => out.push_str("\\\""),
            b' '..=b'~' => out.push(char::from(*byte)),
            byte => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out + "\""
}

/// A docstring, `depth` steps indented, with its line end.
fn docstring(text: &str, depth: usize) -> String {
    let indent = STYLE.tab.repeat(depth);
    let lines = wrapped(text, WIDTH - indent.len() - 6);
    let end = if lines.len() == 1 { String::new() } else { format!("\n{indent}") };
    let text = lines.join(&format!("\n{indent}"));
    let ends_early = text.contains("\"\"\"") || text.ends_with('"');
    let text = if ends_early { text.replace('"', "\\\"") } else { text };
    format!("{indent}\"\"\"{text}{end}\"\"\"\n")
}

/// A string expression; `encoded` when it is put into a URL.
fn template(template: &Template<'_>, encoded: bool) -> String {
    if let Some(text) = template.as_literal() {
        return literal(text);
    }
    if let [piece] = template.pieces() {
        return expression(piece, encoded, '"');
    }
    let mut out = String::from("f\"");
    for piece in template.pieces() {
        match piece {
            Piece::Literal(text) => {
                out.push_str(&escaped(text, '"').replace('{', "{{").replace('}', "}}"));
            }
            // Python before 3.12 allows no double quotes within these.
            piece => out.push_str(&format!("{{{}}}", expression(piece, encoded, '\''))),
        }
    }
    out + "\""
}

/// A piece as an expression of its own, with quotes of this kind.
fn expression(piece: &Piece<'_>, encoded: bool, quote: char) -> String {
    let (expression, is_text) = match piece {
        Piece::Literal(text) => (format!("{quote}{}{quote}", escaped(text, quote)), true),
        Piece::Variable(variable) => (variable.name.snake(), variable.is_text),
        Piece::Environment(name) => (format!("env({quote}{}{quote})", escaped(name, quote)), true),
    };
    match (encoded, is_text) {
        (true, _) => format!("path({expression})"),
        (false, true) => expression,
        (false, false) => format!("text({expression})"),
    }
}

fn value(json: &Json<'_>) -> Code {
    match json {
        Json::Null => Code::text("None"),
        Json::Boolean(true) => Code::text("True"),
        Json::Boolean(false) => Code::text("False"),
        Json::Number(number) => Code::text(number.to_string()),
        Json::String(text) => Code::text(literal(text)),
        Json::Array(items) => Code::list("[", items.iter().map(value).collect(), "]"),
        Json::Object(fields) => {
            let field = |(name, json): &(&str, Json<'_>)| value(json).after(format!("{}: ", literal(name)));
            Code::list("{", fields.iter().map(field).collect(), "}")
        }
        Json::Variable(variable, _) => Code::text(variable.name.snake()),
    }
}

/// Names and values: a dictionary, or a list of pairs when a name comes twice.
fn pairs(pairs: &[(&str, Template<'_>)]) -> Code {
    let repeated = pairs.iter().enumerate().any(|(at, (name, _))| pairs[..at].iter().any(|(n, _)| n == name));
    let item = |(name, content): &(&str, Template<'_>)| {
        let (name, content) = (literal(name), template(content, false));
        Code::text(if repeated { format!("({name}, {content})") } else { format!("{name}: {content}") })
    };
    let (open, close) = if repeated { ("[", "]") } else { ("{", "}") };
    Code::list(open, pairs.iter().map(item).collect(), close)
}

/// A call on `api`, an expression for the client.
fn call(api: &str, request: &Request<'_>) -> Code {
    let mut items = vec![Code::text(template(&request.target, true))];
    if !request.headers.is_empty() {
        items.push(pairs(&request.headers).after("headers="));
    }
    items.extend(request.content.as_ref().map(content).unwrap_or_default());
    Code::list(format!("{api}.{}(", request.method.as_str().to_ascii_lowercase()), items, ")")
}

fn content(content: &Content<'_>) -> Vec<Code> {
    let body = |body: String, content_type: &str| {
        vec![
            Code::text(format!("body={body}")),
            Code::text(format!("content_type={}", literal(content_type))),
        ]
    };
    match content {
        Content::Json(json) => vec![value(json).after("json=")],
        Content::Form(fields) => vec![pairs(fields).after("form=")],
        Content::Multipart(parts) => {
            vec![Code::list("multipart=[", parts.iter().map(part).collect(), "]")]
        }
        Content::Text { content_type, text } => body(template(text, false), content_type),
        Content::Bytes { content_type, payload } => body(self::payload(payload), content_type),
    }
}

fn part(part: &steady_model::Part) -> Code {
    let mut items = vec![Code::text(literal(&part.name)), Code::text(payload(&part.content))];
    let optional = [("filename", &part.filename), ("content_type", &part.content_type)];
    for (name, text) in optional {
        items.extend(text.as_ref().map(|text| Code::text(format!("{name}={}", literal(text)))));
    }
    Code::list("part(", items, ")")
}

fn payload(payload: &Payload) -> String {
    match payload {
        Payload::Text(text) => literal(text),
        Payload::Bytes(content) => bytes(content),
    }
}

/// What the response holds at a place.
fn found(place: &Place) -> String {
    match place {
        Place::Status => "response.status".to_owned(),
        Place::Header(name) => format!("response.header({})", literal(name)),
        Place::Body(pointer) => format!("response.at({})", literal(pointer)),
    }
}

fn fresh(variable: &Variable, value: &Fresh) -> Code {
    Code::text(format!("{} = fresh({})", variable.name.snake(), fresh_arguments(value, literal)))
}

fn capture(variable: &Variable, from: &Place, take: Take) -> Code {
    let taken = match take {
        Take::Whole => "value",
        Take::LastSegment => "last_segment",
    };
    Code::text(format!("{} = {}.{taken}", variable.name.snake(), found(from)))
}

/// `from steady_support import …`, with the functions that `code` calls.
fn import(code: &str) -> String {
    let used: Vec<&str> = ["env", "fresh", "part", "path", "text"]
        .into_iter()
        .filter(|name| code.contains(&format!("{name}(")))
        .collect();
    if used.is_empty() { String::new() } else { format!("from steady_support import {}\n", used.join(", ")) }
}

/// The generated module that knows the API: its address, and who calls it.
fn suite_module(plan: &Plan<'_>, language: &dyn Statements) -> EmittedFile {
    let mut text = docstring(&format!("{}: its address, and who calls it.", plan.title), 0) + "\n";
    let functions: Vec<String> = plan.identities.iter().map(|who| identity(who, language)).collect();
    let mut imports = vec!["Session"];
    if !functions.is_empty() {
        imports.push("Credentials");
    }
    for name in ["env", "part", "path", "text"] {
        if functions.iter().any(|function| function.contains(&format!("{name}("))) {
            imports.push(name);
        }
    }
    imports.sort_unstable();
    text.push_str(&format!(
        "from steady_support import {}\n\nURL = {}\n",
        imports.join(", "),
        literal(plan.url)
    ));
    for function in functions {
        text.push_str(&format!("\n\n{function}"));
    }
    let entries = plan
        .identities
        .iter()
        .map(|who| Code::text(format!("{}: {}", literal(who.key), who.name.snake())))
        .collect();
    let identities = Code::list("IDENTITIES = {", entries, "}").statement(0, STYLE);
    let gap = if plan.identities.is_empty() { "\n" } else { "\n\n" };
    text.push_str(&format!("{gap}{identities}\nSESSION = Session(URL, IDENTITIES)\n"));
    EmittedFile::new("steady_suite.py", text)
}

/// The function that signs someone in and says what their calls carry.
fn identity(who: &Identity<'_>, language: &dyn Statements) -> String {
    let mut items = Vec::new();
    let mut headers = Vec::new();
    for credential in &who.credentials {
        match credential {
            Credential::Header(name, text) => headers.push((*name, text.clone())),
            Credential::Query(name, text) => {
                items.push(pairs(&[(name, text.clone())]).after("query="));
            }
            Credential::Cookies => items.push(Code::text("cookies=response.cookies")),
        }
    }
    if !headers.is_empty() {
        items.insert(0, pairs(&headers).after("headers="));
    }
    let about = format!("What calls made as {} carry.", who.key);
    let mut text = format!("def {}(api):\n{}", who.name.snake(), docstring(&about, 1));
    text.push_str(&language.steps(&who.login, 1));
    text.push_str(&Code::list("return Credentials(", items, ")").statement(1, STYLE));
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::prose::read_back::{HOSTILE, read_back};

    #[test]
    fn hostile_text_stays_within_its_literal() {
        assert_eq!(
            literal("a\"'b\\c\n\0{}\u{2028}\u{1f600}\u{10ffff}"),
            r#""a\"'b\\c\n\x00{}\u2028😀\U0010ffff""#
        );
        assert_eq!(literal("say \"hello\""), r#"'say "hello"'"#);
        assert_eq!(bytes(b"\x00\"\\\xff~"), r#"b"\x00\"\\\xff~""#);
        assert_eq!(docstring("ends in \"\"\" and \\", 0), "\"\"\"ends in \\\"\\\"\\\" and /\"\"\"\n");
        let long = docstring(&"word ".repeat(30), 1);
        assert!(long.starts_with("    \"\"\"word") && long.ends_with("word\n    \"\"\"\n"), "{long}");
    }

    proptest! {
        #[test]
        fn a_literal_reads_back_as_its_text(text in HOSTILE) {
            let literal = literal(&text);
            let quote = literal.chars().next().unwrap();
            prop_assert!(literal.len() >= 2 && literal.ends_with(quote));
            prop_assert_eq!(read_back(&literal[1..literal.len() - 1], quote), text);
        }

        #[test]
        fn text_around_a_variable_reads_back(text in HOSTILE) {
            let pieces = vec![Piece::Literal(&text), Piece::Environment("A")];
            let expression = template(&Template::new(pieces), false);
            let inside = expression.strip_prefix("f\"").unwrap().strip_suffix("{env('A')}\"").unwrap();
            let braces_undone = inside.replace("{{", "{").replace("}}", "}");
            prop_assert_eq!(inside.matches('{').count() % 2, 0);
            prop_assert_eq!(read_back(&braces_undone, '"'), text);
        }
    }
}
