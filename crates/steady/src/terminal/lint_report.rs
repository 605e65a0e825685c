//! What `steady waits lint` prints.
//!
//! ```text
//! e2e/cart.spec.ts
//!     12:9   sleep         2 s  page.waitForTimeout
//!            fixed-sleep: every run pays for these 2 s. Wait for what the next line needs: `await expect(…).toBeVisible()`
//!     31:3   ceiling      10 s  locator.click
//!
//! 2 waits in 1 file: 1 sleep (2 s in every run), 1 ceiling; 1 to look at
//! ```

use std::fmt::Write as _;
use std::path::Path;

use steady_script::{Kind, Wait};
use steady_waits::lint::Complaint;

use super::candidates_table::duration;
use super::{Verbosity, counted, escape_controls};

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
}

/// The report. Waits that nothing is wrong with are listed unless only complaints are wanted.
pub fn lint_report(files: &[LintedFile<'_>], verbosity: Verbosity) -> String {
    let mut text = String::new();
    for file in files {
        let is_shown =
            |wait: &&Wait| verbosity > Verbosity::Quiet || file.complaints_of(wait).next().is_some();
        let waits: Vec<&Wait> = file.waits.iter().filter(is_shown).collect();
        if waits.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{STRONG}{}{STRONG:#}", escape_controls(&file.path.display().to_string()));
        for wait in waits {
            line(&mut text, file, wait);
        }
        text.push('\n');
    }
    if verbosity > Verbosity::Quiet {
        text.push_str(&summary(files));
    }
    text
}

fn line(text: &mut String, file: &LintedFile<'_>, wait: &Wait) {
    let place = format!("{}:{}", wait.line, wait.column);
    let is_unread = || file.unread.iter().any(|unread| unread.call == wait.call);
    let unknown = || if is_unread() { "unknown" } else { "no time" }.to_owned();
    let value = wait.ms().map_or_else(unknown, duration);
    let call = escape_controls(&wait.call_name());
    let _ = writeln!(text, "  {place:>8}  {:<8} {value:>8}  {call}", kind_name(wait.kind));
    for complaint in file.complaints_of(wait) {
        let said = escape_controls(&format!("{}. {}", complaint.message, complaint.advice));
        let _ = writeln!(text, "{:>12}{BAD}{}{BAD:#}: {said}", "", complaint.rule.name());
    }
}

/// A kind in a word.
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Sleep => "sleep",
        Kind::Timer => "timer",
        Kind::Ceiling => "ceiling",
        Kind::Limit => "limit",
    }
}

fn summary(files: &[LintedFile<'_>]) -> String {
    let waits = || files.iter().flat_map(|file| file.waits);
    let all = waits().count();
    if all == 0 {
        return "No waits found\n".to_owned();
    }
    let mut parts = Vec::new();
    for kind in [Kind::Sleep, Kind::Timer, Kind::Ceiling, Kind::Limit] {
        let of_kind: Vec<&Wait> = waits().filter(|wait| wait.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        let mut part = counted(of_kind.len(), kind_name(kind));
        if kind == Kind::Sleep {
            // Nobody pays for one that nothing waits for.
            let paid: u64 = of_kind.iter().filter(|wait| wait.awaited).filter_map(|wait| wait.ms()).sum();
            part.push_str(&format!(" ({} in every run)", duration(paid)));
        }
        parts.push(part);
    }
    let complaints = files.iter().map(|file| file.complaints.len()).sum();
    let wrong =
        if complaints == 0 { "nothing wrong with them".to_owned() } else { counted(complaints, "complaint") };
    let files = counted(files.iter().filter(|file| !file.waits.is_empty()).count(), "file");
    format!("{} in {files}: {}; {wrong}\n", counted(all, "wait"), parts.join(", "))
}
