//! Plans what [`shrink`](super::drive::shrink_plan) tries: which sleeps of a suite could be shorter, and how a file gets their new values.
//!
//! Only sleeps that block every run count. A time limit of a polling call costs nothing when the test passes, and a promise that
//! nobody awaits delays nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use steady_js::repair::{Target, repair, without_unused_imports};
use steady_js::{Script, Wait};

use super::drive::{PatchError, ShrunkWait, TuneError};
use crate::lint::precedes_negative_assertion;
use crate::scripts::ScriptFile;

/// A sleep that every run pays for. Several waits may read its value, if it is a constant.
#[derive(Debug, Clone)]
pub struct BlockingSleep<'a> {
    /// Its file.
    pub file: &'a ScriptFile,
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// How long it is, in milliseconds.
    pub ms: u64,
    /// The titles of the tests it is in; none: it is used outside of tests too.
    pub tests: Vec<String>,
    /// Whether a negative assertion follows one of its uses: with a shorter sleep that can pass too early.
    pub precedes_negative_assertion: bool,
    /// How many waits read its value.
    pub uses: usize,
}

/// The sleeps of a suite, sorted by whether they are shortened.
#[derive(Debug)]
pub struct ShrinkPlan<'a> {
    /// The sleeps for which shorter values are tried.
    pub sleeps: Vec<BlockingSleep<'a>>,
    /// The sleeps that keep their value: it is shared, and a negative assertion follows one of its uses. Nobody could say which use a
    /// failure speaks of.
    pub kept: Vec<BlockingSleep<'a>>,
}

/// A file with shorter sleeps.
#[derive(Debug)]
pub struct ChangedFile<'a> {
    /// The file as it was read.
    pub file: &'a ScriptFile,
    /// Its new text.
    pub text: String,
}

impl<'a> ShrinkPlan<'a> {
    /// Looks for the sleeps of these files; with a line, only for those on it.
    pub fn new(files: &'a [ScriptFile], line: Option<usize>) -> Self {
        let sleeps = files.iter().flat_map(|file| blocking_sleeps(file, line));
        let (kept, sleeps) = sleeps.partition(|sleep| sleep.precedes_negative_assertion && sleep.uses > 1);
        Self { sleeps, kept }
    }

    /// The files in which waits became shorter, with all their new values.
    pub fn changed_files(&self, waits: &[ShrunkWait]) -> Result<Vec<ChangedFile<'a>>, TuneError> {
        let mut shorter: Vec<_> = waits.iter().filter(|wait| wait.after < wait.before).collect();
        // From the end: a shorter number moves what follows it on its line.
        shorter.sort_by_key(|wait| std::cmp::Reverse((wait.line, wait.column)));
        let mut changed: BTreeMap<&Path, ChangedFile<'a>> = BTreeMap::new();
        for wait in shorter {
            let Some(sleep) = self.sleeps.iter().find(|sleep| sleep.is_at(wait)) else { continue };
            let path = sleep.file.path.as_path();
            let unchanged = || ChangedFile { file: sleep.file, text: sleep.file.script.text().to_owned() };
            let file = changed.entry(path).or_insert_with(unchanged);
            file.text = sleep.with_value(&file.text, wait.after).map_err(|source| TuneError::Patch {
                path: path.to_owned(),
                ms: wait.after,
                source,
            })?;
        }
        let tidied =
            |changed: ChangedFile<'a>| ChangedFile { text: tidied(changed.file, changed.text), ..changed };
        Ok(changed.into_values().map(tidied).collect())
    }
}

impl BlockingSleep<'_> {
    /// The text of the file with this sleep another length. Other sleeps may have changed by then, after it or on other lines.
    pub fn with_value(&self, text: &str, ms: u64) -> Result<String, PatchError> {
        let script = Script::read_with(&self.file.path, text, &self.file.known)?;
        Ok(repair(&script, &Target::near(&script, self.line, Some(self.column))?, ms)?.text)
    }

    /// The changed text of its file without the imports that nothing uses any more.
    pub fn tidied(&self, text: String) -> String {
        tidied(self.file, text)
    }

    fn is_at(&self, wait: &ShrunkWait) -> bool {
        (&self.file.path, self.line, self.column) == (&wait.path, wait.line, wait.column)
    }
}

fn tidied(file: &ScriptFile, text: String) -> String {
    without_unused_imports(&file.script, &text).unwrap_or(text)
}

/// The sleeps of a file that every run pays for, each value once however many waits read it.
fn blocking_sleeps(file: &ScriptFile, line: Option<usize>) -> Vec<BlockingSleep<'_>> {
    let blocks = |wait: &&Wait| wait.kind.is_blocking() && wait.awaited && wait.ms() > Some(0);
    let mut uses: BTreeMap<(usize, usize), Vec<&Wait>> = BTreeMap::new();
    for wait in file.script.waits().iter().filter(blocks) {
        let span = wait.value.as_ref().map_or((0, 0), |value| (value.span.start, value.span.end));
        uses.entry(span).or_default().push(wait);
    }
    let sleep = |waits: Vec<&Wait>| {
        let wait = waits.iter().find(|wait| line.is_none_or(|line| line == wait.line))?;
        let tests: Option<BTreeSet<String>> = waits.iter().map(|wait| wait.test.clone()).collect();
        Some(BlockingSleep {
            file,
            line: wait.line,
            column: wait.column,
            ms: wait.ms().unwrap_or_default(),
            tests: tests.into_iter().flatten().collect(),
            precedes_negative_assertion: waits
                .iter()
                .any(|wait| precedes_negative_assertion(&file.script, wait)),
            uses: waits.len(),
        })
    };
    uses.into_values().filter_map(sleep).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use steady_js::KnownHelpers;

    use super::*;

    fn file(text: &str) -> ScriptFile {
        let path = PathBuf::from("cart.spec.ts");
        let script = Script::read(&path, text).unwrap();
        ScriptFile { path, script, known: KnownHelpers::default() }
    }

    fn shrunk(sleep: &BlockingSleep<'_>, after: u64) -> ShrunkWait {
        ShrunkWait {
            path: sleep.file.path.clone(),
            line: sleep.line,
            column: sleep.column,
            before: sleep.ms,
            after,
            verdict: None,
            withdrawn: false,
            runs: 0,
        }
    }

    #[test]
    fn only_sleeps_that_block_every_run_are_shortened() {
        let files = [file(
            "test('adds', async ({ page }) => {\n  await page.waitForTimeout(500);\n  page.waitForTimeout(300);\n  \
             await page.waitForTimeout(0);\n  await page.locator('.total').click({ timeout: 9000 });\n});\n",
        )];
        let plan = ShrinkPlan::new(&files, None);
        let found: Vec<_> = plan.sleeps.iter().map(|sleep| (sleep.line, sleep.ms, sleep.uses)).collect();
        assert_eq!(found, [(2, 500, 1)]);
        assert_eq!(plan.sleeps[0].tests, ["adds"]);
        assert!(ShrinkPlan::new(&files, Some(3)).sleeps.is_empty());
    }

    #[test]
    fn a_constant_is_one_sleep_for_all_tests_that_use_it() {
        let files = [file(
            "const PAUSE = 400;\ntest('a', async ({ page }) => {\n  await page.waitForTimeout(PAUSE);\n  await page.click('a');\n});\n\
             test('b', async ({ page }) => {\n  await page.waitForTimeout(PAUSE);\n  await page.click('b');\n});\n",
        )];
        let plan = ShrinkPlan::new(&files, None);
        let [sleep] = &plan.sleeps[..] else { panic!("{:?}", plan.sleeps) };
        assert_eq!(
            (sleep.ms, sleep.uses, sleep.tests.as_slice()),
            (400, 2, &["a".to_owned(), "b".to_owned()][..])
        );
    }

    #[test]
    fn a_shared_value_before_a_negative_assertion_keeps_its_length() {
        let test = |name: &str, next: &str| {
            format!(
                "test('{name}', async ({{ page }}) => {{\n  await page.waitForTimeout(PAUSE);\n  {next}\n}});\n"
            )
        };
        let denied = "await expect(page.locator('.error')).not.toBeVisible();";
        let shared = [file(&format!(
            "const PAUSE = 400;\n{}{}",
            test("a", denied),
            test("b", "await page.click('b');")
        ))];
        let plan = ShrinkPlan::new(&shared, None);
        assert_eq!((plan.sleeps.len(), plan.kept.len()), (0, 1));
        let alone = [file(&format!("const PAUSE = 400;\n{}", test("a", denied)))];
        let plan = ShrinkPlan::new(&alone, None);
        assert!(plan.kept.is_empty() && plan.sleeps[0].precedes_negative_assertion);
    }

    #[test]
    fn values_of_one_line_do_not_move_each_other() {
        let text = "test('a', async ({ page }) => {\n  await page.waitForTimeout(1000); await page.waitForTimeout(2000);\n});\n";
        let files = [file(text)];
        let plan = ShrinkPlan::new(&files, None);
        let waits: Vec<_> = plan.sleeps.iter().zip([5, 20]).map(|(sleep, ms)| shrunk(sleep, ms)).collect();
        let changed = plan.changed_files(&waits).unwrap();
        assert_eq!(changed.len(), 1);
        assert!(
            changed[0].text.contains("waitForTimeout(5); await page.waitForTimeout(20);"),
            "{}",
            changed[0].text
        );
    }

    #[test]
    fn a_wait_that_stays_changes_no_file() {
        let files = [file("test('a', async ({ page }) => {\n  await page.waitForTimeout(1000);\n});\n")];
        let plan = ShrinkPlan::new(&files, None);
        let waits = [shrunk(&plan.sleeps[0], 1000)];
        assert!(plan.changed_files(&waits).unwrap().is_empty());
    }
}
