//! What stands at the place that is to be repaired.

use serde::{Deserialize, Serialize};
use steady_js::{Form, Kind, Script, Wait};

use super::corpus::Source;

/// The kinds, in the order of the tables.
pub const KINDS: [Kind; 4] = [Kind::Sleep, Kind::Timer, Kind::PollTimeout, Kind::TestTimeout];

/// What stands at the place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Target {
    /// A wait that says how long: it is to wait longer.
    Wait(Box<Wait>),
    /// Nothing that says how long: a wait or a limit is to be added.
    Call(Context),
}

/// A wait that a place does not have yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Addition {
    /// Who will pay for it.
    pub kind: Kind,
    /// How long is waited there without it, in milliseconds: a call's limit is of use only above its framework's own.
    pub above: u64,
}

/// What kind of line a wait is added at. Which kind of wait it will be depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Context {
    /// A timer that does not say how long: `setTimeout(resolve)`.
    Timer,
    /// The first or last line of a test, or of another function that was passed.
    Edge,
    /// A call that polls: a query, an expectation.
    Polling,
    /// A call that acts: a click, a visit, anything awaited.
    Action,
    /// None of these.
    Other,
}

impl Context {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 5] = [Self::Timer, Self::Edge, Self::Polling, Self::Action, Self::Other];
}

const TESTS: [&str; 12] = [
    "it(",
    "it.",
    "test(",
    "test.",
    "describe(",
    "describe.",
    "before(",
    "beforeEach(",
    "beforeAll(",
    "after(",
    "afterEach(",
    "afterAll(",
];
const POLLING: [&str; 13] = [
    "findBy",
    "findAllBy",
    "waitFor",
    "expect(",
    "should(",
    "cy",
    "toPass",
    "poll(",
    "toBe",
    "toHave",
    ".get(",
    ".find",
    "toContain",
];
const ACTING: [&str; 12] = [
    "click", "type(", "press", "goto", "visit", "fill", "reload", "connect", "await ", "select", "upload",
    "navigate",
];

impl Target {
    /// What stands on a line, or around it: a value that spans lines, the call whose name is there, or the call that the line is
    /// in the middle of.
    pub fn at(file: &Source, line: usize) -> Self {
        let timed = || file.waits.iter().filter(|wait| wait.value.is_some());
        let value_line = |wait: &Wait| wait.value.as_ref().map_or(0, |value| value.line);
        let is_here =
            |wait: &&Wait| value_line(wait) == line && wait.line.abs_diff(line) <= REACH || wait.line == line;
        let on_line = timed()
            .filter(|wait| value_line(wait) == line)
            .min_by_key(|wait| wait.call.end - wait.call.start);
        let is_around = |wait: &&Wait| {
            matches!(wait.kind, Kind::Sleep | Kind::PollTimeout)
                && line_at(&file.text, wait.call.start) <= line
                && line <= line_at(&file.text, wait.call.end)
        };
        let around = || timed().filter(is_around).min_by_key(|wait| wait.call.end - wait.call.start);
        match on_line.or_else(|| timed().find(is_here)).or_else(around) {
            Some(wait) => Self::Wait(Box::new(wait.clone())),
            None => Self::Call(context(file, line)),
        }
    }

    /// The wait, if there is one.
    pub fn wait(&self) -> Option<&Wait> {
        match self {
            Self::Wait(wait) => Some(wait.as_ref()),
            Self::Call(_) => None,
        }
    }

    /// How long it waits now; nothing for no time at all.
    pub fn old_ms(&self) -> Option<u64> {
        self.wait().and_then(Wait::ms).filter(|&ms| ms > 0)
    }

    /// Its kind, if it is a wait.
    pub fn kind(&self) -> Option<Kind> {
        self.wait().map(|wait| wait.kind)
    }

    /// How it is written, if it is a wait.
    pub fn form(&self) -> Option<Form> {
        self.wait().map(|wait| wait.form)
    }
}

/// The line of a byte, from 1.
fn line_at(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().get(..byte).unwrap_or_default();
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}

/// How far a call's name may be from its value.
const REACH: usize = 400;

/// What a wait would be added to, by how the statement begins that stands on the line or goes on there.
fn context(file: &Source, line: usize) -> Context {
    let untimed = file.waits.iter().find(|wait| wait.value.is_none() && wait.line == line);
    if let Some(wait) = untimed {
        return if wait.kind.is_blocking() { Context::Timer } else { Context::Polling };
    }
    let script = Script::read(&file.path, &file.text).ok();
    let here = file.line(line).trim();
    let is_code = |text: &str| !text.is_empty() && !text.starts_with("//");
    if !is_code(here) {
        // What is put on an empty line is done between its neighbours.
        let of = |line: usize| by_words(file.line(line).trim());
        return of(line.saturating_sub(1)).or_else(|| of(line + 1)).unwrap_or(Context::Other);
    }
    let head = script.as_ref().and_then(|script| script.statement_at(line)).map_or(line, |found| found.line);
    let text = file.line(head).trim();
    if TESTS.iter().any(|start| text.starts_with(start)) {
        return Context::Edge;
    }
    by_words(text).or_else(|| by_words(here)).unwrap_or(Context::Other)
}

fn by_words(text: &str) -> Option<Context> {
    let has = |marks: &[&str]| marks.iter().any(|mark| text.contains(mark));
    if has(&POLLING) { Some(Context::Polling) } else { has(&ACTING).then_some(Context::Action) }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::Corpus;
    use super::*;

    #[test]
    fn a_line_in_the_middle_of_a_call_is_about_that_call() {
        let text = "it('a', async () => {\n  await screen.findByText(\n    'Saved',\n    {},\n    { timeout: 500 },\n  );\n  open();\n}, 9000);\n";
        let path = PathBuf::from("a.test.js");
        let corpus = Corpus::of(&[(path.clone(), text.to_owned())]);
        let file = corpus.file(&path).expect("the file");
        let found: Vec<Option<u64>> = (2..=7).map(|line| Target::at(file, line).old_ms()).collect();
        let inside = Some(500);
        assert_eq!(found, [inside, inside, inside, inside, inside, None]);
    }
}
