//! `steady fuzz` against APIs and documents that mean no good.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Answer, Invocation, Outcome, Service};

/// A document of `GET` operations on these paths.
fn document(paths: &[&str]) -> String {
    let operation =
        json!({"get": {"responses": {"200": {"description": "", "content": {"application/json": {}}}}}});
    let paths: serde_json::Map<String, Value> =
        paths.iter().map(|path| ((*path).to_owned(), operation.clone())).collect();
    json!({"openapi": "3.0.3", "info": {"title": "Hostile", "version": "1"}, "paths": paths}).to_string()
}

fn fuzz(url: &str, document: &str, more: &[&str]) -> Outcome {
    let arguments = ["fuzz", "--openapi", "api.json", "--url", url, "--seed", "1", "--reruns", "0"];
    Invocation::new(arguments.iter().chain(more)).file("api.json", document).run()
}

/// Code, operation and summary of the faults found.
fn faults(outcome: &Outcome) -> Vec<String> {
    let findings: Value = serde_json::from_str(&outcome.read("steady-out/findings.json")).unwrap();
    let line = |fault: &Value| {
        let text = |key: &str| fault[key].as_str().unwrap_or_default().to_owned();
        format!("{} {} {}", text("code"), text("operation"), text("summary"))
    };
    findings["faults"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn a_body_without_end_is_a_finding_and_not_asserted() {
    let endless = format!("[{}]", "1,".repeat(4_000));
    let service = Service::start(move |_, call| match call.line.as_str() {
        "GET /endless" => Answer::json(200, &endless),
        _ => Answer::status(405).with("allow", "GET"),
    });
    let outcome = fuzz(service.url(), &document(&["/endless"]), &["--requests", "20", "--max-body", "1KB"]);
    let outcome = outcome.exits_with(1);
    assert_eq!(faults(&outcome), ["F953 GET /endless the body is longer than 1024 bytes and was cut there"]);
    let suite = outcome.read("steady-out/suite.json");
    assert!(suite.contains(r#""status""#) && !suite.contains("body:"), "{suite}");
}

/// Answers every request at once; after `/twice`, sends another response a little later.
fn answer_late(stream: &TcpStream) {
    let respond = |mut stream: &TcpStream, status: &str| {
        let text =
            format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}");
        stream.write_all(text.as_bytes()).is_ok()
    };
    let mut lines = BufReader::new(stream).lines();
    while let Some(Ok(request)) = lines.next() {
        let is_known = request.starts_with("GET /ok") || request.starts_with("GET /twice");
        let bodiless = (&mut lines).map_while(Result::ok).take_while(|line| !line.is_empty()).count();
        if bodiless == 0 || !respond(stream, if is_known { "200 OK" } else { "404 Not Found" }) {
            return;
        }
        if request.starts_with("GET /twice") {
            std::thread::sleep(Duration::from_millis(20));
            respond(stream, "500 Internal Server Error");
        }
    }
}

/// Serves every connection by this function, in a thread of its own; it ends with the test's process.
fn serve(connection: fn(&TcpStream)) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || connection(&stream));
        }
    });
    url
}

/// Answers everything but `/hangs`, which never gets an answer.
fn answer_unless_hanging(mut stream: &TcpStream) {
    let mut lines = BufReader::new(stream).lines();
    while let Some(Ok(request)) = lines.next() {
        let headers = (&mut lines).map_while(Result::ok).take_while(|line| !line.is_empty()).count();
        if headers == 0 {
            return;
        }
        let is_known = request.starts_with("GET /ok");
        let status = if is_known { "200 OK" } else { "404 Not Found" };
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        if !request.contains(" /hangs") && stream.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

#[test]
fn an_operation_that_never_answers_does_not_use_up_a_short_run() {
    let url = serve(answer_unless_hanging);
    let outcome = fuzz(&url, &document(&["/hangs", "/ok"]), &["--time", "4s"]).exits_with(1);
    assert!(faults(&outcome).iter().any(|fault| fault.starts_with("F953 GET /hangs")), "{}", outcome.stdout);
    let suite = outcome.read("steady-out/suite.json");
    assert!(suite.contains("GET /ok"), "{suite}");
}

#[test]
fn an_api_that_was_asked_nothing_is_not_called_unreachable() {
    let service = Service::start(|_, _| Answer::status(200));
    let outcome = fuzz(service.url(), &document(&["/ok"]), &["--time", "0.001ms"]).exits_with(2);
    assert!(
        outcome.stderr.starts_with("error: the time was over before the first answer; "),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains("hint: raise --time"), "{}", outcome.stderr);
}

#[test]
fn a_late_response_is_no_fault_of_the_next_operation() {
    let url = serve(answer_late);
    let outcome = fuzz(&url, &document(&["/ok", "/twice"]), &["--requests", "300"]);
    let blamed: Vec<String> =
        faults(&outcome).into_iter().filter(|fault| fault.starts_with("F100")).collect();
    assert_eq!(blamed, Vec::<String>::new(), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("sent a response that no request had asked for"), "{}", outcome.stderr);
    let suite: Value = serde_json::from_str(&outcome.read("steady-out/suite.json")).unwrap();
    assert!(!suite.to_string().contains("500"), "{suite}");
}

#[test]
fn a_document_that_asks_for_too_much_is_searched_and_named() {
    let service = Service::start(|_, _| Answer::json(200, "{}"));
    let level = |number: usize| {
        let next = json!({"$ref": format!("#/components/schemas/L{}", number + 1)});
        (
            format!("L{number}"),
            json!({"type": "object", "required": ["a", "b"], "properties": {"a": next, "b": next}}),
        )
    };
    let mut schemas: serde_json::Map<String, Value> = (0..40).map(level).collect();
    schemas.insert("L40".to_owned(), json!({"type": "string"}));
    let operation = |schema: Value| {
        json!({"post": {"requestBody": {"required": true, "content": {"application/json": {"schema": schema}}},
                        "responses": {"200": {"description": ""}}}})
    };
    let paths = json!({"/fan": operation(json!({"$ref": "#/components/schemas/L0"})),
                       "/long": operation(json!({"type": "string", "minLength": i64::MAX}))});
    let document = json!({"openapi": "3.0.3", "info": {"title": "Much", "version": "1"}, "paths": paths,
                          "components": {"schemas": schemas}});
    let outcome = fuzz(service.url(), &document.to_string(), &["--requests", "40"]);
    for expected in [
        "POST /fan: its schema asks for more than 20000 values in the body, more than steady sends",
        "POST /long: its schema asks for a text of more than 20000 characters",
    ] {
        assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    }
    assert!(service.lines().iter().any(|line| line == "POST /fan"), "it is called all the same");
}

#[test]
fn references_lead_elsewhere_only_when_allowed() {
    let path = r#"{"get": {"responses": {"200": {"description": ""}}}}"#;
    let elsewhere = Service::start(move |_, _| Answer::json(200, path));
    let target = format!("{}/path.json", elsewhere.url());
    let root = r#"{"openapi": "3.0.3", "info": {"title": "Refs", "version": "1"},
        "paths": {"/a": {"$ref": "path.json"}, "/b": {"get": {"responses": {"200": {"description": ""}}}}}}"#;
    let home = Service::start(move |_, call| match call.line.as_str() {
        "GET /openapi.json" => Answer::json(200, root),
        "GET /path.json" => Answer::status(302).with("location", &target),
        _ => Answer::json(200, "{}"),
    });
    let openapi = format!("{}/openapi.json", home.url());
    let run = |more: &[&str], config: &str| {
        let arguments =
            ["fuzz", "--openapi", &openapi, "--url", home.url(), "--requests", "10", "--reruns", "0"];
        Invocation::new(arguments.iter().chain(more)).file("steady.toml", config).run()
    };
    let refused = run(&[], "");
    let reason = "another host, scheme or port; such references are not followed without --allow-refs";
    assert!(refused.stderr.contains(reason), "{}", refused.stderr);
    assert_eq!(elsewhere.lines(), Vec::<String>::new());
    run(&["--allow-refs"], "");
    run(&[], "[fuzz]\nallow-refs = true\n");
    assert_eq!(elsewhere.lines(), ["GET /path.json", "GET /path.json"]);
}
