//! Detection with tests and an API that only log what is done to them, under a paused clock.

use std::time::Duration;

use steady_model::rerun::Perturbation::{Clock, Hash, Order, Tz};

use super::*;
use crate::drive::fakes::{FakeSut, FakeTests, Log, limited_to, unlimited};

const SECOND: Duration = Duration::from_secs(1);

/// What a detection did.
#[derive(Debug, PartialEq, Eq)]
struct Detected {
    log: Vec<String>,
    left_out: Vec<String>,
    warnings: Vec<String>,
}

async fn detected(tests: &mut FakeTests, access: &mut SutAccess<'_>, plan: &DetectionPlan) -> Detected {
    let mut warnings = Vec::new();
    let done = detect_with(tests, access, plan, &mut |line| warnings.push(line)).await;
    done.expect("a detection");
    Detected { log: tests.log.lines(), left_out: tests.cost().left_out.clone(), warnings }
}

fn plan(reruns: u32, restart: bool, perturb: &[Perturbation]) -> DetectionPlan {
    DetectionPlan { reruns, restart, perturb: perturb.to_vec() }
}

/// An API whose clock, time zone and hash seeds can be changed.
fn perturbable(log: &Log) -> FakeSut {
    let conditions = [(Hash, "7"), (Clock, "+1d"), (Clock, "+180d"), (Tz, "Asia/Tokyo")];
    let conditions = conditions.map(|(what, value)| Condition::of(what, value)).to_vec();
    FakeSut { conditions, ..FakeSut::new(log) }
}

const IN_PLACE: [&str; 4] = ["run rerun", "run rerun, last test first", "run rerun", "run order, shuffled"];

#[tokio::test(start_paused = true)]
async fn an_external_api_is_only_called() {
    let every = IN_PLACE.as_slice();
    let table: [(DetectionPlan, &[&str]); 6] = [
        (DetectionPlan::default(), every),
        (plan(3, true, &[Order]), every),
        (plan(3, true, &[Clock, Tz]), &every[..3]),
        (plan(1, false, &[Order]), &["run rerun", "run order, shuffled"]),
        (plan(0, true, &Perturbation::ALL), &[]),
        (plan(0, false, &[]), &[]),
    ];
    for (plan, expected) in table {
        let mut tests = FakeTests::new(&Log::default(), unlimited());
        let found = detected(&mut tests, &mut SutAccess::External, &plan).await;
        assert_eq!(found.log, expected, "{plan:?}");
        assert_eq!((found.left_out, found.warnings), (Vec::new(), Vec::new()), "{plan:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn without_reruns_a_managed_api_is_not_touched() {
    let log = Log::default();
    let mut sut = perturbable(&log);
    let mut tests = FakeTests::new(&log, unlimited());
    let plan = plan(0, true, &Perturbation::ALL);
    let found = detected(&mut tests, &mut SutAccess::Managed(&mut sut), &plan).await;
    assert_eq!(found.log, Vec::<String>::new());
    assert_eq!(plan.runs(&SutAccess::Managed(&mut sut)), 0);
}

#[tokio::test(start_paused = true)]
async fn tests_whose_order_the_runner_chooses_are_not_run_in_another() {
    let mut tests = FakeTests { can_order: false, ..FakeTests::new(&Log::default(), unlimited()) };
    let found = detected(&mut tests, &mut SutAccess::External, &DetectionPlan::default()).await;
    assert_eq!(found.log, IN_PLACE[..3]);
}

#[tokio::test(start_paused = true)]
async fn a_managed_api_is_restarted_for_the_last_test_first_and_on_another_port() {
    let log = Log::default();
    let mut sut = FakeSut::new(&log);
    let mut tests = FakeTests::new(&log, unlimited());
    let plan = plan(1, true, &[Order]);
    let found = detected(&mut tests, &mut SutAccess::Managed(&mut sut), &plan).await;
    let expected = [
        "run rerun",
        "run order, shuffled",
        "restart API plain",
        "sessions closed",
        "run backwards, last test first",
        "relocate API",
        "restart API plain",
        "follow http://127.0.0.1:2",
        "sessions closed",
        "run restart",
    ];
    assert_eq!(found.log, expected);
}

#[tokio::test(start_paused = true)]
async fn an_api_that_resets_in_place_is_reset_where_a_restart_is_not_needed() {
    let log = Log::default();
    let mut sut = FakeSut { resets_in_place: true, ..FakeSut::new(&log) };
    // The command of the tests has the address in it: the API has to stay where it is.
    let mut tests = FakeTests { can_follow: false, ..FakeTests::new(&log, unlimited()) };
    let plan = plan(1, true, &[Order]);
    let found = detected(&mut tests, &mut SutAccess::Managed(&mut sut), &plan).await;
    let expected = [
        "reset API",
        "sessions closed",
        "run reset",
        "reset API",
        "sessions closed",
        "run backwards, last test first",
        "restart API plain",
        "sessions closed",
        "run restart",
    ];
    assert_eq!(found.log[2..], expected);
}

#[tokio::test(start_paused = true)]
async fn no_restart_leaves_the_perturbations() {
    let log = Log::default();
    let mut sut = perturbable(&log);
    let mut tests = FakeTests::new(&log, unlimited());
    let plan = plan(1, false, &[Tz]);
    let found = detected(&mut tests, &mut SutAccess::Managed(&mut sut), &plan).await;
    let expected = [
        "run rerun",
        "restart API tz Asia/Tokyo",
        "sessions closed",
        "run everything changed",
        "label the run perturbed:tz",
    ];
    assert_eq!(found.log, expected);
}

#[tokio::test(start_paused = true)]
async fn changes_that_nothing_notices_together_are_not_tried_alone() {
    let log = Log::default();
    let mut sut = perturbable(&log);
    let mut tests = FakeTests::new(&log, unlimited());
    let plan = plan(1, false, &Perturbation::ALL);
    let found = detected(&mut tests, &mut SutAccess::Managed(&mut sut), &plan).await;
    let expected = [
        "restart API clock +180d, tz Asia/Tokyo, hash 7",
        "sessions closed",
        "run everything changed",
        "label the run perturbed:hash, perturbed:clock, perturbed:clock, perturbed:tz",
    ];
    assert_eq!(found.log[2..], expected);
}

#[tokio::test(start_paused = true)]
async fn changes_that_something_notices_are_tried_one_by_one() {
    let log = Log::default();
    let mut sut = perturbable(&log);
    let mut tests = FakeTests { sensitive_to: vec![Tz], ..FakeTests::new(&log, unlimited()) };
    let plan = plan(1, false, &[Clock, Tz]);
    let found = detected(&mut tests, &mut SutAccess::Managed(&mut sut), &plan).await;
    let runs = |line: &&String| !line.starts_with("sessions");
    let log: Vec<String> = found.log[1..].iter().filter(runs).cloned().collect();
    let expected = [
        "restart API clock +180d, tz Asia/Tokyo",
        "run everything changed",
        "forget the run",
        "restart API clock +1d",
        "run clock +1d",
        "restart API clock +180d",
        "run clock +180d",
        "restart API tz Asia/Tokyo",
        "run tz Asia/Tokyo",
    ];
    assert_eq!(log, expected);
    assert_eq!(tests.moving(), ["a value of tz"]);
}

#[tokio::test(start_paused = true)]
async fn what_moved_is_recalled_when_there_is_no_time_to_find_out_why() {
    let log = Log::default();
    let mut sut = perturbable(&log);
    let mut tests = FakeTests {
        sensitive_to: vec![Tz],
        run_takes: 10 * SECOND,
        // In place 11.1 s, everything changed 10 s; one more and its proof would take 20 s.
        ..FakeTests::new(&log, limited_to(35 * SECOND))
    };
    let plan = plan(1, false, &[Hash, Tz]);
    let found = detected(&mut tests, &mut SutAccess::Managed(&mut sut), &plan).await;
    let expected = ["forget the run", "recall the run as perturbed:hash, perturbed:tz"];
    assert_eq!(found.log[4..], expected);
    assert_eq!(found.left_out, ["hash 7", "tz Asia/Tokyo"]);
}

#[tokio::test(start_paused = true)]
async fn a_condition_the_api_does_not_start_under_is_reported_and_left() {
    let log = Log::default();
    let mut sut = FakeSut { fails_under: vec![Hash], ..perturbable(&log) };
    let mut tests = FakeTests::new(&log, unlimited());
    let plan = plan(1, false, &[Hash, Tz]);
    let found = detected(&mut tests, &mut SutAccess::Managed(&mut sut), &plan).await;
    let expected = [
        "run rerun",
        "restart API tz Asia/Tokyo, hash 7",
        "restart API plain",
        "restart API hash 7",
        "restart API plain",
        "restart API tz Asia/Tokyo",
        "sessions closed",
        "run tz Asia/Tokyo",
    ];
    assert_eq!(found.log, expected);
    let warning = |name: &str| {
        format!("the API does not start with {name}, so nothing was tried under it: the API is not running")
    };
    assert_eq!(found.warnings, [warning("everything changed"), warning("hash 7")]);
    assert_eq!(found.left_out, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn an_api_that_does_not_start_as_it_is_ends_the_detection() {
    let log = Log::default();
    let mut sut = FakeSut { is_broken: true, ..FakeSut::new(&log) };
    let mut tests = FakeTests::new(&log, unlimited());
    let plan = plan(1, true, &[]);
    let access = &mut SutAccess::Managed(&mut sut);
    let done = detect_with(&mut tests, access, &plan, &mut |line| panic!("{line}")).await;
    assert!(matches!(done, Err(StabilizeError::Sut(_))), "{done:?}");
    assert_eq!(log.count("run restart"), 0);
}

#[tokio::test(start_paused = true)]
async fn what_there_is_no_time_for_is_left_out_and_listed() {
    // The run and the proof take as long as the first run did, each.
    let table = [
        (60, vec![]),
        (40, vec!["order"]),
        (25, vec!["rerun", "order"]),
        // The first run is cut short: how long one takes is not known before it.
        (5, vec!["rerun (in part)", "rerun", "order"]),
        (0, vec!["rerun", "order"]),
    ];
    for (seconds, expected) in table {
        let limit = limited_to(seconds * SECOND);
        let mut tests = FakeTests { run_takes: 10 * SECOND, ..FakeTests::new(&Log::default(), limit) };
        let plan = plan(2, true, &[Order]);
        let found = detected(&mut tests, &mut SutAccess::External, &plan).await;
        assert_eq!(found.left_out, expected, "{seconds} s");
    }
}

#[tokio::test(start_paused = true)]
async fn starts_of_the_api_count_as_time() {
    let log = Log::default();
    let mut sut = FakeSut { start_takes: 20 * SECOND, ..FakeSut::new(&log) };
    // Backwards ends after 32.1 s; a restart and its run, another and the proof's would take 84 s.
    let mut tests = FakeTests { run_takes: SECOND, ..FakeTests::new(&log, limited_to(90 * SECOND)) };
    let plan = plan(1, true, &[Order]);
    let found = detected(&mut tests, &mut SutAccess::Managed(&mut sut), &plan).await;
    assert_eq!(found.left_out, ["restart"]);
    assert_eq!(log.count("run backwards, last test first"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_start_that_never_ends_is_left_out_at_the_deadline_and_its_address_followed() {
    let log = Log::default();
    let mut sut = FakeSut { hangs: true, ..FakeSut::new(&log) };
    let mut tests = FakeTests { run_takes: SECOND, ..FakeTests::new(&log, limited_to(20 * SECOND)) };
    let plan = plan(1, true, &[]);
    let found = detected(&mut tests, &mut SutAccess::Managed(&mut sut), &plan).await;
    let expected = ["relocate API", "restart API plain", "follow http://127.0.0.1:2"];
    assert_eq!(found.log[1..], expected);
    assert_eq!(found.left_out, ["restart"]);
}

#[tokio::test(start_paused = true)]
async fn a_suite_that_is_quick_for_its_time_is_run_more_often() {
    let table = [
        // Nothing limits the time: as often as asked.
        (None, 3, 3),
        // A run takes two hundredths of what is left, or more.
        (Some(1_000), 3, 8),
        (Some(40), 3, 3),
        // More are asked for.
        (Some(10_000), 9, 9),
        // None are.
        (Some(1_000), 0, 0),
    ];
    for (seconds, reruns, expected) in table {
        let limit = seconds.map_or_else(unlimited, |seconds| limited_to(seconds * SECOND));
        let log = Log::default();
        let mut tests = FakeTests { run_takes: SECOND, ..FakeTests::new(&log, limit) };
        let plan = plan(reruns, true, &[]);
        detected(&mut tests, &mut SutAccess::External, &plan).await;
        let runs = log.count("run rerun") + log.count("run rerun, last test first");
        assert_eq!(runs, expected, "{seconds:?} s, {reruns} reruns");
    }
}

#[tokio::test(start_paused = true)]
async fn further_runs_of_a_quick_suite_stop_when_they_are_no_longer_cheap() {
    let log = Log::default();
    // 1.1 s and 1 s for the first; 50 s must be left for each further one.
    let mut tests = FakeTests { run_takes: SECOND, ..FakeTests::new(&log, limited_to(54 * SECOND)) };
    detected(&mut tests, &mut SutAccess::External, &plan(1, true, &[])).await;
    assert_eq!(log.count("run rerun"), 3);
}

#[tokio::test(start_paused = true)]
async fn the_port_of_a_managed_api_is_known_to_be_its_own() {
    let log = Log::default();
    let mut sut = FakeSut::at(&log, "http://127.0.0.1:40123");
    let mut tests = FakeTests::new(&log, unlimited());
    detected(&mut tests, &mut SutAccess::Managed(&mut sut), &plan(0, false, &[])).await;
    assert!(tests.facts.iter().any(|fact| fact.text == "40123"), "{:?}", tests.facts);
}

#[test]
fn a_plan_knows_how_many_runs_it_makes_at_least() {
    let log = Log::default();
    let mut in_place = FakeSut { resets_in_place: true, ..perturbable(&log) };
    let (mut plain, mut managed) = (FakeSut::new(&log), perturbable(&log));
    let (all, three) = (plan(3, true, &Perturbation::ALL), plan(3, false, &[Tz]));
    assert_eq!(all.runs(&SutAccess::External), 3 + 1 + 1);
    assert_eq!(all.runs(&SutAccess::Managed(&mut plain)), 3 + 1 + 2 + 1);
    assert_eq!(all.runs(&SutAccess::Managed(&mut managed)), 3 + 1 + 2 + 1 + 1);
    assert_eq!(all.runs(&SutAccess::Managed(&mut in_place)), 3 + 1 + 3 + 1 + 1);
    assert_eq!(three.runs(&SutAccess::Managed(&mut in_place)), 3 + 1 + 1);
    assert_eq!(plan(0, true, &Perturbation::ALL).runs(&SutAccess::External), 0);
}

#[test]
fn what_needs_a_restart_is_out_of_reach_of_an_external_api() {
    let log = Log::default();
    let mut sut = FakeSut::new(&log);
    let plan = plan(3, true, &[Order, Clock]);
    assert_eq!(plan.out_of_reach(&SutAccess::External), ["restart", "clock"]);
    assert!(plan.out_of_reach(&SutAccess::Managed(&mut sut)).is_empty());
}
