//! Credentials, and what the API issues: in no file, on no stream, in no encoding.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use steady_emit::Emitter;
use steady_testkit::Runner;

use crate::support::{Answer, Call, Invocation, Outcome, Service};

const TOKEN: &str = "GivenToken-0123456789";
const API_KEY: &str = "given/key+with=odd&chars";
const COOKIE: &str = "CookieValue-5678";
const PASSWORD: &str = "Login\"Password<1>";
const WON: &str = "WonByLogin-9876543210";
/// What the API issues, wherever it does.
const ISSUED: [&str; 12] = [
    "CSRFCOOKIE999",
    "ACCESSTOKEN111",
    "REFRESHTOKEN222",
    "CLIENTSECRET333",
    "APIKEY444444",
    "issuedpassword",
    "dbpassword555",
    "AUTHCODE777",
    "XmlTokenValue888",
    "TicketToken-42",
    "HeaderToken-66",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLW9mLWl0",
];
/// What only looks like a secret.
const HARMLESS: [&str; 6] = [
    "strict-policy-1",
    "cust-12345678",
    "documented-token",
    "page-token-0002",
    "W/\\\"etag-abcdef01\\\"",
    "hunter2",
];

const DOCUMENT: &str = r##"{
  "openapi": "3.0.3",
  "info": {"title": "Leaky", "version": "1"},
  "paths": {
    "/echo": {"get": {"responses": {"200": {"description": "what came"}}}},
    "/fail": {"get": {"responses": {"200": {"description": "never"}}}},
    "/go": {"get": {"responses": {"302": {"description": "elsewhere"}}}},
    "/issue": {"post": {"responses": {"201": {"description": "tokens"}}}},
    "/page": {"get": {"responses": {"200": {"description": "XML"}}}},
    "/profile": {"get": {"responses": {"200": {"description": "nothing secret", "content": {"application/json": {
        "schema": {"type": "object", "properties": {"sample": {"type": "string", "example": "documented-token"}}}}}}}}},
    "/tickets": {"post": {"responses": {"201": {"description": "a ticket", "content": {"application/json": {
        "schema": {"type": "object", "properties": {"id": {"type": "integer"}}}}}}}}},
    "/tickets/{id}": {"get": {"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
        "responses": {"200": {"description": "the ticket"}, "404": {"description": "none"}}}}
  }
}"##;

fn leaky(call: &Call) -> Answer {
    let authorization = call.header("authorization").to_owned();
    let bearer = authorization.trim_start_matches("Bearer ").to_owned();
    let key = call.header("x-api-key").to_owned();
    let quoted = |text: &str| Value::from(text).to_string();
    match call.line.as_str() {
        "POST /login" => Answer::json(200, &json!({"token": WON}).to_string()),
        "GET /echo" => {
            let body = json!({
                "authorization": authorization, "bearer": bearer, "key": key, "cookie": call.header("cookie"),
                "encoded": STANDARD.encode(&authorization), "user": URL_SAFE_NO_PAD.encode(format!("ada:{bearer}")),
                "escaped": quoted(&key), "percent": key.replace('/', "%2F").replace('+', "%2b"),
                "message": format!("the token {bearer} is fine"),
            });
            Answer::json(200, &body.to_string()).with("x-echo", &format!("<{bearer}>"))
        }
        "GET /fail" => Answer::text(500, &format!("java.lang.Error: cannot use {bearer} or {key} ({PASSWORD})")),
        "GET /go" => Answer::status(302).with(
            "location",
            &format!("https://svc:dbpassword555@db.test/cb?code=AUTHCODE777&who={bearer}&x=1"),
        ),
        "POST /issue" => Answer::json(
            201,
            &json!({
                "access_token": "ACCESSTOKEN111", "refresh_token": "REFRESHTOKEN222", "client_secret": "CLIENTSECRET333",
                "api_key": "APIKEY444444", "password": "issuedpassword", "proof": ISSUED[11], "pin": 7,
                "again": ["ACCESSTOKEN111", {"x": STANDARD.encode("me:issuedpassword")}], "token_type": "bearer",
            })
            .to_string(),
        )
        .with("set-cookie", "csrf=CSRFCOOKIE999; Path=/")
        .with("x-auth-token", "HeaderToken-66"),
        "GET /page" => Answer::text(200, "<page><token>XmlTokenValue888</token><lang>en</lang></page>")
            .with("content-type", "application/xml"),
        "GET /profile" => Answer::json(
            200,
            &json!({
                "passwordPolicy": "strict-policy-1", "id": "cust-12345678", "sample": "documented-token", "tokens": 42,
                "nextPageToken": "page-token-0002", "nickname": "hunter2",
            })
            .to_string(),
        )
        .with("etag", "W/\"etag-abcdef01\""),
        "POST /tickets" => Answer::json(201, r#"{"id": 7, "token": "TicketToken-42"}"#),
        "GET /tickets/7" => Answer::json(200, r#"{"id": 7, "owner": "of TicketToken-42", "proof": "TicketToken-42"}"#),
        line if line.starts_with("GET /tickets/") => Answer::status(404),
        _ => Answer::status(405).with("allow", "GET, POST"),
    }
}

fn fuzz(service: &Service, more: &[&str]) -> Invocation {
    let emitters = "pytest,unittest,jest,playwright,junit5,kotlin,hurl";
    let arguments = [
        "fuzz",
        "--openapi",
        "api.json",
        "--url",
        service.url(),
        "--requests",
        "400",
        "--seed",
        "1",
        "--emit",
        emitters,
        "--sarif",
        "steady.sarif",
    ];
    Invocation::new(arguments.iter().chain(more)).file("api.json", DOCUMENT)
}

/// Every way in which a value could have been written.
fn forms(value: &str) -> Vec<String> {
    let quoted = Value::from(value).to_string();
    let html = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let percent: String = value
        .bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect();
    let twice = Value::from(quoted.as_str()).to_string();
    let mut forms = vec![
        value.to_owned(),
        quoted[1..quoted.len() - 1].to_owned(),
        twice[3..twice.len() - 3].to_owned(),
        html,
        percent.to_lowercase(),
        percent,
    ];
    for before in ["", "a", "ab", "Bearer ", "ada:", "me:"] {
        // Without its last group, which depends on what stands after the value.
        let encoded = STANDARD.encode(format!("{before}{value}"));
        let skipped = before.len().div_ceil(3) * 4;
        let inner = &encoded[skipped..encoded.len() - 4];
        forms.extend([inner.to_owned(), inner.replace('+', "-").replace('/', "_")]);
    }
    forms.retain(|form| form.len() >= 8);
    forms
}

/// Neither the streams nor any file shows one of these values.
#[track_caller]
fn hides(outcome: &Outcome, values: &[&str]) {
    let mut texts =
        vec![("stdout".to_owned(), outcome.stdout.clone()), ("stderr".to_owned(), outcome.stderr.clone())];
    texts.extend(outcome.written().into_iter().filter(|name| outcome.is_file(name)).map(|name| {
        let text = outcome.read(&name);
        (name, text)
    }));
    for value in values {
        for form in forms(value) {
            let leaks: Vec<String> = texts
                .iter()
                .flat_map(|(name, text)| {
                    text.lines()
                        .filter(|line| line.contains(&form))
                        .map(move |line| format!("{name}: {line}"))
                })
                .collect();
            assert!(leaks.is_empty(), "{value} as {form}:\n{}", leaks.join("\n"));
        }
    }
}

/// The emitted code looks up what was given and captures what was issued.
#[track_caller]
fn emitted_tests_pass(outcome: &Outcome, service: &Service) {
    let folder = outcome.folder().join("steady-out/tests/pytest");
    let (authorization, cookie) = (format!("Bearer {TOKEN}"), format!("sid={COOKIE}"));
    let variables = [
        ("STEADY_AUTHORIZATION", authorization.as_str()),
        ("STEADY_X_API_KEY", API_KEY),
        ("STEADY_COOKIE", &cookie),
    ];
    let report = Runner(Emitter::Pytest).run(&folder, service.url(), &variables).unwrap();
    assert!(report.failed.is_empty() && !report.passed.is_empty(), "{}", report.output);
}

#[test]
fn what_an_api_repeats_of_a_credential_is_written_nowhere() {
    let service = Service::start(|_, call| leaky(call));
    let (bearer, key, cookie) = (
        format!("Authorization: Bearer {TOKEN}"),
        format!("X-Api-Key: {API_KEY}"),
        format!("Cookie: sid={COOKIE}"),
    );
    for format in ["human", "json"] {
        let outcome = fuzz(&service, &["-H", &bearer, "-H", &key, "-H", &cookie, "--format", format])
            .run()
            .exits_with(1);
        let given = [TOKEN, API_KEY, COOKIE];
        let issued: Vec<&str> = ISSUED.into_iter().chain(given).collect();
        hides(&outcome, &issued);
        let suite = outcome.read("steady-out/suite.json");
        assert!(suite.contains("STEADY_AUTHORIZATION"), "{suite}");
        for text in HARMLESS {
            assert!(suite.contains(text), "{text} is gone");
        }
        let run = |token: &str| {
            Invocation::new(["run", "suite.json", "--junit", "results.xml"])
                .file(
                    "suite.json",
                    suite.replace("127.0.0.1:[PORT]", service.url().trim_start_matches("http://")),
                )
                .env("STEADY_AUTHORIZATION", token)
                .env("STEADY_X_API_KEY", API_KEY)
                .env("STEADY_COOKIE", &format!("sid={COOKIE}"))
                .run()
        };
        run(&format!("Bearer {TOKEN}")).exits_with(0);
        emitted_tests_pass(&outcome, &service);
        // Another token is as good; what is repeated of it is no failure, and shown nowhere.
        let other = run("Bearer AnotherToken-0123").exits_with(0);
        hides(&other, &["AnotherToken-0123"]);
    }
}

#[test]
fn what_a_login_wins_is_written_nowhere() {
    let service = Service::start(|_, call| leaky(call));
    let auth = json!({"auth": [{"name": "ada", "loginEndpointAuth": {
        "endpoint": "/login", "verb": "POST", "contentType": "application/json",
        "payloadUserPwd": {"username": "ada", "password": PASSWORD, "usernameField": "user", "passwordField": "pass"},
        "token": {"extractFromField": "/token", "httpHeaderName": "Authorization", "headerPrefix": "Bearer "},
    }}]});
    let outcome =
        fuzz(&service, &["--auth", "auth.json"]).file("auth.json", auth.to_string()).run().exits_with(1);
    let secrets: Vec<&str> = ISSUED.into_iter().chain([WON, PASSWORD]).collect();
    hides(&outcome, &secrets);
    let suite = outcome.read("steady-out/suite.json");
    let suite = suite.replace("127.0.0.1:[PORT]", service.url().trim_start_matches("http://"));
    let escaped = Value::from(PASSWORD).to_string();
    Invocation::new(["run", "suite.json"])
        .file("suite.json", suite)
        .env("STEADY_ADA_PASSWORD", &escaped[1..escaped.len() - 1])
        .run()
        .exits_with(0);
}

#[test]
fn a_failing_test_shows_no_secret() {
    let service = Service::start(|_, call| {
        match call.line.as_str() {
        "GET /me" => Answer::json(
            200,
            &json!({"seen": format!("{} and {}", call.header("authorization"), "y".repeat(90)), "api_key": ISSUED[4], "also": ISSUED[4]})
                .to_string(),
        )
        .with("set-cookie", "csrf=CSRFCOOKIE999; Path=/"),
        _ => Answer::status(404),
    }
    });
    let expect = |place: &str| json!({"where": place, "is": {"equals": "x".repeat(100)}});
    let suite = json!({
        "version": 1, "api": {"title": "Me", "url": service.url()}, "seed": 1,
        "identities": [{"name": "me", "headers": [["authorization", [{"env": "STEADY_AUTHORIZATION"}]]]}],
        "tests": [{"name": "me", "group": "successes", "about": "", "calls": [{
            "operation": "GET /me", "as": "me", "request": {"method": "GET", "target": "/me"},
            "expect": [expect("body:/seen"), expect("body:/also"), expect("body:/api_key"), expect("header:set-cookie"), expect("body:")],
        }]}],
    });
    for format in ["human", "json"] {
        let outcome = Invocation::new(["run", "suite.json", "--junit", "results.xml", "--format", format])
            .file("suite.json", suite.to_string())
            .env("STEADY_AUTHORIZATION", &format!("Bearer {TOKEN}"))
            .run()
            .exits_with(1);
        hides(&outcome, &[TOKEN, ISSUED[0], ISSUED[4]]);
        assert!(outcome.stdout.contains("${STEADY_AUTHORIZATION}"), "{}", outcome.stdout);
    }
}

#[test]
fn a_command_that_cannot_do_its_job_shows_no_secret() {
    let auth = "auth:\n- name: a\n  loginEndpointAuth:\n    externalEndpointURL: http://svc:sup3rsecret@127.0.0.1:1/login?token=sup3rsecret\n    expectCookies: true\n";
    let service = Service::start(|_, _| Answer::status(404));
    let address = "http://me:sup3rsecret@127.0.0.1:1";
    let document = format!("{address}/openapi.json?token=sup3rsecret");
    for arguments in [
        vec!["--openapi", "api.json", "--url", address],
        vec!["--openapi", "api.json", "--url", "me:sup3rsecret@127.0.0.1"],
        vec!["--openapi", &document, "--url", service.url()],
        vec!["--openapi", "api.json", "--url", service.url(), "-H", "Authorization sup3rsecret"],
        vec!["--openapi", "api.json", "--url", service.url(), "--auth", "auth.yaml"],
        vec!["--openapi", "api.json", "--config", "bad.toml"],
    ] {
        for format in ["human", "json"] {
            let outcome = Invocation::new(["fuzz", "--format", format].iter().chain(&arguments))
                .file("api.json", DOCUMENT)
                .file("auth.yaml", auth)
                .file("bad.toml", format!("[api]\nurl = \"{address}\"\n"))
                .run()
                .exits_with(2);
            let said = format!("{}{}", outcome.stdout, outcome.stderr);
            assert!(!said.contains("sup3rsecret") && said.contains("error"), "{arguments:?}: {said}");
        }
    }
}
