//! Requests that between them get every answer an API has.

use serde_json::Value;

use crate::client::Response;
use crate::running::Running;

/// A request.
#[derive(Debug, Clone)]
pub struct Probe {
    /// Method and path as the document has them.
    pub operation: String,
    method: String,
    target: String,
    body: Option<Value>,
}

impl Probe {
    /// Sends it.
    pub fn send(&self, running: &Running) -> Response {
        running.ask(&self.method, &self.target, self.body.as_ref())
    }
}

/// The requests that the examples of a document make: what is taken, what is refused, and without what is required.
pub fn probes(document: &Value) -> Vec<Probe> {
    let mut probes = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let content = &operation["requestBody"]["content"]["application/json"];
            let examples = [content.get("example"), content.get("x-refused")];
            let method = method.to_uppercase();
            let probe = |target: String, body: Option<&Value>| Probe {
                operation: format!("{method} {path}"),
                method: method.clone(),
                target,
                body: body.cloned(),
            };
            let (filled, bare) = targets(path, operation);
            probes.push(probe(filled.clone(), examples[0]));
            probes.extend(examples[1].map(|refused| probe(filled.clone(), Some(refused))));
            if bare != filled {
                probes.push(probe(bare, None));
            }
        }
    }
    probes
}

/// The path with parameters and without those of the query.
fn targets(path: &str, operation: &Value) -> (String, String) {
    let mut bare = path.to_owned();
    let mut query = String::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let (name, example) = (parameter["name"].as_str().unwrap(), &parameter["example"]);
        if parameter["in"] == "path" {
            bare = bare.replace(&format!("{{{name}}}"), &example.to_string());
        } else {
            query = format!("?{name}={example}");
        }
    }
    (format!("{bare}{query}"), bare)
}
