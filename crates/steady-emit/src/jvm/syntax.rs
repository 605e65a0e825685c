//! What Java and Kotlin write differently.

use crate::layout::{Code, Style};
use crate::plan::{Condition, Plan, Test};

/// The syntax of a language.
pub(crate) trait Syntax {
    /// The language's folder under `src/test`.
    const FOLDER: &'static str;
    /// What the names of its files end in.
    const EXTENSION: &'static str;
    /// `pom.xml`.
    const POM: &'static str;
    /// Support files in the language itself: names and texts.
    const OWN: &'static [(&'static str, &'static str)];
    /// How code is laid out.
    const STYLE: Style;
    /// What a statement ends with.
    const END: &'static str;
    /// What declares a variable that keeps its value.
    const CONSTANT: &'static str;
    /// Makes credentials that calls carry.
    const CREDENTIALS: &'static str;

    /// The head of a class, up to the first test.
    fn header(about: &str, class: &str) -> String;

    /// The head of a test.
    fn test(test: &Test<'_>) -> String;

    /// The head of a method that continues a test that is too long. It takes the
    /// response where it refers to it, and variables.
    fn continuation(name: &str, takes_response: bool, variables: &[String]) -> String;

    /// The class for the API, up to its `identities`: methods that log an identity in.
    fn suite(plan: &Plan<'_>, about: &str, identities: &str) -> String;

    /// The head of a method that logs an identity in.
    fn identity(name: &str) -> String;

    /// How a character is written in a literal, where it is not written as it is.
    fn special(c: char) -> Option<String>;

    /// A string of several pieces, each an expression or the text of a literal.
    fn concatenated(pieces: &[Fragment<'_>]) -> String;

    /// A JSON array.
    fn array(items: Vec<Code>) -> Code;

    /// A JSON object, from names that are expressions.
    fn object(fields: Vec<(String, Code)>) -> Code;

    /// The literal of an integer outside of `int`; `None` when there is none.
    fn long(integer: i64) -> Option<String>;

    /// States something about what was found.
    fn check(found: &str, condition: &Condition<'_>) -> Code;
}

/// A piece of a string.
pub(crate) enum Fragment<'a> {
    /// Text as it is.
    Text(&'a str),
    /// An expression whose value is a string.
    Expression(String),
}
