use std::path::{Path, PathBuf};

use steady_history::{LineChange, Past};
use steady_js::Kind;

use super::*;
use crate::Origin;

fn corpus(files: &[(&str, &str)]) -> Corpus {
    let files = files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned()));
    Corpus::of(&files.collect::<Vec<_>>())
}

fn located(files: &[(&str, &str)], line: usize, past: Option<&Past>, ranking: Ranking) -> Located {
    let query = Query { file: Path::new(files[0].0), line, past, addition: None };
    locate(&corpus(files), &query, ranking).expect("a place")
}

fn values(located: &Located) -> Vec<u64> {
    located.candidates.iter().map(|candidate| candidate.ms).collect()
}

const SLEEPS: &str = "
it('saves', async () => {
  await page.click('#save');
  await page.waitForTimeout(500);
  await expect(page.locator('#saved')).toBeVisible({ timeout: 60000 });
}, 90000);
it('loads', async () => {
  await page.click('#load');
  await page.waitForTimeout(1500);
});
";

#[test]
fn a_value_of_the_same_kind_comes_first_and_shorter_ones_and_limits_do_not_come() {
    let found = located(&[("a.spec.ts", SLEEPS)], 4, None, Ranking::Learned);
    assert_eq!((found.kind, found.target.old_ms()), (Kind::Sleep, Some(500)));
    let values = values(&found);
    assert!(values.contains(&1500), "{values:?}");
    assert!(values.iter().all(|ms| *ms > 500 && ![60_000, 90_000].contains(ms)), "{values:?}");
    let seen = found.candidates.iter().find(|one| one.ms == 1500).expect("the other sleep");
    assert_eq!((seen.origin, seen.line, seen.kind), (Origin::Current, Some(9), Some(Kind::Sleep)));
    assert!(!seen.why.is_empty());
}

#[test]
fn a_limit_is_found_from_the_line_that_ends_the_test() {
    let found = located(&[("a.spec.ts", SLEEPS)], 6, None, Ranking::Learned);
    assert_eq!((found.kind, found.target.old_ms()), (Kind::TestTimeout, Some(90_000)));
    assert!(values(&found).iter().all(|ms| *ms > 90_000));
}

#[test]
fn without_any_candidate_there_are_guesses() {
    let text = "it('saves', async () => {\n  cy.wait(100);\n});\n";
    let found = located(&[("a.cy.ts", text)], 2, None, Ranking::Learned);
    assert!(!found.candidates.is_empty());
    assert!(
        found.candidates.iter().all(|one| one.origin == Origin::Guess && one.ms > 100 && one.path.is_none())
    );
    assert!(located(&[("a.cy.ts", text)], 2, None, Ranking::Traf).candidates.is_empty());
}

#[test]
fn a_line_without_a_wait_and_even_an_empty_file_have_an_answer() {
    for (text, line) in [("it('saves', () => {\n\n});\n", 2), ("", 1), ("it('is broken', () => {", 1)] {
        let found = located(&[("a.test.js", text)], line, None, Ranking::Learned);
        assert!(!found.candidates.is_empty(), "{text:?}");
        let all: f64 = found.candidates.iter().map(|one| one.score).sum();
        assert!(
            all <= 1.0 + 1e-9 && found.candidates.is_sorted_by(|one, two| one.score >= two.score),
            "{text:?}"
        );
    }
}

#[test]
fn a_wait_that_is_longer_than_any_usual_one_still_has_an_answer() {
    let text = "it('waits', async () => {\n  await page.waitForTimeout(900000);\n});\n";
    let found = located(&[("a.spec.ts", text)], 2, None, Ranking::Learned);
    assert_eq!(values(&found), [1_800_000]);
}

#[test]
fn traf_prefers_the_line_most_alike_and_the_baseline_the_most_frequent() {
    let other = "
it('a', async () => {
  await sleep(3000);
  await sleep(3000);
  await page.click('#save'); await page.waitForTimeout(2000);
});
async function sleep(ms) { return new Promise(done => setTimeout(done, ms)); }
";
    let files = [("e2e/a.spec.ts", SLEEPS), ("e2e/b.spec.ts", other)];
    let traf = located(&files, 4, None, Ranking::Traf);
    assert!(traf.candidates.is_sorted_by(|one, two| one.score >= two.score));
    let place = |located: &Located, ms| values(located).iter().position(|value| *value == ms);
    assert!(place(&traf, 2000) < place(&traf, 3000), "{:?}", values(&traf));
    let frequent = located(&files, 4, None, Ranking::Frequency);
    assert_eq!(frequent.candidates[0].ms, 3000);
}

#[test]
fn a_value_of_the_past_is_a_candidate_with_its_commit() {
    let mut past = Past::default();
    past.changes.push(LineChange {
        commit: "c0ffee".to_owned(),
        time: 1,
        subject: "fix flaky test".to_owned(),
        path: PathBuf::from("e2e/b.spec.ts"),
        old_line: Some(7),
        old: Some("  await page.waitForTimeout(500);".to_owned()),
        new_line: Some(7),
        new: Some("  await page.waitForTimeout(800);".to_owned()),
        hunk_before: [None, None],
    });
    let found = located(&[("e2e/a.spec.ts", SLEEPS)], 4, Some(&past), Ranking::Learned);
    let without = located(&[("e2e/a.spec.ts", SLEEPS)], 4, None, Ranking::Learned);
    assert!(!values(&without).contains(&800), "{:?}", values(&without));
    let old = found.candidates.iter().find(|one| one.ms == 800).expect("what was chosen before");
    assert_eq!((old.origin, old.commit.as_deref(), old.line), (Origin::History, Some("c0ffee"), Some(7)));
}

#[test]
fn a_place_that_is_not_there_is_an_error() {
    let corpus = corpus(&[("a.spec.ts", SLEEPS)]);
    let at = |file: &'static str, line| {
        let query = Query { file: Path::new(file), line, past: None, addition: None };
        locate(&corpus, &query, Ranking::Learned).map(|_| ()).expect_err("no such place").to_string()
    };
    assert_eq!(at("a.spec.ts", 99), "`a.spec.ts` has 10 lines, so there is no line 99");
    assert_eq!(at("a.spec.ts", 0), "`a.spec.ts` has 10 lines, so there is no line 0");
    assert_eq!(at("b.spec.ts", 1), "`b.spec.ts` is not among the files that were read");
}

#[test]
fn for_an_added_wait_the_most_frequent_value_of_its_kind_counts() {
    let added =
        "it('saves', async () => {\n  await page.click('#save');\n  await page.click('#next');\n});\n";
    let sleeps = "await page.waitForTimeout(1370);\n".repeat(6)
        + &"await page.waitForSelector('#a', { timeout: 8130 });\n".repeat(9);
    let files = [("a.spec.ts", added), ("b.spec.ts", sleeps.as_str())];
    let addition = Some(Addition { kind: Kind::Sleep, above: 0 });
    let query = Query { file: Path::new("a.spec.ts"), line: 3, past: None, addition };
    let found = locate(&corpus(&files), &query, Ranking::Learned).expect("a place");
    assert_eq!(values(&found).first(), Some(&1370), "{:?}", values(&found));
}
