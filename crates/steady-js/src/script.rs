//! A file that was read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use steady_edit::{LineIndex, Span};

use crate::facts::Facts;
use crate::facts::helper::{Helper, KnownHelpers};
use crate::find::Everything;
use crate::framework::Framework;
use crate::ignore::Ignores;
use crate::statement::{self, Statement};
use crate::{ParseError, Wait, find, parse};

/// A JavaScript or TypeScript file and its waits.
#[derive(Debug, Clone)]
pub struct Script {
    path: PathBuf,
    text: String,
    lines: LineIndex,
    waits: Vec<Wait>,
    unread: Vec<Wait>,
    untold: BTreeMap<usize, u64>,
    helpers: Vec<Helper>,
    statements: Vec<Statement>,
    ignores: Ignores,
    frameworks: Vec<Framework>,
    sources: BTreeSet<String>,
    stand_ins: Vec<Span>,
}

impl Script {
    /// Reads a file; its name says in which language it is written.
    ///
    /// # Errors
    ///
    /// If the text is no JavaScript or TypeScript, or too large or too deep to be read.
    pub fn read(path: &Path, text: &str) -> Result<Self, ParseError> {
        Self::read_with(path, text, &KnownHelpers::default())
    }

    /// Reads a file that may call helpers of other files.
    ///
    /// # Errors
    ///
    /// As [`Script::read`].
    pub fn read_with(path: &Path, text: &str, known: &KnownHelpers) -> Result<Self, ParseError> {
        parse::with_program(path, text, |program| {
            let facts = Facts::of(program, program.source_text, known);
            let Everything { waits, unread, untold, names } = find::waits(program, &facts);
            Self {
                path: path.to_owned(),
                text: text.to_owned(),
                sources: facts.origins(&names),
                stand_ins: find::stand_ins(program, waits.iter().chain(&unread), &facts.tests),
                statements: statement::statements(program, text, &facts.lines, &facts.tests),
                ignores: Ignores::of(program, text, &facts.lines),
                waits,
                unread,
                untold,
                lines: facts.lines,
                helpers: facts.helpers,
                frameworks: facts.frameworks,
            }
        })
    }

    /// The waits, in the order of their text.
    pub fn waits(&self) -> &[Wait] {
        &self.waits
    }

    /// The waits that are told how long by something that only a run knows, such as an imported name or a parameter. They
    /// have no value, though one is written; they are not among [`Script::waits`].
    pub fn unread_waits(&self) -> &[Wait] {
        &self.unread
    }

    /// How long a wait is, in milliseconds: what its call says, or else what the helper that it calls says in its own file.
    pub fn length_of(&self, wait: &Wait) -> Option<u64> {
        wait.ms().or_else(|| self.untold.get(&wait.call.start).copied())
    }

    /// What could say how long its waits are, as it is imported: `./times`, `@/times`, `#times`, and packages.
    pub fn sources(&self) -> &BTreeSet<String> {
        &self.sources
    }

    /// The name of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line of a byte, from 1.
    pub fn line_of(&self, byte: usize) -> usize {
        self.lines.line(byte)
    }

    /// How many lines there are.
    pub fn line_count(&self) -> usize {
        self.lines.count()
    }

    /// The text of a line, from 1, without its line ending.
    pub fn line_text(&self, line: usize) -> Option<&str> {
        self.lines.span(&self.text, line).map(|span| &self.text[span])
    }

    /// The functions of this file that resolve after a timer.
    pub fn helpers(&self) -> &[Helper] {
        &self.helpers
    }

    /// Where a pause is no sleep of a test: functions that stand in for a server, slow work or a part of an application (components,
    /// what hooks and constructors are given, what answers after a sleep), and loops that look again until something is so.
    pub fn stand_ins(&self) -> &[Span] {
        &self.stand_ins
    }

    /// All statements that are no blocks, in the order of their text.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The innermost statement around something.
    pub fn statement_around(&self, span: Span) -> Option<&Statement> {
        statement::around(&self.statements, span)
    }

    /// The innermost statement that starts on or covers a line.
    pub fn statement_at(&self, line: usize) -> Option<Statement> {
        statement::at(&self.statements, line).cloned()
    }

    /// The frameworks that the file uses; [`Framework::Unknown`] alone if none is known.
    pub fn frameworks(&self) -> &[Framework] {
        &self.frameworks
    }

    /// Whether a comment silences a rule on a line.
    pub fn is_ignored(&self, line: usize, rule: &str) -> bool {
        self.ignores.cover(line, rule)
    }
}

/// What a file says about waiting, for whoever needs nothing else of it: less work than a [`Script`].
#[derive(Debug, Clone, Default)]
pub struct Waits {
    /// As [`Script::waits`].
    pub waits: Vec<Wait>,
    /// As [`Script::helpers`].
    pub helpers: Vec<Helper>,
}

impl Waits {
    /// Reads a file that may call helpers of other files.
    ///
    /// # Errors
    ///
    /// As [`Script::read`].
    pub fn read(path: &Path, text: &str, known: &KnownHelpers) -> Result<Self, ParseError> {
        parse::with_program(path, text, |program| {
            let facts = Facts::of(program, program.source_text, known);
            let Everything { waits, .. } = find::waits(program, &facts);
            Self { waits, helpers: facts.helpers }
        })
    }
}
