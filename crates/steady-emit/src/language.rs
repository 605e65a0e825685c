//! The interface of an emitter, and the skeleton that all share.

use std::borrow::Cow;

use steady_model::{Emitter, Fresh, Group, Place, Take};

use crate::EmittedFile;
use crate::hurl::Hurl;
use crate::javascript::{JavaScript, Jest, Playwright};
use crate::jvm::{Java, Jvm, Kotlin};
use crate::layout::{Code, Style, WIDTH};
use crate::plan::{Condition, Plan, Request, Step, Test, TestFile, Variable};
use crate::prose::{fill, one_line, wrapped};
use crate::python::{Pytest, Python, Unittest};

/// How a suite reads in one language and test framework.
///
/// A file is its header, its tests and its footer; `write` puts them together.
pub(crate) trait Language {
    /// Where a file of tests goes.
    fn path(&self, file: &TestFile<'_, '_>) -> String;

    /// The header of a file; `tests` is what follows, for imports that name what is used.
    fn header(&self, file: &TestFile<'_, '_>, tests: &str) -> String;

    /// A whole test.
    fn test(&self, test: &Test<'_>, plan: &Plan<'_>) -> String;

    /// The footer of a file.
    fn footer(&self) -> &'static str {
        ""
    }

    /// The files beside the tests: support, project, `README.md`.
    fn companions(&self, plan: &Plan<'_>) -> Vec<EmittedFile>;

    /// What the tests of one file may weigh together. A file holds one test at least, and never more than 200.
    fn room(&self) -> usize {
        200
    }

    /// What a test weighs.
    fn weight(&self, _test: &Test<'_>) -> usize {
        1
    }
}

/// The language of an emitter. Those of a family are one type, over what its members do not agree on.
pub(crate) fn of(emitter: Emitter) -> &'static dyn Language {
    match emitter {
        Emitter::Pytest => &Python(Pytest),
        Emitter::Unittest => &Python(Unittest),
        Emitter::Jest => &JavaScript(Jest),
        Emitter::Playwright => &JavaScript(Playwright),
        Emitter::Junit5 => &Jvm(Java),
        Emitter::Kotlin => &Jvm(Kotlin),
        Emitter::Hurl => &Hurl,
    }
}

/// Which of a test's calls a call is; that decides how its response is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// It is the only one.
    Only,
    /// Others follow.
    First,
    /// Another came before.
    Later,
}

impl Turn {
    fn of(steps: &[Step<'_>]) -> Vec<Self> {
        let calls = steps.iter().filter(|step| matches!(step, Step::Send(_))).count();
        let turn = |index| match (index, calls) {
            (0, 1) => Self::Only,
            (0, _) => Self::First,
            _ => Self::Later,
        };
        (0..calls).map(turn).collect()
    }
}

/// How the steps of a test read in a programming language.
pub(crate) trait Statements {
    /// How code is laid out.
    fn style(&self) -> Style;

    /// What a comment's line begins with.
    fn comment(&self) -> &'static str;

    /// Sets a variable to a value of this run's own.
    fn fresh(&self, variable: &Variable, value: &Fresh) -> Code;

    /// Makes a call.
    fn send(&self, request: &Request<'_>, turn: Turn) -> Code;

    /// Leaves a call for the end of the test.
    fn cleanup(&self, request: &Request<'_>) -> Code;

    /// Takes a variable out of the response.
    fn capture(&self, variable: &Variable, from: &Place, take: Take) -> Code;

    /// States something about the response; empty when nothing is asserted.
    fn check(&self, place: &Place, condition: &Condition<'_>) -> Code;

    /// The steps of a test, `depth` steps indented, a blank line between calls.
    fn steps(&self, steps: &[Step<'_>], depth: usize) -> String {
        let style = self.style();
        let mut out = String::new();
        let mut turns = Turn::of(steps).into_iter();
        for step in steps {
            let code = match step {
                Step::Fresh { variable, value } => self.fresh(variable, value),
                Step::Send(request) => {
                    if !out.is_empty() {
                        out.push('\n');
                    }
                    self.send(request, turns.next().unwrap_or(Turn::Later))
                }
                Step::Cleanup(request) => self.cleanup(request),
                Step::Capture { variable, from, take } => self.capture(variable, from, *take),
                Step::Check { place, condition, note } => {
                    let mark = format!("{}{}", style.tab.repeat(depth), self.comment());
                    if let Some(note) = remark(place, condition, *note) {
                        out.push_str(&comment(&note, &mark));
                    }
                    self.check(place, condition)
                }
            };
            if !code.is_empty() {
                out.push_str(&code.statement(depth, style));
            }
        }
        out
    }
}

/// Writes a plan in a language.
pub(crate) fn write(language: &dyn Language, plan: &Plan<'_>) -> Vec<EmittedFile> {
    let mut files = language.companions(plan);
    for file in TestFile::all(plan, language.room(), &|test| language.weight(test)) {
        let tests: String = file.tests.iter().map(|test| language.test(test, plan)).collect();
        let text = language.header(&file, &tests) + &tests + language.footer();
        files.push(EmittedFile::new(language.path(&file), text));
    }
    files
}

/// The arguments of a support file's `fresh`, given how the language writes a string.
pub(crate) fn fresh_arguments(value: &Fresh, literal: impl Fn(&str) -> String) -> String {
    let mut arguments = format!("{}, {}", literal(&value.prefix), value.length);
    if !value.suffix.is_empty() {
        arguments.push_str(&format!(", {}", literal(&value.suffix)));
    }
    arguments
}

/// The comment beside an assertion. A disabled one names at least its place.
pub(crate) fn remark<'a>(
    place: &Place,
    condition: &Condition<'_>,
    note: Option<&'a str>,
) -> Option<Cow<'a, str>> {
    match (condition, note) {
        (_, Some(note)) => Some(Cow::Borrowed(note)),
        (Condition::Disabled, None) => Some(Cow::Owned(format!("Not asserted: {place}"))),
        _ => None,
    }
}

/// Lines of a comment, each after `mark`.
pub(crate) fn comment(text: &str, mark: &str) -> String {
    let width = WIDTH.saturating_sub(mark.chars().count() + 1);
    wrapped(text, width).iter().map(|line| format!("{mark} {line}\n")).collect()
}

/// A remark for readers of a test that expects a server error.
const FAULTS: &str = "Tests among the faults say what the API does today. They pass as long as the fault is there; \
    when it is fixed, they\nfail, and are to be changed or removed.";

/// `README.md` from its template: how the tests are run, which secrets they need, and what is odd about faults.
pub(crate) fn readme(template: &str, plan: &Plan<'_>) -> EmittedFile {
    let names: Vec<String> = plan.environment().iter().map(|name| format!("`{}`", one_line(name))).collect();
    let mut notes = Vec::new();
    if !names.is_empty() {
        notes.push(format!("Secrets are read from the environment: set {}.", names.join(", ")));
    }
    if plan.tests.iter().any(|test| test.group == Group::Faults) {
        notes.push(FAULTS.to_owned());
    }
    let text = fill(template, &[("title", &one_line(plan.title)), ("notes", &notes.join("\n\n"))]);
    EmittedFile::new("README.md", text.replace("\n\n\n", "\n\n").trim_end().to_owned() + "\n")
}
