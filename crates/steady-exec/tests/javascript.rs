//! Jest and Vitest, run for real.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::fs;

use steady_model::Payload;
use steady_model::rerun::Outcome;
use support::{Suite, body, exchanges, modules, tests};

const GENERATED: &str = "tests/EvoMaster_successes_Test.test.js";
const WRITTEN: &str = "tests/orders.test.js";

fn jest() -> Suite {
    Suite::new("jest", &["npx", "jest"]).with_modules(&[modules()])
}

#[test]
fn jest_tells_each_tests_exchanges_and_lines() {
    let suite = jest();
    let run = suite.record().unwrap();
    assert_eq!(tests(&run, Outcome::Failed), Vec::<&str>::new(), "{}", run.run.excerpt);
    assert_eq!(tests(&run, Outcome::Passed).len(), 11);
    assert_eq!(run.notes, Vec::<String>::new());
    let generated = |test: &str, expected: &[(&str, &str, u16)]| {
        suite.check(&run, Some(&format!("{GENERATED}::{test}")), GENERATED, expected);
    };
    generated("test_0_getOnOrderReturnsObject", &[("GET /orders/61?EMextraParam123=42", "/orders/61", 200)]);
    generated(
        "test_1_postOnOrdersCreates",
        &[("POST /orders", ".post(", 201), ("GET /orders/_EM_unknown", "/orders/_EM_unknown", 404)],
    );
    generated("test_2_getOnMovedFollows", &[("GET /moved", "/moved", 200)]);
    suite.check(&run, None, GENERATED, &[("GET /version", "/version", 200)]);

    let written = |test: &str, expected: &[(&str, &str, u16)]| {
        suite.check(&run, Some(&format!("{WRITTEN}::{test}")), WRITTEN, expected);
    };
    written("orders::have their item and their tags", &[("GET /orders/62", "await fetch(`", 200)]);
    for number in [63, 64] {
        let request = format!("GET /orders/{number}");
        written(
            &format!("orders::have their number {number}"),
            &[(&request, "axios.get(`${url}/orders", 200)],
        );
    }
    written("orders::move", &[("GET /moved", "/moved", 200)]);
    written("a quote adds up", &[("GET /quotes/65", "/quotes/65", 200)]);
    written("a zipped answer is unzipped", &[("GET /zipped/66", "/zipped/66", 200)]);
    written("a picture is no text", &[("GET /pictures/67", "/pictures/67", 200)]);
    written("a long answer is read whole", &[("GET /long/68", "/long/68", 200)]);
}

#[test]
fn jest_bodies_are_decoded_bounded_and_not_lost() {
    let run = jest().record().unwrap();
    let response = |test: &str| exchanges(&run, Some(&format!("{WRITTEN}::{test}")))[0].response.clone();
    assert_eq!(body(&run, &format!("{WRITTEN}::a zipped answer is unzipped"))["item"], "lamp");
    assert_eq!(body(&run, &format!("{WRITTEN}::orders::move"))["version"], "1.4.2");
    assert_eq!(response("a picture is no text").body, Payload::Bytes(vec![0xff, 0xd8, 1].into()));
    let long = response("a long answer is read whole");
    assert!(long.truncated);
    assert_eq!(long.body, Payload::Text("é".repeat(1 << 19).into()));
    let cookies = response("orders::have their number 63").headers;
    assert_eq!(cookies.iter().filter(|(name, _)| name == "set-cookie").count(), 2);
    assert!(!format!("{:?}", run.recording.exchanges).contains("c2VjcmV0"), "a password was recorded");
}

#[test]
fn a_rerun_of_jest_shows_what_varies() {
    let suite = jest();
    let test = format!("{GENERATED}::test_0_getOnOrderReturnsObject");
    let (first, second) = (suite.record().unwrap(), suite.record().unwrap());
    assert!(tests(&second, Outcome::Failed).contains(&test.as_str()), "{}", second.run.excerpt);
    let (first, second) = (body(&first, &test), body(&second, &test));
    assert_eq!(first["item"], second["item"]);
    assert_ne!(first["requestId"], second["requestId"]);
}

/// Puts three lines in front of every file, as compilers do, and says so in a source map.
const TRANSFORM: &str = r"
module.exports = {
  process(source, file) {
    const mappings = ';;;' + source.split('\n').map((_, line) => (line ? 'AACA' : 'AAAA')).join(';');
    const map = { version: 3, file, sources: [file], sourcesContent: [source], names: [], mappings };
    return { code: '\n\n\n' + source, map };
  },
};
";

const CONFIG: &str = r"
module.exports = {
  transform: { '\.js$': '<rootDir>/transform.js' },
  setupFiles: ['<rootDir>/setup.js'],
  testTimeout: 60000,
};
";

#[test]
fn jest_keeps_the_users_configuration_and_source_maps() {
    let suite = jest();
    for (name, text) in [
        ("transform.js", TRANSFORM),
        ("jest.config.js", CONFIG),
        ("setup.js", "process.env.SHOP_URL += '/';\n"),
    ] {
        fs::write(suite.project().join(name), text).unwrap();
    }
    let run = suite.record().unwrap();
    suite.check(
        &run,
        Some(&format!("{GENERATED}::test_2_getOnMovedFollows")),
        GENERATED,
        &[("GET //moved", "/moved", 200)],
    );
    suite.check(&run, Some(&format!("{WRITTEN}::orders::move")), WRITTEN, &[("GET //moved", "/moved", 200)]);
    let long = format!("{WRITTEN}::a long answer is read whole");
    suite.check(&run, Some(&long), WRITTEN, &[("GET /long/68", "/long/68", 200)]);
}

#[test]
fn vitest_tells_each_tests_exchanges_and_lines() {
    let installed = [steady_testkit::vitest_modules().unwrap(), modules()];
    let suite = Suite::new("vitest", &["npx", "vitest", "run"]).with_modules(&installed);
    let run = suite.record().unwrap();
    let file = "orders.test.js";
    assert_eq!(
        tests(&run, Outcome::Passed),
        [format!("{file}::orders::have their tags"), format!("{file}::quotes add up")]
    );
    suite.check(
        &run,
        Some("orders.test.js::orders::have their tags"),
        file,
        &[("GET /orders/71", "/orders/71", 200)],
    );
    suite.check(&run, Some("orders.test.js::quotes add up"), file, &[("GET /quotes/72", "/quotes/72", 200)]);
}
