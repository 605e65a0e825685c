//! Finds, in the statements of a test, the assertions about responses and the requests they belong to.
//!
//! A test is read from top to bottom with the names that hold a response, or a part of one, in scope; what runs before it is
//! read first, and a function of the same file, or of one that it is imported from, where it is called. What is made in a loop or bound in one branch only is not
//! known, and nothing said of it is listed. Any other function is taken to return a response, or the body of one, by how its
//! result is used; whether it made a request is for whoever watched it to say. Assertions that lead to no response are listed, too.

mod follow;
mod hamcrest;
mod jvm;
mod meaning;
mod names;
mod not_followed;
mod python;
mod record;
mod resolve;
mod scope;
mod script;
mod subject;

use std::collections::BTreeMap;
use std::sync::Arc;

use steady_edit::{LineIndex, Span};

use crate::assertion::{CallSite, Found, NotFollowed};
use crate::fixtures::FixtureFile;
use crate::imported::ImportedName;
use crate::language::Language;
use crate::syntax::{Action, Expr, Function, Kind, Link, Statement, Step, Test};
use subject::Subject;

pub(crate) use meaning::escape;

/// What a test asserts.
pub(crate) struct Findings {
    /// Its assertions about responses, in the order of the source.
    pub found: Vec<Found>,
    /// Its other assertions, by span.
    pub not_followed: BTreeMap<usize, NotFollowed>,
}

/// A file whose code is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Home<'s> {
    pub text: &'s str,
    pub lines: &'s LineIndex,
    pub functions: &'s BTreeMap<String, Function>,
    /// Its place among the files of fixtures; none for the file of the tests.
    pub fixture_file: Option<usize>,
}

/// What a test sees of other files.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shared<'s> {
    /// The files of fixtures, the nearest first, and those that functions are imported from.
    pub files: &'s [Arc<FixtureFile>],
    /// The names that its file imports.
    pub imported: &'s [ImportedName],
}

/// The assertions of a test of a file.
pub(crate) fn find<'s>(test: &'s Test, own: Home<'s>, shared: Shared<'s>, language: Language) -> Findings {
    let mut finder = Finder {
        here: own,
        own,
        shared,
        language,
        test: test.span,
        scope: BTreeMap::new(),
        found: Vec::new(),
        not_followed: BTreeMap::new(),
        returned: None,
        depth: 0,
        asserts_elsewhere: false,
    };
    finder.fixtures(&test.parameters);
    finder.run(&test.setup);
    finder.run(&test.body);
    let mut found = finder.found;
    // A chain is read once for the assertions in it, and again for its value.
    found.sort_by_key(|found| (found.span.start, found.span.end, found.call));
    found.dedup_by(|next, kept| next.span == kept.span && next.call == kept.call);
    Findings { found, not_followed: finder.not_followed }
}

struct Finder<'s> {
    /// The file that is being read.
    here: Home<'s>,
    /// The file of the test.
    own: Home<'s>,
    /// What the test sees of other files.
    shared: Shared<'s>,
    language: Language,
    /// The code of the test.
    test: Span,
    scope: BTreeMap<String, Subject>,
    found: Vec<Found>,
    not_followed: BTreeMap<usize, NotFollowed>,
    /// What the function that is read returns, once it does.
    returned: Option<Option<Subject>>,
    /// How many functions are being read.
    depth: usize,
    /// Whether a function of another file that was read asserts something.
    asserts_elsewhere: bool,
}

impl<'s> Finder<'s> {
    fn run(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                Action::Bind(names, value) => {
                    self.chained(value);
                    let subject = self.resolve(value);
                    self.bind(names, subject);
                }
                Action::Evaluate(value) => self.evaluate(statement, value),
                Action::Assert(condition) => {
                    let before = self.found.len();
                    self.python_assert(statement, condition);
                    self.note_unless_found(before, statement, &[condition]);
                }
                Action::Return(value) => {
                    self.chained(value);
                    let subject = self.resolve(value);
                    self.returned.get_or_insert(subject);
                }
                Action::Repeated(assertions) => {
                    for span in assertions {
                        self.not_follow(
                            *span,
                            "it stands in a loop or a block that may run any number of times",
                        );
                    }
                }
                Action::Sequence(inner) => self.run(inner),
                Action::Branches(inner) => {
                    let before = self.scope.clone();
                    self.run(inner);
                    self.scope.retain(|name, subject| before.get(name) == Some(subject));
                }
            }
        }
    }

    fn evaluate(&mut self, statement: &Statement, value: &Expr) {
        self.chained(value);
        let before = self.found.len();
        match self.language {
            Language::Java | Language::Kotlin => self.jvm_statement(statement, value),
            Language::Python => self.python_statement(statement, value),
            _ => self.script_statement(statement, value),
        }
        let Kind::Chain(base, links) = &value.kind else { return };
        let (Kind::Name(name), Some(first)) = (&base.kind, links.first()) else { return };
        match &first.kind {
            Step::Call(_) if self.callee(name).is_some() => {
                let before = std::mem::take(&mut self.asserts_elsewhere);
                self.resolve(value);
                if std::mem::replace(&mut self.asserts_elsewhere, before) && self.here.fixture_file.is_none()
                {
                    self.not_follow(
                        statement.span,
                        "it asserts in a function of another file, which is not rewritten",
                    );
                }
            }
            Step::Call(arguments) if name == "expect" => {
                let arguments: Vec<&Expr> = arguments.iter().collect();
                self.note_unless_found(before, statement, &arguments);
            }
            Step::Member(method) if name == "self" && method.starts_with("assert") => {
                let arguments: Vec<&Expr> = match links.get(1) {
                    Some(Link { kind: Step::Call(arguments), .. }) => arguments.iter().collect(),
                    _ => Vec::new(),
                };
                self.note_unless_found(before, statement, &arguments);
            }
            _ => {}
        }
    }

    fn site(&self, span: Span) -> CallSite {
        CallSite {
            first_line: self.here.lines.line(span.start),
            last_line: self.here.lines.line(span.end.saturating_sub(1)),
            fixture_file: self.here.fixture_file,
        }
    }

    /// The assertions that are calls of a chain.
    fn chained(&mut self, value: &Expr) {
        match self.language {
            Language::Java | Language::Kotlin => self.jvm_chained(value),
            Language::Python => {}
            _ => self.script_chained(value),
        }
    }
}
