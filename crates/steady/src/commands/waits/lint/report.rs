//! What `steady waits lint` prints: first how much there is, by rule and by folder, then every wait, the worst files first.
//!
//! ```text
//! 2 waits in 1 file: 1 sleep (2 s in every run), 1 poll timeout; 1 complaint
//!
//!    complaints     slept  rule
//!             1       2 s  fixed-sleep  A sleep of fixed length is too short on a slow machine and lost time on a fast one; …
//!
//! e2e/cart.spec.ts
//!     12:9   sleep             2 s  page.waitForTimeout
//!            fixed-sleep: Wait for what the next line needs: `await expect(…).toBeVisible()`
//!     31:3   poll timeout     10 s  locator.click
//! ```

mod notes;
mod tables;

use std::fmt::Write as _;
use std::path::Path;

use steady_js::{Kind, Wait};
use steady_waits::lint::{Complaint, Cost, Rule};

use crate::ui::{Verbosity, counted, duration, escape_controls};
use notes::Notes;

const BAD: anstyle::Style = anstyle::AnsiColor::Yellow.on_default().bold();
const STRONG: anstyle::Style = anstyle::Style::new().bold();

/// A file, its waits and what is wrong with them.
#[derive(Debug)]
pub struct LintedFile<'a> {
    /// The file.
    pub path: &'a Path,
    /// Its waits that say how long, in order.
    pub waits: &'a [Wait],
    /// Those among them whose time only a run knows.
    pub unread: &'a [Wait],
    /// What is wrong with some of them, in the order of their places.
    pub complaints: &'a [Complaint],
    /// What its sleeps cost.
    pub cost: Cost,
}

impl<'a> LintedFile<'a> {
    /// What is wrong with a wait.
    pub fn complaints_of(&self, wait: &Wait) -> impl Iterator<Item = &'a Complaint> + use<'a> {
        let (call, place) = (wait.call, (wait.line, wait.column));
        let of = |complaint: &Complaint| (complaint.line, complaint.column);
        let first = self.complaints.partition_point(|complaint| of(complaint) < place);
        let here = self.complaints[first..].iter().take_while(move |complaint| of(complaint) == place);
        here.filter(move |complaint| complaint.wait.call == call)
    }

    /// How long the sleeps take that are complained of.
    fn complained_ms(&self) -> u64 {
        let sleeps = self.complaints.iter().filter(|complaint| is_of_sleep(complaint));
        sleeps.filter_map(|complaint| complaint.wait.ms()).sum()
    }
}

/// Whether a complaint is about the time that a sleep takes.
fn is_of_sleep(complaint: &Complaint) -> bool {
    complaint.rule == Rule::FixedSleep && complaint.wait.awaited
}

/// The report, given how many files could not be read. Waits that nothing is wrong with are listed unless only complaints are wanted.
pub fn lint_report(files: &[LintedFile<'_>], unread: usize, verbosity: Verbosity) -> String {
    let mut text = summary(files, unread);
    if files.iter().any(|file| !file.complaints.is_empty()) {
        text.push_str(&tables::by_rule(files));
        text.push_str(&tables::by_folder(files));
    }
    let notes = Notes::of(files);
    text.push_str(&notes.listed());
    let mut worst: Vec<&LintedFile<'_>> = files.iter().collect();
    worst.sort_by_key(|file| std::cmp::Reverse((file.complained_ms(), file.complaints.len())));
    for file in worst {
        let is_shown =
            |wait: &&Wait| verbosity > Verbosity::Quiet || file.complaints_of(wait).next().is_some();
        let waits: Vec<&Wait> = file.waits.iter().filter(is_shown).collect();
        if waits.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n{STRONG}{}{STRONG:#}", escape_controls(&file.path.display().to_string()));
        for wait in waits {
            line(&mut text, file, wait, &notes);
        }
    }
    text
}

fn line(text: &mut String, file: &LintedFile<'_>, wait: &Wait, notes: &Notes<'_>) {
    let place = format!("{}:{}", wait.line, wait.column);
    let is_unread = || file.unread.iter().any(|unread| unread.call == wait.call);
    let unknown = || if is_unread() { "unknown" } else { "no time" }.to_owned();
    let value = wait.ms().map_or_else(unknown, duration);
    let call = escape_controls(&wait.call_name());
    let _ = write!(text, "  {place:>8}  {:<12} {value:>8}  {call}", kind_name(wait.kind));
    let (noted, other): (Vec<_>, Vec<_>) =
        file.complaints_of(wait).partition(|complaint| notes.number(complaint).is_some());
    for complaint in noted {
        let number = notes.number(complaint).unwrap_or_default();
        let _ = write!(text, "  {BAD}{}{BAD:#} [{number}]", complaint.rule.name());
    }
    text.push('\n');
    for complaint in other {
        let said = match complaint.rule {
            // The line above says the rest.
            Rule::FixedSleep | Rule::ZeroWait => complaint.advice.clone(),
            _ => format!("{}. {}", complaint.message, complaint.advice),
        };
        let _ = writeln!(text, "{:>12}{BAD}{}{BAD:#}: {}", "", complaint.rule.name(), escape_controls(&said));
    }
}

/// A kind in a word.
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Sleep => "sleep",
        Kind::Timer => "timer",
        Kind::PollTimeout => "poll timeout",
        Kind::TestTimeout => "test timeout",
    }
}

fn summary(files: &[LintedFile<'_>], unread: usize) -> String {
    let left_out = match unread {
        0 => String::new(),
        _ => format!(
            "; {} could not be parsed and {} skipped",
            counted(unread, "file"),
            if unread == 1 { "is" } else { "are" }
        ),
    };
    let waits = || files.iter().flat_map(|file| file.waits);
    let all = waits().count();
    if all == 0 {
        let found = if files.is_empty() { "Nothing was read" } else { "No waits found" };
        return format!("{found}{left_out}\n");
    }
    let mut cost = Cost::default();
    files.iter().for_each(|file| cost += file.cost);
    let mut parts = Vec::new();
    for kind in [Kind::Sleep, Kind::Timer, Kind::PollTimeout, Kind::TestTimeout] {
        let of_kind = waits().filter(|wait| wait.kind == kind).count();
        if of_kind == 0 {
            continue;
        }
        let mut part = counted(of_kind, kind_name(kind));
        if kind == Kind::Sleep {
            part.push_str(&format!(" ({})", slept(cost)));
        }
        parts.push(part);
    }
    let complaints = files.iter().map(|file| file.complaints.len()).sum();
    let wrong =
        if complaints == 0 { "nothing wrong with them".to_owned() } else { counted(complaints, "complaint") };
    let files = counted(files.iter().filter(|file| !file.waits.is_empty()).count(), "file");
    format!("{} in {files}: {}; {wrong}{left_out}\n", counted(all, "wait"), parts.join(", "))
}

/// What sleeps cost, with those of unknown length.
fn slept(cost: Cost) -> String {
    match cost.unknown {
        0 => format!("{} in every run", duration(cost.ms)),
        unknown => format!("{} in every run and {} of unknown length", duration(cost.ms), unknown),
    }
}

#[cfg(test)]
mod tests;
