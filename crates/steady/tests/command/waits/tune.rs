//! `steady waits tune` without a command: candidates and the patch.

use serde_json::Value;

use super::{commit, waits};

const SHORT: &str = "import { test } from '@playwright/test';

test('saves', async ({ page }) => {
  await page.click('#save');
  await page.waitForTimeout(500);
  await page.click('#next');
});
";
const LONG: &str = "import { test } from '@playwright/test';

test('loads', async ({ page }) => {
  await page.click('#load');
  await page.waitForTimeout(3000);
  await page.click('#next');
});
";

fn result(outcome: &crate::support::Outcome) -> Value {
    outcome.result("waits_tuned")
}

#[test]
fn values_of_similar_lines_are_candidates_and_the_patch_changes_the_value_alone() {
    let outcome = waits(&["tune", "e2e/save.spec.ts:5", "--format", "json", "--ranking", "traf"])
        .file("e2e/save.spec.ts", SHORT)
        .file("e2e/load.spec.ts", LONG)
        .run()
        .exits_with(0);
    let result = result(&outcome);
    assert_eq!(result["version"], 1);
    assert_eq!(result["target"]["kind"], "sleep");
    assert_eq!(result["target"]["ms"], 500);
    let first = &result["candidates"][0];
    assert_eq!((&first["ms"], &first["origin"]), (&3000.into(), &"current".into()));
    assert_eq!((&first["path"], &first["line"]), (&"e2e/load.spec.ts".into(), &5.into()));
    assert_eq!(first["commit"], Value::Null);
    let patch = result["patch"].as_str().unwrap();
    let changed: Vec<&str> = patch.lines().skip(2).filter(|line| line.starts_with(['-', '+'])).collect();
    assert_eq!(changed, ["-  await page.waitForTimeout(500);", "+  await page.waitForTimeout(3000);"]);
    assert_eq!(outcome.read("e2e/save.spec.ts"), SHORT);
}

#[test]
fn people_see_each_value_with_its_line_and_what_a_fixed_time_costs() {
    let outcome = waits(&["tune", "e2e/save.spec.ts:5"])
        .file("e2e/save.spec.ts", SHORT)
        .file("e2e/load.spec.ts", LONG)
        .run()
        .exits_with(0);
    for part in [
        "e2e/save.spec.ts:5  await page.waitForTimeout(500);\na sleep, 500 ms: every run pays for it\n",
        "e2e/load.spec.ts:5  await page.waitForTimeout(3000);\n",
        "A stop-gap: every run pays for a fixed time",
        "Apply this with --write",
    ] {
        assert!(outcome.stdout.contains(part), "{part}\nin\n{}", outcome.stdout);
    }
    assert_eq!(outcome.stderr, "note: not in a git repository: only the current code is used\n");
}

#[test]
fn values_of_the_past_are_candidates_too() {
    let invocation = waits(&["tune", "e2e/save.spec.ts:5", "--format", "json", "--ranking", "traf"]);
    let invocation = invocation.file("e2e/save.spec.ts", SHORT).file("e2e/load.spec.ts", LONG);
    commit(invocation.folder(), "tests");
    let invocation = invocation.file("e2e/load.spec.ts", LONG.replace("3000", "100"));
    commit(invocation.folder(), "shorter");
    let outcome = invocation.run().exits_with(0);
    let result = result(&outcome);
    let found: Vec<(&Value, &Value)> = result["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|candidate| (&candidate["ms"], &candidate["origin"]))
        .collect();
    assert_eq!(found, [(&3000.into(), &"history".into())]);
    assert_eq!(result["candidates"][0]["commit"].as_str().unwrap().len(), 40);
    assert_eq!(result["candidates"][0]["line"], 5);
}

#[test]
fn without_any_candidate_a_guess_is_made_and_marked_or_the_paper_is_not_applicable() {
    let guessed =
        waits(&["tune", "a.spec.ts:5", "--format", "json"]).file("a.spec.ts", SHORT).run().exits_with(0);
    let first = &result(&guessed)["candidates"][0];
    assert_eq!(first["origin"], "guess");
    assert!(first["ms"].as_u64().unwrap() > 500);
    let outcome =
        waits(&["tune", "a.spec.ts:5", "--ranking", "traf"]).file("a.spec.ts", SHORT).run().exits_with(1);
    assert!(outcome.stdout.contains("Not applicable"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("Try `--ranking learned`"), "{}", outcome.stdout);
}

#[test]
fn the_place_is_taken_from_the_stack_of_a_failure() {
    let failure = "  1) saves\n\n    Error: expect failed\n      at node_modules/x/index.js:3:4\n      at e2e/save.spec.ts:6:14\n";
    let outcome = waits(&["tune", "--failure", "out.txt", "--format", "json"])
        .file("e2e/save.spec.ts", SHORT)
        .file("out.txt", failure)
        .run()
        .exits_with(0);
    // The line behind the sleep fails: the sleep is too short.
    assert_eq!(result(&outcome)["target"]["line"], 5);
    let outcome = waits(&["tune", "--failure", "out.txt"]).file("out.txt", "nothing\n").run().exits_with(2);
    assert!(
        outcome.stderr.starts_with("error: the failure's output names no line of this project"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_file_that_is_not_committed_is_written_only_when_that_is_wanted() {
    let arguments = ["tune", "a.spec.ts:5", "--write"];
    let invocation = waits(&arguments).file("a.spec.ts", SHORT);
    commit(invocation.folder(), "tests");
    let edited = SHORT.replace("#next", "#last");
    let outcome = invocation.file("a.spec.ts", &edited).run().exits_with(2).prints("");
    assert!(outcome.stderr.contains("has changes that are not committed"), "{}", outcome.stderr);
    assert_eq!(outcome.read("a.spec.ts"), edited);
    let outcome = waits(&["tune", "a.spec.ts:5", "--write", "--allow-dirty"])
        .file("a.spec.ts", SHORT)
        .run()
        .exits_with(0);
    assert!(outcome.stdout.ends_with("Wrote a.spec.ts\n"), "{}", outcome.stdout);
    assert!(!outcome.read("a.spec.ts").contains("waitForTimeout(500)"));
}

#[test]
fn what_cannot_be_looked_at_is_told_with_what_to_do() {
    let cases: [(&[&str], &str, &str); 6] = [
        (&["tune", "a.spec.ts:99"], SHORT, "error: `a.spec.ts` has 7 lines, so there is no line 99"),
        (&["tune", "a.spec.ts"], "test('a', () => {});\n", "error: `a.spec.ts` has no waits\nhint: "),
        (&["tune", "a.spec.ts:2"], "f(;\n", "error: cannot parse `a.spec.ts`"),
        (&["tune", "b.spec.ts:2"], SHORT, "error: cannot read the test `b.spec.ts`"),
        (&["tune"], SHORT, "error: no line is given"),
        (&["tune", "--shrink"], SHORT, "error: no test command is given"),
    ];
    for (arguments, text, said) in cases {
        let outcome = waits(arguments).file("a.spec.ts", text).run().exits_with(2).prints("");
        assert!(outcome.stderr.starts_with(said), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("hint: "), "{}", outcome.stderr);
        assert_eq!(outcome.read("a.spec.ts"), text);
    }
}

#[test]
fn where_no_wait_can_stand_the_values_are_told_and_nothing_is_written() {
    let text = "const { test } = require('node:test');\n\ntest('a', () => {\n  check();\n});\n";
    let outcome =
        waits(&["tune", "a.test.js:4", "--format", "json"]).file("a.test.js", text).run().exits_with(0);
    let result = result(&outcome);
    assert!(!result["candidates"].as_array().unwrap().is_empty());
    assert_eq!(result["patch"], "");
    let outcome = waits(&["tune", "a.test.js:4", "--write"]).file("a.test.js", text).run().exits_with(2);
    assert!(outcome.stderr.contains("is not async"), "{}", outcome.stderr);
    assert_eq!(outcome.read("a.test.js"), text);
}

#[test]
fn several_waits_without_a_line_are_listed() {
    let text = SHORT.replace("'#next');", "'#next');\n  await page.waitForTimeout(90);");
    let outcome = waits(&["tune", "a.spec.ts"]).file("a.spec.ts", text).run().exits_with(2).prints("");
    outcome.says(
        "error: `a.spec.ts` has 2 waits\n\
         hint: name a line, FILE:LINE: 5 (waitForTimeout, 500 ms), 7 (waitForTimeout, 90 ms)\n",
    );
}

#[test]
fn an_imported_time_is_changed_where_it_is_used() {
    let text = "import { test } from '@playwright/test';\nimport { SHORT } from './times';\n\ntest('a', async ({ page }) => {\n  await page.waitForTimeout(SHORT);\n});\n\ntest('b', async ({ page }) => {\n  await page.waitForTimeout(500);\n});\n";
    let outcome = waits(&["tune", "a.spec.ts:5", "--write"])
        .file("a.spec.ts", text)
        .file("times.ts", "export const SHORT = 100;\n")
        .run()
        .exits_with(0);
    assert!(outcome.stdout.contains("a sleep, 100 ms"), "{}", outcome.stdout);
    let written = outcome.read("a.spec.ts");
    assert_eq!(written.matches("waitForTimeout(500)").count(), 2, "{written}");
    // Nothing else used it.
    assert!(written.starts_with("import { test } from '@playwright/test';\n\ntest('a'"), "{written}");
    assert_eq!(outcome.read("times.ts"), "export const SHORT = 100;\n");
}

#[test]
fn imported_options_are_overridden_where_they_are_used() {
    let wait = |options: &str| format!("  await page.waitForSelector('#a', {options});\n");
    let file = |options: &str| {
        format!(
            "import {{ test }} from '@playwright/test';\nimport {{ SLOW }} from './options';\n\ntest('a', async ({{ page }}) => {{\n{}}});\n\ntest('b', async ({{ page }}) => {{\n{}}});\n",
            wait(options),
            wait("{ timeout: 8000 }")
        )
    };
    let options = "export const SLOW = { timeout: 2000, state: 'attached' };\n";
    let outcome = waits(&["tune", "a.spec.ts:5", "--write", "--ranking", "traf"])
        .file("a.spec.ts", file("SLOW"))
        .file("options.ts", options)
        .run()
        .exits_with(0);
    assert!(outcome.stdout.contains("a time limit of a call that polls, 2 s"), "{}", outcome.stdout);
    assert_eq!(outcome.read("a.spec.ts"), file("{ ...SLOW, timeout: 8000 }"));
    assert_eq!(outcome.read("options.ts"), options);
}

#[test]
fn a_sleep_before_a_line_that_waits_is_deleted_by_the_patch_as_the_advice_says() {
    let test = "import { test, expect } from '@playwright/test';\n\ntest('saves', async ({ page }) => {\n  await page.waitForTimeout(5000);\n  await page.waitForSelector('#done');\n});\n";
    let outcome = waits(&["tune", "e2e/a.spec.ts:4"]).file("e2e/a.spec.ts", test).run().exits_with(0);
    assert!(outcome.stdout.contains("-  await page.waitForTimeout(5000);\n"), "{}", outcome.stdout);
    assert!(!outcome.stdout.contains("\n+  await"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("Delete it: the next line waits by itself."), "{}", outcome.stdout);
}

#[test]
fn a_wait_behind_an_alias_is_a_wait() {
    let test = "import * as TIMEOUTS from '@/timeouts';\nit('saves', () => {\n  cy.wait(TIMEOUTS.HALF_SEC);\n  cy.wait(TIMEOUTS.OTHER);\n});\n";
    let run = |line: &str| {
        waits(&["tune", line])
            .file("tsconfig.json", r#"{"compilerOptions":{"paths":{"@/*":["./tests/*"]}}}"#)
            .file(
                "tests/timeouts.ts",
                "export const HALF_SEC = 500;\nexport const OTHER = Number(process.env.X);\n",
            )
            .file("cypress/a.cy.ts", test)
            .run()
    };
    let known = run("cypress/a.cy.ts:3").exits_with(0);
    assert!(known.stdout.contains("a sleep, 500 ms: every run pays for it"), "{}", known.stdout);
    let unknown = run("cypress/a.cy.ts:4");
    assert!(
        unknown.stdout.contains("a sleep: every run pays for it; its length is known only at run time"),
        "{}",
        unknown.stdout
    );
    assert!(!unknown.stdout.contains("no wait yet"), "{}", unknown.stdout);
}
