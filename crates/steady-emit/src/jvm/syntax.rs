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

    /// What stands before the first test of a class.
    fn header(about: &str, class: &str) -> String;

    /// What stands before a test's body.
    fn test(test: &Test<'_>) -> String;

    /// What stands before the body of a method that goes on where a test has become too long. It takes the
    /// response where it speaks of it, and variables.
    fn continuation(name: &str, takes_response: bool, variables: &[String]) -> String;

    /// The class that knows the API, up to its `identities`: methods that sign someone in.
    fn suite(plan: &Plan<'_>, about: &str, identities: &str) -> String;

    /// What stands before the body of a method that signs someone in.
    fn identity(name: &str) -> String;

    /// How a character is written in a literal, where it is not written as it is.
    fn special(c: char) -> Option<String>;

    /// A string of several pieces, each an expression or the text of a literal.
    fn concatenated(pieces: &[Fragment<'_>]) -> String;

    /// A JSON array.
    fn array(items: Vec<Code>) -> Code;

    /// A JSON object, from names that are expressions.
    fn object(fields: Vec<(String, Code)>) -> Code;

    /// The literal of an integer that is no `int`; `None` when there is none.
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
