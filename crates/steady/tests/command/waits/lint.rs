//! `steady waits lint`.

use serde_json::Value;

use super::{commit, waits};

const TEST: &str = "import { test, expect } from '@playwright/test';

test('saves', async ({ page }) => {
  await page.click('#save');
  await page.waitForTimeout(2000);
  await page.click('#next');
  await page.waitForSelector('#done', { timeout: 10_000 });
});
";

#[test]
fn every_wait_is_listed_with_what_is_wrong_with_it() {
    let outcome = waits(&["lint"]).file("e2e/save.spec.ts", TEST).run().exits_with(1).says("");
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines[0], "2 waits in 1 file: 1 sleep (2 s in every run), 1 poll timeout; 1 complaint");
    assert!(lines[3].starts_with("            1       2 s  fixed-sleep"), "{}", lines[3]);
    let lines = &lines[5..];
    assert_eq!(lines[0], "e2e/save.spec.ts");
    assert_eq!(lines[1], "      5:14  sleep             2 s  page.waitForTimeout");
    assert!(lines[2].starts_with("            fixed-sleep: "), "{}", lines[2]);
    assert!(lines[2].contains("the sleep stands for something else"), "{}", lines[2]);
    assert_eq!(lines[3], "      7:14  poll timeout     10 s  page.waitForSelector");
    assert!(!outcome.folder().join(".steady").exists());
}

#[test]
fn quiet_lists_only_what_is_wrong() {
    let outcome = waits(&["lint", "-q"]).file("e2e/save.spec.ts", TEST).run().exits_with(1);
    assert!(outcome.stdout.contains("fixed-sleep") && !outcome.stdout.contains("waitForSelector"));
}

#[test]
fn a_comment_or_an_option_silences_a_rule() {
    let ignored =
        TEST.replace("(2000);", "(2000); // steady-ignore fixed-sleep -- the animation has no event");
    waits(&["lint"]).file("e2e/save.spec.ts", ignored).run().exits_with(0);
    waits(&["lint", "--allow", "fixed-sleep"]).file("e2e/save.spec.ts", TEST).run().exits_with(0);
    waits(&["lint"])
        .file("e2e/save.spec.ts", TEST)
        .file("steady.toml", "[waits]\nallow = [\"fixed-sleep\"]\n")
        .run()
        .exits_with(0);
}

#[test]
fn programs_get_the_waits_as_an_event_and_sarif_the_complaints() {
    let outcome = waits(&["lint", "--format", "json", "--sarif", "out.sarif"])
        .file("e2e/save.spec.ts", TEST)
        .run()
        .exits_with(1);
    let events = outcome.events();
    assert_eq!(events[0]["event"], "run_started");
    let result = outcome.result("waits_linted");
    assert_eq!(result["version"], 1);
    let found: Vec<(&Value, &Value, &Value)> = result["waits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|wait| (&wait["line"], &wait["kind"], &wait["ms"]))
        .collect();
    assert_eq!(
        found,
        [(&5.into(), &"sleep".into(), &2000.into()), (&7.into(), &"poll_timeout".into(), &10_000.into())]
    );
    assert_eq!(result["waits"][0]["complaints"][0]["rule"], "fixed-sleep");
    let sarif: Value = serde_json::from_str(&outcome.read("out.sarif")).unwrap();
    let finding = &sarif["runs"][0]["results"][0];
    assert_eq!(finding["ruleId"], "fixed-sleep");
    let region = &finding["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&5.into(), &14.into()));
}

#[test]
fn waits_whose_time_only_a_run_knows_are_listed_with_what_is_wrong_with_them() {
    let text =
        "it('rests', async () => {\n  await sleep(ttl() + 100);\n  await page.waitForTimeout(ttl());\n});\n";
    let outcome = waits(&["lint"]).file("a.test.js", text).run().exits_with(1);
    assert!(
        outcome.stdout.contains("3:14  sleep         unknown  page.waitForTimeout\n"),
        "{}",
        outcome.stdout
    );
    let outcome = waits(&["lint", "--format", "json"]).file("a.test.js", text).run().exits_with(1);
    let wait = &outcome.result("waits_linted")["waits"][0];
    assert_eq!((&wait["line"], &wait["ms"]), (&3.into(), &Value::Null));
    assert_eq!(wait["complaints"][0]["rule"], "fixed-sleep");
}

#[test]
fn source_that_does_not_parse_is_shown_when_it_is_named_and_left_out_when_it_is_found() {
    let broken = "test('a', async () => {\n  await page.click(;\n});\n";
    let outcome = waits(&["lint", "a.spec.ts"]).file("a.spec.ts", broken).run().exits_with(2).prints("");
    assert!(outcome.stderr.contains("--> a.spec.ts:2:"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("^"), "{}", outcome.stderr);
    let outcome =
        waits(&["lint"]).file("a.spec.ts", broken).file("e2e/save.spec.ts", TEST).run().exits_with(1);
    assert!(outcome.stderr.starts_with("warning: cannot parse `a.spec.ts`"), "{}", outcome.stderr);
}

#[test]
fn no_tests_and_no_such_rule_are_told() {
    let outcome = waits(&["lint"]).file("src/app.ts", "").run().exits_with(2).prints("");
    assert!(outcome.stderr.starts_with("error: no test files found\nhint: "), "{}", outcome.stderr);
    let outcome = waits(&["lint", "--allow", "fixed-slep"]).file("a.test.js", "").run().exits_with(2);
    outcome.says("error: unknown rule `fixed-slep`\nhint: did you mean `fixed-sleep`?\n");
    let outcome = waits(&["lint", "nowhere"]).run().exits_with(2);
    assert!(outcome.stderr.starts_with("error: cannot read the tests `nowhere`"), "{}", outcome.stderr);
}

#[test]
fn a_limit_that_was_raised_at_once_is_told_with_what_its_line_had_before() {
    let waiting = |ms: u32| TEST.replace("10_000", &ms.to_string());
    let past = |arguments: &[&str]| {
        let invocation = waits(arguments).file("e2e/save.spec.ts", waiting(3000));
        commit(invocation.folder(), "tests");
        let invocation = invocation.file("e2e/save.spec.ts", waiting(20_000));
        commit(invocation.folder(), "longer");
        invocation
    };
    let outcome = past(&["lint", "--allow", "fixed-sleep"]).run().exits_with(1).says("");
    assert!(
        outcome.stdout.contains("may take 20000 ms, 6 times the 3000 ms that this line had until 20"),
        "{}",
        outcome.stdout
    );
    past(&["lint", "--allow", "fixed-sleep", "--history", "off"]).run().exits_with(0);
    past(&["lint", "--allow", "fixed-sleep"])
        .file("steady.toml", "[waits]\nhistory = \"off\"\n")
        .run()
        .exits_with(0);
}

#[test]
fn constants_are_no_sleeps_and_times_behind_an_alias_are_read() {
    let text = "import * as T from '@/fixtures/t2';\nconst RETRY_DELAY_MS = 10 * 60 * 1000;\n\
        it('waits', () => {\n  cy.wait(T.HALF);\n  cy.wait(unknown());\n  use(RETRY_DELAY_MS);\n});\n";
    let outcome = waits(&["lint"])
        .file("tsconfig.json", r#"{"compilerOptions":{"paths":{"@/*":["./tests/*"]}}}"#)
        .file("tests/fixtures/t2.ts", "export const HALF = 500;\n")
        .file("cypress/a.cy.ts", text)
        .run()
        .exits_with(1);
    let first = outcome.stdout.lines().next().unwrap_or_default();
    assert_eq!(
        first, "2 waits in 1 file: 2 sleeps (500 ms in every run and 1 of unknown length); 2 complaints",
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_baseline_hides_what_is_known_even_where_lines_have_moved() {
    let invocation = waits(&["lint", "--baseline", "waits.json", "--create-baseline"]);
    let outcome = invocation.file("e2e/save.spec.ts", TEST).run().exits_with(0);
    assert_eq!(outcome.stdout, "Wrote waits.json with 1 finding\n");
    let baseline = outcome.read("waits.json");
    assert!(baseline.contains("\"code\": \"await page.waitForTimeout(2000);\""), "{baseline}");

    let check = |test: &str| {
        waits(&["lint", "--baseline", "waits.json"])
            .file("waits.json", &baseline)
            .file("e2e/save.spec.ts", test)
            .run()
    };
    let moved = format!("// a comment\n\n{TEST}");
    check(&moved).exits_with(0).says("note: 1 finding known from the baseline, 0 new\n");
    let longer = TEST.replace("2000", "3000");
    let outcome = check(&longer).exits_with(1);
    assert!(
        outcome.stderr.contains("note: 0 findings known from the baseline, 1 new\n"),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains("1 finding of the baseline is no longer found"), "{}", outcome.stderr);
    let twice = TEST.replace(
        "  await page.waitForTimeout(2000);\n",
        "  await page.waitForTimeout(2000);\n  await page.waitForTimeout(2000);\n",
    );
    assert!(check(&twice).exits_with(1).stderr.contains("1 finding known from the baseline, 1 new"));

    let outcome =
        waits(&["lint", "--baseline", "none.json"]).file("e2e/save.spec.ts", TEST).run().exits_with(2);
    outcome.says("error: there is no baseline `none.json` yet\nhint: create it with the current findings: add --create-baseline\n");
}

const FIXABLE: &str = "import { test, expect } from '@playwright/test';
import { sleep } from './util';

test('saves', async ({ page }) => {
  await page.click('#save');
  await sleep(500);
  await expect(page.locator('#done')).toBeVisible();
  await page.waitForTimeout(300);
  await expect(page.locator('#error')).toHaveCount(0);
});
";

#[test]
fn fix_deletes_a_sleep_before_a_line_that_waits_and_nothing_else() {
    let outcome = waits(&["lint", "--fix"]).file("e2e/a.spec.ts", FIXABLE).run().exits_with(1);
    assert!(outcome.stdout.contains("-  await sleep(500);\n"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("-import { sleep } from './util';\n"), "{}", outcome.stdout);
    assert!(!outcome.stdout.contains("-  await page.waitForTimeout"), "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("1 sleep in 1 file can be deleted; 1 other finding\n"),
        "{}",
        outcome.stdout
    );
    assert_eq!(outcome.read("e2e/a.spec.ts"), FIXABLE);

    let outcome = waits(&["lint", "--fix", "--write"]).file("e2e/a.spec.ts", FIXABLE).run().exits_with(1);
    assert!(outcome.stdout.ends_with("Deleted 1 sleep in 1 file; 1 other finding\n"), "{}", outcome.stdout);
    let expected =
        FIXABLE.replace("  await sleep(500);\n", "").replace("import { sleep } from './util';\n", "");
    assert_eq!(outcome.read("e2e/a.spec.ts"), expected);
}

#[test]
fn fix_leaves_a_file_alone_that_has_changes_nobody_committed() {
    let invocation = waits(&["lint", "--fix", "--write"]).file("e2e/a.spec.ts", "");
    commit(invocation.folder(), "tests");
    let outcome = invocation.file("e2e/a.spec.ts", FIXABLE).run().exits_with(2);
    assert!(outcome.stderr.contains("has changes that are not committed"), "{}", outcome.stderr);
    assert_eq!(outcome.read("e2e/a.spec.ts"), FIXABLE);
}

#[test]
fn a_file_that_does_not_parse_is_no_clean_result() {
    let outcome = waits(&["lint"]).file("a.spec.ts", "test('a', () => {").run().exits_with(2);
    assert_eq!(outcome.stdout, "Nothing was read; 1 file could not be parsed and is skipped\n");
}

#[test]
fn a_look_into_the_past_leaves_no_store_behind() {
    let invocation = waits(&["lint"]).file("e2e/save.spec.ts", TEST.replace("10_000", "20_000"));
    commit(invocation.folder(), "tests");
    let outcome = invocation.run().exits_with(1);
    assert!(!outcome.folder().join(".steady").exists());
}
