//! The search against a pretend API: plain functions, no network.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::{Value, json};
use steady_model::{Method, Payload, Request, Response};
use steady_replay::KnownSecrets;
use steady_search::{Engine, Execution, Random, Terrain};

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
        let body = if status == 204 { Payload::default() } else { Payload::Text(value.to_string()) };
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
    let api = steady_openapi::parse(DOCUMENT, "notes").unwrap();
    let terrain = Terrain::new(api, String::new(), &[], Vec::new(), Vec::new(), |_| true);
    let mut engine = Engine::new(terrain, "http://127.0.0.1:1".to_owned(), Vec::new());
    let mut random = Random::new(seed, 1);
    let mut notes = Notes::default();
    let mut requests = Vec::new();
    for _ in 0..plans {
        let mut execution = Execution::new(engine.plan(&mut random).unwrap(), &mut random);
        let terrain = std::rc::Rc::clone(&engine.terrain);
        while let Some((request, _)) = execution.next(&terrain, &KnownSecrets::default()) {
            let request = request.clone();
            execution.answer(Ok(notes.answer(&request)));
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
    let server_errors: Vec<_> = engine.faults.values().filter(|fault| fault.status == 500).collect();
    assert_eq!(server_errors.len(), 1, "{server_errors:?}");
    assert!(server_errors[0].seen > 1);
    assert!(server_errors[0].curl.starts_with("curl -sS -X POST"), "{}", server_errors[0].curl);
}

#[test]
fn undocumented_statuses_and_missing_allow_are_faults() {
    let (_, engine) = search(7, 300);
    let codes: Vec<&str> = engine.faults.values().map(|fault| fault.code.code()).collect();
    assert!(codes.contains(&"F950"), "{codes:?}");
}

#[test]
fn the_cover_reaches_every_goal_of_the_archive() {
    let (_, engine) = search(7, 600);
    let covered: usize = engine.archive.cover().iter().map(|(_, goals)| goals.len()).sum();
    assert_eq!(covered, engine.archive.len());
    assert!(!engine.archive.is_empty());
}
