//! `steady run` against live services.

use std::sync::Mutex;

use serde_json::{Value, json};

use crate::support::{Answer, Call, Invocation, Service};

/// A suite of these tests.
pub fn suite(url: &str, tests: &[Value]) -> String {
    suite_with_identities(url, &[], tests)
}

fn suite_with_identities(url: &str, identities: &[Value], tests: &[Value]) -> String {
    let suite = json!({
        "version": 1,
        "api": {"title": "Sample", "url": url},
        "seed": 7,
        "identities": identities,
        "tests": tests,
    });
    format!("{suite:#}")
}

/// A test of one call.
pub fn get_health(status: u16) -> Value {
    test("get_health", &[call("GET", "/health", json!([{"where": "status", "is": {"equals": status}}]))])
}

fn test(name: &str, calls: &[Value]) -> Value {
    json!({"name": name, "group": "successes", "about": "a test", "calls": calls})
}

#[expect(clippy::needless_pass_by_value, reason = "callers write the assertions in place")]
fn call(method: &str, target: &str, expect: Value) -> Value {
    json!({
        "operation": format!("{method} {target}"),
        "request": {"method": method, "target": target},
        "expect": expect,
    })
}

#[test]
fn a_suite_that_holds_is_clean() {
    let service = Service::start(|_, _| Answer::status(200));
    Invocation::new(["run", "suite.json"])
        .file("suite.json", suite(service.url(), &[get_health(200)]))
        .run()
        .exits_with(0)
        .prints("1 test: 1 passed, 0 failed in [TIME]\n")
        .says("")
        .writes(&[]);
    assert_eq!(service.lines(), ["GET /health"]);
}

#[test]
fn failed_assertions_are_shown_with_their_differences() {
    let body = r#"{"total": 7, "note": "\u001b[2Jx", "items": ["the first of them", "the second of them", "the third of them", "the fourth of them"]}"#;
    let service = Service::start(move |_, call| match call.line.as_str() {
        "GET /order" => Answer::json(200, body),
        _ => Answer::json(500, r#"{"error": "division by zero"}"#),
    });
    let order = json!([
        {"where": "status", "is": {"equals": 200}},
        {"where": "body:/total", "is": {"equals": 3}},
        {"where": "body:/note", "is": {"equals": "x"}},
        {"where": "body:/items", "is": {"equals": ["the first of them", "the second of them", "a third", "the fourth of them"]}},
        {"where": "header:content-type", "is": {"media_type": "application/json"}},
    ]);
    let tests = [test("get_order", &[call("GET", "/order", order)]), get_health(200)];
    let outcome = Invocation::new(["run", "."]).file("suite.json", suite(service.url(), &tests)).run();
    let outcome = outcome.exits_with(1).says("");
    insta::assert_snapshot!(outcome.stdout);
}

#[test]
fn a_test_stops_at_the_first_wrong_status_and_still_cleans_up() {
    let service = Service::start(|_, call| match call.line.as_str() {
        "POST /orders" => Answer::json(201, r#"{"id": "a/b"}"#),
        "DELETE /orders/a%2Fb" => Answer::status(204),
        _ => Answer::status(404),
    });
    let status = |status: u16| json!([{"where": "status", "is": {"equals": status}}]);
    let by_id = json!(["/orders/", {"var": "id"}]);
    let mut create = call("POST", "/orders", status(201));
    create["captures"] = json!([{"name": "id", "from": "body:/id"}]);
    create["request"]["body"] = json!({"json": {"value": {"name": "n"}, "bind": {"/name": "name"}}});
    let mut read = call("GET", "/orders/{id}", status(200));
    read["request"]["target"] = by_id.clone();
    let mut delete = call("DELETE", "/orders/{id}", json!([]));
    delete["request"]["target"] = by_id;
    let mut sequence = test("read_back", &[create, read, call("GET", "/never", status(200))]);
    sequence["fresh"] = json!([{"name": "name", "prefix": "order-", "length": 8}]);
    sequence["cleanup"] = json!([delete]);
    Invocation::new(["run", "suite.json", "--seed", "1"])
        .file("suite.json", suite(service.url(), &[sequence]))
        .run()
        .exits_with(1)
        .prints(
            "FAIL read_back ([TIME])\n  call 2, GET /orders/{id}: status: expected 200, got 404\n\
             1 test: 0 passed, 1 failed in [TIME]\n",
        );
    assert_eq!(service.lines(), ["POST /orders", "GET /orders/a%2Fb", "DELETE /orders/a%2Fb"]);
    let name: Value = serde_json::from_str(&service.calls()[0].body).unwrap();
    assert!(name["name"].as_str().unwrap().starts_with("order-"));
}

#[test]
fn a_value_that_a_later_call_needs_must_be_there() {
    let service = Service::start(|_, _| Answer::json(201, "{}"));
    let mut create = call("POST", "/orders", json!([]));
    create["captures"] = json!([{"name": "id", "from": "body:/id"}]);
    Invocation::new(["run", "suite.json", "-q"])
        .file("suite.json", suite(service.url(), &[test("create", &[create])]))
        .run()
        .exits_with(1)
        .prints(
            "FAIL create ([TIME])\n  call 1, POST /orders: body:/id: expected a value for variable `id`, got nothing\n",
        );
}

#[test]
fn repeated_runs_show_which_tests_are_flaky() {
    let service = Service::start(|number, _| Answer::status(if number % 3 == 2 { 500 } else { 200 }));
    Invocation::new(["run", "suite.json", "--repeat", "3", "--junit", "out.xml"])
        .file("suite.json", suite(service.url(), &[get_health(200)]))
        .run()
        .exits_with(1)
        .prints(
            "FAIL get_health ([TIME])\n  call 1, GET /health: status: expected 200, got 500\n\
             1 test, 3 runs: 2 passed, 1 failed in [TIME]; 1 test both passed and failed\n",
        )
        .writes(&["out.xml"]);
}

#[test]
fn results_are_written_as_junit_xml() {
    let service = Service::start(|_, _| Answer::status(500));
    let outcome = Invocation::new(["run", "suite.json", "--junit", "out.xml"])
        .file("suite.json", suite(service.url(), &[get_health(200), get_health(500)]))
        .run()
        .exits_with(1)
        .writes(&["out.xml"]);
    insta::assert_snapshot!(outcome.read("out.xml"));
}

#[test]
fn the_order_is_shuffled_by_the_seed_and_workers_share_the_tests() {
    let service = Service::start(|_, _| Answer::status(200));
    let names: Vec<String> = (0..12).map(|number| format!("/t{number}")).collect();
    let tests: Vec<Value> = names.iter().map(|name| test(name, &[call("GET", name, json!([]))])).collect();
    let text = suite(service.url(), &tests);
    let order = |arguments: &[&str]| {
        let before = service.lines().len();
        let arguments = ["run", "suite.json"].iter().chain(arguments);
        Invocation::new(arguments).file("suite.json", &text).run().exits_with(0);
        service.lines().split_off(before)
    };
    let plain = order(&[]);
    let shuffled = order(&["--shuffle", "--seed", "1"]);
    assert_ne!(plain, shuffled);
    assert_eq!(shuffled, order(&["--shuffle", "--seed", "1"]));
    let mut concurrent = order(&["--workers", "4"]);
    concurrent.sort();
    let mut all = plain.clone();
    all.sort();
    assert_eq!(concurrent, all);
}

#[test]
fn events_begin_with_the_start_and_end_with_the_end() {
    let service = Service::start(|_, _| Answer::status(500));
    let outcome = Invocation::new(["run", "suite.json", "--format", "json", "--seed", "5"])
        .file("suite.json", suite(service.url(), &[get_health(200)]))
        .run()
        .exits_with(1)
        .says("");
    let events = outcome.events();
    let kinds: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["run_started", "test_finished", "run_finished"]);
    assert_eq!((&events[0]["seed"], &events[0]["version"]), (&json!(5), &json!(1)));
    assert_eq!(events[1]["failures"], json!(["call 1, GET /health: status: expected 200, got 500"]));
    assert_eq!(events[2]["exit_code"], json!(1));
}

#[test]
fn flags_beat_the_environment_which_beats_the_configuration_which_beats_the_suite() {
    let service = Service::start(|_, _| Answer::status(200));
    let nowhere = "http://127.0.0.1:1";
    let text = suite(nowhere, &[get_health(200)]);
    let config = |url: &str| format!("[api]\nurl = \"{url}\"\n");
    let base = || Invocation::new(["run", "suite.json"]).file("suite.json", &text);
    base().run().exits_with(2);
    base().file("steady.toml", config(service.url())).run().exits_with(0);
    base().file("steady.toml", config(nowhere)).env("STEADY_URL", service.url()).run().exits_with(0);
    Invocation::new(["run", "suite.json", "--url", service.url()])
        .file("suite.json", &text)
        .env("STEADY_URL", nowhere)
        .run()
        .exits_with(0);
}

fn token_login() -> Value {
    json!({
        "name": "alice",
        "headers": [["x-tenant", "blue"]],
        "login": {
            "request": {
                "method": "POST",
                "target": "/login",
                "body": {"form": [["user", "alice"], ["pass", [{"env": "STEADY_ALICE_PASSWORD"}]]]},
            },
            "use": {"header": {"token": "body:/token", "name": "authorization", "template": "Bearer {token}"}},
        },
    })
}

fn guarded(call: &Call) -> Answer {
    match (call.line.as_str(), call.body.as_str()) {
        ("POST /login", "user=alice&pass=p+w") => Answer::json(200, r#"{"token": "t1"}"#),
        ("POST /login", _) => Answer::status(403),
        _ if call.header("authorization") == "Bearer t1" && call.header("x-tenant") == "blue" => {
            Answer::status(200)
        }
        _ => Answer::status(401),
    }
}

#[test]
fn an_identity_logs_in_once_for_all_tests_and_workers() {
    let service = Service::start(|_, call| guarded(call));
    let as_alice = |number: usize| {
        let mut call = call("GET", "/health", json!([{"where": "status", "is": {"equals": 200}}]));
        call["as"] = json!("alice");
        test(&format!("test_{number}"), &[call])
    };
    let tests: Vec<Value> = (0..6).map(as_alice).collect();
    let text = suite_with_identities(service.url(), &[token_login()], &tests);
    Invocation::new(["run", "suite.json", "--workers", "3"])
        .file("suite.json", &text)
        .env("STEADY_ALICE_PASSWORD", "p w")
        .run()
        .exits_with(0)
        .prints("6 tests: 6 passed, 0 failed in [TIME]\n");
    assert_eq!(service.lines().iter().filter(|line| *line == "POST /login").count(), 1);

    Invocation::new(["run", "suite.json"])
        .file("suite.json", &text)
        .env("STEADY_ALICE_PASSWORD", "wrong")
        .run()
        .exits_with(2)
        .prints("")
        .says(
            "error: the login of identity `alice`, `POST http://127.0.0.1:[PORT]/login`, was answered with status 403\n\
             hint: check the credentials and the login's description\n",
        );

    Invocation::new(["run", "suite.json"]).file("suite.json", &text).run().exits_with(2).says(
        "error: the suite needs a secret from the environment: STEADY_ALICE_PASSWORD\n\
         hint: set it before you start steady, as in `export STEADY_ALICE_PASSWORD=…`\n",
    );
}

#[test]
fn a_login_may_answer_with_cookies() {
    let service = Service::start(|_, call| match call.line.as_str() {
        "POST /login" => Answer::status(302).with("set-cookie", "s=1; HttpOnly").with("set-cookie", "t=2"),
        _ if call.header("cookie") == "s=1; t=2" => Answer::status(200),
        _ => Answer::status(401),
    });
    let identity = json!({
        "name": "bob",
        "login": {"request": {"method": "POST", "target": format!("{}/login", service.url())}, "use": "cookies"},
    });
    let mut health = call("GET", "/health", json!([{"where": "status", "is": {"equals": 200}}]));
    health["as"] = json!("bob");
    let text = suite_with_identities(service.url(), &[identity], &[test("health", &[health])]);
    Invocation::new(["run", "suite.json"]).file("suite.json", text).run().exits_with(0);
}

#[test]
fn an_account_of_the_runs_own_is_made_before_the_login() {
    let made = Mutex::new(Vec::new());
    let service = Service::start(move |_, call| {
        let mut made = made.lock().unwrap();
        match call.line.as_str() {
            "POST /users" if call.body.starts_with("user=new-") => {
                made.push(call.body.clone());
                Answer::status(201)
            }
            "POST /login" if made.contains(&call.body) => Answer::json(200, r#"{"token": "t1"}"#),
            _ if call.header("authorization") == "Bearer t1" => Answer::status(200),
            _ => Answer::status(403),
        }
    });
    let identity = |prefix: &str| {
        let request = |target: &str| json!({"method": "POST", "target": target, "body": {"form": [["user", [{"var": "user"}]]]}});
        json!({
            "name": "new",
            "sign_up": {"fresh": [{"name": "user", "prefix": prefix, "length": 8}], "request": request("/users")},
            "login": {
                "request": request("/login"),
                "use": {"header": {"token": "body:/token", "name": "authorization", "template": "Bearer {token}"}},
            },
        })
    };
    let mut health = call("GET", "/health", json!([{"where": "status", "is": {"equals": 200}}]));
    health["as"] = json!("new");
    let suite = |prefix: &str| {
        suite_with_identities(service.url(), &[identity(prefix)], &[test("health", &[health.clone()])])
    };
    // The same seed does not make the same account.
    for _ in 0..2 {
        Invocation::new(["run", "suite.json", "--repeat", "3", "--seed", "1"])
            .file("suite.json", suite("new-"))
            .run()
            .exits_with(0);
    }
    let signs_up = |line: &&String| *line == "POST /users" || *line == "POST /login";
    let lines = service.lines();
    assert_eq!(lines.iter().filter(signs_up).count(), 4, "{lines:?}");

    Invocation::new(["run", "suite.json"]).file("suite.json", suite("old-")).run().exits_with(2).says(
        "error: the sign-up of identity `new`, `POST http://127.0.0.1:[PORT]/users`, was answered with status 403\n\
         hint: check what the sign-up sends, and that the API lets anybody sign up\n",
    );
}
