//! Suites that steady wrote.

use std::fs;

use crate::support::Invocation;

const SUITE: &str = r#"{
  "version": 1, "api": {"title": "Shop", "url": "http://shop.test"}, "seed": 1,
  "tests": [{
    "name": "get_order", "group": "successes", "about": "an order",
    "calls": [{
      "operation": "GET /orders/{id}",
      "request": {"method": "GET", "target": "/orders/7"},
      "expect": [
        {"where": "status", "is": {"equals": 200}},
        {"where": "body:/item", "is": {"equals": "lamp"}},
        {"where": "body:/requestId", "is": {"equals": "cd613e30-d8f1-4adf-91b7-584a2265b1f5"}},
        {"where": "body:/supplier", "is": {"equals": "f47ac10b-58cc-4372-a567-0e02b2c3d479"}}
      ]
    }]
  }, {
    "name": "version_is_wrong", "group": "successes", "about": "the version",
    "calls": [{
      "operation": "GET /version",
      "request": {"method": "GET", "target": "/version"},
      "expect": [{"where": "body:/version", "is": {"equals": "2.0.0"}}]
    }]
  }]
}
"#;

fn shop(arguments: &[&str]) -> Invocation {
    let api = include_str!("../projects/stabilize/api.py");
    let path = std::env::var("PATH").unwrap_or_default();
    Invocation::new(arguments)
        .file("suite.json", SUITE)
        .file("api.py", api)
        .file("steady.toml", "[sut]\nstart = \"python3 api.py {port}\"\nready = \"GET /version\"\n")
        .env("PATH", &path)
}

#[test]
fn a_dry_run_shows_the_diff_and_changes_nothing() {
    let outcome = shop(&["stabilize", "suite.json", "--reruns", "1"]).run().exits_with(1);
    assert!(outcome.stdout.contains("GET /orders/{id} 200 body:/requestId"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("\"pattern\""), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("version_is_wrong"), "failing is told: {}", outcome.stdout);
    assert!(outcome.stdout.ends_with("Apply this with --write\n"), "{}", outcome.stdout);
    assert_eq!(outcome.read("suite.json"), SUITE);
}

#[test]
fn written_suites_pass_and_failing_tests_stay_failing() {
    let outcome = shop(&["stabilize", "suite.json", "--write", "--sarif", "out.sarif"]).run().exits_with(1);
    let suite: serde_json::Value = serde_json::from_str(&outcome.read("suite.json")).unwrap();
    let expect = &suite["tests"][0]["calls"][0]["expect"];
    assert_eq!(expect[1]["is"]["equals"], "lamp");
    assert!(expect[2]["is"]["pattern"]["regex"].as_str().unwrap().contains("-4[0-9a-f]{3}-"));
    assert_eq!(expect[3]["is"]["equals"], "f47ac10b-58cc-4372-a567-0e02b2c3d479", "a fixed id stays");
    assert_eq!(suite["tests"][1]["calls"][0]["expect"][0]["is"]["equals"], "2.0.0");
    assert!(outcome.read("out.sarif").contains("flaky-value"));
    let folder = outcome.into_folder();
    let path = std::env::var("PATH").unwrap_or_default();
    let run = Invocation::within(folder, ["run", "suite.json", "--repeat", "20"]).env("PATH", &path);
    let run = run.run().exits_with(1);
    assert!(run.stdout.contains("20 passed") || run.stdout.contains("20 of 40"), "{}", run.stdout);
}

#[test]
fn the_papers_way_leaves_a_comment() {
    let outcome = shop(&["stabilize", "suite.json", "--write", "--flaky", "disable"]).run().exits_with(1);
    let suite: serde_json::Value = serde_json::from_str(&outcome.read("suite.json")).unwrap();
    let assertion = &suite["tests"][0]["calls"][0]["expect"][2];
    assert_eq!(assertion["is"], "disabled");
    let note = assertion["note"].as_str().unwrap();
    assert!(
        note.starts_with("Flaky value of field /requestId: cd613e30-d8f1-4adf-91b7-584a2265b1f5 vs. "),
        "{note}"
    );
}

#[test]
fn without_reruns_the_looks_of_values_decide() {
    let outcome = shop(&["stabilize", "suite.json", "--reruns", "0", "--flaky", "keep"]).run().exits_with(1);
    assert!(outcome.stdout.contains("body:/supplier"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("(inferred)"), "{}", outcome.stdout);
    assert!(fs::metadata("suite.json").is_err());
}

#[test]
fn programs_are_told_in_events() {
    let outcome = shop(&["stabilize", "suite.json", "--reruns", "1", "--perturb", "off", "--format", "json"]);
    let events = outcome.run().exits_with(1).events();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((names[0], names[names.len() - 1]), ("run_started", "run_finished"));
    let flaky = events.iter().find(|event| event["event"] == "flaky_found").unwrap();
    assert_eq!(
        (&flaky["flaky"]["where"], &flaky["flaky"]["category"]),
        (&"body:/requestId".into(), &"Rand".into())
    );
}

/// Half of a JSON document, a hundred megabytes, and an answer that never ends.
const HOSTILE: &str = r#"
import http.server, sys

class Hostile(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        if self.path == "/half":
            self.wfile.write(b'{"id": 3, "name":')
        elif self.path == "/huge":
            for _ in range(100):
                self.wfile.write(b"x" * (1 << 20))

    def log_message(self, *_):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Hostile).serve_forever()
"#;

#[test]
fn half_a_document_and_a_hundred_megabytes_are_no_obstacle() {
    let test = |path: &str, matcher: &str| {
        format!(
            r#"{{"name": "{path}", "group": "others", "about": "", "calls": [{{"operation": "GET /{path}",
            "request": {{"method": "GET", "target": "/{path}"}}, "expect": [
            {{"where": "status", "is": {{"equals": 200}}}}, {{"where": "body:", "is": {matcher}}}]}}]}}"#
        )
    };
    let (half, huge) = (test("half", r#"{"equals": "{\"id\": 3, \"name\":"}"#), test("huge", r#""present""#));
    let suite = format!(
        r#"{{"version": 1, "api": {{"title": "", "url": "http://hostile.test"}}, "seed": 1, "tests": [{half}, {huge}]}}"#
    );
    let outcome = Invocation::new(["stabilize", "suite.json", "--perturb", "restart"])
        .file("suite.json", suite)
        .file("api.py", HOSTILE)
        .file("steady.toml", "[sut]\nstart = \"python3 api.py {port}\"\nready = \"GET /\"\n")
        .env("PATH", &std::env::var("PATH").unwrap_or_default())
        .run()
        .exits_with(0);
    assert!(outcome.stdout.starts_with("No value changed between runs\n"), "{}", outcome.stdout);
}
