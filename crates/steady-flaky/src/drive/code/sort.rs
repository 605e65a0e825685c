//! The result of every test that was run.

use steady_assertions::Source;

use super::code_tests::{CodeTests, Tally};
use super::decide::Decided;

/// Every test that was run is in one of these lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SortedTests {
    /// Tests whose assertions were rewritten, and that pass now.
    pub rewritten: Vec<String>,
    /// Tests that pass as they are.
    pub unchanged: Vec<String>,
    /// Tests that fail every time, for values that are the same every time or for another reason than an assertion.
    pub broken: Vec<TestLeft>,
    /// Tests that pass and fail, though every assertion that fails was followed.
    pub still_flaky: Vec<TestLeft>,
    /// Tests that fail at an assertion that was not followed back to a response.
    pub not_followed: Vec<TestLeft>,
}

/// A test that is left as it was, or not steady yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestLeft {
    /// Its name.
    pub test: String,
    /// How often it failed, of the runs at the end.
    pub failed: u32,
    /// The runs at the end.
    pub runs: u32,
    /// Where it fails: `tests/test_a.py:12`.
    pub place: Option<String>,
    /// Why it was not followed.
    pub reason: Option<String>,
}

impl SortedTests {
    /// How many tests there are.
    pub fn len(&self) -> usize {
        self.passing() + self.broken.len() + self.still_flaky.len() + self.not_followed.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many of them pass.
    pub fn passing(&self) -> usize {
        self.rewritten.len() + self.unchanged.len()
    }
}

/// Sorts the tests by what they came to with the assertions that are staged.
pub(super) fn sort(runs: &CodeTests<'_>, decided: &Decided) -> SortedTests {
    let mut sorted = SortedTests::default();
    for (test, tally) in runs.tallies() {
        let name = test.as_str().to_owned();
        if tally.failed == 0 {
            let changed = decided.changed.contains(test);
            if changed { &mut sorted.rewritten } else { &mut sorted.unchanged }.push(name);
            continue;
        }
        let failure = failure(runs, decided, tally);
        let (place, reason) = failure.map_or((None, None), |(place, reason)| (Some(place), reason));
        let followed = reason.is_none();
        let left =
            TestLeft { test: name, failed: tally.failed, runs: tally.failed + tally.passed, place, reason };
        match (followed, tally.passed) {
            (false, _) => sorted.not_followed.push(left),
            (true, 0) => sorted.broken.push(left),
            (true, _) => sorted.still_flaky.push(left),
        }
    }
    sorted
}

/// Where a test fails, and why nothing was done about it when the assertion there was not followed.
fn failure(runs: &CodeTests<'_>, decided: &Decided, tally: &Tally) -> Option<(String, Option<String>)> {
    let named = |index: usize, line: usize| format!("{}:{line}", runs.project.code[index].path.display());
    let reasons = tally.lines.iter().filter_map(|(index, line)| {
        let source = &runs.project.code[*index].source;
        let unclear =
            || Some(format!("`{}`: {}", code_at(source, *line)?, decided.unclear.get(&(*index, *line))?));
        let reason = reason_at(source, *line).or_else(unclear)?;
        Some((named(*index, *line), Some(reason)))
    });
    let (index, line) = tally.lines.first()?;
    Some(reasons.into_iter().next().unwrap_or_else(|| (named(*index, *line), None)))
}

/// The code of a line.
fn code_at(source: &Source, line: usize) -> Option<&str> {
    source.text().lines().nth(line.checked_sub(1)?).map(str::trim)
}

/// Why an assertion at a line was not followed; none when it was, or when there is none.
fn reason_at(source: &Source, line: usize) -> Option<String> {
    let entry = source.not_followed().iter().find(|entry| entry.line == line)?;
    Some(format!("`{}`: {}", entry.code, entry.reason))
}
