//! The texts of an API's document. They are public, therefore not secret.

use serde_json::Value;
use steady_model::Secrets;
use steady_openapi::{Api, MediaType, Schema};

/// Registers the texts that the document holds as examples and defaults, and those that are choices of a closed list.
pub fn register(api: &Api, secrets: &Secrets) {
    let mut texts = Texts::default();
    api.definitions.values().for_each(|schema| texts.schema(schema));
    for operation in &api.operations {
        for parameter in &operation.parameters {
            texts.schema(&parameter.schema.0);
            texts.examples(&parameter.examples);
        }
        let bodies = operation.body.iter().flat_map(|body| &body.content);
        let answers = operation.responses.iter().flat_map(|response| &response.content);
        bodies.chain(answers).for_each(|content| texts.content(content));
        let headers = operation.responses.iter().flat_map(|response| &response.headers);
        headers.filter_map(|header| header.schema.as_ref()).for_each(|schema| texts.schema(&schema.0));
    }
    secrets.document(texts.examples);
    secrets.choices(texts.choices);
}

#[derive(Default)]
struct Texts {
    examples: Vec<String>,
    choices: Vec<String>,
}

impl Texts {
    fn content(&mut self, content: &MediaType) {
        if let Some(Schema(schema)) = &content.schema {
            self.schema(schema);
        }
        self.examples(&content.examples);
    }

    fn examples(&mut self, values: &[Value]) {
        values.iter().for_each(|value| texts(value, &mut self.examples));
    }

    fn schema(&mut self, schema: &Value) {
        match schema {
            Value::Object(members) => {
                for (key, value) in members {
                    match key.as_str() {
                        "example" | "examples" | "default" => texts(value, &mut self.examples),
                        "enum" | "const" => texts(value, &mut self.choices),
                        _ => self.schema(value),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.schema(item)),
            _ => {}
        }
    }
}

fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(members) => members.values().for_each(|member| texts(member, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
