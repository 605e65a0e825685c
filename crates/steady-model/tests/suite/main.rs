//! The format of `suite.json`: what is written is read back, the schema describes it, and both refuse the same.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod generate;

use std::sync::LazyLock;

use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};
use steady_model::Suite;

static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema: Value = serde_json::from_str(include_str!("../../schemas/suite.schema.json")).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
});

/// A suite with something of everything.
fn sample() -> Value {
    json!({
        "version": 1,
        "api": {"title": "Shop", "url": "http://127.0.0.1:8080"},
        "seed": u64::MAX,
        "identities": [{
            "name": "alice",
            "headers": [["x-tenant", "north"], ["x-key", ["k-", {"env": "KEY"}]]],
            "login": {
                "request": {"method": "POST", "target": "/login", "body": {"form": [["user", "alice"]]}},
                "use": {"header": {"token": "body:/token", "name": "authorization", "template": "Bearer {token}"}},
            },
        }],
        "tests": [{
            "name": "get_orders_by_id_returns_200",
            "group": "successes",
            "about": "GET /orders/{id} answers 200.",
            "covers": ["answers 200"],
            "fresh": [{"name": "mail", "prefix": "a", "length": 6, "suffix": "@shop.test"}],
            "calls": [{
                "operation": "POST /orders",
                "as": "alice",
                "request": {
                    "method": "POST",
                    "target": ["/orders/", {"var": "mail"}],
                    "body": {"json": {
                        "value": {"mail": "", "hook": ""},
                        "bind": {"/mail": "mail"},
                        "texts": {"/hook": [{"base": "url"}, "/hook"]},
                    }},
                },
                "captures": [{"name": "id", "from": "header:location", "take": "last_segment"}],
                "expect": [
                    {"where": "status", "is": {"equals": 201}, "note": "created"},
                    {"where": "body:/items", "is": {"size": 1}},
                    {"where": "body:/total", "is": {"type": "number"}},
                    {"where": "body:/debug", "is": "absent"},
                    {"where": "header:location", "is": {"text": [{"base": "origin", "encoded": "plain"}, "/orders"]}},
                    {"where": "body:/links", "is": {"unordered": [""]}, "texts": {"/0": [{"env": "KEY", "encoded": "json"}]}},
                    {"where": "body:/count", "is": {"range": {"min": 1, "max": 9}}},
                    {"where": "body:/token", "is": {"jwt": {"header": {"alg": "HS256"}, "claims": {"sub": "alice"}}}},
                    {"where": "body:/self", "is": {"pattern": {"regex": [{"base": "path"}, "/[0-9]+"], "what": "a link"}}},
                ],
            }],
            "cleanup": [{
                "operation": "DELETE /orders/{id}",
                "request": {
                    "method": "DELETE",
                    "target": ["/orders/", {"var": "id"}],
                    "body": {"multipart": [{"name": "a", "content": {"bytes": "AP8="}}]},
                },
            }],
        }],
    })
}

fn is_read(value: &Value) -> bool {
    serde_json::from_value::<Suite>(value.clone()).is_ok()
}

#[test]
fn the_sample_is_read_and_described() {
    assert!(is_read(&sample()));
    SCHEMA.validate(&sample()).unwrap();
}

#[test]
fn the_suite_of_the_test_support_is_described() {
    let suite: Value =
        serde_json::from_str(include_str!("../../../steady-testkit/fixtures/suite.json")).unwrap();
    SCHEMA.validate(&suite).unwrap();
}

#[test]
fn another_version_is_not_described() {
    let mut suite = sample();
    suite["version"] = json!(2);
    assert!(!SCHEMA.is_valid(&suite));
}

#[test]
fn broken_suites_are_refused_by_reader_and_schema() {
    let cases = [
        ("/version", json!("1")),
        ("/api", json!({"title": "Shop"})),
        ("/seed", json!(-1)),
        ("/identities/0/headers/0", json!(["x-tenant", "north", "south"])),
        ("/identities/0/headers/0", json!(["x-tenant"])),
        ("/identities/0/headers/0/1", json!([{"variable": "id"}])),
        ("/identities/0/headers/0/1", json!([{"var": "id", "env": "KEY"}])),
        ("/identities/0/headers/0/1", json!([{"base": "host"}])),
        ("/identities/0/headers/0/1", json!([{"base": "url", "encoded": "utf8"}])),
        ("/identities/0/headers/0/1", json!([{"base": "url", "env": "KEY"}])),
        ("/identities/0/login/use", json!("token")),
        ("/identities/0/login/use", json!({"query": {"token": "body:/token"}})),
        ("/tests", json!({})),
        ("/tests/0/group", json!("failures")),
        ("/tests/0/fresh/0", json!({"name": "a", "prefix": "b"})),
        ("/tests/0/fresh/0/length", json!(-6)),
        ("/tests/0/calls/0/operation", json!("/orders")),
        ("/tests/0/calls/0/operation", json!("FETCH /orders")),
        ("/tests/0/calls/0/request/method", json!("FETCH")),
        ("/tests/0/calls/0/request/target", json!(7)),
        ("/tests/0/calls/0/request/body", json!({"xml": "<a/>"})),
        ("/tests/0/calls/0/request/body", json!({"form": [], "multipart": []})),
        ("/tests/0/calls/0/request/body", json!({"json": {"valeu": 1}})),
        (
            "/tests/0/calls/0/request/body",
            json!({"bytes": {"content_type": "a/b", "payload": {"bytes": "A==="}}}),
        ),
        ("/tests/0/calls/0/request/body/json/texts/~1hook", json!({"base": "url"})),
        ("/tests/0/calls/0/expect/5/texts", json!(["KEY"])),
        ("/tests/0/calls/0/expect/8/is/pattern/regex", json!({"base": "url"})),
        ("/tests/0/calls/0/captures/0/from", json!("boddy:/id")),
        ("/tests/0/calls/0/captures/0/from", json!("body:id")),
        ("/tests/0/calls/0/captures/0/take", json!("first_segment")),
        ("/tests/0/calls/0/expect/0/is", json!({"equal": 1})),
        ("/tests/0/calls/0/expect/0/is", json!({"size": -1})),
        ("/tests/0/calls/0/expect/0/is", json!({"type": "float"})),
        ("/tests/0/calls/0/expect/0/is", json!("missing")),
        ("/tests/0/calls/0/expect/0", json!({"where": "status", "is": "present", "note_": "x"})),
    ];
    for (pointer, value) in cases {
        let mut suite = sample();
        *suite.pointer_mut(pointer).unwrap() = value.clone();
        assert!(!is_read(&suite), "{pointer} {value} is read");
        assert!(!SCHEMA.is_valid(&suite), "{pointer} {value} is described");
    }
}

/// Every place of a document, by pointer.
fn places(value: &Value, pointer: &str, out: &mut Vec<String>) {
    out.push(pointer.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| places(item, &format!("{pointer}/{at}"), out));
        }
        Value::Object(fields) => fields.iter().for_each(|(name, field)| {
            let token = name.replace('~', "~0").replace('/', "~1");
            places(field, &format!("{pointer}/{token}"), out);
        }),
        _ => {}
    }
}

/// One change to a document.
#[derive(Debug, Clone)]
enum Change {
    Replace(Value),
    RemoveFirst,
    AddUnknown,
}

/// Every change that is tried at a place.
fn changes() -> Vec<Change> {
    let values =
        [json!(7), json!(-7), json!(0.5), json!(true), json!("word"), json!([]), json!({}), json!([[]])];
    values.map(Change::Replace).into_iter().chain([Change::RemoveFirst, Change::AddUnknown]).collect()
}

fn apply(change: Change, place: &mut Value) {
    match (change, place) {
        (Change::Replace(value), place) => *place = value,
        (Change::RemoveFirst, Value::Object(fields)) => {
            if let Some(name) = fields.keys().next().cloned() {
                fields.remove(&name);
            }
        }
        (Change::RemoveFirst, Value::Array(items)) if !items.is_empty() => {
            items.remove(0);
        }
        // Begins with a slash, so that it could be a pointer where any name is allowed.
        (Change::AddUnknown, Value::Object(fields)) => {
            fields.insert("/unknown".to_owned(), json!("x"));
        }
        (Change::AddUnknown, Value::Array(items)) => items.push(json!("x")),
        (Change::RemoveFirst | Change::AddUnknown, _) => {}
    }
}

#[test]
fn reader_and_schema_agree_on_every_change_of_the_sample() {
    let mut all = Vec::new();
    places(&sample(), "", &mut all);
    for place in all.iter().filter(|place| *place != "/version") {
        for change in changes() {
            let mut value = sample();
            apply(change.clone(), value.pointer_mut(place).unwrap());
            // The reader leaves the version to whoever knows which ones there are.
            if value["version"] == 1 {
                assert_eq!(is_read(&value), SCHEMA.is_valid(&value), "{place} {change:?}: {value}");
            }
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_described_and_read_back(suite in generate::suite()) {
        let written = serde_json::to_string(&suite).unwrap();
        let value: Value = serde_json::from_str(&written).unwrap();
        prop_assert!(SCHEMA.is_valid(&value), "{}", written);
        prop_assert_eq!(serde_json::from_str::<Suite>(&written).unwrap(), suite);
    }

    #[test]
    fn reader_and_schema_agree_on_every_changed_suite(
        suite in generate::suite(), at in any::<prop::sample::Index>(), change in prop::sample::select(changes()),
    ) {
        let mut value = serde_json::to_value(&suite).unwrap();
        let mut all = Vec::new();
        places(&value, "", &mut all);
        // The reader leaves the version to whoever knows which ones there are.
        all.retain(|place| place != "/version");
        let place = at.get(&all);
        apply(change.clone(), value.pointer_mut(place).unwrap());
        prop_assume!(value["version"] == 1);
        prop_assert_eq!(is_read(&value), SCHEMA.is_valid(&value), "{} {:?}: {}", place, change, value);
    }
}
