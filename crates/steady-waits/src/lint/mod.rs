//! Says what is wrong with the waits of a file, and what to write instead.
//!
//! [`lint`] looks at one file and gives a [`Complaint`] for each wait that is wrong. A rule is a file with a `SUMMARY` and
//! a function `check`; [`Rule`] lists them. What the other files of the folder do, and what the past needed, comes in through the
//! [`Context`]. A comment `// steady-ignore`, with or without the name of a rule, silences.
//!
//! ```
//! use std::path::Path;
//! use steady_js::Script;
//! use steady_waits::lint::{Context, Rule, lint};
//!
//! let text = "test('pays', async ({ page }) => {\n  await page.waitForTimeout(2000);\n  const sum = await page.textContent('#sum');\n});\n";
//! let path = Path::new("pay.spec.ts");
//! let complaints = lint(&Script::read(path, text)?, path, &Context::default());
//! assert_eq!((complaints[0].rule, complaints[0].line), (Rule::FixedSleep, 2));
//! assert!(complaints[0].advice.contains("await expect(page.locator('#sum')).toBeVisible()"));
//! # Ok::<(), steady_js::ParseError>(())
//! ```

mod advice;
mod answered;
mod condition;
mod context;
mod cost;
mod cypress;
mod deletion;
mod fake_clock;
mod fixed_sleep;
mod follow;
mod gesture;
mod guard;
mod limit_below_waits;
mod long_timeout;
mod product_timer;
mod setting;
mod timestamps;
mod unawaited_wait;
mod waiting;
mod window;
mod wording;
mod zero_wait;

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use steady_edit::Span;
use steady_js::{Kind, Script, Statement, Wait};

pub use context::{Before, Context};
pub use cost::{Cost, cost};
pub use deletion::without;
pub use guard::precedes_negative_assertion;
pub use long_timeout::is_worth_a_look;

use fake_clock::FakeClock;

/// Something that a wait can be wrong about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A sleep where something can be waited for.
    FixedSleep,
    /// A time limit or a sleep far above what is needed.
    LongTimeout,
    /// A sleep of 0 ms.
    ZeroWait,
    /// A promise that nothing waits for.
    UnawaitedWait,
    /// A test that its own limit ends before its waits can.
    LimitBelowWaits,
}

impl Rule {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::FixedSleep, Self::LongTimeout, Self::ZeroWait, Self::UnawaitedWait, Self::LimitBelowWaits];

    /// The name that comments and reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::FixedSleep => "fixed-sleep",
            Self::LongTimeout => "long-timeout",
            Self::ZeroWait => "zero-wait",
            Self::UnawaitedWait => "unawaited-wait",
            Self::LimitBelowWaits => "limit-below-waits",
        }
    }

    /// What it is about, in a sentence.
    pub fn summary(self) -> &'static str {
        match self {
            Self::FixedSleep => fixed_sleep::SUMMARY,
            Self::LongTimeout => long_timeout::SUMMARY,
            Self::ZeroWait => zero_wait::SUMMARY,
            Self::UnawaitedWait => unawaited_wait::SUMMARY,
            Self::LimitBelowWaits => limit_below_waits::SUMMARY,
        }
    }

    fn check(self, file: &File<'_>) -> Vec<Said> {
        match self {
            Self::FixedSleep => fixed_sleep::check(file),
            Self::LongTimeout => long_timeout::check(file),
            Self::ZeroWait => zero_wait::check(file),
            Self::UnawaitedWait => unawaited_wait::check(file),
            Self::LimitBelowWaits => limit_below_waits::check(file),
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What is wrong with a wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Complaint {
    /// The rule that it breaks.
    pub rule: Rule,
    /// The file.
    pub path: PathBuf,
    /// The line of the call's name, from 1.
    pub line: usize,
    /// Its column, from 1, in UTF-16 code units.
    pub column: usize,
    /// The wait.
    pub wait: Wait,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to write instead, in the idiom of the file's framework.
    pub advice: String,
    /// The statement that can be deleted without anything in its place, if that is the advice.
    pub deletion: Option<Span>,
}

/// Says what is wrong with the waits of a file, in the order of its lines.
pub fn lint(script: &Script, path: &Path, context: &Context) -> Vec<Complaint> {
    let file = File::new(script, path, context);
    let said = Rule::ALL.iter().flat_map(|rule| rule.check(&file).into_iter().map(|said| (*rule, said)));
    let heard = said.filter(|(rule, said)| !file.is_silenced(&said.wait, *rule));
    let mut complaints: Vec<Complaint> = heard
        .map(|(rule, Said { wait, message, advice, deletion })| Complaint {
            rule,
            path: path.to_owned(),
            line: wait.line,
            column: wait.column,
            wait,
            message,
            advice,
            deletion,
        })
        .collect();
    complaints.sort_by_key(|complaint| (complaint.line, complaint.column, complaint.rule));
    complaints
}

/// What a rule says of a wait.
struct Said {
    wait: Wait,
    message: String,
    advice: String,
    deletion: Option<Span>,
}

impl Said {
    fn of(wait: &Wait, message: String, advice: String) -> Self {
        Self { wait: wait.clone(), message, advice, deletion: None }
    }

    /// What is said of a sleep, and what to write instead of it.
    fn of_sleep(file: &File<'_>, wait: &Wait, message: String) -> Self {
        let advice = advice::instead_of(file, wait);
        let deletion = if advice.deletes { advice::deletable(file, wait) } else { None };
        Self { advice: advice.text, wait: wait.clone(), message, deletion }
    }
}

/// A file as the rules see it.
struct File<'s> {
    script: &'s Script,
    path: &'s Path,
    context: &'s Context,
    /// Whether a statement touches an element of a page.
    touches_page: bool,
    /// Where its tests turn the clock themselves.
    fake_clock: FakeClock,
    /// Whether it sends requests to an API.
    asks_api: bool,
    /// The calls that sleep, in order.
    sleeps: Vec<Span>,
}

impl<'s> File<'s> {
    fn new(script: &'s Script, path: &'s Path, context: &'s Context) -> Self {
        let touches_page = script.statements().iter().any(|statement| statement.target.is_some());
        let fake_clock = FakeClock::of(script);
        let asks_api = answered::asks_api(script.text());
        let mut file = Self { script, path, context, touches_page, fake_clock, asks_api, sleeps: Vec::new() };
        let sleeps = file.waits().filter(|wait| wait.kind == Kind::Sleep).map(|wait| wait.call);
        let mut sleeps = sleeps.collect::<Vec<_>>();
        sleeps.sort_by_key(|sleep| sleep.start);
        file.sleeps = sleeps;
        file
    }

    /// Whether the test of a wait turns the clock itself.
    fn has_fake_clock(&self, wait: &Wait) -> bool {
        self.statement(wait).is_some_and(|statement| self.fake_clock.is_at(statement))
    }

    /// Whether something has a sleep in it.
    fn sleeps_in(&self, span: Span) -> bool {
        let first = self.sleeps.partition_point(|sleep| sleep.start < span.start);
        let inside = self.sleeps[first..].iter().take_while(|sleep| sleep.start < span.end);
        inside.into_iter().any(|sleep| sleep.end <= span.end)
    }

    /// The text of a place.
    fn slice(&self, span: Span) -> &'s str {
        self.script.text().get(span.start..span.end).unwrap_or_default()
    }

    /// All waits, also those whose time only a run knows.
    fn waits(&self) -> impl Iterator<Item = &Wait> {
        self.script.waits().iter().chain(self.script.unread_waits())
    }

    /// A comment counts at the call, and at the statement that the call is in.
    fn is_silenced(&self, wait: &Wait, rule: Rule) -> bool {
        let statement = self.statement(wait).map(|statement| statement.line);
        [Some(wait.line), statement]
            .into_iter()
            .flatten()
            .any(|line| self.script.is_ignored(line, rule.name()))
    }

    /// The innermost statement around a wait.
    fn statement(&self, wait: &Wait) -> Option<&Statement> {
        self.script.statement_around(wait.call)
    }

    /// The comments beside a wait and on the lines above its statement.
    fn comments_at(&self, wait: &Wait) -> impl Iterator<Item = String> {
        let line = self.statement(wait).map_or(wait.line, |statement| statement.line);
        let beside = self.script.line_text(wait.line).and_then(|line| line.split_once("//"));
        let beside = beside.map(|(_, comment)| comment.to_owned());
        comment_above(self.script, line).into_iter().chain(beside)
    }

    /// Whether a wait is the inside of a helper, so that its uses are what matters. A function that also does something else, and
    /// pauses for a time of its own unless it is given another, is to blame itself.
    fn is_in_helper(&self, wait: &Wait) -> bool {
        let helpers = self.script.helpers().iter();
        helpers
            .filter(|helper| helper.is_alone || helper.takes.is_none())
            .map(|helper| helper.span)
            .any(|span| span.start <= wait.call.start && wait.call.end <= span.end)
    }
}

/// The comment right above a line, its lines in one.
fn comment_above(script: &Script, line: usize) -> Option<String> {
    let is_comment = |text: &&str| text.starts_with("//") || text.starts_with('*') || text.starts_with("/*");
    let above = (1..line).rev().map_while(|above| script.line_text(above).map(str::trim));
    let mut lines: Vec<&str> = above.take_while(is_comment).collect();
    lines.reverse();
    (!lines.is_empty()).then(|| lines.join(" "))
}

/// The call as a person would say it: `page.waitForTimeout`.
fn called(wait: &Wait) -> String {
    if wait.receiver.is_empty() { wait.callee.clone() } else { format!("{}.{}", wait.receiver, wait.callee) }
}

#[cfg(test)]
mod tests;
