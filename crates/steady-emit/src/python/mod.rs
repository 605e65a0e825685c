//! Python: literals, statements and modules, shared by pytest and unittest.
//!
//! [`Python`] writes all of it; a [`Framework`] says what its tests look like.

mod expectation;
mod expression;
mod pytest;
mod unittest;

pub(crate) use pytest::Pytest;
pub(crate) use unittest::Unittest;

use steady_model::{Fresh, Payload, Place, Take};

use crate::EmittedFile;
use crate::language::{Language, Statements, Turn, fresh_arguments, readme};
use crate::layout::{Code, Style, WIDTH};
use crate::plan::{Condition, Content, Identity, Plan, Request, Setting, Test, TestFile, Variable};
use crate::prose::{one_line, wrapped};
use expression::{bytes, literal, pairs, template, value};

const STYLE: Style = Style { tab: "    ", trailing_comma: true, breaks_last: false, lines: ("(", "", ")") };

/// The functions of `steady_support.py` that tests and logins may call.
const FUNCTIONS: [&str; 8] =
    ["Credentials", "base64_text", "env", "fresh", "json_text", "part", "path", "text"];

/// Writes tests for one of the frameworks.
#[derive(Debug)]
pub(crate) struct Python<F>(pub(crate) F);

/// What the frameworks do not agree on.
pub(crate) trait Framework {
    /// The client, as a test calls it.
    const CLIENT: &'static str;
    /// How deep a test's steps are indented.
    const DEPTH: usize;
    /// `README.md`.
    const README: &'static str;
    /// `requirements.txt`.
    const REQUIREMENTS: &'static str;
    /// The file that gives tests their client: its name and its text.
    const OWN: (&'static str, &'static str);

    /// What stands between the file's docstring and its first test; `import` may be empty.
    fn header(file: &TestFile<'_, '_>, import: &str) -> String;

    /// What stands before a test's docstring.
    fn signature(test: &Test<'_>) -> String;

    /// States something about what was found.
    fn check(found: &str, condition: &Condition<'_>) -> Code;
}

impl<F: Framework> Language for Python<F> {
    fn path(&self, file: &TestFile<'_, '_>) -> String {
        format!("test_{}.py", file.stem("_"))
    }

    fn header(&self, file: &TestFile<'_, '_>, tests: &str) -> String {
        let about = format!("{}. {}", one_line(file.plan.title), file.summary());
        docstring(&about, 0) + &F::header(file, &import(tests, file.speaks_of_base()))
    }

    fn test(&self, test: &Test<'_>, _plan: &Plan<'_>) -> String {
        F::signature(test) + &docstring(test.about, F::DEPTH) + &self.steps(&test.steps, F::DEPTH)
    }

    fn companions(&self, plan: &Plan<'_>) -> Vec<EmittedFile> {
        let matchers = include_str!("../../support/python/steady_matchers.py");
        let support = include_str!("../../support/python/steady_support.py");
        vec![
            readme(F::README, plan),
            EmittedFile::new("requirements.txt", F::REQUIREMENTS),
            EmittedFile::new(F::OWN.0, F::OWN.1),
            EmittedFile::new("steady_matchers.py", matchers),
            EmittedFile::new("steady_support.py", support),
            EmittedFile::new("steady_suite.py", suite_module(plan)),
        ]
    }
}

impl<F: Framework> Statements for Python<F> {
    fn style(&self) -> Style {
        STYLE
    }

    fn comment(&self) -> &'static str {
        "#"
    }

    fn fresh(&self, variable: &Variable, value: &Fresh) -> Code {
        Code::text(format!("{} = fresh({})", variable.name.snake(), fresh_arguments(value, literal)))
    }

    fn send(&self, request: &Request<'_>, _turn: Turn) -> Code {
        call(&api(F::CLIENT, request), request).after("response = ")
    }

    fn cleanup(&self, request: &Request<'_>) -> Code {
        call(&format!("{}.cleanup", api(F::CLIENT, request)), request)
    }

    fn capture(&self, variable: &Variable, from: &Place, take: Take) -> Code {
        let taken = match take {
            Take::Whole => "value",
            Take::LastSegment => "last_segment",
        };
        Code::text(format!("{} = {}.{taken}", variable.name.snake(), found(from)))
    }

    fn check(&self, place: &Place, condition: &Condition<'_>) -> Code {
        let found = match condition {
            Condition::MediaType(_) => "response.media_type".to_owned(),
            _ => found(place),
        };
        F::check(&found, condition)
    }
}

/// The client of the call's identity.
fn api(client: &str, request: &Request<'_>) -> String {
    match request.identity {
        Some(name) => format!("{client}.acting_as({})", literal(name)),
        None => client.to_owned(),
    }
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

/// A call on `api`, an expression for the client.
fn call(api: &str, request: &Request<'_>) -> Code {
    let mut items = vec![Code::text(template(&request.target, Setting::Target))];
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
        Content::Text { content_type, text } => body(template(text, Setting::Text), content_type),
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

/// `from steady_support import …`, with the functions that `code` calls, and the like for the matchers and the address.
fn import(code: &str, speaks_of_base: bool) -> String {
    let line = |module: &str, names: &[&'static str]| match used(code, names).as_slice() {
        [] => String::new(),
        names => {
            let names: Vec<Code> = names.iter().copied().map(Code::text).collect();
            let flat = Code::list(format!("from {module} import "), names.clone(), "");
            let broken = Code::list(format!("from {module} import ("), names, ")");
            let code = if flat.flat().len() <= WIDTH { flat } else { broken };
            code.statement(0, STYLE)
        }
    };
    let base = if speaks_of_base { "from steady_suite import base\n" } else { "" };
    line("steady_matchers", &expectation::FUNCTIONS) + base + &line("steady_support", &FUNCTIONS)
}

/// Which of these names `code` calls.
fn used(code: &str, names: &[&'static str]) -> Vec<&'static str> {
    let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let calls = |name: &&'static str| {
        code.match_indices(&format!("{name}(")).any(|(at, _)| !code[..at].ends_with(goes_on))
    };
    names.iter().copied().filter(calls).collect()
}

/// The generated module that knows the API: its address, and who calls it.
fn suite_module(plan: &Plan<'_>) -> String {
    let mut text = docstring(&format!("{}: its address, and who calls it.", plan.title), 0);
    let functions: Vec<String> = plan.identities.iter().map(identity).collect();
    let mut imports = used(&functions.concat(), &FUNCTIONS);
    imports.push("Session");
    imports.sort_unstable();
    text.push_str(&format!(
        "\nfrom steady_support import {}\n\nURL = {}\n",
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
    let secrets: Vec<Code> = plan.environment().iter().map(|name| Code::text(literal(name))).collect();
    let secrets = Code::list("SECRETS = [", secrets, "]").statement(0, STYLE);
    text + &format!(
        "{gap}{identities}{secrets}\nSESSION = Session(URL, IDENTITIES, SECRETS)\nbase = SESSION.base\n"
    )
}

/// The function that signs someone in and says what their calls carry.
fn identity(who: &Identity<'_>) -> String {
    let mut items = Vec::new();
    for (name, carried) in [("headers", &who.headers), ("query", &who.query)] {
        if !carried.is_empty() {
            items.push(pairs(carried).after(format!("{name}=")));
        }
    }
    if who.cookies {
        items.push(Code::text("cookies=response.cookies"));
    }
    let about = format!("What calls made as {} carry.", who.key);
    let mut text = format!("def {}(api):\n{}", who.name.snake(), docstring(&about, 1));
    // A login is a plain function in both styles.
    text.push_str(&Python(Pytest).steps(&who.login, 1));
    text + &Code::list("return Credentials(", items, ")").statement(1, STYLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_docstring_early() {
        assert_eq!(docstring("ends in \"\"\" and \\", 0), "\"\"\"ends in \\\"\\\"\\\" and /\"\"\"\n");
        let long = docstring(&"word ".repeat(30), 1);
        assert!(long.starts_with("    \"\"\"word") && long.ends_with("word\n    \"\"\"\n"), "{long}");
    }
}
