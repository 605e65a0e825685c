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
    assert_eq!(lines[0], "e2e/save.spec.ts");
    assert_eq!(lines[1], "      5:14  sleep         2 s  page.waitForTimeout");
    assert!(lines[2].starts_with("            fixed-sleep: "), "{}", lines[2]);
    assert!(lines[2].contains("#next"), "{}", lines[2]);
    assert_eq!(lines[3], "      7:14  ceiling      10 s  page.waitForSelector");
    assert_eq!(lines[5], "2 waits in 1 file: 1 sleep (2 s in every run), 1 ceiling; 1 complaint");
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
fn programs_get_the_waits_in_the_last_line_and_sarif_the_complaints() {
    let outcome = waits(&["lint", "--format", "json", "--sarif", "out.sarif"])
        .file("e2e/save.spec.ts", TEST)
        .run()
        .exits_with(1);
    let events = outcome.events();
    assert_eq!(events[0]["event"], "run_started");
    let result = events.last().unwrap();
    assert_eq!(result["version"], 1);
    let found: Vec<(&Value, &Value, &Value)> = result["waits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|wait| (&wait["line"], &wait["kind"], &wait["ms"]))
        .collect();
    assert_eq!(
        found,
        [(&5.into(), &"sleep".into(), &2000.into()), (&7.into(), &"ceiling".into(), &10_000.into())]
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
    assert!(outcome.stdout.contains("3:14  sleep     unknown  page.waitForTimeout\n"), "{}", outcome.stdout);
    let events = waits(&["lint", "--format", "json"]).file("a.test.js", text).run().exits_with(1).events();
    let wait = &events.last().unwrap()["waits"][0];
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
    assert!(outcome.stderr.starts_with("error: there are no test files here\nhint: "), "{}", outcome.stderr);
    let outcome = waits(&["lint", "--allow", "fixed-slep"]).file("a.test.js", "").run().exits_with(2);
    outcome.says("error: there is no rule `fixed-slep`\nhint: did you mean `fixed-sleep`?\n");
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
