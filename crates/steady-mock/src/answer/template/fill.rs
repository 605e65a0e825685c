//! Fills a template in.

use serde_json::Value;

use super::parse::{Argument, Call, Node};
use super::{Random, helpers, request};
use crate::mapping::Mapping;
use crate::matching::Received;

/// What a template is filled in with.
pub(super) struct Filling<'a> {
    mapping: &'a Mapping,
    received: &'a Received,
    pub(super) random: &'a mut Random,
    /// The items of the loops around, the innermost last.
    loops: Vec<Turn>,
}

struct Turn {
    item: Value,
    key: Value,
    first: bool,
    last: bool,
}

impl<'a> Filling<'a> {
    pub(super) fn new(mapping: &'a Mapping, received: &'a Received, random: &'a mut Random) -> Self {
        Self { mapping, received, random, loops: Vec::new() }
    }

    /// The text of these parts.
    pub(super) fn text(&mut self, nodes: &[Node]) -> String {
        let mut text = String::new();
        for node in nodes {
            match node {
                Node::Text(plain) => text.push_str(plain),
                Node::Value(call) => text.push_str(&shown(&self.value(call))),
                Node::Block { call, then, otherwise } => text.push_str(&self.block(call, then, otherwise)),
            }
        }
        text
    }

    fn block(&mut self, call: &Call, then: &[Node], otherwise: &[Node]) -> String {
        let arguments: Vec<Value> = call.arguments.iter().map(|argument| self.argument(argument)).collect();
        let first = arguments.first().cloned().unwrap_or(Value::Null);
        let condition = match call.name.join(".").as_str() {
            "if" => is_true(&first),
            "unless" => !is_true(&first),
            "eq" => arguments.get(1).is_some_and(|other| shown(other) == shown(&first)),
            "neq" => arguments.get(1).is_some_and(|other| shown(other) != shown(&first)),
            "each" => return self.each(first, then, otherwise),
            _ => is_true(&self.value(call)),
        };
        self.text(if condition { then } else { otherwise })
    }

    fn each(&mut self, items: Value, then: &[Node], otherwise: &[Node]) -> String {
        let items: Vec<(Value, Value)> = match items {
            Value::Array(items) => {
                items.into_iter().enumerate().map(|(at, item)| (at.into(), item)).collect()
            }
            Value::Object(items) => items.into_iter().map(|(name, item)| (name.into(), item)).collect(),
            _ => Vec::new(),
        };
        if items.is_empty() {
            return self.text(otherwise);
        }
        let count = items.len();
        let mut text = String::new();
        for (at, (key, item)) in items.into_iter().enumerate() {
            self.loops.push(Turn { item, key, first: at == 0, last: at + 1 == count });
            text.push_str(&self.text(then));
            self.loops.pop();
        }
        text
    }

    /// The value of a helper or a path.
    fn value(&mut self, call: &Call) -> Value {
        if call.arguments.is_empty() && call.options.is_empty() {
            let found = self.path(&call.name);
            if !found.is_null() {
                return found;
            }
        }
        let arguments: Vec<Value> = call.arguments.iter().map(|argument| self.argument(argument)).collect();
        let options: Vec<(&str, Value)> =
            call.options.iter().map(|(name, value)| (name.as_str(), self.argument(value))).collect();
        helpers::call(&call.name.join("."), &arguments, &options, self.random)
    }

    fn argument(&mut self, argument: &Argument) -> Value {
        match argument {
            Argument::Literal(value) => value.clone(),
            Argument::Path(path) => self.path(path),
            Argument::Call(call) => self.value(call),
        }
    }

    fn path(&self, path: &[String]) -> Value {
        let Some((root, rest)) = path.split_first() else { return Value::Null };
        let turn = self.loops.last();
        match root.as_str() {
            "request" => request::part(self.mapping, self.received, rest),
            "parameters" => {
                let parameters = &self.mapping.response.transformer_parameters;
                rest.split_first()
                    .and_then(|(name, rest)| parameters.get(name).map(|value| inside(value, rest)))
                    .unwrap_or_default()
            }
            "this" => turn.map(|turn| inside(&turn.item, rest)).unwrap_or_default(),
            "@index" | "@key" => turn.map(|turn| turn.key.clone()).unwrap_or_default(),
            "@first" => turn.is_some_and(|turn| turn.first).into(),
            "@last" => turn.is_some_and(|turn| turn.last).into(),
            _ => turn.map(|turn| inside(&turn.item, path)).unwrap_or_default(),
        }
    }
}

/// What stands at a path inside a value.
pub(super) fn inside(value: &Value, path: &[String]) -> Value {
    let step = |value: &Value, step: &String| match value {
        Value::Array(items) => step.parse::<usize>().ok().and_then(|at| items.get(at)).cloned(),
        Value::Object(properties) => properties.get(step).cloned(),
        _ => None,
    };
    path.iter().try_fold(value.clone(), |value, name| step(&value, name)).unwrap_or_default()
}

/// A value as text: a string as it is, nothing for null, JSON otherwise.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(_) => true,
    }
}
