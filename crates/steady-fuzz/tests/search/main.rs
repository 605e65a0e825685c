//! The search against a pretend API: plain functions, no network.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod traces;

use serde_json::{Value, json};
use steady_fuzz::drafts::{Draft, shorten};
use steady_fuzz::{ApiModel, Engine, Execution, Intent, Plan, Random};
use steady_model::{Method, Payload, Request, Response, Secrets};

const DOCUMENT: &str = r##"{"openapi": "3.1.0", "info": {"title": "Notes", "version": "1"}, "paths": {
  "/notes": {
    "get": {"parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 50}},
                           {"name": "order", "in": "query", "schema": {"enum": ["up", "down"]}}],
            "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "array"}}}}}},
    "post": {"requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Note"}}}},
             "responses": {"201": {"description": ""}, "400": {"description": ""}}}},
  "/notes/{noteId}": {"parameters": [{"name": "noteId", "in": "path", "required": true, "schema": {"type": "integer"}}],
    "get": {"responses": {"200": {"description": ""}, "404": {"description": ""}}},
    "delete": {"responses": {"204": {"description": ""}, "404": {"description": ""}}}}},
  "components": {"schemas": {"Note": {"type": "object", "required": ["text"], "additionalProperties": false,
    "properties": {"text": {"type": "string", "minLength": 1, "maxLength": 30}, "stars": {"type": "integer", "minimum": 0, "maximum": 5}}}}}}"##;

/// An API of notes that fails on five stars.
#[derive(Default)]
struct Notes {
    notes: Vec<Option<Value>>,
}

impl Notes {
    fn answer(&mut self, request: &Request) -> Response {
        let path = request.target.split('?').next().unwrap_or_default();
        let body =
            request.body.as_ref().and_then(|body| serde_json::from_slice::<Value>(body.as_bytes()).ok());
        let id = path.strip_prefix("/notes/").and_then(|id| id.parse::<usize>().ok());
        let note = id.and_then(|id| self.notes.get_mut(id)).filter(|note| note.is_some());
        let (status, value) = match (request.method, path, note) {
            (Method::Get, "/notes", _) => (200, json!(self.notes.iter().flatten().collect::<Vec<_>>())),
            (Method::Post, "/notes", _) => match body {
                Some(body) if body["stars"] == 5 => {
                    (500, json!({"error": format!("cannot count to {}", self.notes.len())}))
                }
                Some(mut body) if body["text"].as_str().is_some_and(|text| !text.is_empty()) => {
                    body["noteId"] = json!(self.notes.len());
                    self.notes.push(Some(body.clone()));
                    (201, body)
                }
                _ => (400, json!({"error": "no text"})),
            },
            (Method::Get, _, Some(note)) => (200, note.clone().unwrap_or_default()),
            (Method::Delete, _, Some(note)) => {
                *note = None;
                (204, Value::Null)
            }
            (Method::Get | Method::Delete, _, None) => (404, json!({"error": "no such note"})),
            _ => (405, json!({})),
        };
        let body = if status == 204 { Payload::default() } else { Payload::Text(value.to_string().into()) };
        Response {
            status,
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body,
            truncated: false,
        }
    }
}

/// Plays `plans` plans; yields the requests made and the engine.
fn search(seed: u64, plans: usize) -> (Vec<Request>, Engine) {
    let mut notes = Notes::default();
    search_of(DOCUMENT, seed, plans, |request| notes.answer(request))
}

/// The same of any API.
fn search_of(
    document: &str,
    seed: u64,
    plans: usize,
    mut answer: impl FnMut(&Request) -> Response,
) -> (Vec<Request>, Engine) {
    let api = steady_openapi::parse(document, "api").unwrap();
    let model = ApiModel::new(api, String::new(), &[], Vec::new(), Vec::new(), |_| true);
    let mut engine = Engine::new(model, "http://127.0.0.1:1".to_owned(), Vec::new());
    let mut random = Random::new(seed, 1);
    let mut requests = Vec::new();
    for _ in 0..plans {
        let mut execution = Execution::new(engine.plan(&mut random).unwrap(), &mut random);
        let model = std::rc::Rc::clone(engine.model());
        while let Some((request, _)) = execution.next(&model, &Secrets::default()) {
            let request = request.clone();
            execution.answer(Ok(answer(&request)));
            requests.push(request);
        }
        engine.absorb(&execution, &mut random);
    }
    (requests, engine)
}

#[test]
fn the_same_seed_gives_the_same_requests_and_another_seed_gives_others() {
    let (first, _) = search(7, 300);
    let (second, _) = search(7, 300);
    let (other, _) = search(8, 300);
    assert_eq!(first, second);
    assert_ne!(first, other);
}

#[test]
fn every_operation_succeeds_and_ids_come_from_creators() {
    let (requests, engine) = search(7, 300);
    assert_eq!(engine.unsuccessful(), []);
    let read = requests
        .iter()
        .filter(|request| request.method == Method::Get && request.target.starts_with("/notes/"));
    assert!(read.count() > 10);
}

#[test]
fn one_fault_is_one_fault_however_its_message_varies() {
    let (_, engine) = search(7, 600);
    let server_errors: Vec<_> = engine.faults().filter(|fault| fault.status == 500).collect();
    assert_eq!(server_errors.len(), 1, "{server_errors:?}");
    assert!(server_errors[0].seen > 1);
    assert!(server_errors[0].curl.starts_with("curl -sS -X POST"), "{}", server_errors[0].curl);
}

#[test]
fn undocumented_statuses_and_missing_allow_are_faults() {
    let (_, engine) = search(7, 300);
    let codes: Vec<&str> = engine.faults().map(|fault| fault.code.code()).collect();
    assert!(codes.contains(&"F950"), "{codes:?}");
}

#[test]
fn the_cover_reaches_every_goal_of_the_archive() {
    let (_, engine) = search(7, 600);
    let covered: usize = engine.archive().cover().iter().map(|(_, goals)| goals.len()).sum();
    assert_eq!(covered, engine.archive().len());
    assert!(!engine.archive().is_empty());
}

fn json_response(status: u16, value: &Value) -> Response {
    Response {
        status,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: Payload::Text(value.to_string().into()),
        truncated: false,
    }
}

#[test]
fn every_operation_is_called_before_one_is_called_twenty_times() {
    // Whatever needs a parent needs a call that never works.
    let id = r#"{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}"#;
    let child =
        |number: usize| format!(r#""/parents/{{id}}/part{number}": {{"parameters": [{id}], "get": {{}}}}"#);
    let children = (0..30).map(child).collect::<Vec<_>>().join(",");
    let document = format!(
        r#"{{"openapi": "3.0.3", "info": {{"title": "t", "version": "1"}}, "paths":
           {{"/parents": {{"post": {{}}, "get": {{}}}}, {children}}}}}"#
    );
    for works in [false, true] {
        let (requests, _) = search_of(&document, 3, 200, |request| match request.method {
            Method::Post if works => json_response(201, &json!({"id": 1})),
            _ => json_response(401, &json!({})),
        });
        let mut counts = indexmap::IndexMap::<String, usize>::new();
        for request in &requests {
            let part = request.target.rsplit('/').next().unwrap_or_default();
            *counts.entry(format!("{} {part}", request.method)).or_default() += 1;
            if counts.values().any(|count| *count >= 20) {
                break;
            }
        }
        let called = (0..30).filter(|number| counts.contains_key(&format!("GET part{number}"))).count();
        assert_eq!(called, 30, "{counts:?}");
    }
}

#[test]
fn what_is_most_valuable_is_checked_first() {
    let (_, engine) = search(7, 600);
    let statuses: Vec<u16> = engine
        .archive()
        .by_priority()
        .iter()
        .filter_map(|(candidate, _)| Some(candidate.run.as_ref()?.responses.last()?.response.status))
        .collect();
    let operations = engine.model().catalog.described_count();
    assert!(statuses[..operations].iter().all(|status| (200..300).contains(status)), "{statuses:?}");
    assert_eq!(statuses[operations], 500, "{statuses:?}");
    let refused = statuses.iter().position(|status| matches!(status, 400 | 404)).unwrap();
    assert!(statuses[refused..].iter().all(|status| matches!(status, 400..500)), "{statuses:?}");
    assert_eq!(statuses.len(), engine.archive().cover().len());
}

#[test]
fn one_cause_is_one_fault_with_the_list_of_operations() {
    let path =
        |name: &str| format!(r#""/{name}": {{"post": {{"responses": {{"200": {{"description": ""}}}}}}}}"#);
    let paths = ["cats", "dogs", "owls"].map(path).join(",");
    let document =
        format!(r#"{{"openapi": "3.0.3", "info": {{"title": "t", "version": "1"}}, "paths": {{{paths}}}}}"#);
    let (_, engine) = search_of(&document, 3, 3_000, |request| {
        let bare =
            |(name, value): &(String, String)| name == "content-type" && value == "multipart/form-data";
        match request.method {
            // The framework fails before any operation is reached; one operation fails by itself.
            _ if request.headers.iter().any(bare) => json_response(500, &json!({"message": "no boundary"})),
            Method::Post if request.target == "/owls" => json_response(500, &json!({"message": "no owls"})),
            Method::Post => json_response(200, &json!({})),
            _ => json_response(405, &json!({})),
        }
    });
    let causes = engine.causes();
    let errors: Vec<_> = causes.iter().map(|(fault, _)| fault).filter(|fault| fault.status == 500).collect();
    let [bare, own] = errors.as_slice() else { panic!("{errors:#?}") };
    let (bare, own) = if bare.also.is_empty() { (own, bare) } else { (bare, own) };
    assert_eq!((bare.also.len(), bare.summary.as_str()), (2, "no boundary"));
    assert!(own.also.is_empty() && own.summary == "no owls", "{own:?}");
}

#[test]
fn a_documented_authorization_is_sent_and_a_request_without_it_is_not_called_valid() {
    let document = r#"{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {
        "/tan": {"post": {"parameters": [{"name": "Authorization", "in": "header", "required": true,
                                          "schema": {"type": "string"}}],
                          "responses": {"201": {"description": ""}, "400": {"description": ""}}}}}}"#;
    let (requests, engine) = search_of(document, 3, 300, |request| match request.header("authorization") {
        Some(value) if value.starts_with("Bearer ") && value.len() > 20 => json_response(201, &json!({})),
        _ => json_response(400, &json!({"error": "no authorization"})),
    });
    assert!(requests.iter().any(|request| request.header("authorization").is_some()));
    assert_eq!(engine.unsuccessful(), []);
    let wrong = engine.faults().find(|fault| fault.code == steady_model::FaultCode::ValidInputRejected);
    assert_eq!(wrong, None);
}

/// An API in which POST with the id of a thing that exists changes that thing.
const UPSERT: &str = r##"{"openapi": "3.0.3", "info": {"title": "Projects", "version": "1"}, "paths": {
  "/projects": {
    "get": {"responses": {"200": {"description": ""}}},
    "post": {"requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object",
        "required": ["projectId", "title"],
        "properties": {"projectId": {"type": "integer"}, "title": {"type": "string"}}}}}},
      "responses": {"200": {"description": ""}}}},
  "/projects/{projectId}": {"parameters": [{"name": "projectId", "in": "path", "required": true, "schema": {"type": "integer"}}],
    "delete": {"responses": {"200": {"description": ""}}}}}}"##;

#[test]
fn what_is_created_never_has_the_id_of_a_thing_that_was_there() {
    let mut posted = Vec::new();
    search_of(UPSERT, 5, 400, |request| {
        let body =
            request.body.as_ref().and_then(|body| serde_json::from_slice::<Value>(body.as_bytes()).ok());
        match (request.method, body) {
            (Method::Get, _) => json_response(200, &json!([{"projectId": 1, "title": "theirs"}])),
            (Method::Post, Some(body)) if body["projectId"].is_i64() && body["title"].is_string() => {
                posted.push(body["projectId"].clone());
                json_response(200, &body)
            }
            (Method::Post, _) => json_response(400, &json!({})),
            _ => json_response(200, &json!({})),
        }
    });
    assert!(posted.len() > 20, "{}", posted.len());
    // Boundary values are tried for their own sake.
    let theirs = posted.iter().filter(|id| **id == 1).count();
    assert!(theirs * 50 <= posted.len(), "{theirs} of {}", posted.len());
}

#[test]
fn a_test_of_invalid_input_keeps_what_is_invalid() {
    let (_, mut engine) = search(7, 60);
    let mut random = Random::new(11, 1);
    let mut seen = 0;
    for _ in 0..3000 {
        let plan = engine.plan(&mut random).unwrap();
        let last = plan.calls.last().unwrap();
        let Intent::Invalid { parameter: None, violation } = last.intent.clone() else { continue };
        let body = |plan: &Plan| plan.calls.last().and_then(|call| call.arguments.body.clone());
        let Some(invalid) = body(&plan).and_then(|body| body.value.pointer(&violation.pointer).cloned())
        else {
            continue;
        };
        let length = plan.calls.len();
        let draft = Draft {
            number: 0,
            plan,
            length,
            goals: Vec::new(),
            status: 201,
            runs: Vec::new(),
            status_changes: Vec::new(),
        };
        for smaller in shorten(&draft, &engine.model().catalog) {
            let kept = body(&smaller).and_then(|body| body.value.pointer(&violation.pointer).cloned());
            assert_eq!(kept.as_ref(), Some(&invalid), "{}", violation.pointer);
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn a_test_that_deletes_what_a_list_showed_is_known() {
    let document = r##"{"openapi": "3.0.3", "info": {"title": "Items", "version": "1"}, "paths": {
      "/items": {"get": {"responses": {"200": {"description": ""}}}},
      "/items/{itemId}": {"parameters": [{"name": "itemId", "in": "path", "required": true, "schema": {"type": "integer"}}],
        "delete": {"responses": {"204": {"description": ""}}}}}}"##;
    let answer = |request: &Request| match request.method {
        Method::Get => json_response(200, &json!([{"itemId": 1}])),
        _ => json_response(204, &Value::Null),
    };
    let deletes = |document: &str, answer: &mut dyn FnMut(&Request) -> Response| {
        let (_, mut engine) = search_of(document, 3, 60, &mut *answer);
        let mut random = Random::new(3, 2);
        let mut verdicts = Vec::new();
        for _ in 0..200 {
            let mut execution = Execution::new(engine.plan(&mut random).unwrap(), &mut random);
            while let Some((request, _)) = execution.next(engine.model(), &Secrets::default()) {
                let request = request.clone();
                execution.answer(Ok(answer(&request)));
            }
            let plan = execution.plan.clone();
            let is_bound = plan.calls.iter().any(|call| {
                engine.model().catalog[call.endpoint].operation.id.method == Method::Delete
                    && !call.bindings.is_empty()
            });
            let length = plan.calls.len();
            let draft = Draft {
                number: 0,
                plan,
                length,
                goals: Vec::new(),
                status: 204,
                runs: Vec::new(),
                status_changes: Vec::new(),
            };
            if is_bound && execution.is_complete() {
                verdicts.push(draft.deletes_what_others_made(engine.model(), &execution));
            }
        }
        verdicts
    };
    let theirs = deletes(document, &mut { answer });
    assert!(theirs.len() > 5 && theirs.iter().all(|verdict| *verdict), "{theirs:?}");
    let mut notes = Notes::default();
    let own = deletes(DOCUMENT, &mut |request| notes.answer(request));
    assert!(own.iter().filter(|verdict| !**verdict).count() > 5, "{own:?}");
}

#[test]
fn a_rate_limit_is_nothing_to_test() {
    let (_, engine) = search_of(DOCUMENT, 3, 40, |_| json_response(429, &json!({"error": "slow down"})));
    assert!(engine.archive().cover().is_empty());
}
