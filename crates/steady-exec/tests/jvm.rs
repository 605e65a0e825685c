//! RestAssured on JUnit 5 with Maven, in Java and Kotlin, run for real.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use steady_model::Payload;
use steady_model::rerun::Outcome;
use support::{Suite, body, exchanges, tests};

const GENERATED: &str = "src/test/java/shop/EvoMaster_successes_Test.java";
const WRITTEN: &str = "src/test/java/shop/OrdersTest.java";
const KOTLIN: &str = "src/test/kotlin/shop/QuotesTest.kt";

#[test]
fn maven_tells_each_tests_exchanges_and_lines() {
    let suite = Suite::new("maven", &["mvn", "--batch-mode", "--no-transfer-progress", "test"]);
    let run = suite.record().unwrap();
    assert_eq!(tests(&run, Outcome::Failed), Vec::<&str>::new(), "{}", run.run.excerpt);
    assert_eq!(tests(&run, Outcome::Passed).len(), 13);
    assert_eq!(run.notes, Vec::<String>::new());
    for exchange in &run.recording.exchanges {
        let named = run.run.results.iter().any(|result| Some(&result.id) == exchange.test.as_ref());
        assert!(named, "{:?} is no test of the report", exchange.test);
    }

    let generated = |test: &str, expected: &[(&str, &str, u16)]| {
        suite.check(&run, Some(&format!("shop.EvoMaster_successes_Test::{test}")), GENERATED, expected);
    };
    generated("test_0_getOnOrderReturnsObject", &[("GET /orders/11?EMextraParam123=42", "/orders/11", 200)]);
    generated(
        "test_1_postOnOrdersCreates",
        &[("POST /orders", ".post(", 201), ("GET /orders/_EM_unknown", "/orders/_EM_unknown", 404)],
    );
    generated("test_2_getOnVersionReturnsObject", &[("GET /version", "/version", 200)]);

    let written = |test: &str, expected: &[(&str, &str, u16)]| {
        suite.check(&run, Some(&format!("shop.OrdersTest{test}")), WRITTEN, expected);
    };
    let helper = "get(\"/orders/{number}\", number)";
    written("::anOrderHasItsItemAndItsTags", &[("GET /orders/21", helper, 200)]);
    written("::aQuoteAddsUp", &[("GET /quotes/22", "/quotes/22", 200)]);
    written("::aNoteIsRead", &[("GET /notes/23", "/notes/23", 200)]);
    written("::ordersHaveTheirNumber(int)[1]", &[("GET /orders/26", helper, 200)]);
    written("::ordersHaveTheirNumber(int)[2]", &[("GET /orders/27", helper, 200)]);
    written("$Moved::redirectsAreFollowed", &[("GET /moved", "/moved", 200)]);
    let frame = &exchanges(&run, Some("shop.OrdersTest::anOrderHasItsItemAndItsTags"))[0].frames[1];
    assert_eq!((frame.file.to_str(), frame.line), (Some(WRITTEN), suite.line(WRITTEN, "order(21)")));

    suite.check(
        &run,
        Some("shop.QuotesTest::a quote adds up"),
        KOTLIN,
        &[("GET /quotes/31", "/quotes/31", 200)],
    );
    suite.check(
        &run,
        Some("shop.QuotesTest::tagsAreInOrder"),
        KOTLIN,
        &[("GET /orders/32", "/orders/32", 200)],
    );

    let response =
        |test: &str| exchanges(&run, Some(&format!("shop.OrdersTest::{test}")))[0].response.clone();
    assert_eq!(response("aPictureIsNoText").body, Payload::Bytes(vec![0xff, 0xd8, 1].into()));
    let long = response("aLongAnswerIsReadWhole");
    assert!(long.truncated);
    assert_eq!(long.body, Payload::Text("é".repeat(1 << 19).into()));
    let cookies = response("anOrderHasItsItemAndItsTags").headers;
    assert_eq!(cookies.iter().filter(|(name, _)| name == "set-cookie").count(), 2);
    assert!(!format!("{:?}", run.recording.exchanges).contains("YW5uOnNlY3JldA"), "a password was recorded");

    let second = suite.record().unwrap();
    let flaky = "shop.EvoMaster_successes_Test::test_0_getOnOrderReturnsObject";
    assert!(tests(&second, Outcome::Failed).contains(&flaky), "{}", second.run.excerpt);
    assert_eq!(body(&run, flaky)["item"], body(&second, flaky)["item"]);
    assert_ne!(body(&run, flaky)["createdAt"], body(&second, flaky)["createdAt"]);
}
