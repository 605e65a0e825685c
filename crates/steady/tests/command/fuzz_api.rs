//! `steady fuzz`: what it leaves behind, and that it leaves nothing when it cannot do its job.

use std::fs::{self, File};

use serde_json::Value;

use crate::support::{Answer, Call, Invocation, Service};

const DOCUMENT: &str = r#"{
  "openapi": "3.0.3",
  "info": {"title": "Counter", "version": "1"},
  "paths": {
    "/count": {
      "get": {"responses": {"200": {"description": "the count", "content": {"application/json": {
        "schema": {"type": "object", "required": ["count"], "properties": {"count": {"type": "integer"}}}}}}}}
    }
  }
}"#;

fn counter(call: &Call) -> Answer {
    match call.line.as_str() {
        "GET /count" => Answer::json(200, r#"{"count": 3}"#),
        _ => Answer::status(405).with("allow", "GET"),
    }
}

fn fuzz(url: &str, more: &[&str]) -> Invocation {
    let arguments = ["fuzz", "--openapi", "api.json", "--url", url, "--seed", "1"];
    let requests: &[&str] = if more.contains(&"--requests") { &[] } else { &["--requests", "30"] };
    Invocation::new(arguments.iter().chain(requests).chain(more)).file("api.json", DOCUMENT)
}

#[test]
fn a_run_leaves_the_suite_the_findings_the_figures_and_the_tests() {
    let service = Service::start(|_, call| counter(call));
    let outcome = fuzz(service.url(), &["--emit", "hurl"]).run().exits_with(0).says("");
    let written = outcome.written();
    for name in ["events.jsonl", "findings.json", "suite.json", "summary.json", "tests/hurl"] {
        assert!(written.contains(&format!("steady-out/{name}")), "{name} is not among {written:?}");
    }
    let hidden: Vec<&String> = written.iter().filter(|name| name.contains("/.")).collect();
    assert_eq!(hidden, ["steady-out/.steady-files.json"], "unfinished files are left");
    assert!(
        outcome.stdout.starts_with("Counter: 1 operation, 1 answered with a 2xx\n"),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stdout.ends_with("Next  steady run steady-out/suite.json\n"), "{}", outcome.stdout);
}

#[test]
fn the_recorded_events_are_the_printed_ones() {
    let service = Service::start(|_, call| counter(call));
    let outcome = fuzz(service.url(), &["--format", "json"]).run().exits_with(0).says("");
    let kind = |event: &Value| event["event"].as_str().unwrap().to_owned();
    let printed: Vec<String> = outcome.events().iter().map(kind).collect();
    let recorded = outcome.read("steady-out/events.jsonl");
    let recorded: Vec<String> =
        recorded.lines().map(|line| kind(&serde_json::from_str(line).unwrap())).collect();
    assert_eq!(printed, recorded);
    assert_eq!(printed.first().map(String::as_str), Some("run_started"));
    assert_eq!(printed.last().map(String::as_str), Some("run_finished"));
    assert_eq!(printed.iter().filter(|kind| *kind == "run_finished").count(), 1);
}

#[test]
fn a_document_that_is_none_is_shown_where_it_breaks() {
    let outcome = Invocation::new(["fuzz", "--openapi", "api.json", "--url", "http://127.0.0.1:1"])
        .file("api.json", "{\n  \"openapi\": \"3.0.3\",\n  \"paths\" {}\n}\n")
        .run()
        .exits_with(2)
        .prints("")
        .writes(&[]);
    assert!(outcome.stderr.contains("--> api.json:3:"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("hint: "), "{}", outcome.stderr);
}

#[test]
fn documents_that_cannot_be_used_leave_nothing_behind() {
    let missing = Service::start(|_, _| Answer::status(404));
    let missing_url = format!("{}/openapi.json", missing.url());
    let cases = [
        ("api.json", "[1, 2]", "api.json"),
        ("api.json", "{\"hello\": \"world\"}", "api.json"),
        ("no.json", "", "no.json"),
        (&missing_url, "", "404"),
        ("http://127.0.0.1:1/openapi.json", "", "refused the connection"),
    ];
    for (source, text, expected) in cases {
        let outcome = Invocation::new(["fuzz", "--openapi", source, "--url", "http://127.0.0.1:1"])
            .file("api.json", text)
            .run()
            .exits_with(2)
            .prints("")
            .writes(&[]);
        assert!(outcome.stderr.starts_with("error: "), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(expected), "{source}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("hint: "), "{source}: {}", outcome.stderr);
    }
}

#[test]
fn a_service_that_refuses_leaves_nothing_behind() {
    let outcome = fuzz("http://127.0.0.1:1", &[]).run().exits_with(2).prints("").writes(&[]);
    assert!(outcome.stderr.contains("refused the connection"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("hint: "), "{}", outcome.stderr);
}

#[test]
fn an_output_folder_that_cannot_be_one_is_refused_before_the_first_request() {
    let service = Service::start(|_, call| counter(call));
    fuzz(service.url(), &["--out", "api.json"]).run().exits_with(2).prints("").writes(&[]).says(
        "error: the output folder `api.json` is not a folder\n\
         hint: name another folder with `--out DIR`\n",
    );
    fuzz(service.url(), &["--out", "api.json/out"]).run().exits_with(2).prints("").writes(&[]).says(
        "error: cannot write to `api.json/out`\n  caused by: Not a directory (os error 20)\n\
         hint: make the place writable, or name another one\n",
    );
    assert_eq!(service.lines(), Vec::<String>::new());
}

#[test]
fn a_second_steady_in_the_same_folder_is_told_to_wait() {
    let service = Service::start(|_, call| counter(call));
    let invocation = fuzz(service.url(), &[]);
    let out = invocation.folder().join("steady-out");
    fs::create_dir(&out).unwrap();
    // What another steady holds as long as it runs.
    let lock = File::create(out.join(".steady.lock")).unwrap();
    lock.lock().unwrap();
    invocation.run().exits_with(2).prints("").says(
        "error: another steady is writing into `steady-out`\n\
         hint: wait for it to end, or name another folder with `--out DIR`\n",
    );
    assert_eq!(service.lines(), Vec::<String>::new());
}

#[test]
fn secrets_stay_out_of_every_file() {
    let service = Service::start(|_, call| match call.header("authorization") {
        "Bearer hunter2" => counter(call),
        _ => Answer::status(401).with("www-authenticate", "Bearer"),
    });
    let outcome =
        fuzz(service.url(), &["-H", "Authorization: Bearer hunter2", "--emit", "pytest,hurl"]).run();
    let written = outcome.written();
    assert!(written.contains(&"steady-out/suite.json".to_owned()), "{}", outcome.stderr);
    for name in written.iter().filter(|name| outcome.is_file(name)) {
        assert!(!outcome.read(name).contains("hunter2"), "{name}");
    }
    assert!(outcome.read("steady-out/suite.json").contains("STEADY_AUTHORIZATION"));
    assert!(!outcome.stdout.contains("hunter2") && !outcome.stderr.contains("hunter2"));
}

#[test]
fn a_run_with_an_account_of_its_own_signs_up_once_and_so_does_its_suite() {
    let service = Service::start(|_, call| match call.line.as_str() {
        "POST /users" if call.body.starts_with(r#"{"user":"new-"#) => Answer::status(201),
        "POST /login" if call.body.starts_with("user=new-") => Answer::json(200, r#"{"token": "t1"}"#),
        "GET /count" if call.header("authorization") == "Bearer t1" => Answer::json(200, r#"{"count": 3}"#),
        "GET /count" => Answer::status(401).with("www-authenticate", "Bearer"),
        _ => Answer::status(405).with("allow", "GET"),
    });
    let auth = r#"
auth:
- name: new
  createUsers:
    endpoint: /users
    payloadRaw: '{"user":"{$user}"}'
    generators: [{placeHolder: '{$user}', prefix: new-}]
  loginEndpointAuth:
    endpoint: /login
    contentType: application/x-www-form-urlencoded
    payloadRaw: 'user={$user}'
    token: {extractFrom: body, extractSelector: /token, sendIn: header, sendName: Authorization, sendTemplate: 'Bearer {token}'}
"#;
    // Whoever is not signed in is refused, and the document says so.
    let document = DOCUMENT.replace(r#""200": {"#, r#""401": {"description": "who are you?"}, "200": {"#);
    let run =
        fuzz(service.url(), &["--auth", "auth.yaml"]).file("auth.yaml", auth).file("api.json", document);
    let outcome = run.run().exits_with(0);
    let suite: Value = serde_json::from_str(&outcome.read("steady-out/suite.json")).unwrap();
    assert_eq!(suite["identities"][0]["sign_up"]["fresh"][0]["prefix"], "new-");
    let sign_ups = service.lines().iter().filter(|line| *line == "POST /users").count();
    assert_eq!(sign_ups, 1, "{:?}", service.lines());
}

const LOGIN: &str = r#"
auth:
- name: somebody
  loginEndpointAuth:
    endpoint: ENDPOINT
    payloadRaw: '{}'
    token: {extractFrom: body, extractSelector: /token, sendIn: header, sendName: X-Token, sendTemplate: '{token}'}
"#;

/// An API below `/app` whose login is here.
fn below_app(login: &'static str) -> Service {
    Service::start(move |_, call| match call.line.as_str() {
        line if line == login => Answer::json(200, r#"{"token": "a1b2c3d4"}"#),
        "GET /app/count" => Answer::json(200, r#"{"count": 3}"#),
        line if line.starts_with("GET /app") => Answer::status(404),
        _ => Answer::status(405).with("allow", "GET"),
    })
}

#[test]
fn a_login_path_may_carry_the_base_path_or_be_at_the_servers_root() {
    for (login, endpoint, written) in [
        ("POST /app/login", "/app/login", "/login"),
        ("POST /app/login", "/login", "/login"),
        ("POST /login", "/login", "http://127.0.0.1:"),
    ] {
        let service = below_app(login);
        let url = format!("{}/app", service.url());
        let auth = LOGIN.replace("ENDPOINT", endpoint);
        let outcome =
            fuzz(&url, &["--auth", "auth.yaml"]).file("auth.yaml", auth).run().exits_with(0).says("");
        let suite: Value = serde_json::from_str(&outcome.read("steady-out/suite.json")).unwrap();
        let target = suite["identities"][0]["login"]["request"]["target"].to_string();
        assert!(target.contains(written), "{login} for {endpoint}: {target}");
    }
}

#[test]
fn a_login_that_fails_is_told_with_its_address() {
    let service = Service::start(|_, _| Answer::status(403));
    let url = format!("{}/app", service.url());
    let auth = LOGIN.replace("ENDPOINT", "/sign/in");
    fuzz(&url, &["--auth", "auth.yaml"]).file("auth.yaml", auth).run().exits_with(2).says(
        "error: the login of identity `somebody`, `POST http://127.0.0.1:[PORT]/app/sign/in`, was answered with status 403\n\
         hint: check the credentials and the login's description\n",
    );
}

#[test]
fn one_cause_is_told_once_with_all_operations() {
    let service = Service::start(|_, call| {
        let line = call.line.as_str();
        if call.header("content-type") == "multipart/form-data" {
            return Answer::json(500, r#"{"message": "no boundary"}"#);
        }
        match line {
            "POST /cats" | "POST /dogs" => Answer::json(200, "{}"),
            _ => Answer::status(405).with("allow", "POST"),
        }
    });
    let document = r#"{"openapi": "3.0.3", "info": {"title": "Pets", "version": "1"}, "paths": {
        "/cats": {"post": {"responses": {"200": {"description": "fine"}}}},
        "/dogs": {"post": {"responses": {"200": {"description": "fine"}}}}}}"#;
    let outcome = fuzz(service.url(), &["--requests", "900"]).file("api.json", document).run().exits_with(1);
    let findings: Value = serde_json::from_str(&outcome.read("steady-out/findings.json")).unwrap();
    let errors: Vec<&Value> =
        findings["faults"].as_array().unwrap().iter().filter(|fault| fault["code"] == "F100").collect();
    let [error] = errors.as_slice() else { panic!("{findings:#}") };
    assert_eq!(error["also"].as_array().map(Vec::len), Some(1), "{findings:#}");
    assert!(outcome.stdout.contains("\n      also: POST /"), "{}", outcome.stdout);
}
