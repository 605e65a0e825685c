//! What is better than another length: a sleep that can go, or a condition to wait for.

use std::path::Path;

use steady_js::repair::Repair;
use steady_js::{Script, Wait};

use crate::lint::{Context, Rule, lint, without};

/// How many lines above a failing line a sleep may stand to be what it waited for.
const NEAR: usize = 3;

/// A file without a sleep that the lines after it do not need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deletion {
    /// The whole new text.
    pub text: String,
    /// Why the sleep can go.
    pub advice: String,
}

/// The file without the sleep on a line; `None` where the sleep is needed, or where there is none.
pub fn deletion_at(script: &Script, path: &Path, line: usize) -> Option<Deletion> {
    let mut complaints = lint(script, path, &Context::of(&[script])).into_iter();
    let found = complaints.find(|complaint| {
        let lines = complaint.deletion.map(|span| script.line_of(span.start)..=script.line_of(span.end));
        lines.is_some_and(|lines| lines.contains(&line))
    })?;
    Some(Deletion { text: without(script, &[found.deletion?])?, advice: found.advice })
}

/// What to write instead of a fixed time, where the changed code says what could be waited for.
pub fn stop_gap_advice(path: &Path, change: &Repair) -> String {
    const STOP_GAP: &str = "A stop-gap: every run pays for a fixed time, and a slower machine needs more.";
    let changed = Script::read(path, &change.text).ok();
    let complaints = changed.map(|script| lint(&script, path, &Context::of(&[&script]))).unwrap_or_default();
    let sleep = complaints
        .into_iter()
        .find(|complaint| complaint.rule == Rule::FixedSleep && complaint.line == change.line);
    match sleep {
        // These values were run with the sleep; without it nothing was.
        Some(sleep) if sleep.deletion.is_some() => {
            format!(
                "{STOP_GAP} The line after it waits by itself: `steady waits lint --fix` deletes the sleep."
            )
        }
        Some(sleep) => format!("{STOP_GAP} {}", sleep.advice),
        None => format!("{STOP_GAP} Better wait for what the next step needs."),
    }
}

/// The sleep right before a line that has no time of its own: if the line fails, the sleep may be too short.
pub fn sleep_before(script: &Script, line: usize) -> Option<&Wait> {
    let waits = script.waits();
    if waits.iter().any(|wait| wait.line == line && wait.value.is_some()) {
        return None;
    }
    let test = script.statement_at(line).and_then(|statement| statement.test);
    waits.iter().rfind(|wait| {
        wait.kind.is_blocking()
            && wait.value.is_some()
            && wait.test == test
            && wait.line < line
            && line - wait.line <= NEAR
    })
}

#[cfg(test)]
mod tests {
    use steady_js::repair::{Target, repair};

    use super::*;

    fn script(lines: &[&str]) -> Script {
        let body: String = lines.iter().map(|line| format!("  {line}\n")).collect();
        let text = format!("test('adds', async ({{ page }}) => {{\n{body}}});\n");
        Script::read(Path::new("cart.spec.ts"), &text).unwrap()
    }

    #[test]
    fn a_sleep_before_a_line_that_waits_by_itself_can_go() {
        let script =
            script(&["await page.waitForTimeout(500);", "await expect(page.locator('b')).toBeVisible();"]);
        let deletion = deletion_at(&script, Path::new("cart.spec.ts"), 2).unwrap();
        assert!(!deletion.text.contains("waitForTimeout") && !deletion.advice.is_empty(), "{deletion:?}");
        assert_eq!(deletion_at(&script, Path::new("cart.spec.ts"), 3), None);
    }

    #[test]
    fn a_longer_sleep_comes_with_what_would_be_better() {
        let path = Path::new("cart.spec.ts");
        let advice = |lines: &[&str]| {
            let script = script(lines);
            let target = Target::near(&script, 2, None).unwrap();
            stop_gap_advice(path, &repair(&script, &target, 900).unwrap())
        };
        let polled =
            advice(&["await page.waitForTimeout(500);", "await expect(page.locator('b')).toBeVisible();"]);
        assert!(
            polled.starts_with("A stop-gap:")
                && polled.ends_with("`steady waits lint --fix` deletes the sleep.")
        );
        let needed = advice(&["await page.waitForTimeout(500);", "expect(await page.title()).toBe('Cart');"]);
        assert!(needed.starts_with("A stop-gap:") && !needed.contains("--fix"), "{needed}");
    }

    #[test]
    fn the_sleep_before_a_failing_line_is_near_and_in_the_same_test() {
        let near =
            script(&["await page.waitForTimeout(500);", "await page.click('a');", "await page.click('b');"]);
        assert_eq!(sleep_before(&near, 4).map(|wait| wait.line), Some(2));
        let far =
            script(&["await page.waitForTimeout(500);", "a();", "b();", "c();", "await page.click('b');"]);
        assert_eq!(sleep_before(&far, 6), None);
        let own = script(&["await page.waitForTimeout(500);", "await page.waitForTimeout(700);"]);
        assert_eq!(sleep_before(&own, 3), None);
    }
}
