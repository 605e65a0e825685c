//! Runs against an API on the loopback interface, and against a port that refuses connections.

use serde_json::json;
use steady_model::{Method, rerun::Perturbation};

use super::*;
use crate::Step;
use crate::drive::fakes::{
    FakeSut, Log, LoopbackApi, Reply, call, context, equals, observed, refused_port, test_case, unlimited,
};
use crate::drive::test_set::Order;

/// Tests of one call each, which expect `{"x": 1}`.
fn tests(count: usize) -> Vec<ObservedTest> {
    let test = |index| {
        let call = call(Method::Get, &format!("/{index}"), vec![equals("x", 1)]);
        observed(test_case(&format!("test_{index}"), vec![call]))
    };
    (0..count).map(test).collect()
}

fn api() -> LoopbackApi {
    LoopbackApi::serve(|_| Reply::Json(json!({"x": 1})))
}

async fn run(
    context: &RunContext<'_>,
    tests: &mut [ObservedTest],
    condition: &Condition,
    access: &mut SutAccess<'_>,
) -> (Result<bool, StabilizeError>, Cost) {
    let round = Round { step: Step::Rerun, order: Order::Forwards, name: "rerun", condition };
    let mut cost = Cost::default();
    let order = 0..tests.len();
    (context.run_once(tests, round, order, access, &mut cost).await, cost)
}

#[tokio::test]
async fn every_test_is_run_once_and_remembered() {
    let api = api();
    let context = context(api.url(), unlimited());
    let mut tests = tests(3);
    let plain = Condition::default();
    let (complete, cost) = run(&context, &mut tests, &plain, &mut SutAccess::External).await;
    assert!(complete.unwrap());
    assert_eq!(tests.iter().map(ObservedTest::runs).collect::<Vec<_>>(), [1, 1, 1]);
    assert_eq!((cost.to_string(), cost.requests(), api.requests()), ("rerun".to_owned(), 3, 3));
}

#[tokio::test]
async fn an_api_that_refuses_five_tests_in_a_row_is_gone() {
    let (_socket, url) = refused_port();
    let context = context(&url, unlimited());
    let mut tests = tests(9);
    let plain = Condition::default();
    let mut run = Run::new(&context, &plain);
    for test in &tests[..4] {
        let outcome = run.test(&test.test, 0, &mut SutAccess::External).await.unwrap().unwrap();
        assert!(outcome.calls.is_empty(), "a refused connection says nothing about the test");
    }
    let fifth = run.test(&tests[4].test, 0, &mut SutAccess::External).await;
    assert!(matches!(fifth, Err(StabilizeError::Unreachable { .. })), "{fifth:?}");

    let (done, _) = self::run(&context, &mut tests, &plain, &mut SutAccess::External).await;
    assert!(matches!(done, Err(StabilizeError::Unreachable { .. })), "{done:?}");
    assert_eq!(tests.iter().filter(|test| test.runs() > 0).count(), 4);
}

#[tokio::test]
async fn an_answer_ends_the_row_of_refused_tests() {
    let (socket, url) = refused_port();
    let context = context(&url, unlimited());
    let tests = tests(1);
    let plain = Condition::default();
    let mut run = Run::new(&context, &plain);
    for _ in 0..4 {
        run.test(&tests[0].test, 0, &mut SutAccess::External).await.unwrap();
    }
    let _api = LoopbackApi::serve_at(socket.listen(8).unwrap(), |_| Reply::Json(json!({"x": 1})));
    let outcome = run.test(&tests[0].test, 0, &mut SutAccess::External).await.unwrap().unwrap();
    assert!(outcome.passed());
    assert_eq!(run.refused, 0);
    run.finish("rerun", &mut Cost::default()).unwrap();
}

#[tokio::test]
async fn a_run_whose_last_test_was_refused_fails() {
    let (_socket, url) = refused_port();
    let context = context(&url, unlimited());
    let (done, cost) = run(&context, &mut tests(1), &Condition::default(), &mut SutAccess::External).await;
    assert!(matches!(done, Err(StabilizeError::Unreachable { .. })), "{done:?}");
    assert_eq!(cost.runs(), 1);
}

#[tokio::test]
async fn an_api_that_dies_is_restarted_under_the_condition_and_the_test_run_again() {
    // The second test ends it, until it is started again.
    let script = |asked: crate::drive::fakes::Asked| match (asked.path.as_str(), asked.starts) {
        ("/1", 0) => Reply::Close,
        _ => Reply::Json(json!({"x": 1})),
    };
    let log = Log::default();
    let api = LoopbackApi::serve(script);
    let context = context(api.url(), unlimited());
    let mut sut = FakeSut::serving(&log, api);
    let mut tests = tests(3);
    let condition = Condition::of(Perturbation::Tz, "Asia/Tokyo");
    let (complete, _) = run(&context, &mut tests, &condition, &mut SutAccess::Managed(&mut sut)).await;
    assert!(complete.unwrap());
    assert_eq!(log.lines(), ["restart API tz Asia/Tokyo"]);
    assert_eq!(context.revivals.get(), 1);
    assert_eq!(tests.iter().map(ObservedTest::runs).collect::<Vec<_>>(), [1, 1, 1]);
}

#[tokio::test]
async fn an_external_api_that_closes_connections_is_not_restarted() {
    let api = LoopbackApi::serve(|_| Reply::Close);
    let context = context(api.url(), unlimited());
    let mut tests = tests(2);
    let plain = Condition::default();
    let (complete, _) = run(&context, &mut tests, &plain, &mut SutAccess::External).await;
    // Connections are accepted: what is wrong is the tests' affair.
    assert!(complete.unwrap());
    assert_eq!(context.revivals.get(), 0);
}

#[tokio::test]
async fn an_api_that_dies_again_and_again_is_given_up() {
    let log = Log::default();
    let api = LoopbackApi::serve(|_| Reply::Close);
    let context = context(api.url(), unlimited());
    let mut sut = FakeSut::serving(&log, api);
    let plain = Condition::default();
    let (complete, _) = run(&context, &mut tests(40), &plain, &mut SutAccess::Managed(&mut sut)).await;
    assert!(complete.unwrap());
    assert_eq!(log.count("restart API plain"), REVIVALS as usize);
    assert_eq!(context.revivals.get(), REVIVALS);
}

#[tokio::test]
async fn an_api_that_cannot_be_restarted_ends_the_run() {
    let log = Log::default();
    let (_socket, url) = refused_port();
    let context = context(&url, unlimited());
    let mut sut = FakeSut { is_broken: true, ..FakeSut::at(&log, &url) };
    let plain = Condition::default();
    let (done, _) = run(&context, &mut tests(2), &plain, &mut SutAccess::Managed(&mut sut)).await;
    assert!(matches!(done, Err(StabilizeError::Sut(_))), "{done:?}");
}

#[tokio::test]
async fn a_run_ends_where_the_user_interrupts_it() {
    let cancel = steady_process::Cancel::new().unwrap();
    let request = cancel.clone();
    let api = LoopbackApi::serve(move |asked| match asked.path.as_str() {
        "/1" => {
            request.request();
            Reply::Silence
        }
        _ => Reply::Json(json!({"x": 1})),
    });
    let context = context(api.url(), Limit::new(cancel));
    let mut tests = tests(3);
    let plain = Condition::default();
    let (complete, cost) = run(&context, &mut tests, &plain, &mut SutAccess::External).await;
    assert!(!complete.unwrap());
    assert_eq!(tests.iter().map(ObservedTest::runs).collect::<Vec<_>>(), [1, 0, 0]);
    assert_eq!(cost.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn requests_keep_the_pace_that_the_user_allows() {
    // No request is sent: the clock of a paused runtime runs ahead of the network.
    let mut context = context("http://127.0.0.1:1", unlimited());
    context.rate = Some(4.0);
    let plain = Condition::default();
    let mut run = Run::new(&context, &plain);
    for (requests, due) in [(0, 0), (1, 250), (6, 1_500)] {
        run.requests = requests;
        run.keep_pace().await;
        let waited = run.started.elapsed();
        let due = Duration::from_millis(due);
        // Timers have a resolution of a millisecond.
        assert!(waited >= due && waited <= due + Duration::from_millis(2), "{waited:?} for {requests}");
    }
    context.rate = None;
    let mut run = Run::new(&context, &plain);
    run.requests = 1_000_000;
    run.keep_pace().await;
    assert_eq!(run.started.elapsed(), Duration::ZERO);
}
