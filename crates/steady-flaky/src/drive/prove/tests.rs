//! The proof, against an API whose answers are a function of how often it was started.

use serde_json::{Value, json};
use steady_model::{Assertion, Matcher, Method};
use steady_process::Cancel;
use steady_suite::Variables;

use super::*;
use crate::drive::fakes::{
    Asked, FakeSut, Log, LoopbackApi, Reply, call, context, equals, limited_to, observed, response,
    test_case, unlimited,
};
use crate::drive::limit::Limit;

/// Tests that expect `{"x": "a"}` at `/0`, `/1` …, and were answered so twice.
fn tests(count: usize) -> Vec<ObservedTest> {
    let test = |index| {
        let call = call(Method::Get, &format!("/{index}"), vec![equals("x", "a")]);
        let mut observed = observed(test_case(&format!("test_{index}"), vec![call]));
        for step in [Step::Rerun, Step::Restart] {
            observed.record_run(step, [&response(200, &json!({"x": "a"}))], &Variables::default());
        }
        observed
    };
    (0..count).map(test).collect()
}

/// An API that answers with `x` by the request.
fn api(x: impl Fn(&Asked) -> Value + Send + Sync + 'static) -> LoopbackApi {
    LoopbackApi::serve(move |asked| Reply::Json(json!({ "x": x(&asked) })))
}

async fn proven(
    tests: &mut [ObservedTest],
    context: &RunContext<'_>,
    access: &mut SutAccess<'_>,
) -> (Unproven, Cost) {
    let mut cost = Cost::default();
    let unproven = prove(tests, context, access, Policy::Relax, &(), &mut cost).await;
    (unproven.expect("a proof"), cost)
}

fn assertion(observed: &ObservedTest) -> Assertion {
    observed.handled(Policy::Relax, &()).0.calls[0].expect[0].clone()
}

#[tokio::test]
async fn tests_that_pass_are_run_once() {
    let api = api(|_| json!("a"));
    let context = context(api.url(), unlimited());
    let mut tests = tests(3);
    let (unproven, cost) = proven(&mut tests, &context, &mut SutAccess::External).await;
    assert!(unproven.all().is_empty());
    assert_eq!((cost.to_string(), api.requests()), ("proof".to_owned(), 3));
    assert_eq!(tests[0].runs(), 2, "a test that passes has nothing to learn");
}

#[tokio::test]
async fn a_managed_api_is_on_another_port_for_the_first_proof_only() {
    let log = Log::default();
    let api = api(|asked| json!(format!("value {}", asked.starts)));
    let context = context(api.url(), unlimited());
    let first = api.url().to_owned();
    let mut sut = FakeSut::serving(&log, api);
    let mut tests = tests(1);
    let (unproven, _) = proven(&mut tests, &context, &mut SutAccess::Managed(&mut sut)).await;
    assert!(unproven.all().is_empty());
    assert_eq!(log.lines(), ["relocate API", "restart API plain", "restart API plain"]);
    let second = context.client.borrow().base().to_string();
    assert_ne!(second.trim_end_matches('/'), first);
}

#[tokio::test]
async fn a_test_that_fails_once_learns_and_all_are_run_again() {
    // From the first start of its own, another value each time.
    let log = Log::default();
    let api = api(|asked| match asked.path.as_str() {
        "/1" => json!(format!("value {}", asked.starts)),
        _ => json!("a"),
    });
    let context = context(api.url(), unlimited());
    let mut sut = FakeSut::serving(&log, api);
    let mut tests = tests(3);
    let (unproven, cost) = proven(&mut tests, &context, &mut SutAccess::Managed(&mut sut)).await;
    assert!(unproven.all().is_empty());
    assert_eq!(cost.to_string(), "proof x2");
    assert_eq!(cost.requests(), 6);
    assert_eq!(assertion(&tests[0]), equals("x", "a"));
    assert!(!assertion(&tests[1]).matcher.is_exact(), "{:?}", assertion(&tests[1]));
}

#[tokio::test]
async fn a_test_may_need_a_second_lesson() {
    // The second start moves `y` only, the third `x` as well.
    let log = Log::default();
    let api = LoopbackApi::serve(|asked| {
        let value = |from| if asked.starts < from { "a".to_owned() } else { format!("b{}", asked.starts) };
        Reply::Json(json!({"x": value(2), "y": value(1)}))
    });
    let context = context(api.url(), unlimited());
    let mut sut = FakeSut::serving(&log, api);
    let call = call(Method::Get, "/", vec![equals("x", "a"), equals("y", "a")]);
    let mut tests = [observed(test_case("test", vec![call]))];
    tests[0].record_run(Step::Rerun, [&response(200, &json!({"x": "a", "y": "a"}))], &Variables::default());
    let (unproven, cost) = proven(&mut tests, &context, &mut SutAccess::Managed(&mut sut)).await;
    assert!(unproven.all().is_empty());
    assert_eq!(cost.to_string(), "proof x3");
}

#[tokio::test]
async fn a_test_that_fails_every_time_is_failing() {
    // It asserts what the API never said: no lesson makes it true.
    let api = api(|_| json!("a"));
    let context = context(api.url(), unlimited());
    let mut tests = tests(2);
    tests[1].test.calls[0].expect = vec![equals("x", "b")];
    let (unproven, cost) = proven(&mut tests, &context, &mut SutAccess::External).await;
    assert_eq!((unproven.failing, unproven.still_flaky), (vec![1], vec![]));
    assert_eq!(cost.to_string(), "proof x3");
    assert_eq!(assertion(&tests[1]).matcher, Matcher::Equals(json!("b")));
}

#[tokio::test]
async fn a_test_that_passes_and_fails_is_still_flaky() {
    // The first and the third answer to the second test never come.
    let api = LoopbackApi::serve(|asked| match (asked.path.as_str(), asked.starts) {
        ("/1", 2 | 3) => Reply::Close,
        _ => Reply::Json(json!({"x": "a"})),
    });
    let log = Log::default();
    let context = context(api.url(), unlimited());
    // The connection is closed again after the restart that follows: it is no death of the API.
    context.revivals.set(u32::MAX);
    let mut sut = FakeSut::serving(&log, api);
    let mut tests = tests(3);
    // The third test fails every time, and has all of them run three times.
    tests[2].test.calls[0].expect = vec![equals("x", "b")];
    let (unproven, _) = proven(&mut tests, &context, &mut SutAccess::Managed(&mut sut)).await;
    assert_eq!((unproven.failing, unproven.still_flaky), (vec![2], vec![1]));
}

#[tokio::test]
async fn a_proof_that_there_is_no_time_for_is_left_out_and_fails_nothing() {
    let api = api(|_| json!("b"));
    let context = context(api.url(), limited_to(std::time::Duration::ZERO));
    let (unproven, cost) = proven(&mut tests(2), &context, &mut SutAccess::External).await;
    assert!(unproven.all().is_empty());
    assert_eq!((cost.left_out, api.requests()), (vec!["proof".to_owned()], 0));
}

#[tokio::test]
async fn a_proof_whose_api_does_not_start_in_time_is_left_out() {
    let log = Log::default();
    let api = api(|_| json!("a"));
    let context = context(api.url(), limited_to(std::time::Duration::ZERO));
    let mut sut = FakeSut { hangs: true, ..FakeSut::serving(&log, api) };
    let (unproven, cost) = proven(&mut tests(2), &context, &mut SutAccess::Managed(&mut sut)).await;
    assert!(unproven.all().is_empty());
    assert_eq!(cost.left_out, ["proof"]);
    assert_eq!(cost.runs(), 0);
}

#[tokio::test]
async fn time_that_runs_out_in_the_middle_leaves_the_rest_unproven() {
    let cancel = Cancel::new().unwrap();
    let request = cancel.clone();
    let api = LoopbackApi::serve(move |asked| match asked.path.as_str() {
        "/1" => {
            request.request();
            Reply::Silence
        }
        _ => Reply::Json(json!({"x": "b"})),
    });
    let context = context(api.url(), Limit::new(cancel));
    let mut tests = tests(3);
    let (unproven, cost) = proven(&mut tests, &context, &mut SutAccess::External).await;
    // The first failed; what the second and the third would have come to is not known.
    assert_eq!((unproven.failing, unproven.still_flaky), (vec![0], vec![]));
    assert_eq!(cost.left_out, ["proof (in part)", "proof"]);
}
