//! Detection in test code, with a runner that answers by a script.

use serde_json::{Value, json};
use steady_model::rerun::{Perturbation, TestId};
use steady_process::Cancel;

use super::code_tests::CodeTests;
use super::decide::{Decided, decide};
use super::fakes::{AskedRun, FakeRunner, FakeTest, project};
use super::*;

/// A call and an assertion about its answer.
const ONE: &str = "def test_a():
    order = c.get(\"/a\").json()
    assert order[\"x\"] == \"pear\"
";
const PEAR: &str = "assert order[\"x\"] == \"pear\"";

fn plan() -> DetectionPlan {
    DetectionPlan { reruns: 2, restart: false, perturb: Vec::new() }
}

async fn end(runs: CodeTests<'_>, policy: Policy) -> StabilizedCode {
    let warn = &mut |line| panic!("{line}");
    stabilize_runs(runs, &mut SutAccess::External, &plan(), policy, warn).await.unwrap()
}

/// What comes of a file whose tests a script runs.
async fn stabilized(
    text: &str,
    policy: Policy,
    script: impl FnMut(&AskedRun<'_>) -> Vec<FakeTest>,
) -> StabilizedCode {
    let (cancel, command) = (Cancel::new().unwrap(), Vec::new());
    let project = project(text, &command, &cancel);
    let runs = CodeTests::new(&project, Box::new(FakeRunner::new(text, script)));
    end(runs, policy).await
}

/// What is decided after a plain run and one without assertions.
async fn decided(text: &str, script: impl FnMut(&AskedRun<'_>) -> Vec<FakeTest>) -> Decided {
    let (cancel, command) = (Cancel::new().unwrap(), Vec::new());
    let project = project(text, &command, &cancel);
    let mut runs = CodeTests::new(&project, Box::new(FakeRunner::new(text, script)));
    let access = &mut SutAccess::External;
    runs.run_all(Step::Rerun, "first run", access).await.unwrap();
    runs.silence().unwrap();
    runs.run_all(Step::Rerun, "rerun", access).await.unwrap();
    decide(&runs, Policy::Relax)
}

fn value(x: impl Into<Value>) -> Value {
    json!({ "x": x.into() })
}

/// `test_a`, which gets `x` and fails where its assertion says something else.
fn test_a(run: &AskedRun<'_>, x: &str) -> FakeTest {
    FakeTest::new("test_a").got("c.get(\"/a\")", value(x)).fails_if(run.has(PEAR) && x != "pear", PEAR)
}

#[tokio::test(start_paused = true)]
async fn an_assertion_that_held_every_time_stays_as_it_is() {
    for policy in [Policy::Relax, Policy::Disable, Policy::Keep] {
        let found = stabilized(ONE, policy, |run| vec![test_a(run, "pear")]).await;
        assert!(found.files.is_empty(), "{policy:?}: {:?}", found.files);
        assert!(found.flaky.is_empty(), "{policy:?}: {:?}", found.flaky);
        assert_eq!(found.tests.unchanged, ["tests/test_shop.py::test_a"]);
        // As they are, twice without assertions, and the proof.
        assert_eq!(found.cost.runs(), 4, "{}", found.cost);
    }
}

#[tokio::test(start_paused = true)]
async fn an_assertion_whose_value_varies_is_rewritten_and_the_one_beside_it_is_not() {
    let text = "def test_a():
    order = c.get(\"/a\").json()
    assert order[\"x\"] == \"pear\"
    assert order[\"y\"] == 3
";
    let found = stabilized(text, Policy::Relax, |run| {
        let x = ["pear", "fig", "plum"][run.number % 3];
        let body = json!({"x": x, "y": 3});
        vec![FakeTest::new("test_a").got("c.get(\"/a\")", body).fails_if(run.has(PEAR) && x != "pear", PEAR)]
    })
    .await;
    let [file] = found.files.as_slice() else { panic!("one file, not {:?}", found.files) };
    let lines: Vec<&str> = file.after.lines().map(str::trim).collect();
    assert!(!lines.contains(&PEAR), "{}", file.after);
    assert!(lines.contains(&"assert order[\"y\"] == 3"), "{}", file.after);
    assert_eq!(file.before, text);
    assert_eq!(found.tests.rewritten, ["tests/test_shop.py::test_a"]);
    let places: Vec<String> = found.flaky.iter().map(|flaky| flaky.place.to_string()).collect();
    assert_eq!(places, ["body:/x"]);
    assert_eq!(found.flaky[0].tests, ["tests/test_shop.py::test_a"]);
}

#[tokio::test(start_paused = true)]
async fn assertions_are_kept_and_reported_where_the_user_wants_that() {
    let found = stabilized(ONE, Policy::Keep, |run| {
        vec![test_a(run, if run.number % 2 == 1 { "pear" } else { "fig" })]
    })
    .await;
    assert!(found.files.is_empty());
    assert_eq!(found.flaky.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_value_that_moves_in_the_proof_is_learnt_from() {
    // Runs 1 to 3 are the first and those without assertions; the proof is the fourth.
    let found = stabilized(ONE, Policy::Relax, |run| {
        let x = if run.number < 4 { "pear".to_owned() } else { format!("fig {}", run.number) };
        vec![test_a(run, &x)]
    })
    .await;
    assert_eq!(found.tests.rewritten, ["tests/test_shop.py::test_a"]);
    assert_eq!(found.files.len(), 1);
    // The proof failed once, and what it taught was proven.
    assert_eq!(found.cost.to_string(), "first run, rerun x2, proof x2");
}

/// A call and one assertion for each of these names.
fn asserting(names: &[&str]) -> String {
    let assertions = names.iter().map(|name| format!("    assert order[\"{name}\"] == \"pear\"\n"));
    format!("def test_a():\n    order = c.get(\"/a\").json()\n{}", assertions.collect::<String>())
}

/// `test_a` of such a text: from the first proof on, each run moves one more of the values for good.
fn moving_one_by_one<'a>(names: &'a [&'static str]) -> impl FnMut(&AskedRun<'_>) -> Vec<FakeTest> + 'a {
    let codes = ["order[\"a\"]", "order[\"b\"]", "order[\"c\"]", "order[\"d\"]", "order[\"e\"]"];
    move |run| {
        let moved = run.number.saturating_sub(3);
        let value = |index| if index < moved { format!("fig {}", run.number) } else { "pear".to_owned() };
        let body = names.iter().enumerate().map(|(index, name)| ((*name).to_owned(), value(index).into()));
        let test = FakeTest::new("test_a").got("c.get(\"/a\")", Value::Object(body.collect()));
        let exact = |name: &str| run.has(&format!("assert order[\"{name}\"] == \"pear\""));
        let failing = names.iter().take(moved).position(|name| exact(name));
        vec![test.fails_if(failing.is_some(), codes[failing.unwrap_or_default()])]
    }
}

#[tokio::test(start_paused = true)]
async fn a_test_may_need_a_second_lesson() {
    let names = ["a", "b"];
    let mut script = moving_one_by_one(&names);
    // No further value moves after the second proof.
    let found = stabilized(&asserting(&names), Policy::Relax, |run| script(run)).await;
    assert_eq!(found.tests.rewritten, ["tests/test_shop.py::test_a"]);
    assert_eq!(found.cost.to_string(), "first run, rerun x2, proof x3");
    assert_eq!(found.flaky.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn lessons_end_and_what_is_offered_was_run() {
    let names = ["a", "b", "c", "d", "e"];
    let found = stabilized(&asserting(&names), Policy::Relax, moving_one_by_one(&names)).await;
    assert_eq!(found.cost.to_string(), "first run, rerun x2, proof x4");
    let [left] = found.tests.broken.as_slice() else { panic!("{:?}", found.tests) };
    assert_eq!((left.failed, left.runs), (1, 1));
    // Three were learnt from; the fourth failed in the run of what is offered.
    let after = &found.files[0].after;
    let kept = |name: &str| after.contains(&format!("    assert order[\"{name}\"] == \"pear\"\n"));
    assert_eq!(names.map(kept), [false, false, false, true, true], "{after}");
}

#[tokio::test(start_paused = true)]
async fn every_test_is_in_exactly_one_list() {
    let text = "def test_a():
    order = c.get(\"/a\").json()
    assert order[\"x\"] == \"pear\"


def test_stable():
    assert c.get(\"/stable\").json()[\"x\"] == 1


def test_broken():
    body = c.get(\"/broken\").json()
    assert body[\"x\"] == 2


def test_flaky():
    c.get(\"/flaky\").json()
    sometimes()


def test_computed():
    r = c.get(\"/computed\")
    assert r.json()[\"x\"] == total
";
    let found = stabilized(text, Policy::Relax, |run| {
        let odd = run.number % 2 == 1;
        let computed = "assert r.json()[\"x\"] == total";
        let broken = "assert body[\"x\"] == 2";
        vec![
            test_a(run, ["pear", "fig", "plum"][run.number % 3]),
            FakeTest::new("test_stable").got("c.get(\"/stable\")", value(1)),
            FakeTest::new("test_broken")
                .got("c.get(\"/broken\")", value(1))
                .fails_if(run.has(broken), broken),
            FakeTest::new("test_flaky").got("c.get(\"/flaky\")", value(1)).fails_if(odd, "sometimes()"),
            FakeTest::new("test_computed").got("c.get(\"/computed\")", value(1)).fails_if(true, computed),
        ]
    })
    .await;
    let SortedTests { rewritten, unchanged, broken, still_flaky, not_followed } = &found.tests;
    assert_eq!(rewritten, &["tests/test_shop.py::test_a"]);
    assert_eq!(unchanged, &["tests/test_shop.py::test_stable"]);
    let left = |left: &[TestLeft]| {
        let named = |left: &TestLeft| (left.test.clone(), left.place.clone().unwrap_or_default());
        left.iter().map(named).collect::<Vec<_>>()
    };
    let named = |test: &str, line: usize| {
        (format!("tests/test_shop.py::{test}"), format!("tests/test_shop.py:{line}"))
    };
    assert_eq!(left(broken), [named("test_broken", 12)]);
    assert_eq!(left(still_flaky), [named("test_flaky", 17)]);
    assert_eq!(left(not_followed), [named("test_computed", 22)]);
    assert_eq!((found.tests.len(), found.tests.passing()), (5, 2));
    assert!(not_followed[0].reason.as_ref().is_some_and(|reason| reason.contains("computed")));
    assert_eq!(broken[0].reason, None);
    // Two confirmations after the proof that taught nothing more.
    assert_eq!((broken[0].failed, broken[0].runs), (3, 3));
    assert!(still_flaky[0].failed > 0 && still_flaky[0].failed < still_flaky[0].runs, "{still_flaky:?}");
}

#[tokio::test(start_paused = true)]
async fn an_assertion_without_a_request_is_listed_as_unclear() {
    let decided = decided(ONE, |_| vec![FakeTest::new("test_a").got("def test_a", value("fig"))]).await;
    let unclear: Vec<_> = decided.unclear.into_iter().collect();
    assert_eq!(unclear, [((0, 3), "no request was seen where its value is made")]);
    assert!(decided.flaky.is_empty() && decided.changed.is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_assertion_that_passed_on_another_value_is_unclear_and_stays() {
    // The test passes although the response has another value: the assertion is about something else.
    let script = |run: &AskedRun<'_>| {
        vec![FakeTest::new("test_a").got("c.get(\"/a\")", value(format!("fig {}", run.number)))]
    };
    let decided = decided(ONE, script).await;
    let unclear: Vec<_> = decided.unclear.into_iter().collect();
    assert_eq!(unclear, [((0, 3), "its value is not what the response has there")]);
    assert_eq!(decided.texts[0].text, ONE);
}

#[tokio::test(start_paused = true)]
async fn a_test_that_fails_at_an_unclear_assertion_is_listed_with_line_and_reason() {
    // It passes in the first run with another value in its response, and fails from the proof on.
    let found = stabilized(ONE, Policy::Relax, |run| {
        let call = FakeTest::new("test_a").got("c.get(\"/a\")", value(format!("fig {}", run.number)));
        vec![call.fails_if(run.number > 3, PEAR)]
    })
    .await;
    let [left] = found.tests.not_followed.as_slice() else { panic!("{:?}", found.tests) };
    assert_eq!(left.place.as_deref(), Some("tests/test_shop.py:3"));
    let reason = format!("`{PEAR}`: its value is not what the response has there");
    assert_eq!(left.reason.as_deref(), Some(reason.as_str()));
    assert!(found.files.is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_assertion_that_is_true_of_every_item_does_not_mind_their_order() {
    let text = "def test_a():
    orders = c.get(\"/a\").json()
    assert orders[0][\"open\"] == True
";
    let decided = decided(text, |run| {
        let mut orders = vec![json!({"id": 1, "open": true}), json!({"id": 2, "open": true})];
        orders.rotate_left(run.number % 2);
        vec![FakeTest::new("test_a").got("c.get(\"/a\")", Value::Array(orders))]
    })
    .await;
    assert!(decided.flaky.is_empty(), "{:?}", decided.flaky);
    assert_eq!(decided.texts[0].text, text);
}

#[tokio::test(start_paused = true)]
async fn of_several_calls_at_a_line_the_last_is_what_the_assertion_is_about() {
    let script = |run: &AskedRun<'_>| {
        let first = value(format!("token {}", run.number));
        vec![FakeTest::new("test_a").got("c.get(\"/a\")", first).got("c.get(\"/a\")", value("pear"))]
    };
    let decided = decided(ONE, script).await;
    assert!(decided.flaky.is_empty() && decided.unclear.is_empty(), "{:?}", decided.flaky);
}

#[tokio::test(start_paused = true)]
async fn the_tests_with_a_changed_assertion_are_those_that_make_it() {
    // The call is made before both tests, and recorded for both.
    let text = "def test_a():
    order = c.get(\"/a\").json()
    assert order[\"x\"] == \"pear\"


def test_b():
    pass
";
    let decided = decided(text, |run| {
        let x = format!("fig {}", run.number);
        let b = FakeTest::new("test_b").got("c.get(\"/a\")", value(x.as_str()));
        vec![test_a(run, &x), b]
    })
    .await;
    let changed: Vec<TestId> = decided.changed.into_iter().collect();
    assert_eq!(changed, [TestId::of(["tests/test_shop.py", "test_a"])]);
}

#[tokio::test(start_paused = true)]
async fn runs_end_where_the_user_interrupts_them() {
    let (cancel, command) = (Cancel::new().unwrap(), Vec::new());
    let project = project(ONE, &command, &cancel);
    let script = |run: &AskedRun<'_>| {
        if run.number == 2 {
            cancel.request();
        }
        vec![test_a(run, ["pear", "fig"][run.number % 2])]
    };
    let runs = CodeTests::new(&project, Box::new(FakeRunner::new(ONE, script)));
    let found = end(runs, Policy::Relax).await;
    assert!(found.interrupted);
    assert_eq!(found.cost.runs(), 1, "{}", found.cost);
    assert!(found.cost.left_out.contains(&"rerun".to_owned()), "{:?}", found.cost.left_out);
}

#[tokio::test(start_paused = true)]
async fn a_run_without_a_test_is_an_error() {
    let (cancel, command) = (Cancel::new().unwrap(), Vec::new());
    let project = project(ONE, &command, &cancel);
    let mut runs = CodeTests::new(&project, Box::new(FakeRunner::new(ONE, |_: &AskedRun<'_>| Vec::new())));
    let done = runs.run_all(Step::Rerun, "first run", &mut SutAccess::External).await;
    assert!(matches!(done, Err(StabilizeError::Code(CodeError::Record(_)))), "{done:?}");
}

#[tokio::test(start_paused = true)]
async fn tests_without_a_request_are_an_error() {
    let (cancel, command) = (Cancel::new().unwrap(), Vec::new());
    let project = project(ONE, &command, &cancel);
    let runner = FakeRunner::new(ONE, |_: &AskedRun<'_>| vec![FakeTest::new("test_a")]);
    let mut runs = CodeTests::new(&project, Box::new(runner));
    let done = runs.run_all(Step::Rerun, "first run", &mut SutAccess::External).await;
    assert!(matches!(done, Err(StabilizeError::Code(CodeError::Record(_)))), "{done:?}");
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_forgotten_can_be_recalled_under_other_steps() {
    let (cancel, command) = (Cancel::new().unwrap(), Vec::new());
    let project = project(ONE, &command, &cancel);
    let script = |run: &AskedRun<'_>| vec![test_a(run, ["", "pear", "fig"][run.number])];
    let mut runs = CodeTests::new(&project, Box::new(FakeRunner::new(ONE, script)));
    let access = &mut SutAccess::External;
    runs.run_all(Step::Rerun, "first run", access).await.unwrap();
    runs.silence().unwrap();
    runs.run_all(Step::Restart, "everything changed", access).await.unwrap();
    assert_eq!(runs.moving(), ["GET /shop 200 body:/x"]);
    runs.relabel(&[]);
    assert!(runs.moving().is_empty());
    runs.recall(&[Step::Perturbed(Perturbation::Tz)]);
    assert_eq!(runs.moving(), ["GET /shop 200 body:/x"]);
    assert_eq!(decide(&runs, Policy::Relax).flaky[0].evidence, [Step::Perturbed(Perturbation::Tz)]);
}

/// What is said about the clock of the tests' own process, and the conditions they were run under.
async fn looked_inside(
    perturb: &[Perturbation],
    is_inside: bool,
    shim_reached: bool,
) -> (Option<String>, Vec<String>) {
    let (cancel, command) = (Cancel::new().unwrap(), vec!["no-such-runner".to_owned()]);
    let project = project(ONE, &command, &cancel);
    let script = move |run: &AskedRun<'_>| {
        let test = test_a(run, "pear");
        vec![if is_inside { test.inside() } else { test }]
    };
    let mut runner = FakeRunner::new(ONE, script);
    runner.shim_reached = shim_reached;
    let conditions = runner.conditions.clone();
    let mut runs = CodeTests::new(&project, Box::new(runner));
    runs.run_all(Step::Rerun, "first run", &mut SutAccess::External).await.unwrap();
    let plan = DetectionPlan { perturb: perturb.to_vec(), ..plan() };
    let note = look_inside(&mut runs, &plan).await.unwrap();
    let conditions = conditions.borrow()[1..].to_vec();
    (note, conditions)
}

#[tokio::test(start_paused = true)]
async fn the_clock_of_the_tests_process_is_moved_where_an_api_runs_in_it() {
    let both = [Perturbation::Clock, Perturbation::Tz];
    let (note, conditions) = looked_inside(&both, true, true).await;
    assert_eq!(note, None);
    assert_eq!(conditions[..3], ["clock +1d3h", "clock +183d", "clock +800d"]);
    assert!(conditions.len() == 4 && conditions[3].starts_with("tz "), "{conditions:?}");

    let (note, conditions) = looked_inside(&both, false, true).await;
    assert_eq!((note, conditions.len()), (None, 0));
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_was_not_moved_is_reported_with_the_reason() {
    let (note, conditions) = looked_inside(&[Perturbation::Tz], true, true).await;
    assert!(note.is_some_and(|note| note.contains("it was not asked for (--perturb)")));
    assert!(conditions.is_empty(), "{conditions:?}");

    let (note, _) = looked_inside(&[Perturbation::Clock], true, false).await;
    assert!(note.is_some_and(|note| note.contains("the preload shim did not reach it")));
}
