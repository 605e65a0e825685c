//! Suites that hold on another address than the one they were made at.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::support::{Answer, Call, Invocation, Service};

const DOCUMENT: &str = r##"{
  "openapi": "3.0.3",
  "info": {"title": "Contacts", "version": "1"},
  "paths": {
    "/contacts": {
      "get": {"responses": {"200": {"description": "all"}}},
      "post": {
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Contact"}}}},
        "responses": {"201": {"description": "created"}, "400": {"description": "refused"}}
      }
    },
    "/contacts/{id}": {
      "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
      "get": {"responses": {"200": {"description": "one"}, "404": {"description": "none"}}},
      "delete": {"responses": {"204": {"description": "gone"}, "404": {"description": "none"}}}
    }
  },
  "components": {"schemas": {"Contact": {
    "type": "object", "required": ["name"], "properties": {"name": {"type": "string", "minLength": 1}, "homepage": {"type": "string"}}
  }}}
}"##;

/// Contacts under a path, with links to themselves wherever an API puts them.
#[derive(Default)]
struct Contacts {
    path: &'static str,
    known: Mutex<BTreeMap<usize, Value>>,
}

impl Contacts {
    fn answer(&self, number: usize, call: &Call) -> Answer {
        let base = format!("http://{}{}", call.header("host"), self.path);
        let (method, target) = call.line.split_once(' ').unwrap_or_default();
        let Some(target) = target.strip_prefix(self.path) else { return Answer::status(404) };
        let mut known = self.known.lock().unwrap();
        let id = target.strip_prefix("/contacts/").and_then(|id| id.parse::<usize>().ok());
        match (method, target, id) {
            ("GET", "/contacts", _) => {
                let next = format!("<{base}/contacts?page=2>; rel=\"next\"");
                Answer::json(200, &json!({"first": format!("{base}/contacts?page=1")}).to_string())
                    .with("link", &next)
            }
            ("POST", "/contacts", _) => {
                let sent: Value = serde_json::from_str(&call.body).unwrap_or_default();
                if !sent["name"].is_string() {
                    return Answer::json(400, &json!({"help": format!("see {base}/help.")}).to_string());
                }
                let body = self.described(&base, call.header("host"), number, &sent);
                known.insert(number, sent);
                Answer::json(201, &body.to_string())
                    .with("location", &format!("{}/contacts/{number}", self.path))
            }
            ("GET", _, Some(id)) if known.contains_key(&id) => {
                let body = self.described(&base, call.header("host"), id, &known[&id]);
                Answer::json(200, &body.to_string())
                    .with("content-location", &format!("{base}/contacts/{id}"))
            }
            ("DELETE", _, Some(id)) if known.remove(&id).is_some() => Answer::status(204),
            (_, _, Some(_)) => {
                Answer::json(404, &json!({"error": format!("{base} has no such contact")}).to_string())
            }
            _ => Answer::status(405).with("allow", "GET, POST"),
        }
    }

    fn described(&self, base: &str, authority: &str, id: usize, sent: &Value) -> Value {
        let encoded = base.replace(':', "%3A").replace('/', "%2F");
        json!({
            "id": id,
            "name": sent["name"],
            "homepage": sent["homepage"],
            "self": {"href": format!("{base}/contacts/{id}")},
            "html": format!("<a href=\"{base}/contacts/{id}\">me</a> at {authority}"),
            "text": format!("{{\"self\":\"{}\"}}", base.replace('/', "\\/")),
            "login": format!("/login?next={encoded}"),
            "links": [format!("{base}/a"), format!("{base}/b")],
            // A number that is no address.
            "year": 1999,
        })
    }

    fn start(path: &'static str) -> Service {
        let contacts = Self { path, ..Self::default() };
        Service::start(move |number, call| contacts.answer(number, call))
    }
}

#[test]
fn a_suite_holds_on_another_port_and_under_another_path() {
    for (made, moved) in [("", "/moved/here"), ("/app", ""), ("/app", "/other/app")] {
        let service = Contacts::start(made);
        let url = format!("{}{made}", service.url());
        let arguments = ["fuzz", "--openapi", "api.json", "--url", &url, "--requests", "400", "--seed", "3"];
        let outcome = Invocation::new(arguments).file("api.json", DOCUMENT).run();
        let suite = outcome.read("steady-out/suite.json");
        let parsed: Value = serde_json::from_str(&suite).unwrap();
        assert!(parsed["tests"].as_array().unwrap().len() >= 5, "{suite}");
        let authority = service.url().trim_start_matches("http://");
        let said = suite.replace(&format!("\"url\": \"{url}\""), "");
        assert!(!said.contains(authority), "the suite says where it was made: {said}");
        assert!(said.contains("body:/year") && said.contains("1999"), "what is no address stays: {said}");

        let moved_to = Contacts::start(moved);
        let moved_url = format!("{}{moved}", moved_to.url());
        let outcome =
            Invocation::within(outcome.into_folder(), ["run", "steady-out/suite.json", "--url", &moved_url])
                .run();
        assert!(outcome.stdout.contains(" 0 failed"), "from `{made}` to `{moved}`: {}", outcome.stdout);
        let outcome = outcome.exits_with(0);
        // And the other way round: what another API says about itself is not taken for the same.
        let elsewhere = format!("{}{moved}", service.url());
        let strict =
            Invocation::within(outcome.into_folder(), ["run", "steady-out/suite.json", "--url", &elsewhere])
                .run();
        assert!(made == moved || !strict.stdout.contains(" 0 failed"), "{}", strict.stdout);
    }
}

#[test]
fn a_suite_holds_on_whatever_port_the_api_is_started_with() {
    let path = std::env::var("PATH").unwrap_or_default();
    let start = "[sut]\nstart = \"python3 api.py {port}\"\nready = \"GET /health\"\n";
    for perturb in ["off", "restart"] {
        let arguments =
            ["fuzz", "--openapi", "api.json", "--requests", "200", "--seed", "3", "--perturb", perturb];
        let made = Invocation::new(arguments)
            .file("api.json", DOCUMENT)
            .file("api.py", include_str!("projects/travel/api.py"))
            .file("steady.toml", start)
            .env("PATH", &path)
            .run();
        let suite = made.read("steady-out/suite.json");
        assert!(suite.contains("body:/own"), "{suite}");
        let mut folder = made.into_folder();
        for _ in 0..2 {
            let run = Invocation::within(folder, ["run", "steady-out/suite.json"]).env("PATH", &path);
            let outcome = run.run().exits_with(0);
            assert!(outcome.stdout.contains(" 0 failed"), "{}", outcome.stdout);
            folder = outcome.into_folder();
        }
    }
}

#[test]
fn an_older_suite_that_says_where_it_was_made_can_be_stabilized() {
    let service = Contacts::start("/app");
    let suite = json!({
        "version": 1, "api": {"title": "Contacts", "url": "http://127.0.0.1:9"}, "seed": 1,
        "tests": [{
            "name": "all", "group": "successes", "about": "all",
            "calls": [{
                "operation": "GET /contacts",
                "request": {"method": "GET", "target": "/contacts"},
                "expect": [
                    {"where": "header:link", "is": {"equals": "<http://127.0.0.1:9/contacts?page=2>; rel=\"next\""}},
                    {"where": "body:/first", "is": {"pattern": {"regex": "http://127\\.0\\.0\\.1:9/contacts\\?page=[0-9]", "what": "a page"}}},
                ],
            }],
        }],
    });
    let url = format!("{}/app", service.url());
    let arguments = ["stabilize", "suite.json", "--url", &url, "--reruns", "1", "--write"];
    let outcome = Invocation::new(arguments).file("suite.json", suite.to_string()).run();
    let written: Value = serde_json::from_str(&outcome.read("suite.json")).unwrap();
    let expect = &written["tests"][0]["calls"][0]["expect"];
    assert_eq!(
        expect[0]["is"]["text"][1],
        json!({"base": "url"}),
        "{expect} {}{}",
        outcome.stdout,
        outcome.stderr
    );
    assert_eq!(expect[1]["is"]["pattern"]["regex"][0], json!({"base": "url"}), "{expect}");
    let outcome = Invocation::within(outcome.into_folder(), ["run", "suite.json", "--url", &url]).run();
    assert!(outcome.stdout.contains(" 0 failed"), "{}", outcome.stdout);
}
