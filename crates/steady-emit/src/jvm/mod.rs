//! The Java virtual machine: what Java and Kotlin share, which is everything but the syntax of the tests.

mod calls;
mod java;
mod kotlin;

pub(crate) use java::Java;
pub(crate) use kotlin::Kotlin;

use crate::EmittedFile;
use crate::language::{comment, readme};
use crate::layout::{Code, WIDTH};
use crate::plan::{Json, Name, Plan, TestFile};
use crate::prose::wrapped;

/// A class file's constant has at most 65,535 bytes, and a character may need three of them.
const LONGEST_LITERAL: usize = 16_000;

/// Values that hold more values than this are written as JSON text.
const MOST_LEAVES: usize = 200;

/// The support classes, in Java for both languages.
const SUPPORT: [(&str, &str); 10] = [
    ("Answer.java", include_str!("../../support/jvm/Answer.java")),
    ("Api.java", include_str!("../../support/jvm/Api.java")),
    ("Credentials.java", include_str!("../../support/jvm/Credentials.java")),
    ("Found.java", include_str!("../../support/jvm/Found.java")),
    ("Multipart.java", include_str!("../../support/jvm/Multipart.java")),
    ("Request.java", include_str!("../../support/jvm/Request.java")),
    ("RequestPart.java", include_str!("../../support/jvm/RequestPart.java")),
    ("Session.java", include_str!("../../support/jvm/Session.java")),
    ("Steady.java", include_str!("../../support/jvm/Steady.java")),
    ("Values.java", include_str!("../../support/jvm/Values.java")),
];

/// The project's files that do not depend on the language.
fn companions(plan: &Plan<'_>, pom: &str) -> Vec<EmittedFile> {
    let mut files =
        vec![readme(include_str!("../../support/jvm/README.md"), plan), EmittedFile::new("pom.xml", pom)];
    for (name, text) in SUPPORT {
        files.push(EmittedFile::new(format!("src/test/java/steady/{name}"), text));
    }
    files
}

/// A documentation comment, `depth` steps indented.
fn documentation(text: &str, depth: usize) -> String {
    let indent = "    ".repeat(depth);
    match wrapped(text, WIDTH - indent.len() - 8).as_slice() {
        [line] => format!("{indent}/** {line} */\n"),
        _ => format!("{indent}/**\n{}{indent} */\n", comment(text, &format!("{indent} *"))),
    }
}

/// The name of a file's test class.
fn class_name(file: &TestFile<'_, '_>) -> String {
    format!("{}Test", Name::of(&file.stem("_")).pascal())
}

/// A literal, or several joined where one would be too long.
fn joined(text: &str, literal: impl Fn(&str) -> String) -> String {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((end, _)) = rest.char_indices().nth(LONGEST_LITERAL) {
        pieces.push(literal(&rest[..end]));
        rest = &rest[end..];
    }
    if pieces.is_empty() {
        return literal(text);
    }
    pieces.push(literal(rest));
    format!("joined({})", pieces.join(", "))
}

/// A large value as JSON text: piece by piece it could outgrow what a method may hold, which is 64 kB of code.
/// A value with variables in it stays as it is.
fn large(json: &Json<'_>, literal: impl Fn(&str) -> String) -> Option<Code> {
    let value = (json.leaves() > MOST_LEAVES).then(|| json.to_value())??;
    Some(Code::text(format!("parsed({})", literal(&value.to_string()))))
}

/// A character as the UTF-16 escapes both languages have.
fn utf16(c: char) -> String {
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}
