//! Each fault on a pretend API that has it, and its absence on one that does not.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;

use serde_json::{Value, json};
use steady_fuzz::{ApiModel, Engine, Execution, Random};
use steady_model::{Fault, Identity, Method, Payload, Request, Response, Secret, Secrets};

const DOCUMENT: &str = r##"{"openapi": "3.1.0", "info": {"title": "Parcels", "version": "1"},
  "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}},
  "paths": {
    "/parcels": {
      "get": {"security": [{"key": []}],
              "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 50}},
                             {"name": "X-Depot", "in": "header", "required": true, "schema": {"type": "string", "examples": ["north"]}},
                             {"name": "If-None-Match", "in": "header", "schema": {"type": "string"}},
                             {"name": "X-Tag", "in": "header", "schema": {"type": "string", "pattern": "^\"[0-9]+\"$|\\*"}},
                             {"name": "where", "in": "query", "content": {"application/json": {"schema": {"type": "object",
                                 "properties": {"weight": {"type": "integer"}, "place": {"type": "object"}},
                                 "additionalProperties": false}}}}],
              "responses": {"200": {"description": ""}, "default": {"description": ""}}},
      "post": {"security": [{"key": []}],
               "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object",
                   "required": ["to"], "properties": {"to": {"type": "string"}, "speed": {"enum": ["slow", "fast"]}}}}}},
               "responses": {"201": {"description": ""}, "default": {"description": ""}}}},
    "/tariffs": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "object"}}}},
                                       "default": {"description": ""}}}},
    "/admin/shutdown": {"post": {"responses": {"default": {"description": ""}}}}}}"##;

/// Status, headers and body; a null body is none.
type Answer = (u16, Vec<(&'static str, &'static str)>, Value);
type Api = fn(&Request) -> Answer;

fn plain(status: u16) -> Answer {
    (status, Vec::new(), json!({}))
}

fn header<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    request.headers.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
}

/// What the document's unanchored pattern lets through.
fn is_tag(text: &str) -> bool {
    let digits = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let number =
        digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
    number || text.contains('*')
}

/// The query's condition, as it was sent; nothing readable is null.
fn condition(request: &Request) -> Option<Value> {
    let (_, query) = request.target.split_once('?')?;
    let encoded = query.split('&').find_map(|pair| pair.strip_prefix("where="))?;
    Some(serde_json::from_str(&steady_model::percent::decode(encoded)).unwrap_or_default())
}

fn is_condition(value: &Value) -> bool {
    let known = |(name, inner): (&String, &Value)| match name.as_str() {
        "weight" => inner.as_f64().is_some_and(|weight| weight.fract() == 0.0),
        "place" => inner.is_object(),
        _ => false,
    };
    value.as_object().is_some_and(|fields| fields.iter().all(known))
}

/// A parcel service without faults, as far as these tests look.
fn sound(request: &Request) -> Answer {
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let protected = path == "/parcels" && matches!(request.method, Method::Get | Method::Post);
    if protected && header(request, "x-key") != Some("good") {
        return (401, vec![("www-authenticate", "Key")], json!({}));
    }
    let body = request.body.as_ref().and_then(|body| serde_json::from_slice::<Value>(body.as_bytes()).ok());
    match (request.method, path) {
        (Method::Get, "/parcels") => {
            let limit = query.split('&').find_map(|pair| pair.strip_prefix("limit="));
            let bad = limit.is_some_and(|limit| !(1..=50).contains(&limit.parse().unwrap_or(0)));
            let tagged = header(request, "x-tag").is_none_or(is_tag);
            let narrowed = condition(request).is_none_or(|condition| is_condition(&condition));
            let depot = header(request, "x-depot").is_some();
            plain(if !bad && depot && tagged && narrowed { 200 } else { 400 })
        }
        (Method::Post, "/parcels") => {
            let speed = body.as_ref().and_then(|body| body.get("speed"));
            let known = speed.is_none_or(|speed| speed == "slow" || speed == "fast");
            let to = body.as_ref().is_some_and(|body| body["to"].is_string());
            plain(if to && known { 201 } else { 400 })
        }
        (Method::Get, "/tariffs") => plain(200),
        (_, "/parcels") => (405, vec![("allow", "GET, POST")], json!({})),
        (_, "/tariffs") => (405, vec![("allow", "GET")], json!({})),
        _ => plain(404),
    }
}

/// The codes found on an API, and the requests made to it.
fn search(answer: &dyn Fn(&Request) -> Answer) -> (BTreeSet<&'static str>, Vec<Request>) {
    let (faults, requests) = faults(&|request| {
        let (status, headers, value) = answer(request);
        let text = if value.is_null() { String::new() } else { value.to_string() };
        let response = json_response(status, &text);
        let added = headers.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        Response { headers: response.headers.into_iter().chain(added).collect(), ..response }
    });
    (faults.iter().map(|fault| fault.code.code()).collect(), requests)
}

fn json_response(status: u16, body: &str) -> Response {
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    Response { status, headers, body: Payload::Text(body.into()), truncated: false }
}

/// The faults found on an API, and the requests made to it.
fn faults(answer: &dyn Fn(&Request) -> Response) -> (Vec<Fault>, Vec<Request>) {
    let identity = Identity {
        name: "sender".to_owned(),
        headers: vec![("x-key".to_owned(), "good".into())],
        sign_up: None,
        login: None,
    };
    let identities = vec![identity];
    let api = steady_openapi::parse(DOCUMENT, "parcels").unwrap();
    let secrets: Vec<Secret> = Vec::new();
    let model = ApiModel::new(api, String::new(), &identities, Vec::new(), secrets, |_| true);
    let mut engine = Engine::new(model, "http://127.0.0.1:1".to_owned(), identities);
    let mut random = Random::new(3, 1);
    let mut requests = Vec::new();
    for _ in 0..3_000 {
        let mut execution = Execution::new(engine.plan(&mut random).unwrap(), &mut random);
        let model = std::rc::Rc::clone(engine.model());
        while let Some((request, identity)) = execution.next(&model, &Secrets::default()) {
            let mut request = request.clone();
            if identity.is_some() {
                request.headers.push(("x-key".to_owned(), "good".to_owned()));
            }
            execution.answer(Ok(answer(&request)));
            requests.push(request);
        }
        engine.absorb(&execution, &mut random);
    }
    (engine.faults().cloned().collect(), requests)
}

/// The summaries of the faults of a parcel service that answers this to `GET /tariffs`.
fn faults_of_tariffs(tariffs: &Response) -> Vec<String> {
    let (faults, _) = faults(&|request| match (request.method, request.target.as_str()) {
        (Method::Get, "/tariffs") => tariffs.clone(),
        _ => {
            let (status, headers, value) = sound(request);
            let response = json_response(status, &value.to_string());
            let added = headers.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
            Response { headers: response.headers.into_iter().chain(added).collect(), ..response }
        }
    });
    faults
        .iter()
        .map(|fault| format!("{} {} {}", fault.code.code(), fault.operation, fault.summary))
        .collect()
}

#[test]
fn a_body_that_was_cut_is_a_broken_response() {
    let cut = Response { truncated: true, ..json_response(200, &"[".repeat(4 << 20)) };
    assert_eq!(faults_of_tariffs(&cut), ["F953 GET /tariffs the body is longer than 4 MB and was cut there"]);
    let mut bomb = Response { truncated: true, ..json_response(200, &"0".repeat(1000)) };
    bomb.headers.push(("content-encoding".to_owned(), "gzip, gzip".to_owned()));
    let expected = "F953 GET /tariffs the gzip, gzip body expands to more than 1000 bytes and was cut there";
    assert_eq!(faults_of_tariffs(&bomb), [expected]);
}

#[test]
fn json_that_no_value_holds_is_still_json() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for body in [&deep(2_000), &deep(300_000), r#"{"n": 1e999}"#] {
        assert_eq!(faults_of_tariffs(&json_response(200, body)), Vec::<String>::new());
    }
    let expected = "F101 GET /tariffs the content type says JSON, the body is not JSON";
    assert_eq!(faults_of_tariffs(&json_response(200, r#"{"n": NaN}"#)), [expected]);
}

#[test]
fn a_sound_api_has_no_faults() {
    assert_eq!(search(&sound).0, BTreeSet::new());
}

#[test]
fn one_flaw_is_one_kind_of_fault() {
    let flawed: [(&str, Api); 16] = [
        // The key is looked at only if there is one.
        ("F207", |request| {
            let mut known = request.clone();
            if header(request, "x-key").is_none() {
                known.headers.push(("x-key".to_owned(), "good".to_owned()));
            }
            sound(&known)
        }),
        // Any key will do.
        ("F207", |request| {
            let mut known = request.clone();
            for (_, value) in known.headers.iter_mut().filter(|(name, _)| name == "x-key") {
                *value = "good".to_owned();
            }
            sound(&known)
        }),
        ("F101", |request| match (request.method, request.target.as_str()) {
            (Method::Get, "/tariffs") => (200, Vec::new(), Value::Null),
            _ => sound(request),
        }),
        ("F210", |request| match (request.method, request.target.as_str()) {
            (Method::Put, "/tariffs") => plain(200),
            _ => sound(request),
        }),
        ("F954", |request| match (request.method, request.target.as_str()) {
            (Method::Trace, "/tariffs") => plain(400),
            _ => sound(request),
        }),
        ("F956", |request| match (request.method, request.target.as_str()) {
            (Method::Patch, "/parcels") => (405, vec![("allow", "GET")], json!({})),
            _ => sound(request),
        }),
        // A header the document requires is not missed.
        ("F102", |request| {
            let mut complete = request.clone();
            complete.headers.push(("x-depot".to_owned(), "north".to_owned()));
            sound(&complete)
        }),
        ("F955", |request| match request.target.contains("limit=50") {
            true => plain(400),
            false => sound(request),
        }),
        ("F955", |request| {
            let text =
                request.body.as_ref().map(|body| String::from_utf8_lossy(body.as_bytes()).into_owned());
            match text.is_some_and(|text| text.contains("fast")) {
                true => plain(422),
                false => sound(request),
            }
        }),
        // An empty header is taken for none.
        ("F102", |request| {
            let mut known = request.clone();
            known.headers.retain(|(name, value)| name != "x-tag" || !value.is_empty());
            sound(&known)
        }),
        // A condition on nothing is none.
        ("F102", |request| match condition(request) {
            Some(Value::Object(fields)) if fields.get("weight").is_some_and(Value::is_null) => plain(200),
            _ => sound(request),
        }),
        // The pattern was meant from end to end.
        ("F955", |request| match header(request, "x-tag") {
            Some(tag) if tag.contains('*') && tag != "*" => plain(400),
            _ => sound(request),
        }),
        // Nothing says that the text may not be empty.
        ("F955", |request| {
            let text = request.body.as_ref().map(|body| body.as_bytes().to_vec()).unwrap_or_default();
            let body: Value = serde_json::from_slice(&text).unwrap_or_default();
            if body["to"] == "" { plain(422) } else { sound(request) }
        }),
        // Nothing says what it would take.
        ("F955", |request| match (request.method, sound(request)) {
            (Method::Post, (201, ..)) => plain(400),
            (_, answer) => answer,
        }),
        // A list is looked into before it is looked at.
        ("F100", |request| match condition(request) {
            Some(condition) if condition.to_string().contains("[null") => plain(500),
            _ => sound(request),
        }),
        // What starts with an asterisk is taken for one.
        ("F100", |request| match header(request, "if-none-match") {
            Some(tag) if tag.starts_with('*') && tag != "*" => plain(500),
            _ => sound(request),
        }),
    ];
    for (number, (code, answer)) in flawed.into_iter().enumerate() {
        assert_eq!(search(&answer).0, BTreeSet::from([code]), "flaw {number}");
    }
}

#[test]
fn nothing_is_ever_sent_where_the_api_could_be_stopped() {
    let (_, requests) = search(&sound);
    assert!(requests.iter().all(|request| !request.target.contains("shutdown")));
}

#[test]
fn a_value_that_is_refused_for_what_is_there_already_is_no_fault() {
    let taken = std::cell::RefCell::new(BTreeSet::new());
    let unique = |request: &Request| {
        let body = request.body.as_ref().map(|body| body.as_bytes().to_vec()).unwrap_or_default();
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let answer = sound(request);
        let duplicate = answer.0 == 201 && !taken.borrow_mut().insert(body["to"].to_string());
        if duplicate { plain(422) } else { answer }
    };
    assert_eq!(search(&unique).0, BTreeSet::new());
    assert!(taken.borrow().len() > 10);
}
