//! What `steady waits tune --shrink` prints at its end.
//!
//! ```text
//!        2 s -> 150 ms  e2e/cart.spec.ts:12
//!     500 ms -> stays  e2e/cart.spec.ts:31
//!
//! 1 of 2 waits can be shorter, by 1.85 s together
//!   all of them together: 100 of 100 passed, which still allows 3.0 % failures at 95 %
//! ```

use std::fmt::Write as _;

use steady_waits::tune::Verdict;
use steady_waits::tune::drive::Shrunk;

use crate::commands::waits::tune::times_line;
use crate::ui::{counted, duration, escape_controls, escape_lines};

const GOOD: anstyle::Style = anstyle::AnsiColor::Green.on_default().bold();
const DIM: anstyle::Style = anstyle::Style::new().dimmed();

/// The whole report: what each wait came to, the change, and what to do with it.
pub fn render(shrunk: &Shrunk, patch: &str, write: bool, written: bool) -> String {
    let ending = match (written, patch.is_empty()) {
        (true, _) => "Wrote the files\n",
        (false, true) => "",
        (false, false) if write => "Nothing is written: the runs do not support it\n",
        (false, false) => "Apply this with --write\n",
    };
    format!("\n{}\n{}{ending}", results(shrunk), escape_lines(patch))
}

/// How shortening the waits of a suite ended.
fn results(shrunk: &Shrunk) -> String {
    let mut text = String::new();
    for wait in &shrunk.waits {
        let place = escape_controls(&format!("{}:{}", wait.path.display(), wait.line));
        let change = match (wait.after < wait.before, wait.withdrawn) {
            (true, _) => format!("{GOOD}{}{GOOD:#}", duration(wait.after)),
            (false, true) => format!("{DIM}stays: shorter failed when all were run together{DIM:#}"),
            (false, false) if wait.verdict.is_none() => format!("{DIM}not tried{DIM:#}"),
            (false, false) if matches!(wait.verdict, Some(Verdict::Unfinished { .. })) => {
                format!("{DIM}not finished{DIM:#}")
            }
            (false, false) => format!("{DIM}stays{DIM:#}"),
        };
        let _ = writeln!(text, "{:>10} -> {change}  {place}", duration(wait.before));
    }
    if !shrunk.flaky.is_empty() {
        let _ = writeln!(
            text,
            "{} failed without a shorter wait and did not count",
            counted(shrunk.flaky.len(), "test")
        );
    }
    let shorter = shrunk.waits.iter().filter(|wait| wait.after < wait.before).count();
    if shorter == 0 {
        let _ = writeln!(text, "\nNo wait can be shorter, in {}", counted(shrunk.runs as usize, "run"));
        return text;
    }
    let _ = writeln!(
        text,
        "\n{} of {} can be shorter, by {} together",
        shorter,
        counted(shrunk.waits.len(), "wait"),
        duration(shrunk.shorter_by)
    );
    let gone = shrunk.waits.iter().filter(|wait| wait.after == 0 && wait.before > 0).count();
    if gone > 0 {
        let _ = writeln!(
            text,
            "  {} of 0 ms: the tests pass without them; check that no test asserts that something stays absent meanwhile",
            counted(gone, "wait")
        );
    }
    if let Some(together) = &shrunk.together {
        let verified = if shrunk.verified { "" } else { "; fewer than were asked for" };
        let _ = writeln!(text, "  all of them together: {together}{verified}");
    }
    if let Some(times) = &shrunk.times {
        let between = times
            .saved_between
            .map(|(low, high)| format!(" ({low:.0} to {high:.0} ms at 95 %)"))
            .unwrap_or_default();
        let _ = writeln!(text, "  {}", times_line("the command takes", times));
        let _ = writeln!(text, "  saved in every run: {:.0} ms{between}", times.saved);
    }
    let _ = writeln!(text, "  {} in {:.1} s", counted(shrunk.runs as usize, "run"), shrunk.seconds);
    text
}
