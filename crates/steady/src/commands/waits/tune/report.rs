//! What `steady waits tune` prints while values are tried, and in the end.
//!
//! ```text
//!     300 ms  failed in run 3
//!        1 s  20 of 20 passed
//!
//! 1 s holds: 100 of 100 passed, which still allows 3.0 % failures at 95 %
//!   the test takes 1,420 ms, before 720 ms (a real difference)
//!   1 candidate and 0 shorter values tried in 103 runs
//! ```

use std::fmt::Write as _;

use steady_js::repair::Target;
use steady_waits::Origin;
use steady_waits::locate::Located;
use steady_waits::tune::drive::{Comparison, Loaded, Tuned};
use steady_waits::tune::{Decided, Standing, Verdict, Why};

use super::candidates::{candidates_table, clipped, cost_of};
use super::{TuneResult, WaitLocation};
use crate::ui::{Verbosity, counted, duration, escape_controls, escape_lines, grouped};

const GOOD: anstyle::Style = anstyle::AnsiColor::Green.on_default().bold();
const BAD: anstyle::Style = anstyle::AnsiColor::Yellow.on_default().bold();
const DIM: anstyle::Style = anstyle::Style::new().dimmed();

/// The wait, what it costs, and the values it could have.
pub fn survey(
    location: &WaitLocation,
    target: Option<&Target>,
    located: &Located,
    verbosity: Verbosity,
) -> String {
    let line = location.script.line_text(location.line).unwrap_or_default();
    let unread = location.script.unread_waits().iter().find(|wait| wait.line == location.line);
    let cost = match (located.target.kind(), target.and_then(|target| target.adds)) {
        (None, _) if let Some(wait) = unread => {
            format!("{}; its length is known only at run time", cost_of(wait.kind, None))
        }
        (Some(kind), _) => cost_of(kind, located.target.old_ms()),
        (None, Some(adds)) => format!("no wait yet; the patch adds {}", cost_of(adds, None)),
        (None, None) => format!("no wait yet; probably missing: {}", cost_of(located.kind, None)),
    };
    let path = escape_controls(&location.path.display().to_string());
    let mut text = format!("{path}:{}  {}\n{cost}\n\n", location.line, clipped(line));
    if located.candidates.is_empty() {
        text.push_str(
            "Not applicable: no larger value in the tests of this folder or in their history\n\
             Try `--ranking learned`, which always has a value, `--history on`, or `--from TIME` with a command\n",
        );
        return text;
    }
    text.push_str(&candidates_table(&located.candidates, verbosity == Verbosity::Verbose));
    if located.candidates.iter().all(|candidate| candidate.origin == Origin::Guess) {
        text.push_str(
            "No line here or in the history has a larger value: these are guesses from what fixes usually are\n",
        );
    }
    text.push('\n');
    text
}

/// The end: what was proven, the change, and what would be better.
pub(super) fn ending(
    location: &WaitLocation,
    result: &TuneResult<'_>,
    shared_with: usize,
    is_untried: bool,
) -> String {
    let mut text = String::new();
    if let Some(tuned) = result.tuned {
        text.push_str(&format!("\n{}\n", tuned_report(tuned)));
    }
    if result.patch.is_empty() {
        return text;
    }
    text.push_str(&escape_lines(result.patch));
    text.push('\n');
    if shared_with > 0 {
        let others = counted(shared_with, "other wait");
        text.push_str(&format!("The constant is also the time of {others} of this file\n"));
    }
    if let Some(advice) = result.advice {
        text.push_str(&format!("{}\n", escape_controls(advice)));
    }
    let path = location.path.display();
    text.push_str(&match (result.written, is_untried) {
        (true, _) => format!("Wrote {path}\n"),
        (false, true) => format!(
            "Apply this with --write; try it first with `steady waits tune {path}:{} -- CMD`\n",
            location.line
        ),
        (false, false) => "Apply this with --write\n".to_owned(),
    });
    text
}

/// What was decided about a value, in a line.
pub fn decided_line(decided: &Decided) -> String {
    let Decided { ms, standing, runs, passed } = *decided;
    let said = match standing {
        Standing::Rejected => format!("{BAD}failed{BAD:#} in run {runs}, {passed} passed"),
        Standing::Promising => format!("{passed} of {runs} passed, a shorter one is tried"),
        Standing::Trusted => format!("{GOOD}{passed} of {runs} passed{GOOD:#}"),
    };
    format!("{:>10}  {said}\n", duration(ms))
}

/// What was found for one of several waits, in a line.
pub fn found_line(place: &str, before: u64, verdict: Verdict) -> String {
    let said = match verdict {
        Verdict::Held { ms } => format!("{} seems to hold", duration(ms)),
        Verdict::Unfinished { .. } => "not finished".to_owned(),
        _ => "nothing shorter holds".to_owned(),
    };
    format!("{:>10}  {said}  {DIM}{place}{DIM:#}\n", duration(before))
}

/// What a run is for, in a few words.
pub fn purpose(why: Why) -> String {
    match why {
        Why::Baseline => "as it is".to_owned(),
        Why::Candidate { rank } => format!("candidate {rank}"),
        Why::Longer => "longer than all candidates".to_owned(),
        Why::Between { low, high } => format!("between {} and {}", duration(low), duration(high)),
        Why::Confirm => "to confirm it".to_owned(),
    }
}

/// How tuning one wait ended.
fn tuned_report(tuned: &Tuned) -> String {
    let mut text = headline(tuned);
    if let Some(times) = &tuned.times {
        let _ = writeln!(text, "  {}", times_line("the test takes", times));
    }
    let effort = &tuned.effort;
    if effort.executions > 0 {
        let _ = write!(
            text,
            "  {} and {} tried in {}",
            counted(effort.candidates as usize, "candidate"),
            counted(effort.tuned as usize, "shorter value"),
            counted(effort.executions as usize, "run")
        );
        if let Some(paper) = &tuned.paper {
            let _ = write!(text, "; 100 runs of each would have been {} runs", grouped(paper.executions()));
        }
        text.push('\n');
    }
    if let Some(loaded) = &tuned.loaded {
        text.push_str(&loaded_line(loaded));
    }
    text
}

/// Whether the value holds on a busy machine.
fn loaded_line(loaded: &Loaded) -> String {
    let proposed = loaded.values.first().map(|value| value.ms);
    let failed = loaded.values.iter().filter(|value| value.passed < value.runs).map(|value| value.ms).max();
    match (loaded.holds, loaded.factor.zip(loaded.margin)) {
        (Some(ms), Some((factor, margin))) => {
            let runs = loaded.values.iter().find(|value| value.ms == ms).map_or(0, |value| value.runs);
            format!(
                "  {BAD}on a busy machine{BAD:#}, two threads to a core, it takes {factor} times as much: {} ({runs} of {runs} passed)\n  \
                 for a CI as busy as that use --margin {margin:.1}\n",
                duration(ms)
            )
        }
        (Some(_), None) => "  it also holds on a busy machine, two threads to a core\n".to_owned(),
        (None, _) if failed.is_none() => {
            "  on a busy machine, two threads to a core, too few runs were made to tell\n".to_owned()
        }
        (None, _) if failed > proposed => format!(
            "  {BAD}it does not hold on a busy machine{BAD:#}, two threads to a core, nor does {}\n",
            duration(failed.unwrap_or_default())
        ),
        (None, _) => format!("  {BAD}it does not hold on a busy machine{BAD:#}, two threads to a core\n"),
    }
}

fn headline(tuned: &Tuned) -> String {
    let bound = tuned.bound.map(|bound| format!(": {bound}")).unwrap_or_default();
    match tuned.verdict {
        Verdict::Held { ms } => {
            let with_margin = match tuned.proposed {
                Some(proposed) if proposed != ms => format!(", {} with the margin", duration(proposed)),
                _ => String::new(),
            };
            format!("{GOOD}{} holds{GOOD:#}{bound}{with_margin}\n", duration(ms))
        }
        Verdict::Kept { ms } => format!("No value shorter than {} holds\n", duration(ms)),
        Verdict::NotFlaky => format!(
            "The test never failed as it is, so no value can be shown to fix it: {}\n",
            tuned.baseline
        ),
        Verdict::Flaky => "The test fails as it is: fix that before shortening its waits\n".to_owned(),
        Verdict::NoneHeld => {
            let longest = tuned.values.iter().map(|value| value.ms).max();
            let up_to = longest.map(|ms| format!(", up to {}", duration(ms))).unwrap_or_default();
            format!("{BAD}None of the values holds{BAD:#}{up_to}\n")
        }
        Verdict::Unfinished { best: Some(ms) } => {
            format!("{BAD}Not finished{BAD:#}; {} never failed so far{bound}\n", duration(ms))
        }
        Verdict::Unfinished { best: None } => format!("{BAD}Not finished{BAD:#}\n"),
    }
}

/// How long something takes, compared with before.
pub fn times_line(what: &str, times: &Comparison) -> String {
    // The usual bound for what is hardly chance.
    let sure = if times.p < 0.05 { "a real difference" } else { "the difference may be chance" };
    let ms = |value: f64| grouped(value.round().max(0.0) as u64);
    format!("{what} {} ms, before {} ms ({sure})", ms(times.after), ms(times.before))
}

#[cfg(test)]
mod tests {
    use steady_waits::tune::drive::LoadedValue;

    use super::*;

    fn plain(loaded: &Loaded) -> String {
        anstream::adapter::strip_str(&loaded_line(loaded)).to_string()
    }

    #[test]
    fn the_busy_machine_is_told_with_the_margin_that_it_needs() {
        let value = |ms, runs, passed| LoadedValue { ms, runs, passed };
        let enough = Loaded { values: vec![value(300, 5, 5)], holds: Some(300), factor: None, margin: None };
        assert_eq!(plain(&enough), "  it also holds on a busy machine, two threads to a core\n");
        let longer = Loaded {
            values: vec![value(300, 2, 1), value(450, 5, 5), value(375, 5, 5)],
            holds: Some(375),
            factor: Some(1.25),
            margin: Some(1.3),
        };
        assert_eq!(
            plain(&longer),
            "  on a busy machine, two threads to a core, it takes 1.25 times as much: 375 ms (5 of 5 passed)\n  \
             for a CI as busy as that use --margin 1.3\n"
        );
        let unfinished = Loaded { values: vec![value(300, 2, 2)], holds: None, ..enough.clone() };
        assert_eq!(
            plain(&unfinished),
            "  on a busy machine, two threads to a core, too few runs were made to tell\n"
        );
        let never = Loaded { values: vec![value(300, 1, 0), value(1200, 1, 0)], holds: None, ..enough };
        assert_eq!(
            plain(&never),
            "  it does not hold on a busy machine, two threads to a core, nor does 1.2 s\n"
        );
    }
}
