//! The waits of a whole suite.

use std::path::Path;
use std::time::Duration;

use steady_testkit::waits::{FILE, WaitsProject, WaitsRunner};
use steady_waits::tune::drive::{ShrinkTarget, TuneEvent, shrink};
use steady_waits::tune::{Settings, Verdict};

use crate::ground::{Ground, with_wait};

/// The fixture with a first wait of so many milliseconds; the second is 300 ms, and nobody needs it.
fn suite(first: u64) -> Ground {
    let text = Ground::new(WaitsRunner::Mocha).text;
    let mut ground = Ground::with_tests(WaitsRunner::Mocha, &WaitsProject::with_wait(&text, first).unwrap());
    ground.variables.push(("WAITS_PACE".to_owned(), "0.01".to_owned()));
    ground
}

/// Few runs tell right from wrong here.
fn settings() -> Settings {
    Settings { runs: 8, search: Some(100), ..Settings::default() }
}

#[test]
fn waits_of_a_suite_are_shortened_and_run_together() {
    let shrunk = suite(2000).shrink(&[(7, 2000, &[]), (14, 300, &[])], &settings(), None, &mut |_| ());
    let found: Vec<(usize, u64, u64)> =
        shrunk.waits.iter().map(|wait| (wait.line, wait.before, wait.after)).collect();
    assert!(matches!(found[..], [(7, 2000, 177..182), (14, 300, 0)]), "{found:?}");
    assert!(shrunk.verified && !shrunk.interrupted, "{shrunk:?}");
    assert_eq!(shrunk.together.unwrap().passed, 8);
    assert_eq!(shrunk.shorter_by, 2300 - found[0].2);
    assert!(shrunk.times.is_some());
}

#[test]
fn a_margin_makes_shortened_waits_longer_and_the_runs_together_have_it() {
    let settings = Settings { margin: 1.5, ..settings() };
    let mut together = 0;
    let mut tell =
        |event| together += u64::from(matches!(event, TuneEvent::TogetherFinished { passed: true, .. }));
    let shrunk = suite(2000).shrink(&[(7, 2000, &[]), (14, 300, &[])], &settings, None, &mut tell);
    let [long, unneeded] = &shrunk.waits[..] else { panic!("{shrunk:?}") };
    let Some(Verdict::Held { ms: 177..182 }) = long.verdict else { panic!("{long:?}") };
    // One and a half times 177 to 181, in steps of 50; nothing times anything is nothing.
    assert_eq!((long.after, unneeded.after), (300, 0));
    assert_eq!((together, shrunk.shorter_by), (8, 1700 + 300));
}

#[test]
fn a_margin_never_makes_a_wait_longer_than_it_was() {
    let settings = Settings { margin: 1.5, ..settings() };
    let shrunk = suite(220).shrink(&[(7, 220, &[])], &settings, None, &mut |_| ());
    let [wait] = &shrunk.waits[..] else { panic!("{shrunk:?}") };
    assert!(matches!(wait.verdict, Some(Verdict::Held { ms: 177..182 })), "{wait:?}");
    assert_eq!((wait.after, shrunk.shorter_by, shrunk.together.is_none()), (220, 0, true));
}

/// Two waits, each in a test of its own; the second says nothing when it is too short, but the command fails.
const SILENT: &str = "
const { wait } = require('./page.cjs');
let now = 0;
it('speaks', async () => { await wait(400); });
it('is silent', async () => {
  now += 0; await wait(200); now += 200;
  if (now < 80) process.on('exit', () => process.exit(3));
});
";

#[test]
fn waits_of_different_tests_are_tried_in_the_same_runs() {
    let ground = Ground::with_tests(WaitsRunner::Mocha, SILENT);
    let path = Path::new(FILE);
    let silent =
        |text: &str, ms: u64| Ok(with_wait(text, 1, ms)?.replace("now += 200;", &format!("now += {ms};")));
    let (one, other) = (["speaks".to_owned()], ["is silent".to_owned()]);
    let waits = [
        ShrinkTarget {
            path,
            line: 4,
            column: 1,
            ms: 400,
            tests: &one,
            precedes_negative_assertion: false,
            patch: &|text, ms| with_wait(text, 0, ms),
            tidy: &|text| text,
        },
        ShrinkTarget {
            path,
            line: 6,
            column: 1,
            ms: 200,
            tests: &other,
            precedes_negative_assertion: false,
            patch: &silent,
            tidy: &|text| text,
        },
    ];
    let settings = Settings { runs: 6, search: Some(100), ..Settings::default() };
    let shrunk = shrink(&ground.project(&ground.state()), &waits, &settings, &mut |_| ()).unwrap();
    let after: Vec<u64> = shrunk.waits.iter().map(|wait| wait.after).collect();
    // A failure that no test tells of is traced to the wait that made it.
    assert!(matches!(after[..], [0, 80..85]), "{shrunk:?}");
    let tried: u64 = shrunk.waits.iter().map(|wait| wait.runs).sum();
    let others = 5 + 6;
    assert!(shrunk.runs < tried + others, "{} runs for {tried} attempts", shrunk.runs);
}

/// Needs 10 ms in its first forty runs and 100 ms from then on.
const SLOWER_LATER: &str = "
const fs = require('node:fs');
const run = fs.existsSync('runs') ? Number(fs.readFileSync('runs', 'utf8')) : 0;
fs.writeFileSync('runs', String(run + 1));
let now = 0;
const wait = async (ms) => { now += ms; };
const main = async () => {
  await wait(100);
  process.exit(now >= (run < 40 ? 10 : 100) ? 0 : 1);
};
main();
";

#[test]
fn a_wait_that_does_not_hold_in_the_end_is_taken_back() {
    let ground = Ground::with_tests(WaitsRunner::Node, SLOWER_LATER);
    let mut failed = 0;
    let mut tell =
        |event| failed += u64::from(matches!(event, TuneEvent::TogetherFinished { passed: false, .. }));
    let settings = Settings { runs: 20, ..Settings::default() };
    let shrunk = ground.shrink(&[(8, 100, &[])], &settings, None, &mut tell);
    let wait = &shrunk.waits[0];
    assert!(matches!(wait.verdict, Some(Verdict::Held { ms: 10..15 })), "{wait:?}");
    // Longer values are tried first: 25, 37 or 38, 56 or 57 ms.
    assert_eq!((wait.after, wait.withdrawn, shrunk.shorter_by, failed), (100, true, 0, 4));
}

#[test]
fn a_wait_that_is_too_short_among_the_others_gets_a_longer_value() {
    let script = SLOWER_LATER.replace("10 : 100", "10 : 30");
    let ground = Ground::with_tests(WaitsRunner::Node, &script);
    let settings = Settings { runs: 20, ..Settings::default() };
    let shrunk = ground.shrink(&[(8, 100, &[])], &settings, None, &mut |_| ());
    let wait = &shrunk.waits[0];
    assert!(matches!((wait.after, wait.withdrawn), (30..40, false)), "{wait:?}");
    assert!(shrunk.verified, "{shrunk:?}");
}

#[test]
fn runs_and_time_are_bounded() {
    let ground = Ground::with_tests(WaitsRunner::Node, SLOWER_LATER);
    let settings = Settings { most: Some(12), ..Settings::default() };
    let shrunk = ground.shrink(&[(8, 100, &[])], &settings, None, &mut |_| ());
    assert_eq!((shrunk.runs, shrunk.interrupted, shrunk.shorter_by), (12, true, 0));
    let shrunk = ground.shrink(&[(8, 100, &[])], &settings, Some(Duration::ZERO), &mut |_| ());
    assert_eq!((shrunk.runs, shrunk.interrupted), (0, true));
}

#[test]
fn a_sleep_before_a_negative_assertion_stays_when_its_test_passes_without_it() {
    let script =
        "const wait = async () => {};\nconst main = async () => {\n  await wait(100);\n};\nmain();\n";
    let ground = Ground::with_tests(WaitsRunner::Node, script);
    let settings = Settings { runs: 5, ..Settings::default() };
    let after = |precedes_negative_assertion: bool| {
        let target = ShrinkTarget {
            path: Path::new(FILE),
            line: 3,
            column: 1,
            ms: 100,
            tests: &[],
            precedes_negative_assertion,
            patch: &|text, ms| with_wait(text, 0, ms),
            tidy: &|text| text,
        };
        let shrunk = shrink(&ground.project(&ground.state()), &[target], &settings, &mut |_| ()).unwrap();
        shrunk.waits[0].after
    };
    assert_eq!((after(true), after(false)), (100, 0));
}
