//! Emitted suites, run by the real runners against a live API.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod project;

use project::{keys, suite, write};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::string::string_regex;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use steady_emit::Emitter;
use steady_model::Suite;
use steady_testkit::{Fixture, Runner};

/// What an emitter's `README.md` says its tests cannot see.
#[derive(Default)]
struct Limits {
    /// Right expectations that fail.
    fail: &'static [&'static str],
    /// Wrong expectations that pass.
    pass: &'static [&'static str],
    /// The wrong expectations that are tried; all of them unless this says otherwise.
    wrong: Option<&'static [&'static str]>,
    /// How many logins there are, where that is known: one per identity and process, and the one a test makes.
    logins: Option<usize>,
}

const ONE_PROCESS: Limits = Limits { fail: &[], pass: &[], wrong: None, logins: Some(5 + 1) };

/// Emits right and wrong expectations as one project, runs it once, and compares what every test did.
fn passes_and_fails_as_expected(emitter: Emitter, fixture: &Fixture, limits: &Limits) {
    let mut suite = Fixture::suite();
    suite.tests.extend(random_tests().tests);
    let mut right: Vec<String> = suite.tests.iter().map(|test| test.name.clone()).collect();
    let mut tests = wrong_expectations().tests;
    tests.retain(|test| limits.wrong.is_none_or(|names| names.contains(&test.name.as_str())));
    let mut wrong: Vec<String> = tests.iter().map(|test| test.name.clone()).collect();
    suite.tests.extend(tests);
    exchange(&mut right, &mut wrong, limits.fail);
    exchange(&mut wrong, &mut right, limits.pass);

    let folder = tempfile::tempdir().unwrap();
    write(&suite, emitter, folder.path());
    let runner = Runner(emitter);
    let mut environment = Fixture::environment().to_vec();
    environment.push(("STEADY_INSECURE", "1"));
    let report = runner.run(folder.path(), fixture.url(), &environment).unwrap();

    assert_eq!(report.failed, keys(&wrong), "{}", report.output);
    assert_eq!(report.passed, keys(&right), "{}", report.output);
    assert_eq!(fixture.items(), 0, "everything created is removed, also by tests that fail");
    if let Some(logins) = limits.logins {
        assert_eq!(fixture.logins(), logins);
    }
}

fn exchange(from: &mut Vec<String>, to: &mut Vec<String>, names: &[&str]) {
    for name in names {
        from.retain(|other| other != name);
        to.push((*name).to_owned());
    }
}

/// Tests that must fail, each for one reason: a name, an answer of the fixture, a place, a matcher.
fn wrong_expectations() -> Suite {
    let cases = [
        ("status", "values", "status", json!({"equals": 201})),
        ("redirect_status", "redirect", "status", json!({"equals": 200})),
        ("number", "values", "body:/one", json!({"equals": 2})),
        ("fraction", "values", "body:/half", json!({"equals": 0.25})),
        ("rounded_integer", "values", "body:/big", json!({"equals": 9_007_199_254_740_992_u64})),
        ("number_for_true", "values", "body:/true", json!({"equals": 1})),
        ("true_for_number", "values", "body:/one", json!({"equals": true})),
        ("false_for_zero", "values", "body:/zero", json!({"equals": false})),
        ("false", "values", "body:/true", json!({"equals": false})),
        ("number_for_digits", "values", "body:/digits", json!({"equals": 1})),
        ("digits_for_number", "values", "body:/one", json!({"equals": "1"})),
        ("string", "values", "body:/word", json!({"equals": "abd"})),
        ("case_of_string", "values", "body:/word", json!({"equals": "ABC"})),
        ("longer_string", "values", "body:/long", json!({"equals": "0123456789".repeat(7_001)})),
        ("null", "values", "body:/one", json!({"equals": null})),
        ("null_for_nothing", "values", "body:/missing", json!({"equals": null})),
        ("nothing_for_null", "values", "body:/null", json!("absent")),
        ("empty_for_null", "values", "body:/null", json!({"equals": ""})),
        ("present", "values", "body:/missing", json!("present")),
        ("absent", "values", "body:/one", json!("absent")),
        ("item", "values", "body:/list/0", json!({"equals": 2})),
        ("shorter_list", "values", "body:/list", json!({"equals": [1, 2]})),
        ("longer_list", "values", "body:/list", json!({"equals": [1, 2, 3, 4]})),
        ("order_of_list", "values", "body:/list", json!({"equals": [3, 2, 1]})),
        ("true_in_list", "values", "body:/list", json!({"equals": [true, 2, 3]})),
        ("object_for_list", "values", "body:/empty_list", json!({"equals": {}})),
        ("list_for_object", "values", "body:/empty_object", json!({"equals": []})),
        ("fewer_fields", "values", "body:/nested", json!({"equals": {"c": 1}})),
        ("more_fields", "values", "body:/empty_object", json!({"equals": {"a": null}})),
        (
            "number_in_object",
            "values",
            "body:/nested",
            json!({"equals": {"a": [{"b": 1}, {"b": null}], "c": 1}}),
        ),
        ("nothing_in_object", "values", "body:/nested", json!({"equals": {"a": [{"b": true}, {}], "c": 1}})),
        ("size", "values", "body:/list", json!({"size": 2})),
        ("size_of_string", "values", "body:/word", json!({"size": 3})),
        ("size_of_object", "values", "body:/nested", json!({"size": 2})),
        ("size_of_nothing", "values", "body:/missing", json!({"size": 0})),
        ("type_integer", "values", "body:/half", json!({"type": "integer"})),
        ("type_integer_of_true", "values", "body:/true", json!({"type": "integer"})),
        ("type_number", "values", "body:/digits", json!({"type": "number"})),
        ("type_string", "values", "body:/null", json!({"type": "string"})),
        ("type_null", "values", "body:/missing", json!({"type": "null"})),
        ("type_boolean", "values", "body:/one", json!({"type": "boolean"})),
        ("type_array", "values", "body:/nested", json!({"type": "array"})),
        ("type_object", "values", "body:/list", json!({"type": "object"})),
        ("media_type", "values", "header:content-type", json!({"media_type": "text/json"})),
        ("media_type_of_nothing", "nothing", "header:content-type", json!({"media_type": "text/plain"})),
        ("header", "headers", "header:x-letters", json!({"equals": "\u{e4}"})),
        ("header_present", "values", "header:x-none", json!("present")),
        ("header_absent", "headers", "header:x-letters", json!("absent")),
        ("text", "text", "body:", json!({"equals": "line one"})),
        ("bytes", "bytes", "body:", json!({"equals": "AJ+Slv4="})),
        ("no_body", "text", "body:", json!("absent")),
        ("body", "empty", "body:", json!("present")),
        ("value_in_broken_json", "broken", "body:/a", json!({"equals": 1})),
        ("value_in_text", "unlabelled", "body:/a", json!({"equals": 1})),
        ("type_of_broken_json", "broken", "body:", json!({"type": "object"})),
    ];
    let mut tests: Vec<Value> = cases
        .iter()
        .map(|(name, answer, place, matcher)| {
            json!({
                "name": format!("wrong_{name}"),
                "group": "others",
                "about": "Must fail.",
                "calls": [{
                    "operation": "GET /answers/{name}",
                    "request": {"method": "GET", "target": format!("/answers/{answer}")},
                    "expect": [{"where": place, "is": matcher}],
                }],
            })
        })
        .collect();
    tests.push(json!({
        "name": "wrong_variable",
        "group": "faults",
        "about": "Must fail, and must remove what it created all the same.",
        "calls": [{
            "operation": "POST /items",
            "request": {"method": "POST", "target": "/items", "body": {"json": {"value": {"name": "tea"}}}},
            "captures": [{"name": "item_id", "from": "body:/id"}],
            "expect": [{"where": "body:/code", "is": {"variable": "item_id"}}],
        }],
        "cleanup": [{
            "operation": "DELETE /items/{id}",
            "request": {"method": "DELETE", "target": ["/items/", {"var": "item_id"}]},
        }],
    }));
    suite(&Value::Array(tests))
}

/// Tests that send many and random things and expect them back.
fn random_tests() -> Suite {
    let mut runner = TestRunner::deterministic();
    let mut generate =
        |pattern: &str| string_regex(pattern).unwrap().new_tree(&mut runner).unwrap().current();
    let strings: Vec<String> =
        (0..150).map(|_| generate("(?s:.|[\"'`\\\\$#{}%*/]|\\$\\{|\\{\\{|\\\\u0022|\\*/){0,20}")).collect();
    let headers: Vec<(String, String)> =
        (0..20).map(|at| (format!("x-{at}"), generate("[!-~]([ -~]{0,20}[!-~])?"))).collect();
    let expected = headers
        .iter()
        .map(|(name, value)| json!({"where": format!("body:/headers/{name}"), "is": {"equals": [value]}}));
    let checks = strings.iter().enumerate().map(
        |(at, text)| json!({"where": format!("body:/strings/{at}"), "is": {"equals": text}, "note": text}),
    );
    let numbers: Vec<u32> = (0..20_000).collect();
    let lines: String = (1..=12).map(|line| format!("line {line} \"$x\" 'y' ${{z}}\n\t")).collect();
    let tests = json!([
        {
            "name": "post_items_returns_lines",
            "group": "successes",
            "about": "Text of several lines may be written line by line.",
            "calls": [{
                "operation": "POST /items",
                "request": {"method": "POST", "target": "/items", "body": {"json": {"value": {"a": [lines], "b": lines}}}},
                "captures": [{"name": "item_id", "from": "body:/id"}],
                "expect": [
                    {"where": "body:/a", "is": {"equals": [lines]}},
                    {"where": "body:/b", "is": {"equals": lines}},
                ],
            }],
            "cleanup": [{
                "operation": "DELETE /items/{id}",
                "request": {"method": "DELETE", "target": ["/items/", {"var": "item_id"}]},
            }],
        },
        {
            "name": "post_items_returns_many_numbers",
            "group": "successes",
            "about": "A body may be larger than what a compiler takes at once.",
            "calls": [{
                "operation": "POST /items",
                "request": {"method": "POST", "target": "/items", "body": {"json": {"value": {"numbers": numbers}}}},
                "captures": [{"name": "item_id", "from": "body:/id"}],
                "expect": [{"where": "body:/numbers", "is": {"equals": numbers}}],
            }],
            "cleanup": [{
                "operation": "DELETE /items/{id}",
                "request": {"method": "DELETE", "target": ["/items/", {"var": "item_id"}]},
            }],
        },
        {
            "name": "post_items_returns_random_strings",
            "group": "successes",
            "about": strings.concat(),
            "calls": [{
                "operation": "POST /items",
                "request": {"method": "POST", "target": "/items", "body": {"json": {"value": {"strings": strings}}}},
                "captures": [{"name": "item_id", "from": "body:/id"}],
                "expect": checks.collect::<Vec<_>>(),
            }],
            "cleanup": [{
                "operation": "DELETE /items/{id}",
                "request": {"method": "DELETE", "target": ["/items/", {"var": "item_id"}]},
            }],
        },
        {
            "name": "get_echo_sends_random_headers",
            "group": "successes",
            "about": "Any visible characters can be a header's value.",
            "calls": [{
                "operation": "GET /echo",
                "request": {"method": "GET", "target": "/echo", "headers": headers},
                "expect": expected.collect::<Vec<_>>(),
            }],
        },
    ]);
    suite(&tests)
}

#[test]
fn pytest_passes_and_fails_as_expected() {
    passes_and_fails_as_expected(Emitter::Pytest, &Fixture::start().unwrap(), &ONE_PROCESS);
}

#[test]
fn unittest_passes_and_fails_as_expected() {
    passes_and_fails_as_expected(Emitter::Unittest, &Fixture::start_tls().unwrap(), &ONE_PROCESS);
}

#[test]
fn jest_passes_and_fails_as_expected() {
    passes_and_fails_as_expected(Emitter::Jest, &Fixture::start_tls().unwrap(), &Limits::default());
}

#[test]
fn playwright_passes_and_fails_as_expected() {
    // Playwright starts a process after every failure; the support file is the one that Jest has tried in full.
    let wrong =
        &["wrong_status", "wrong_number", "wrong_size", "wrong_type_null", "wrong_text", "wrong_variable"];
    let limits = Limits { wrong: Some(wrong), ..Limits::default() };
    passes_and_fails_as_expected(Emitter::Playwright, &Fixture::start_tls().unwrap(), &limits);
}

#[test]
fn junit5_passes_and_fails_as_expected() {
    passes_and_fails_as_expected(Emitter::Junit5, &Fixture::start().unwrap(), &ONE_PROCESS);
}

#[test]
fn kotlin_passes_and_fails_as_expected() {
    passes_and_fails_as_expected(Emitter::Kotlin, &Fixture::start_tls().unwrap(), &ONE_PROCESS);
}

#[test]
fn hurl_passes_and_fails_as_expected() {
    let limits = Limits {
        fail: &[
            "get_answers_by_name_returns_a_header_twice",
            "get_answers_by_name_returns_huge_numbers",
            "get_answers_by_name_returns_whole_floats",
            "get_echo_joins_cookies",
        ],
        pass: &["wrong_value_in_text"],
        ..Limits::default()
    };
    passes_and_fails_as_expected(Emitter::Hurl, &Fixture::start_tls().unwrap(), &limits);
}

/// Tests beyond what a class file takes: a literal, a method and a class of more than 65,535 bytes or constants.
fn large_tests() -> Suite {
    let item = |name: &str, value: &Value, calls: &[Value]| {
        let create = json!({
            "operation": "POST /items",
            "request": {"method": "POST", "target": "/items", "body": {"json": {"value": value}}},
            "captures": [{"name": "item_id", "from": "body:/id"}],
            "expect": [{"where": "status", "is": {"equals": 201}}],
        });
        let calls = [&[create], calls].concat();
        let remove = json!({
            "operation": "DELETE /items/{id}",
            "request": {"method": "DELETE", "target": ["/items/", {"var": "item_id"}]},
        });
        json!({
            "name": name, "group": "successes", "about": "Passes.",
            "calls": calls, "cleanup": [remove],
        })
    };
    let read = |expect: Vec<Value>| {
        let request = json!({"method": "GET", "target": ["/items/", {"var": "item_id"}]});
        json!({"operation": "GET /items/{id}", "request": request, "expect": expect})
    };
    let equals =
        |pointer: String, value: &Value| json!({"where": format!("body:{pointer}"), "is": {"equals": value}});
    let numbers: Vec<Value> = (0..6_000).map(|number| json!(number + 100_000)).collect();
    let checks: Vec<Value> =
        numbers.iter().enumerate().map(|(at, number)| equals(format!("/numbers/{at}"), number)).collect();
    let same_id = json!({"where": "body:/id", "is": {"variable": "item_id"}});
    let faces = json!("\u{1f600}".repeat(12_000));
    let mut tests = vec![
        item("many_checks", &json!({"numbers": numbers}), &[read(checks), read(vec![same_id.clone()])]),
        item(
            "many_calls",
            &json!({"name": "tea"}),
            &vec![read(vec![same_id, equals("/name".to_owned(), &json!("tea"))]); 400],
        ),
        item("long_text", &json!({"text": faces}), &[read(vec![equals("/text".to_owned(), &faces)])]),
    ];
    for test in 0..60 {
        let names: Vec<Value> =
            (0..if test == 0 { 600 } else { 290 }).map(|name| json!(format!("{test}-{name}"))).collect();
        let update = json!({
            "operation": "PUT /items/{id}",
            "request": {
                "method": "PUT", "target": ["/items/", {"var": "item_id"}],
                "body": {"json": {
                    "value": {"id": 0, "names": names, "c/d": [0, "x"]},
                    "bind": {"/id": "item_id", "/c~1d/0": "item_id"},
                }},
            },
            "expect": [
                {"where": "status", "is": {"equals": 200}},
                {"where": "body:/c~1d/0", "is": {"variable": "item_id"}},
            ],
        });
        let check = equals("/names".to_owned(), &json!(names));
        tests.push(item(
            &format!("many_names_{test}"),
            &json!({"names": names}),
            &[read(vec![check]), update],
        ));
    }
    suite(&Value::Array(tests))
}

#[test]
fn tests_of_any_size_compile_on_the_jvm() {
    let suite = large_tests();
    let names: Vec<String> = suite.tests.iter().map(|test| test.name.clone()).collect();
    for emitter in [Emitter::Junit5, Emitter::Kotlin] {
        let fixture = Fixture::start().unwrap();
        let folder = tempfile::tempdir().unwrap();
        write(&suite, emitter, folder.path());
        let report = Runner(emitter).run(folder.path(), fixture.url(), &[]).unwrap();
        assert_eq!(report.failed, [""; 0], "{emitter}: {}", report.output);
        assert_eq!(report.passed, keys(&names), "{emitter}: {}", report.output);
        assert_eq!(fixture.items(), 0);
    }
}

/// Without `STEADY_INSECURE` a certificate must be trusted; one file of tests is enough to see it.
#[test]
fn a_certificate_nobody_trusts_is_refused() {
    let fixture = Fixture::start_tls().unwrap();
    let suite = suite(&json!([{
        "name": "get_answers_by_name_returns_200",
        "group": "successes",
        "about": "Must fail.",
        "calls": [{
            "operation": "GET /answers/{name}",
            "request": {"method": "GET", "target": "/answers/text"},
            "expect": [{"where": "status", "is": {"equals": 200}}],
        }],
    }]));
    for emitter in [Emitter::Pytest, Emitter::Jest, Emitter::Playwright, Emitter::Junit5, Emitter::Hurl] {
        let folder = tempfile::tempdir().unwrap();
        write(&suite, emitter, folder.path());
        let report = Runner(emitter).run(folder.path(), fixture.url(), &[]).unwrap();
        assert_eq!((report.passed.len(), report.failed.len()), (0, 1), "{emitter}: {}", report.output);
    }
}

#[test]
fn a_login_that_fails_is_not_tried_again() {
    let mut suite = Fixture::suite();
    suite.tests.retain(|test| test.calls.iter().any(|call| call.identity.as_deref() == Some("bearer")));
    let test = suite.tests[0].clone();
    suite.tests = (0..3).map(|_| test.clone()).collect();
    for emitter in [Emitter::Pytest, Emitter::Jest, Emitter::Junit5] {
        let fixture = Fixture::start().unwrap();
        let folder = tempfile::tempdir().unwrap();
        write(&suite, emitter, folder.path());
        let environment = [("STEADY_TEST_PASSWORD", "wrong")];
        let runner = Runner(emitter);
        let report = runner.run(folder.path(), fixture.url(), &environment).unwrap();
        assert_eq!((report.passed.len(), report.failed.len()), (0, 3), "{emitter}: {}", report.output);
        assert_eq!(fixture.refused_logins(), 1, "{emitter}");
    }
}
