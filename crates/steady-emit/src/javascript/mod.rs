//! JavaScript: statements and modules, shared by Jest and Playwright.
//!
//! [`JavaScript`] writes all of it; a [`Framework`] holds the few differences.

mod expression;
mod jest;
mod playwright;
mod regex;
mod varying;

pub(crate) use jest::Jest;
pub(crate) use playwright::Playwright;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use steady_model::{Fresh, Payload, Place, Take};

use crate::EmittedFile;
use crate::language::{Language, Statements, Turn, comment, fresh_arguments, readme};
use crate::layout::{Code, Style};
use crate::plan::{
    Condition, Content, Identity, Json, Piece, Plan, Request, Setting, Template, Test, TestFile, Variable,
};
use crate::prose::one_line;
use expression::{key, literal, number, pairs, template, value};
use varying::varying;

const STYLE: Style = Style { tab: "  ", trailing_comma: true, breaks_last: true, lines: ("", " +", "") };

/// The functions of the support file that tests may call.
const FUNCTIONS: [&str; 10] =
    ["base64Text", "bytes", "env", "escaped", "exactly", "fresh", "jsonText", "lastSegment", "path", "text"];

/// Writes tests for one of the frameworks.
#[derive(Debug)]
pub(crate) struct JavaScript<F>(pub(crate) F);

/// The differences between the frameworks.
pub(crate) trait Framework {
    /// What the names of test files end in.
    const SUFFIX: &'static str;
    /// What a test file takes from `steady_suite.js`.
    const IMPORTS: &'static str;
    /// What a test function is handed.
    const PARAMETERS: &'static str;
    /// What `steady_suite.js` exports.
    const EXPORTS: &'static str;
    /// `package.json`.
    const PACKAGE: &'static str;
    /// `steady_client.js`, which gives tests their client.
    const CLIENT: &'static str;
    /// A file only this framework needs: its name and its text.
    const OWN: Option<(&'static str, &'static str)>;
}

impl<F: Framework> Language for JavaScript<F> {
    fn path(&self, file: &TestFile<'_, '_>) -> String {
        format!("{}{}", file.stem("-"), F::SUFFIX)
    }

    fn header(&self, file: &TestFile<'_, '_>, tests: &str) -> String {
        format!(
            "// {}. {}\n\nconst {} = require(\"./steady_suite.js\");\n{}",
            one_line(file.plan.title),
            file.summary(),
            F::IMPORTS,
            require(tests)
        )
    }

    fn test(&self, test: &Test<'_>, _plan: &Plan<'_>) -> String {
        format!(
            "\n{}test({}, async ({}) => {{\n{}}});\n",
            comment(test.about, "//"),
            literal(&test.name.spaced()),
            F::PARAMETERS,
            self.steps(&test.steps, 1)
        )
    }

    fn companions(&self, plan: &Plan<'_>) -> Vec<EmittedFile> {
        let suite = suite_module(plan, self) + &format!("\nmodule.exports = {};\n", F::EXPORTS);
        vec![
            readme(include_str!("../../support/javascript/README.md"), plan),
            EmittedFile::new("package.json", F::PACKAGE),
            EmittedFile::new("steady_client.js", F::CLIENT),
            EmittedFile::new(
                "steady_matchers.js",
                include_str!("../../support/javascript/steady_matchers.js"),
            ),
            EmittedFile::new("steady_http.js", include_str!("../../support/javascript/steady_http.js")),
            EmittedFile::new("steady_setup.js", setup_module(plan)),
            EmittedFile::new("steady_support.js", include_str!("../../support/javascript/steady_support.js")),
            EmittedFile::new("steady_suite.js", suite),
            EmittedFile::new("steady_time.js", include_str!("../../support/javascript/steady_time.js")),
        ]
        .into_iter()
        .chain(F::OWN.map(|(name, text)| EmittedFile::new(name, text)))
        .collect()
    }
}

impl<F: Framework> Statements for JavaScript<F> {
    fn style(&self) -> Style {
        STYLE
    }

    fn comment(&self) -> &'static str {
        "//"
    }

    fn fresh(&self, variable: &Variable, value: &Fresh) -> Code {
        Code::text(format!("const {} = fresh({});", variable.name.camel(), fresh_arguments(value, literal)))
    }

    fn send(&self, request: &Request<'_>, turn: Turn) -> Code {
        let declaration = match turn {
            Turn::Only => "const ",
            Turn::First => "let ",
            Turn::Later => "",
        };
        call(&format!("{declaration}response = await {}", api(request)), request)
    }

    fn cleanup(&self, request: &Request<'_>) -> Code {
        call(&format!("{}.cleanup", api(request)), request)
    }

    fn capture(&self, variable: &Variable, from: &Place, take: Take) -> Code {
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

    fn check(&self, place: &Place, condition: &Condition<'_>) -> Code {
        let expect = format!("expect({})", found(place));
        match (place, condition) {
            (Place::Status, Condition::Equals(Json::Number(status))) => {
                Code::text(format!("expect(response).toHaveStatus({status});"))
            }
            (_, Condition::Equals(json @ (Json::Array(_) | Json::Object(_)))) => {
                Code::list(format!("{expect}.toEqual("), vec![value(json, false)], ");")
            }
            (_, Condition::Equals(Json::Number(digits))) => {
                let number = number(digits, false);
                // Digits are an object, and no two objects are the same one.
                let matcher = if number.starts_with("exactly") { "toEqual" } else { "toBe" };
                Code::text(format!("{expect}.{matcher}({number});"))
            }
            (_, Condition::Equals(json)) => {
                Code::list(format!("{expect}.toBe("), vec![value(json, false)], ");")
            }
            (_, Condition::Variable(variable)) => {
                Code::text(format!("{expect}.toEqual({});", variable.name.camel()))
            }
            (_, Condition::Text(text)) => {
                Code::text(format!("{expect}.toBe({});", template(text, Setting::Text)))
            }
            (_, Condition::Varying(varying)) => self::varying(&expect, varying),
            (_, Condition::MediaType(media_type)) => {
                let media_type = literal(&media_type.to_ascii_lowercase());
                Code::text(format!("expect(response.mediaType).toBe({media_type});"))
            }
            (_, Condition::Size(size)) => Code::text(format!("{expect}.toHaveSize({size});")),
            (_, Condition::Type(json_type)) => Code::text(format!("{expect}.toBeOfType(\"{json_type}\");")),
            (_, Condition::Present) => Code::text(format!("{expect}.toBeDefined();")),
            (_, Condition::Absent) => Code::text(format!("{expect}.toBeUndefined();")),
            (_, Condition::Disabled) => Code::nothing(),
        }
    }
}

/// The client of the call's identity.
fn api(request: &Request<'_>) -> String {
    match request.identity {
        Some(name) => format!("api.actingAs({})", literal(name)),
        None => "api".to_owned(),
    }
}

/// A call on the client, after `prefix`.
fn call(prefix: &str, request: &Request<'_>) -> Code {
    let mut fields = Vec::new();
    if !request.headers.is_empty() {
        fields.push(pairs(&request.headers).after("headers: "));
    }
    fields.extend(request.content.as_ref().map(content).unwrap_or_default());
    let mut items = vec![Code::text(template(&request.target, Setting::Target))];
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
        Content::Text { content_type, text } => body(template(text, Setting::Text), content_type),
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

/// `const { … } = require("./steady_support.js");`, with the functions that `code` calls.
fn require(code: &str) -> String {
    let used: Vec<&str> = FUNCTIONS.into_iter().filter(|name| code.contains(&format!("{name}("))).collect();
    if used.is_empty() {
        return String::new();
    }
    format!("const {{ {} }} = require(\"./steady_support.js\");\n", used.join(", "))
}

/// The generated module for the API: its address and its identities.
fn suite_module(plan: &Plan<'_>, language: &dyn Statements) -> String {
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
    text + &Code::list("const identities = { ", entries, " };").statement(0, STYLE)
}

/// The generated module that runs before the first test, and reports missing environment variables.
fn setup_module(plan: &Plan<'_>) -> String {
    let names = plan.environment().iter().map(|name| Code::text(literal(name))).collect();
    let secrets = Code::list("const SECRETS = [", names, "];").statement(0, STYLE);
    format!(
        "// Says once what the environment lacks, before any test is run.\n\n\
         const {{ requireSecrets }} = require(\"./steady_support.js\");\n\n{secrets}\n\
         module.exports = () => requireSecrets(SECRETS);\n"
    )
}

/// The function that logs an identity in and returns what its calls carry.
fn identity(who: &Identity<'_>, language: &dyn Statements) -> String {
    let mut fields = Vec::new();
    for (name, carried) in [("headers", &who.headers), ("query", &who.query)] {
        if !carried.is_empty() {
            fields.push(pairs(carried).after(format!("{name}: ")));
        }
    }
    if who.cookies {
        fields.push(Code::text("cookies: response.cookies"));
    }
    let mut text = format!("// What calls made as {} carry.\n", one_line(who.key));
    let speaks_of_base =
        who.templates().flat_map(Template::pieces).any(|piece| matches!(piece, Piece::Base(..)));
    let parameter = if who.login.is_empty() && !speaks_of_base { "" } else { "api" };
    text.push_str(&format!("async function {}({parameter}) {{\n", who.name.camel()));
    text.push_str(&language.steps(&who.login, 1));
    text.push_str(&Code::list("return { ", fields, " };").statement(1, STYLE));
    text + "}\n"
}
