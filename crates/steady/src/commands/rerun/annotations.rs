//! Findings as annotations of a GitHub Actions run.
//!
//! A line that begins with `::error` is shown beside the code it names (GitHub Docs, "Workflow commands").

use steady_model::rerun::{RerunReport, Verdict};

use super::report::sentence;
use super::sarif::file_of;

/// One line per test that is not stable.
pub fn of_rerun(report: &RerunReport) -> Vec<String> {
    let line = |test: &steady_model::rerun::TestReport| {
        let level = match test.verdict {
            Verdict::Flaky | Verdict::Broken => "error",
            Verdict::Sensitive => "warning",
            Verdict::Undecided if test.all.failed > 0 => "warning",
            Verdict::Stable | Verdict::Undecided | Verdict::Skipped => return None,
        };
        let file = file_of(test).map(|file| format!("file={},", property(file))).unwrap_or_default();
        let title = property(&format!("{} test", test.verdict));
        let message = data(&format!("{}: {}", test.id, sentence(test)));
        Some(format!("::{level} {file}title={title}::{message}"))
    };
    report.tests.iter().filter_map(line).collect()
}

/// Text of a message: what would end the line is escaped.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property's value: what would end it is escaped, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_begin_another_command() {
        assert_eq!(data("a\n::set-env name=x::y%"), "a%0A::set-env name=x::y%25");
        assert_eq!(property("a,b:c"), "a%2Cb%3Ac");
    }
}
