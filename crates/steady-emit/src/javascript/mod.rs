//! JavaScript: literals and expressions, shared by Jest and Playwright.

mod jest;
mod playwright;

pub(crate) use jest::Jest;
pub(crate) use playwright::Playwright;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Number;
use steady_model::{Fresh, Payload, Place, Take};

use crate::EmittedFile;
use crate::language::{Statements, Turn, comment, fresh_arguments, readme};
use crate::layout::{Code, Style};
use crate::plan::{
    Condition, Content, Credential, Identity, Json, Piece, Plan, Request, Template, Test, Variable,
};
use crate::prose::{escape, is_plain, one_line};

const STYLE: Style = Style { tab: "  ", trailing_comma: true, breaks_last: true };

/// The functions of the support file that tests may call.
const FUNCTIONS: [&str; 7] = ["bytes", "env", "exactly", "fresh", "lastSegment", "path", "text"];

/// A string literal, in whichever quotes need less escaping.
fn literal(text: &str) -> String {
    let quote = if text.contains('"') && !text.contains('\'') { '\'' } else { '"' };
    format!("{quote}{}{quote}", escape(text, |c| special(c, quote)))
}

fn special(c: char, quote: char) -> Option<String> {
    match c {
        '\\' => Some("\\\\".to_owned()),
        '\n' => Some("\\n".to_owned()),
        '\r' => Some("\\r".to_owned()),
        '\t' => Some("\\t".to_owned()),
        c if c == quote => Some(format!("\\{quote}")),
        c if is_plain(c) => None,
        c if u32::from(c) <= 0xff => Some(format!("\\x{:02x}", u32::from(c))),
        c => Some(format!("\\u{{{:x}}}", u32::from(c))),
    }
}

/// A string expression; `encoded` when it is put into a URL.
fn template(template: &Template<'_>, encoded: bool) -> String {
    if let Some(text) = template.as_literal() {
        return literal(text);
    }
    if let [piece] = template.pieces() {
        return expression(piece, encoded);
    }
    let mut out = String::from("`");
    for piece in template.pieces() {
        match piece {
            Piece::Literal(text) => out.push_str(&escape(text, |c| special(c, '`')).replace("${", "\\${")),
            piece => out.push_str(&format!("${{{}}}", expression(piece, encoded))),
        }
    }
    out + "`"
}

/// A piece as an expression of its own.
fn expression(piece: &Piece<'_>, encoded: bool) -> String {
    let (expression, is_text) = match piece {
        Piece::Literal(text) => (literal(text), true),
        Piece::Variable(variable) => (variable.name.camel(), variable.is_text),
        Piece::Environment(name) => (format!("env({})", literal(name)), true),
    };
    match (encoded, is_text) {
        (true, _) => format!("path({expression})"),
        (false, true) => expression,
        (false, false) => format!("text({expression})"),
    }
}

/// A value to compare with or, when `sent`, to send digit by digit.
fn value(json: &Json<'_>, sent: bool) -> Code {
    match json {
        Json::Null => Code::text("null"),
        Json::Boolean(value) => Code::text(value.to_string()),
        Json::Number(number) => Code::text(self::number(number, sent)),
        Json::String(text) => Code::text(literal(text)),
        Json::Array(items) => Code::list("[", items.iter().map(|item| value(item, sent)).collect(), "]"),
        Json::Object(fields) if fields.is_empty() => Code::text("{}"),
        Json::Object(fields) => {
            let field = |(name, json): &(&str, Json<'_>)| value(json, sent).after(format!("{}: ", key(name)));
            Code::list("{ ", fields.iter().map(field).collect(), " }")
        }
        Json::Variable(variable, _) => Code::text(variable.name.camel()),
    }
}

/// A number; beyond 2^53, and where it is sent and JavaScript would print it differently, digit by digit.
fn number(number: &Number, sent: bool) -> String {
    const SAFE: u64 = (1 << 53) - 1;
    let text = number.to_string();
    let is_large = number.as_u64().is_some_and(|integer| integer > SAFE)
        || number.as_i64().is_some_and(|integer| integer.unsigned_abs() > SAFE);
    match number.as_f64() {
        _ if is_large => format!("exactly(\"{text}\")"),
        Some(_) if number.is_f64() && sent && text.ends_with(".0") => format!("exactly(\"{text}\")"),
        Some(float) if number.is_f64() && !sent && is_large_integer(float) => {
            format!("exactly(\"{float:.0}\")")
        }
        _ => text,
    }
}

/// Whether the support file reads this float as an integer, because it is one that 64 bits hold.
fn is_large_integer(float: f64) -> bool {
    const SAFE: f64 = 9_007_199_254_740_991.0;
    const LIMITS: std::ops::Range<f64> = -9_223_372_036_854_775_808.0..18_446_744_073_709_551_616.0;
    float.fract() == 0.0 && float.abs() > SAFE && LIMITS.contains(&float)
}

/// A property's name, without quotes where they are not needed.
fn key(name: &str) -> String {
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match name {
        // As a plain name it would set the prototype.
        "__proto__" => "[\"__proto__\"]".to_owned(),
        name if is_name => name.to_owned(),
        name => literal(name),
    }
}

/// Names and values: an object, or a list of pairs when a name comes twice or would change its place.
fn pairs(pairs: &[(&str, Template<'_>)]) -> Code {
    let repeated = pairs.iter().enumerate().any(|(at, (name, _))| pairs[..at].iter().any(|(n, _)| n == name));
    let reordered = pairs.iter().any(|(name, _)| name.starts_with(|c: char| c.is_ascii_digit()));
    if repeated || reordered {
        let item = |(name, content): &(&str, Template<'_>)| {
            Code::text(format!("[{}, {}]", literal(name), template(content, false)))
        };
        return Code::list("[", pairs.iter().map(item).collect(), "]");
    }
    let item = |(name, content): &(&str, Template<'_>)| {
        Code::text(format!("{}: {}", key(name), template(content, false)))
    };
    Code::list("{ ", pairs.iter().map(item).collect(), " }")
}

/// A call on the client, after `prefix`.
fn call(prefix: &str, request: &Request<'_>) -> Code {
    let mut fields = Vec::new();
    if !request.headers.is_empty() {
        fields.push(pairs(&request.headers).after("headers: "));
    }
    fields.extend(request.content.as_ref().map(content).unwrap_or_default());
    let mut items = vec![Code::text(template(&request.target, true))];
    if !fields.is_empty() {
        items.push(Code::list("{ ", fields, " }"));
    }
    let method = request.method.as_str().to_ascii_lowercase();
    Code::list(format!("{prefix}.{method}("), items, ");")
}

fn content(content: &Content<'_>) -> Vec<Code> {
    let body = |body: String, content_type: &str| {
        vec![
            Code::text(format!("body: {body}")),
            Code::text(format!("contentType: {}", literal(content_type))),
        ]
    };
    match content {
        Content::Json(json) => vec![value(json, true).after("json: ")],
        Content::Form(fields) => vec![pairs(fields).after("form: ")],
        Content::Multipart(parts) => {
            vec![Code::list("multipart: [", parts.iter().map(part).collect(), "]")]
        }
        Content::Text { content_type, text } => body(template(text, false), content_type),
        Content::Bytes { content_type, payload } => body(self::payload(payload), content_type),
    }
}

fn part(part: &steady_model::Part) -> Code {
    let mut fields = vec![Code::text(format!("name: {}", literal(&part.name)))];
    let optional = [("filename", &part.filename), ("contentType", &part.content_type)];
    for (name, text) in optional {
        fields.extend(text.as_ref().map(|text| Code::text(format!("{name}: {}", literal(text)))));
    }
    fields.push(Code::text(format!("content: {}", payload(&part.content))));
    Code::list("{ ", fields, " }")
}

fn payload(payload: &Payload) -> String {
    match payload {
        Payload::Text(text) => literal(text),
        Payload::Bytes(content) => format!("bytes(\"{}\")", STANDARD.encode(content)),
    }
}

/// What the response holds at a place; undefined when nothing.
fn found(place: &Place) -> String {
    match place {
        Place::Status => "response.status".to_owned(),
        Place::Header(name) => format!("response.header({})", literal(name)),
        Place::Body(pointer) => format!("response.at({})", literal(pointer)),
    }
}

fn fresh(variable: &Variable, value: &Fresh) -> Code {
    Code::text(format!("const {} = fresh({});", variable.name.camel(), fresh_arguments(value, literal)))
}

/// Sends a request as whoever makes the call.
fn send(request: &Request<'_>, turn: Turn) -> Code {
    let declaration = match turn {
        Turn::Only => "const ",
        Turn::First => "let ",
        Turn::Later => "",
    };
    call(&format!("{declaration}response = await {}", api(request)), request)
}

fn cleanup(request: &Request<'_>) -> Code {
    call(&format!("{}.cleanup", api(request)), request)
}

fn api(request: &Request<'_>) -> String {
    match request.identity {
        Some(name) => format!("api.actingAs({})", literal(name)),
        None => "api".to_owned(),
    }
}

fn capture(variable: &Variable, from: &Place, take: Take) -> Code {
    let value = match from {
        Place::Status => "response.status".to_owned(),
        Place::Header(name) => format!("response.headerValue({})", literal(name)),
        Place::Body(pointer) => format!("response.value({})", literal(pointer)),
    };
    let taken = match take {
        Take::Whole => value,
        Take::LastSegment => format!("lastSegment({value})"),
    };
    Code::text(format!("const {} = {taken};", variable.name.camel()))
}

fn check(place: &Place, condition: &Condition<'_>) -> Code {
    let expect = format!("expect({})", found(place));
    match (place, condition) {
        (Place::Status, Condition::Equals(Json::Number(status))) => {
            Code::text(format!("expect(response).toHaveStatus({status});"))
        }
        (_, Condition::Equals(json @ (Json::Array(_) | Json::Object(_)))) => {
            Code::list(format!("{expect}.toEqual("), vec![value(json, false)], ");")
        }
        (_, Condition::Equals(Json::Number(number))) => {
            let number = self::number(number, false);
            // Digits are an object, and no two objects are the same one.
            let matcher = if number.starts_with("exactly") { "toEqual" } else { "toBe" };
            Code::text(format!("{expect}.{matcher}({number});"))
        }
        (_, Condition::Equals(json)) => Code::list(format!("{expect}.toBe("), vec![value(json, false)], ");"),
        (_, Condition::Variable(variable)) => {
            Code::text(format!("{expect}.toEqual({});", variable.name.camel()))
        }
        (_, Condition::MediaType(media_type)) => {
            let media_type = literal(&media_type.to_ascii_lowercase());
            Code::text(format!("expect(response.mediaType).toBe({media_type});"))
        }
        (_, Condition::Size(size)) => Code::text(format!("{expect}.toHaveSize({size});")),
        (_, Condition::Type(json_type)) => Code::text(format!("{expect}.toBeOfType(\"{json_type}\");")),
        (_, Condition::Present) => Code::text(format!("{expect}.toBeDefined();")),
        (_, Condition::Absent) => Code::text(format!("{expect}.toBeUndefined();")),
    }
}

/// A test function; `parameters` are what the framework hands in.
fn test(language: &dyn Statements, test: &Test<'_>, parameters: &str) -> String {
    format!(
        "\n{}test({}, async ({parameters}) => {{\n{}}});\n",
        comment(test.about, "//"),
        literal(&test.name.spaced()),
        language.steps(&test.steps, 1)
    )
}

/// `const { … } = require("./steady_support.js");`, with the functions that `code` calls.
fn require(code: &str) -> String {
    let used: Vec<&str> = FUNCTIONS.into_iter().filter(|name| code.contains(&format!("{name}("))).collect();
    if used.is_empty() {
        return String::new();
    }
    format!("const {{ {} }} = require(\"./steady_support.js\");\n", used.join(", "))
}

/// The generated module that knows the API: its address, and who calls it.
fn suite_module(plan: &Plan<'_>, language: &dyn Statements) -> EmittedFile {
    let functions: Vec<String> = plan.identities.iter().map(|who| identity(who, language)).collect();
    let title = one_line(plan.title);
    let mut text = format!("// {title}: its address, and who calls it.\n\n");
    text.push_str("const { connect } = require(\"./steady_client.js\");\n");
    text.push_str(&require(&functions.concat()));
    text.push_str(&format!("\nconst URL = {};\n", literal(plan.url)));
    for function in functions {
        text.push_str(&format!("\n{function}"));
    }
    let entries = plan
        .identities
        .iter()
        .map(|who| match who.name.camel() {
            name if name == who.key => Code::text(name),
            name => Code::text(format!("{}: {name}", key(who.key))),
        })
        .collect();
    text.push('\n');
    text.push_str(&Code::list("const identities = { ", entries, " };").statement(0, STYLE));
    EmittedFile::new("steady_suite.js", text)
}

/// The function that signs someone in and says what their calls carry.
fn identity(who: &Identity<'_>, language: &dyn Statements) -> String {
    let mut fields = Vec::new();
    let mut headers = Vec::new();
    for credential in &who.credentials {
        match credential {
            Credential::Header(name, text) => headers.push((*name, text.clone())),
            Credential::Query(name, text) => {
                fields.push(pairs(&[(name, text.clone())]).after("query: "));
            }
            Credential::Cookies => fields.push(Code::text("cookies: response.cookies")),
        }
    }
    if !headers.is_empty() {
        fields.insert(0, pairs(&headers).after("headers: "));
    }
    let mut text = format!("// What calls made as {} carry.\n", one_line(who.key));
    let parameter = if who.login.is_empty() { "" } else { "api" };
    text.push_str(&format!("async function {}({parameter}) {{\n", who.name.camel()));
    text.push_str(&language.steps(&who.login, 1));
    text.push_str(&Code::list("return { ", fields, " };").statement(1, STYLE));
    text + "}\n"
}

/// The files both frameworks need; `client` gives tests their client.
fn companions(plan: &Plan<'_>, language: &dyn Statements, kit: &Kit) -> Vec<EmittedFile> {
    let mut suite = suite_module(plan, language);
    suite.text.push_str(kit.exports);
    vec![
        readme(include_str!("../../support/javascript/README.md"), plan),
        EmittedFile::new("package.json", kit.package),
        EmittedFile::new("steady_client.js", kit.client),
        EmittedFile::new("steady_support.js", include_str!("../../support/javascript/steady_support.js")),
        suite,
    ]
}

/// What a framework adds to the common files.
struct Kit {
    /// Its `package.json`.
    package: &'static str,
    /// Its `steady_client.js`.
    client: &'static str,
    /// The last lines of its `steady_suite.js`.
    exports: &'static str,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::prose::read_back::{HOSTILE, read_back};

    #[test]
    fn hostile_text_stays_within_its_literal() {
        assert_eq!(
            literal("a\"'b\\c\n\0${}`\u{2028}\u{1f600}\u{10ffff}"),
            r#""a\"'b\\c\n\x00${}`\u{2028}😀\u{10ffff}""#
        );
        let pieces = vec![Piece::Literal("`${a}\\\r"), Piece::Environment("A")];
        assert_eq!(template(&Template::new(pieces), false), "`\\`\\${a}\\\\\\r${env(\"A\")}`");
    }

    #[test]
    fn numbers_keep_every_digit() {
        let value = json!({"a b": 1.0, "big": u64::MAX, "low": i64::MIN, "__proto__": 0.5});
        assert_eq!(
            super::value(&Json::of(&value), true).flat(),
            "{ \"a b\": exactly(\"1.0\"), big: exactly(\"18446744073709551615\"), \
             low: exactly(\"-9223372036854775808\"), [\"__proto__\"]: 0.5 }"
        );
        let large = json!(1e16);
        assert_eq!(super::value(&Json::of(&large), false).flat(), "exactly(\"10000000000000000\")");
        assert_eq!(super::value(&Json::of(&value["a b"]), false).flat(), "1.0");
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
            let inside = expression.strip_prefix('`').unwrap().strip_suffix("${env(\"A\")}`").unwrap();
            let begins_expression = inside.replace("\\${", " ").contains("${");
            prop_assert!(!begins_expression);
            prop_assert_eq!(read_back(inside, '`'), text);
        }
    }
}
