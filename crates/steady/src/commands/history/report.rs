//! What `steady history` prints.
//!
//! ```text
//! 12.5 % ▁▁▃▇▁ ▂  tests/test_cart.py::test_total
//!         31 of 248 failed, passed and failed on the same code 3 times; 7 of 7 with another tz; last 2026-11-14 at a1b2c3d: assert 3 == 4
//! ```

use std::fmt::Write;

use steady_store::{BucketCounts, TestHistory};

use crate::ui::{counted, escape_controls, first_line, grouped};
use crate::values::Age;

const DIM: anstyle::Style = anstyle::Style::new().dimmed();
const MARKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Nothing ran in that time.
const NOTHING: char = '·';
/// The longest part of a failure's message that is shown.
const MESSAGE_WIDTH: usize = 100;
/// The most marks of a line; the newest stay.
const MARKS_SHOWN: usize = 40;

/// Two lines per test.
pub fn render(tests: &[TestHistory], since: Age) -> String {
    if tests.is_empty() {
        return format!("no test failed in the last {since}; `--all` shows those that passed\n");
    }
    let mut text = String::new();
    for test in tests {
        text.push_str(&describe(test));
    }
    let _ = writeln!(text, "{} in the last {since}", counted(tests.len(), "test"));
    text
}

fn describe(test: &TestHistory) -> String {
    let rate = test.failure_rate.unwrap_or_default() * 100.0;
    let mut text =
        format!("{rate:5.1} % {}  {}\n", sparkline(&test.buckets), escape_controls(test.id.as_str()));
    let executed = u64::from(test.counts.passed) + u64::from(test.counts.failed);
    let _ =
        write!(text, "        {DIM}{} of {} failed", grouped(test.counts.failed.into()), grouped(executed));
    if test.flips > 0 {
        // A clean commit counts once; where there is none, every call of `steady rerun` does.
        let _ = write!(text, ", passed and failed on the same code {}", counted(test.flips as usize, "time"));
    }
    for under in test.failed_under.iter().filter(|under| !under.perturbations.is_empty()) {
        let changed: Vec<&str> = under.perturbations.iter().map(|what| what.name()).collect();
        let (failed, all) = (under.counts.failed, under.counts.executed());
        let _ = write!(text, "; {failed} of {all} with another {}", changed.join(" and "));
    }
    if let Some(failure) = &test.last_failure {
        let commit = failure.commit.as_deref().map(short).unwrap_or_default();
        let condition =
            if failure.condition.is_plain() { String::new() } else { format!(" with {}", failure.condition) };
        let _ =
            write!(text, "; last {}{commit}{}", failure.at.strftime("%Y-%m-%d"), escape_controls(&condition));
        if let Some(line) = failure.message.as_deref().and_then(|message| first_line(message, MESSAGE_WIDTH))
        {
            let _ = write!(text, ": {line}");
        }
    }
    let _ = writeln!(text, "{DIM:#}");
    text
}

/// One mark per span of time, its height the share of failures.
pub fn sparkline(buckets: &[BucketCounts]) -> String {
    let shown = &buckets[buckets.len().saturating_sub(MARKS_SHOWN)..];
    shown.iter().map(mark).collect()
}

fn mark(bucket: &BucketCounts) -> char {
    let (passed, failed) = (f64::from(bucket.counts.passed), f64::from(bucket.counts.failed));
    if passed + failed == 0.0 {
        return NOTHING;
    }
    let share = failed / (passed + failed);
    // The lowest mark is kept for no failure at all.
    let height = if failed == 0.0 { 0.0 } else { (share * 7.0).ceil() };
    MARKS.get(height as usize).copied().unwrap_or('█')
}

fn short(commit: &str) -> String {
    let commit: String = commit.chars().filter(char::is_ascii_alphanumeric).take(7).collect();
    format!(" at {commit}")
}

#[cfg(test)]
mod tests {
    use steady_model::rerun::Counts;

    use super::*;

    fn bucket(passed: u32, failed: u32) -> BucketCounts {
        let start = "2026-11-15T00:00:00Z".parse().unwrap();
        BucketCounts { start, counts: Counts { passed, failed, skipped: 0 } }
    }

    #[test]
    fn marks_grow_with_the_share_of_failures() {
        let buckets = [bucket(9, 0), bucket(0, 0), bucket(99, 1), bucket(5, 5), bucket(0, 3)];
        assert_eq!(sparkline(&buckets), "▁·▂▅█");
    }

    #[test]
    fn a_long_past_is_cut_at_its_beginning() {
        let mut buckets = vec![bucket(0, 1); 100];
        buckets.push(bucket(1, 0));
        let line: Vec<char> = sparkline(&buckets).chars().collect();
        assert_eq!((line.len(), line[39]), (40, '▁'));
    }
}
