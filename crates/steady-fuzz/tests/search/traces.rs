//! No test depends on what the search left in the API.

use serde_json::{Value, json};
use steady_fuzz::drafts::{Draft, write_test};
use steady_fuzz::{Execution, ObservedRun, Plan, Random};
use steady_model::{JsonType, Matcher, Method, Payload, Request, Secrets};

use crate::{json_response, search_of};

#[test]
fn a_test_makes_what_it_refers_to_instead_of_finding_what_the_search_made() {
    let document = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {
      "/projects": {"post": {"responses": {"201": {"description": ""}}}},
      "/assignments/save": {"post": {"requestBody": {"required": true, "content": {"application/json": {"schema":
        {"type": "object", "required": ["projectId"], "properties": {"projectId": {"type": "integer"}}}}}},
        "responses": {"200": {"description": ""}, "400": {"description": ""}}}}}}"#;
    let answer = |projects: &mut u64, request: &Request| match request.target.as_str() {
        "/projects" => {
            *projects += 1;
            json_response(201, &json!({"projectId": 100 + *projects}))
        }
        _ => {
            let sent = request.body.as_ref().map(Payload::as_bytes).unwrap_or_default();
            let body: Value = serde_json::from_slice(sent).unwrap_or_default();
            let exists = |id: u64| (101..=100 + *projects).contains(&id);
            let status = if body["projectId"].as_u64().is_some_and(exists) { 200 } else { 400 };
            json_response(status, &body)
        }
    };
    let mut projects = 0;
    let (_, engine) = search_of(document, 3, 400, |request| answer(&mut projects, request));
    let mut random = Random::new(1, 1);
    let play = |plan: Plan, random: &mut Random| {
        let (mut fresh, mut execution) = (0, Execution::new(plan, random));
        while let Some((request, _)) = execution.next(engine.model(), &Secrets::default()) {
            let request = request.clone();
            execution.answer(Ok(answer(&mut fresh, &request)));
        }
        execution.calls.last().and_then(steady_fuzz::Executed::status)
    };
    // As the search would have it: an id of a project that is there after a while.
    let save = |call: &steady_fuzz::PlannedCall| {
        engine.model().catalog[call.endpoint].operation.id.path == "/assignments/save"
    };
    let cover = engine.archive().cover();
    let mut plans = cover.iter().map(|(candidate, _)| candidate.plan.clone());
    let mut plan = plans.find(|plan| plan.calls.last().is_some_and(save)).unwrap();
    let mut last = plan.calls.pop().unwrap();
    last.bindings.clear();
    last.arguments.body.as_mut().unwrap().value = json!({"projectId": 103});
    let borrowed = Plan { calls: vec![last], fresh: Vec::new() };
    assert_eq!(play(borrowed.clone(), &mut random), Some(400));
    assert!(engine.names_what_it_made(&borrowed));
    let own = engine.with_own_things(&borrowed, &mut random).unwrap();
    assert!(!engine.names_what_it_made(&own));
    assert_eq!(play(own, &mut random), Some(200));
}

#[test]
fn what_the_search_wrote_into_somebody_elses_thing_is_not_asserted() {
    let document = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {
      "/shop": {"get": {"responses": {"200": {"description": ""}}},
        "put": {"requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object",
          "required": ["street"], "properties": {"street": {"type": "string", "minLength": 5}}}}}},
          "responses": {"200": {"description": ""}, "400": {"description": ""}}}}}}"#;
    let mut street = json!("Rue de la Bourse");
    let (_, engine) = search_of(document, 3, 200, |request| {
        let sent =
            request.body.as_ref().and_then(|body| serde_json::from_slice::<Value>(body.as_bytes()).ok());
        match sent.filter(|_| request.method == Method::Put).map(|body| body["street"].clone()) {
            Some(Value::String(text)) if text.len() >= 5 => street = Value::String(text),
            Some(_) => return json_response(400, &json!({})),
            None => {}
        }
        json_response(200, &json!({"name": "Corner", "street": street}))
    });
    let get = engine
        .model()
        .catalog
        .described()
        .find(|(_, one)| one.operation.id.method == Method::Get)
        .map(|(id, _)| id);
    let covered = engine.archive().cover();
    let reads = |plan: &Plan| plan.calls.last().map(|call| call.endpoint) == get;
    let plan = covered.iter().map(|(candidate, _)| candidate.plan.clone()).find(reads).unwrap();
    let plan = Plan { calls: plan.calls[plan.calls.len() - 1..].to_vec(), fresh: Vec::new() };
    let mut random = Random::new(1, 1);
    let asserted = |street: &Value, random: &mut Random| {
        let mut execution = Execution::new(plan.clone(), random);
        execution.next(engine.model(), &Secrets::default()).unwrap();
        execution.answer(Ok(json_response(200, &json!({"name": "Corner", "street": street}))));
        let runs = vec![ObservedRun::of(&execution, 1).unwrap()];
        let draft = Draft {
            number: 0,
            plan: plan.clone(),
            length: 1,
            goals: Vec::new(),
            status: 200,
            runs,
            status_changes: Vec::new(),
        };
        let test = write_test(&engine, &draft, &(String::new(), String::new())).unwrap();
        let at = |place: &str| {
            let place = place.parse().unwrap();
            test.calls[0].expect.iter().find(|one| one.place == place).map(|one| one.matcher.clone())
        };
        (at("body:/name"), at("body:/street"))
    };
    let name = Some(Matcher::Equals("Corner".into()));
    assert_ne!(street, json!("Rue de la Bourse"));
    assert_eq!(asserted(&street, &mut random), (name.clone(), Some(Matcher::Type(JsonType::String))));
    let before = json!("Rue de la Bourse");
    assert_eq!(asserted(&before, &mut random), (name, Some(Matcher::Equals(before.clone()))));
}

#[test]
fn a_test_rests_neither_on_names_the_search_gave_nor_on_what_it_deleted() {
    let document = r#"{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {
      "/users/save": {"post": {"requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object",
          "required": ["username"], "properties": {"username": {"type": "string", "minLength": 6}}}}}},
          "responses": {"200": {"description": ""}}}},
      "/users/username/{username}": {"parameters": [
          {"name": "username", "in": "path", "required": true, "schema": {"type": "string", "default": "selim"}}],
        "get": {"responses": {"200": {"description": ""}, "400": {"description": ""}}},
        "delete": {"responses": {"200": {"description": ""}, "400": {"description": ""}}}}}}"#;
    let mut names = vec!["selim".to_owned()];
    let mut given = None;
    let (requests, engine) = search_of(document, 3, 300, |request| {
        let sent =
            request.body.as_ref().and_then(|body| serde_json::from_slice::<Value>(body.as_bytes()).ok());
        let named = request.target.strip_prefix("/users/username/").map(str::to_owned);
        match (request.method, sent.and_then(|body| body["username"].as_str().map(str::to_owned)), named) {
            (Method::Post, Some(name), _) if name.len() >= 6 => {
                given.get_or_insert_with(|| name.clone());
                names.push(name.clone());
                json_response(200, &json!({"username": name}))
            }
            (Method::Get, _, Some(name)) if names.contains(&name) => {
                json_response(200, &json!({"username": name}))
            }
            (Method::Delete, _, Some(name)) if names.contains(&name) => {
                names.retain(|other| *other != name);
                json_response(200, &json!(true))
            }
            _ => json_response(400, &json!({})),
        }
    });
    let deleted = requests
        .iter()
        .any(|request| request.method == Method::Delete && request.target == "/users/username/selim");
    assert!(deleted, "the search deletes what was there");
    let asks = |name: &str| {
        let covered = engine.archive().cover();
        let method = |plan: &Plan| {
            plan.calls.last().map(|call| engine.model().catalog[call.endpoint].operation.id.method)
        };
        let plans = covered.iter().map(|(candidate, _)| candidate.plan.clone());
        let plan = plans.into_iter().find(|plan| method(plan) == Some(Method::Get)).unwrap();
        let mut call = plan.calls.last().unwrap().clone();
        call.bindings.clear();
        call.arguments.parameters[0] = Some(Value::from(name));
        Plan { calls: vec![call], fresh: Vec::new() }
    };
    assert!(engine.names_what_it_made(&asks(&given.unwrap())));
    assert!(!engine.names_what_it_made(&asks("selim")));
    assert!(!engine.names_what_it_made(&asks("nobody")));
    let misses = |name: &str, status: u16| {
        let mut execution = Execution::new(asks(name), &mut Random::new(1, 1));
        execution.next(engine.model(), &Secrets::default()).unwrap();
        execution.answer(Ok(json_response(status, &json!({}))));
        engine.misses_what_was_there(&execution)
    };
    assert!(misses("selim", 400));
    assert!(!misses("selim", 200), "somebody made it again");
    assert!(!misses("nobody", 400));
    assert!(!misses("selim", 403), "refused for another reason");
}
