//! Waits in a line that stands alone: what a file said once is known line by line, and a line is no program.

use std::sync::LazyLock;

use regex::Regex;
use steady_js::{Form, Kind};

/// A limit of a test and a timer both end in `}, 5000)`. From here on it is the limit.
const LIMIT_FROM: u64 = 4_000;
/// A longer line is data.
const LONGEST: usize = 400;

/// A wait in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fragment {
    pub(crate) kind: Kind,
    pub(crate) form: Form,
    pub(crate) callee: String,
    pub(crate) ms: u64,
}

/// Before a number: what makes it a time. The callee is the group `callee`, where it differs from call to call.
const PATTERNS: [(&str, Option<Kind>, Form); 12] = [
    (r"\bcy\.wait\(\s*", Some(Kind::Sleep), Form::CyWait),
    (r"\bwaitForTimeout\(\s*", Some(Kind::Sleep), Form::WaitForTimeout),
    (r"\b(?:browser|client|t)\.(?:pause|wait)\(\s*", Some(Kind::Sleep), Form::Pause),
    (r"\b(?:driver|browser)\.sleep\(\s*", Some(Kind::Sleep), Form::DriverSleep),
    (r"\b(?:jest|test|vi)\.setTimeout\(\s*", Some(Kind::TestTimeout), Form::GlobalLimit),
    (r"\b(?:testTimeout|hookTimeout)\s*:\s*", Some(Kind::TestTimeout), Form::GlobalLimit),
    (r"\.timeout\(\s*", Some(Kind::TestTimeout), Form::LimitCall),
    (r"\bsetTimeout\(\s*\w+\s*,\s*", Some(Kind::Sleep), Form::TimerPromise),
    (r"\bsetTimeout\(.*,\s*", Some(Kind::Timer), Form::SetTimeout),
    (r"\b(?P<callee>\w*(?:[sS]leep|[dD]elay|[wW]ait|[pP]ause)\w*)\(\s*", Some(Kind::Sleep), Form::Helper),
    (
        r"(?i)\b\w*timeout\w*\b['\x22]?\s*(?::\s*(?:number\s*=\s*)?|=\s*)",
        Some(Kind::PollTimeout),
        Form::TimeoutOption,
    ),
    (r"^\s*[})\]]+\s*,\s*", None, Form::TestLimit),
];

static RULES: LazyLock<Vec<(Regex, Option<Kind>, Form)>> = LazyLock::new(|| {
    let number = r"(?P<one>\d[\d_]*)(?:\s*\*\s*(?P<two>\d[\d_]*))?\s*(?:[,;)}\]]|$|//)";
    let rule = |&(before, kind, form): &(&str, Option<Kind>, Form)| {
        Regex::new(&format!("{before}{number}")).ok().map(|regex| (regex, kind, form))
    };
    PATTERNS.iter().filter_map(rule).collect()
});

/// The wait of a line; of several, the one that is said most plainly.
pub(crate) fn fragment(line: &str) -> Option<Fragment> {
    if !is_time_line(line) {
        return None;
    }
    RULES.iter().find_map(|(rule, kind, form)| {
        let found = rule.captures(line)?;
        let number =
            |name| found.name(name).and_then(|text| text.as_str().replace('_', "").parse::<u64>().ok());
        let ms = number("one")?.checked_mul(number("two").unwrap_or(1))?;
        let guessed = if ms >= LIMIT_FROM {
            (Kind::TestTimeout, Form::TestLimit)
        } else {
            (Kind::Timer, Form::SetTimeout)
        };
        let (kind, form) = kind.map_or(guessed, |kind| (kind, *form));
        let callee = found.name("callee").map_or("", |callee| callee.as_str()).to_owned();
        Some(Fragment { kind, form, callee, ms })
    })
}

/// Whether a line could hold a time: cheap, since every line of every version is asked.
pub(crate) fn is_time_line(line: &str) -> bool {
    let bytes = line.as_bytes();
    bytes.len() <= LONGEST
        && bytes.iter().any(u8::is_ascii_digit)
        && (ends_a_call(line) || names_a_wait(line))
}

/// `}, 100)`: the end of a call whose last argument is a number.
fn ends_a_call(line: &str) -> bool {
    let inner = line.trim_start();
    let rest = inner.trim_start_matches(['}', ')', ']']);
    rest.len() < inner.len()
        && rest
            .trim_start()
            .strip_prefix(',')
            .is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a name speaks of waiting; `await` does not.
fn names_a_wait(line: &str) -> bool {
    const MARKS: [&str; 10] =
        ["imeout", "IMEOUT", "Wait", "WAIT", "leep", "SLEEP", "elay", "DELAY", "ause", "PAUSE"];
    MARKS.iter().any(|mark| line.contains(mark))
        || line.match_indices("wait").any(|(at, _)| !line[..at].ends_with('a'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_alone_says_how_long() {
        for (line, kind, ms) in [
            ("cy.wait(1000) // URL updates are debounced", Kind::Sleep, 1000),
            ("await page.waitForTimeout(10_000);", Kind::Sleep, 10_000),
            ("await new Promise(r => setTimeout(r, 100));", Kind::Sleep, 100),
            ("setTimeout(() => done(), 20);", Kind::Timer, 20),
            ("await settleDelay(250)", Kind::Sleep, 250),
            ("timeout: 60 * 1000,", Kind::PollTimeout, 60_000),
            ("await screen.findByText('a', {}, { timeout: 500 })", Kind::PollTimeout, 500),
            ("const timeout: number = 30000;", Kind::PollTimeout, 30_000),
            ("}).timeout(30000); // slow", Kind::TestTimeout, 30_000),
            ("}, 20000)", Kind::TestTimeout, 20_000),
            ("}, 20);", Kind::Timer, 20),
            ("jest.setTimeout(5000);", Kind::TestTimeout, 5_000),
        ] {
            let found = fragment(line).map(|found| (found.kind, found.ms));
            assert_eq!(found, Some((kind, ms)), "{line}");
        }
    }

    #[test]
    fn other_numbers_are_no_times() {
        for line in ["expect(a).toBe(5)", "await wait('@alias')", "}, [1, 2])", "const answer = 42;", ""] {
            assert_eq!(fragment(line), None, "{line}");
        }
    }
}
