//! One wait.

use std::fs;
use std::path::Path;

use steady_model::rerun::TestId;
use steady_testkit::waits::{FILE, RIGHT, TEST, WaitsProject, WaitsRunner};
use steady_waits::tune::drive::{Target, TuneError, TuneEvent, Tuned, tune};
use steady_waits::tune::{Settings, Strategy, Verdict};

use crate::ground::Ground;

/// Few runs tell right from wrong: any four in a row hold the one that needs the longest wait.
fn settings(strategy: Strategy, runs: u64) -> Settings {
    Settings { strategy, before: Some(150), runs, search: Some(100), ..Settings::default() }
}

fn is_right(tuned: &Tuned) -> bool {
    tuned.after.is_some_and(|ms| (RIGHT..RIGHT + 5).contains(&ms))
}

#[test]
fn mocha_dynamic() {
    let ground = Ground::new(WaitsRunner::Mocha);
    let mut events = Vec::new();
    let settings = settings(Strategy::Dynamic, 12);
    let tuned = ground.tune(Some(TEST), 0, &settings, &[160, 500], &mut |event| events.push(event)).unwrap();
    assert!(is_right(&tuned), "{tuned:?}");
    assert_eq!(
        tuned.tests.iter().map(TestId::as_str).collect::<Vec<_>>(),
        ["cart.test.js::cart::shows what is in it"]
    );
    assert!(matches!(events.first(), Some(TuneEvent::Started { .. })));
    assert!(matches!(events.last(), Some(TuneEvent::Finished(Verdict::Held { .. }))));
    let runs = events.iter().filter(|event| matches!(event, TuneEvent::RunFinished { .. })).count() as u64;
    assert_eq!(runs, tuned.effort.baseline + tuned.effort.executions);
}

#[test]
fn jest_first_match() {
    let ground = Ground::new(WaitsRunner::Jest);
    let settings = settings(Strategy::FirstMatch, 8);
    let tuned = ground.tune(Some("cart shows what is in it"), 0, &settings, &[200], &mut |_| ()).unwrap();
    // 175 fails for the page that needs 177.
    assert_eq!(tuned.verdict, Verdict::Held { ms: 187 }, "{tuned:?}");
    assert_eq!((tuned.effort.candidates, tuned.effort.tuned), (1, 2));
}

#[test]
fn vitest_from_the_developers_value() {
    let ground = Ground::new(WaitsRunner::Vitest);
    let tuned =
        ground.tune(Some(TEST), 0, &settings(Strategy::Fatb { from: 190 }, 8), &[], &mut |_| ()).unwrap();
    assert!(is_right(&tuned), "{tuned:?}");
}

#[test]
fn playwright_static() {
    let ground = Ground::new(WaitsRunner::Playwright);
    let settings = Settings { baseline: 0, ..settings(Strategy::Static, 6) };
    let tuned = ground.tune(Some(TEST), 0, &settings, &[160, 155, 180], &mut |_| ()).unwrap();
    assert_eq!(tuned.verdict, Verdict::Held { ms: 180 }, "{tuned:?}");
    assert_eq!(tuned.effort.candidates, 2);
    assert!(tuned.values.iter().all(|value| value.ms != 155));
}

#[test]
fn static_and_first_match_end_where_they_should() {
    let ground = Ground::new(WaitsRunner::Node);
    let after = |strategy, candidates: &[u64]| {
        let tuned = ground.tune(None, 0, &settings(strategy, 20), candidates, &mut |_| ()).unwrap();
        assert!(tuned.effort.executions <= 20 + 2 * 4, "{:?}", tuned.effort);
        (tuned.after, tuned.paper.unwrap().executions())
    };
    assert_eq!(after(Strategy::Static, &[160, 180, 2000]), (Some(180), 200));
    assert_eq!(after(Strategy::FirstMatch, &[220]), (Some(185), 200));
}

#[test]
fn bisection_takes_a_fifth_of_the_papers_executions_with_as_many_passes_in_the_end() {
    let ground = Ground::new(WaitsRunner::Node);
    let settings = Settings { strategy: Strategy::Dynamic, before: Some(150), ..Settings::default() };
    let tuned = ground.tune(None, 0, &settings, &[2000], &mut |_| ()).unwrap();
    assert!(is_right(&tuned), "{tuned:?}");
    let (ours, papers) = (tuned.effort.executions, tuned.paper.unwrap().executions());
    assert!(5 * ours <= papers, "{ours} executions against {papers}");
    let bound = tuned.bound.unwrap();
    assert!(bound.failed == 0 && bound.passed >= 100 && bound.allows < 0.03, "{bound}");
}

#[test]
fn a_test_that_never_fails_needs_no_repair() {
    let ground = Ground::new(WaitsRunner::Node);
    let long = WaitsProject::with_wait(&ground.text, 200).unwrap();
    fs::write(ground.project.folder().join(FILE), long).unwrap();
    let settings = Settings { before: Some(200), baseline: 9, ..settings(Strategy::Dynamic, 9) };
    let tuned = ground.tune(None, 0, &settings, &[500], &mut |_| ()).unwrap();
    assert_eq!((tuned.verdict, tuned.baseline.passed), (Verdict::NotFlaky, 9));
}

#[test]
fn a_command_that_always_fails_is_told_with_what_it_says() {
    let ground = Ground::new(WaitsRunner::Node);
    let page = ground.project.folder().join("page.cjs");
    fs::write(page, "throw new Error('the shop is closed');\n").unwrap();
    let error = ground.tune(None, 0, &settings(Strategy::Static, 9), &[500, 1000], &mut |_| ()).unwrap_err();
    let TuneError::AlwaysFails { longest, output, .. } = error else { panic!("{error}") };
    assert_eq!(longest, 1000);
    assert!(output.contains("the shop is closed"), "{output}");
}

#[test]
fn without_a_candidate_longer_than_the_wait_nothing_is_said_about_it() {
    let ground = Ground::new(WaitsRunner::Node);
    let settings = Settings { before: Some(150), ..settings(Strategy::Dynamic, 9) };
    let tuned = ground.tune(None, 0, &settings, &[100, 150], &mut |_| ()).unwrap();
    assert_eq!((tuned.verdict, tuned.effort.executions), (Verdict::NoneHeld, 0));
}

#[test]
fn a_test_that_the_command_does_not_run_is_told_with_those_it_runs() {
    let ground = Ground::new(WaitsRunner::Mocha);
    let error =
        ground.tune(Some("sells"), 0, &settings(Strategy::Static, 9), &[500], &mut |_| ()).unwrap_err();
    let TuneError::TestNotFound { instead, .. } = error else { panic!("{error}") };
    assert_eq!(instead, ["cart.test.js::cart::shows what is in it", "cart.test.js::cart::can be empty"]);
}

#[test]
fn a_stop_returns_what_is_known() {
    let ground = Ground::new(WaitsRunner::Node);
    let mut values = 0;
    let mut tell = |event| {
        values += usize::from(matches!(event, TuneEvent::ValueDecided(_)));
        if values == 3 {
            ground.cancel.request();
        }
    };
    let tuned = ground.tune(None, 0, &settings(Strategy::Dynamic, 100), &[500], &mut tell).unwrap();
    assert!(tuned.interrupted && tuned.after.is_none(), "{tuned:?}");
    assert_eq!(tuned.verdict, Verdict::Unfinished { best: Some(237) });
}

#[test]
fn a_file_outside_the_project_is_refused() {
    let ground = Ground::new(WaitsRunner::Node);
    fs::write(ground.home.path().join("other.js"), "").unwrap();
    let patch = |_| Ok(String::new());
    let target = Target { path: Path::new("../other.js"), test: None, patch: &patch, loaded: 0 };
    let settings = settings(Strategy::Static, 9);
    for path in ["../other.js", "missing.js"] {
        let target = Target { path: Path::new(path), ..target };
        let state = ground.state();
        assert!(tune(&ground.project(&state), &target, &settings, &[500], &mut |_| ()).is_err(), "{path}");
    }
}
