//! pytest and unittest, run for real.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use steady_exec::Recorded;
use steady_model::Payload;
use steady_model::rerun::{Outcome, TestId};
use support::{Suite, body, exchanges, python, tests};

const PYTEST: &str = "tests/test_orders.py";

fn pytest() -> Suite {
    Suite::new("pytest", &[&python(), "-m", "pytest"])
}

#[test]
fn pytest_tells_each_tests_exchanges_and_lines() {
    let suite = pytest();
    let run = suite.record().unwrap();
    assert_eq!(tests(&run, Outcome::Passed).len(), 6, "{}", run.run.excerpt);
    let check = |test: &str, expected: &[(&str, &str, u16)]| {
        suite.check(&run, Some(&format!("{PYTEST}::{test}")), PYTEST, expected);
    };
    for number in [42, 43] {
        check(
            &format!("test_orders_have_their_number[{number}]"),
            &[
                ("GET /version", "session.get(f\"{URL}/version\")", 200),
                (&format!("GET /orders/{number}"), "/orders/{number}", 200),
            ],
        );
    }
    check("TestQuotes::test_a_quote_adds_up", &[("GET /quotes/44", "httpx.get", 200)]);
    check("Bodies::test_a_long_answer_is_read_whole", &[("GET /long/45", "/long/45", 200)]);
    check("Bodies::test_a_stream_stays_one", &[("GET /notes/46", "/notes/46", 200)]);
    assert_eq!(run.notes, Vec::<String>::new());
}

#[test]
fn a_helpers_line_comes_before_the_tests() {
    let suite = pytest();
    let test = format!("{PYTEST}::test_an_order_has_its_item_and_its_tags");
    let run = suite.record_only(&[TestId::from(test.as_str())]).unwrap();
    suite.check(&run, Some(&test), "tests/shop.py", &[("GET /orders/41", "return requests.get(", 200)]);
    assert_eq!(run.recording.exchanges.len(), 1);
    let frame = &run.recording.exchanges[0].frames[1];
    assert_eq!((frame.file.to_str(), frame.line), (Some(PYTEST), suite.line(PYTEST, "order(41)")));
    assert_eq!(run.recording.exchanges[0].frames.len(), 2);
}

#[test]
fn a_rerun_shows_what_varies() {
    let suite = pytest();
    let test = format!("{PYTEST}::test_an_order_has_its_item_and_its_tags");
    let (first, second) = (suite.record().unwrap(), suite.record().unwrap());
    assert_eq!(
        tests(&second, Outcome::Failed),
        [test.as_str(), &format!("{PYTEST}::TestQuotes::test_a_quote_adds_up")]
            .iter()
            .copied()
            .rev()
            .collect::<Vec<_>>()
    );
    assert!(first.run.ending.is_success() && !second.run.ending.is_success());
    let (first, second) = (body(&first, &test), body(&second, &test));
    assert_eq!(first["item"], second["item"]);
    assert_ne!(first["tags"], second["tags"]);
}

#[test]
fn bodies_are_bounded_and_streams_left_alone() {
    let run = pytest().record().unwrap();
    let response =
        |test: &str| exchanges(&run, Some(&format!("{PYTEST}::Bodies::{test}")))[0].response.clone();
    let long = response("test_a_long_answer_is_read_whole");
    assert!(long.truncated);
    assert_eq!(long.body, Payload::Text("é".repeat(1 << 19).into()));
    let stream = response("test_a_stream_stays_one");
    assert!(stream.truncated && stream.body.is_empty());
}

#[test]
fn headers_that_come_twice_are_recorded_twice_and_secrets_are_not() {
    let suite = pytest();
    let run = suite.record().unwrap();
    let exchange = exchanges(&run, Some(&format!("{PYTEST}::test_an_order_has_its_item_and_its_tags")))[0];
    let cookies = exchange.response.headers.iter().filter(|(name, _)| name == "set-cookie");
    assert_eq!(cookies.map(|(_, value)| value.as_str()).collect::<Vec<_>>(), ["a=1", "b=2"]);
    assert!(!format!("{:?}", run.recording.exchanges).contains("YW5uOnNlY3JldA"), "a password was recorded");
}

/// Flask's and FastAPI's own test clients call the application without a connection.
#[test]
fn test_clients_of_flask_and_fastapi_are_recorded_as_inside() {
    let suite = Suite::new("inside", &[&python(), "-m", "pytest"]);
    let run = suite.record().unwrap();
    assert_eq!(tests(&run, Outcome::Passed).len(), 4, "{}", run.run.excerpt);
    let name = |test: &str| format!("tests/test_clients.py::{test}");
    let exchanges_of = |test: &str| {
        let exchange = |one: &Recorded| {
            let frame = one.frames.first().map(|frame| frame.file.display().to_string());
            (
                format!("{} {}", one.request.method, one.request.url),
                one.response.status,
                frame.unwrap_or_default(),
            )
        };
        exchanges(&run, Some(&name(test))).into_iter().map(exchange).collect::<Vec<_>>()
    };
    let (tests, fixtures) = ("tests/test_clients.py".to_owned(), "tests/conftest.py".to_owned());
    assert_eq!(
        exchanges_of("test_flask"),
        [
            ("GET http://localhost/orders/62".to_owned(), 200, tests.clone()),
            ("POST http://localhost/orders".to_owned(), 201, tests.clone()),
        ]
    );
    assert_eq!(
        exchanges_of("test_flask_fixture"),
        [("GET http://localhost/orders/61".to_owned(), 200, fixtures)]
    );
    assert_eq!(exchanges_of("test_fastapi"), [("GET http://testserver/orders/63".to_owned(), 200, tests)]);
    for test in ["test_flask", "test_flask_fixture", "test_fastapi"] {
        let exchange = exchanges(&run, Some(&name(test)))[0];
        assert!(exchange.inside && exchange.clock.is_some(), "{exchange:?}");
        let body = body(&run, &name(test));
        assert_eq!(body["item"], "lamp");
        assert_eq!(body["pid"].as_u64(), exchange.process.map(u64::from), "{exchange:?}");
    }
    // What has no end that is known is left to the test to read.
    let stream = exchanges(&run, Some(&name("test_flask_stream")))[0];
    assert!(stream.response.truncated && stream.response.body.is_empty());
}

#[test]
fn unittest_tells_each_tests_exchanges_and_lines() {
    let suite = Suite::new("unittest", &[&python(), "-m", "unittest", "discover", "-t", ".", "-s", "tests"]);
    let run = suite.record().unwrap();
    let (module, file) = ("tests.test_evomaster_successes", "tests/test_evomaster_successes.py");
    let name = |test: &str| format!("{module}.EvoMaster_successes_Test.{test}");
    let names = [
        "test_0_get_on_order_returns_object",
        "test_1_post_on_orders_creates",
        "test_2_get_on_moved_follows",
    ]
    .map(name);
    assert_eq!(tests(&run, Outcome::Passed), names, "{}", run.run.excerpt);
    suite.check(&run, None, file, &[("GET /version", "requests.get(cls", 200)]);
    suite.check(&run, Some(&names[0]), file, &[("GET /orders/51?EMextraParam123=42", "/orders/51", 200)]);
    let two = [("POST /orders", ".post(", 201), ("GET /orders/_EM_unknown", "/orders/_EM_unknown", 404)];
    suite.check(&run, Some(&names[1]), file, &two);
    suite.check(&run, Some(&names[2]), file, &[("GET /moved", "/moved", 200)]);
    assert_eq!(body(&run, &names[2])["version"], "1.4.2");
}
