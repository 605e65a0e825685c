//! Tunes real projects, with real runners, to a wait that is known.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use steady_model::rerun::TestId;
use steady_process::Stop;
use steady_testkit::waits::{FILE, RIGHT, TEST, WaitsProject, WaitsRunner};
use steady_waits::tune::drive::{
    PatchError, Project, ShrinkTarget, Target, TuneError, TuneEvent, Tuned, shrink, tune,
};
use steady_waits::tune::{Settings, Strategy, Verdict};
use tempfile::TempDir;

/// A project in a temporary folder.
struct Ground {
    home: TempDir,
    project: WaitsProject,
    command: Vec<String>,
    variables: Vec<(String, String)>,
    text: String,
    stop: Stop,
}

impl Ground {
    fn new(runner: WaitsRunner) -> Self {
        let home = TempDir::new().unwrap();
        let folder = home.path().join("project");
        fs::create_dir(&folder).unwrap();
        let project = WaitsProject::write(runner, &folder).unwrap();
        let (command, text) = (project.command(), project.text().unwrap());
        Self { home, project, command, variables: Vec::new(), text, stop: Stop::new().unwrap() }
    }

    fn state(&self) -> PathBuf {
        self.home.path().join("state")
    }

    fn project<'a>(&'a self, state: &'a Path) -> Project<'a> {
        Project {
            folder: self.project.folder(),
            command: &self.command,
            variables: &self.variables,
            results: &[],
            timeout: Some(Duration::from_secs(120)),
            time: None,
            narrow: true,
            state,
            stop: &self.stop,
        }
    }

    fn tune(
        &self,
        test: Option<&str>,
        loaded: u64,
        settings: &Settings,
        candidates: &[u64],
        tell: &mut dyn FnMut(TuneEvent),
    ) -> Result<Tuned, TuneError> {
        let patch =
            |ms| WaitsProject::with_wait(&self.text, ms).ok_or_else(|| PatchError::from("there is no wait"));
        let target = Target { path: Path::new(FILE), test, patch: &patch, loaded };
        let state = self.state();
        let before = self.files();
        let tuned = tune(&self.project(&state), &target, settings, candidates, tell);
        assert_eq!(self.files(), before, "the user's files are as they were");
        tuned
    }

    /// The user's files and what is in them.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let entries = fs::read_dir(self.project.folder()).unwrap().map(|entry| entry.unwrap().path());
        let files = entries.filter(|path| !path.is_symlink());
        files.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    }
}

/// A text with another value for one of its waits.
fn with_wait(text: &str, nth: usize, ms: u64) -> Result<String, PatchError> {
    WaitsProject::with_nth_wait(text, nth, ms).ok_or_else(|| PatchError::from("there is no such wait"))
}

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
fn waits_of_a_suite_are_shortened_and_run_together() {
    let mut ground = Ground::new(WaitsRunner::Mocha);
    let long = WaitsProject::with_wait(&ground.text, 2000).unwrap();
    fs::write(ground.project.folder().join(FILE), &long).unwrap();
    ground.variables.push(("WAITS_PACE".to_owned(), "0.01".to_owned()));
    let path = Path::new(FILE);
    let waits = [
        ShrinkTarget {
            path,
            line: 14,
            column: 1,
            ms: 300,
            tests: &[],
            patch: &|text, ms| with_wait(text, 1, ms),
        },
        ShrinkTarget {
            path,
            line: 7,
            column: 1,
            ms: 2000,
            tests: &[],
            patch: &|text, ms| with_wait(text, 0, ms),
        },
    ];
    let before = ground.files();
    let settings = Settings { runs: 8, search: Some(100), ..Settings::default() };
    let shrunk = shrink(&ground.project(&ground.state()), &waits, &settings, &mut |_| ()).unwrap();
    assert_eq!(ground.files(), before);
    let found: Vec<(usize, u64, u64)> =
        shrunk.waits.iter().map(|wait| (wait.line, wait.before, wait.after)).collect();
    assert!(matches!(found[..], [(7, 2000, 177..182), (14, 300, 0)]), "{found:?}");
    assert!(shrunk.verified && !shrunk.interrupted, "{shrunk:?}");
    assert_eq!(shrunk.together.unwrap().passed, 8);
    assert_eq!(shrunk.shorter_by, 2300 - found[0].2);
    assert!(shrunk.times.is_some());
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
    let ground = Ground::new(WaitsRunner::Mocha);
    fs::write(ground.project.folder().join(FILE), SILENT).unwrap();
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
            patch: &|text, ms| with_wait(text, 0, ms),
        },
        ShrinkTarget { path, line: 6, column: 1, ms: 200, tests: &other, patch: &silent },
    ];
    let settings = Settings { runs: 6, search: Some(100), ..Settings::default() };
    let shrunk = shrink(&ground.project(&ground.state()), &waits, &settings, &mut |_| ()).unwrap();
    let after: Vec<u64> = shrunk.waits.iter().map(|wait| wait.after).collect();
    // A failure that no test tells of is traced to the wait that made it.
    assert!(matches!(after[..], [0, 80..85]), "{shrunk:?}");
    let tried: u64 = shrunk.waits.iter().map(|wait| wait.runs).sum();
    let others = 5 + 6;
    assert!(shrunk.runs < tried + others, "{} runs for {tried} trials", shrunk.runs);
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
    let ground = Ground::new(WaitsRunner::Node);
    let path = Path::new(FILE);
    fs::write(ground.project.folder().join(path), SLOWER_LATER).unwrap();
    let waits = [ShrinkTarget {
        path,
        line: 8,
        column: 1,
        ms: 100,
        tests: &[],
        patch: &|text, ms| with_wait(text, 0, ms),
    }];
    let mut events = Vec::new();
    let settings = Settings { runs: 20, ..Settings::default() };
    let state = ground.state();
    let shrunk = shrink(&ground.project(&state), &waits, &settings, &mut |event| events.push(event)).unwrap();
    let wait = &shrunk.waits[0];
    assert!(matches!(wait.verdict, Some(Verdict::Held { ms: 10..15 })), "{wait:?}");
    assert_eq!((wait.after, wait.withdrawn, shrunk.shorter_by), (100, true, 0));
    assert!(events.iter().any(|event| matches!(event, TuneEvent::TogetherFinished { passed: false, .. })));
}

#[test]
fn runs_and_time_are_bounded() {
    let ground = Ground::new(WaitsRunner::Node);
    let path = Path::new(FILE);
    fs::write(ground.project.folder().join(path), SLOWER_LATER).unwrap();
    let waits = [ShrinkTarget {
        path,
        line: 8,
        column: 1,
        ms: 100,
        tests: &[],
        patch: &|text, ms| with_wait(text, 0, ms),
    }];
    let settings = Settings { most: Some(12), ..Settings::default() };
    let state = ground.state();
    let project = ground.project(&state);
    let shrunk = shrink(&project, &waits, &settings, &mut |_| ()).unwrap();
    assert_eq!((shrunk.runs, shrunk.interrupted, shrunk.shorter_by), (12, true, 0));
    let project = Project { time: Some(Duration::ZERO), ..project };
    let shrunk = shrink(&project, &waits, &settings, &mut |_| ()).unwrap();
    assert_eq!((shrunk.runs, shrunk.interrupted), (0, true));
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
            ground.stop.request();
        }
    };
    let tuned = ground.tune(None, 0, &settings(Strategy::Dynamic, 100), &[500], &mut tell).unwrap();
    assert!(tuned.interrupted && tuned.after.is_none(), "{tuned:?}");
    assert_eq!(tuned.verdict, Verdict::Unfinished { best: Some(237) });
}

#[test]
fn a_value_that_depends_on_no_machine_holds_under_load() {
    let ground = Ground::new(WaitsRunner::Node);
    let settings = Settings { margin: 1.5, ..settings(Strategy::Static, 9) };
    let tuned = ground.tune(None, 2, &settings, &[180], &mut |_| ()).unwrap();
    assert_eq!((tuned.after, tuned.proposed), (Some(180), Some(300)));
    assert_eq!(tuned.loaded.unwrap().holds, Some(300));
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
