//! Every matcher, with answers for which it holds and answers for which it does not.

mod addresses;
mod choices;
mod places;
mod relations;
mod strings;
mod times;

use serde_json::{Value, json};

use crate::server::Answer;

/// Some assertions, and answers they are held against. Tests may use the variables `id`, 7, and `name`, [`NAME`].
pub struct Case {
    pub name: &'static str,
    pub expect: Vec<Value>,
    pub right: Vec<Answer>,
    pub wrong: Vec<Answer>,
}

/// What the environment variable `STEADY_CASE_KEY` holds.
pub const KEY: &str = "k.y/1";

/// What the variable `name` holds.
pub const NAME: &str = "a \"b\"/${c} {{d}} \u{e4}";

impl Case {
    /// A matcher of what is at `/value`, with whole bodies.
    fn bodies(name: &'static str, matcher: &Value, right: &[Value], wrong: &[Value]) -> Self {
        let answers = |bodies: &[Value]| bodies.iter().map(Answer::json).collect();
        let expect = vec![json!({"where": "body:/value", "is": matcher})];
        Self { name, expect, right: answers(right), wrong: answers(wrong) }
    }

    /// A matcher of what is at `/value`, with these values there. No value at all is always wrong.
    fn values(name: &'static str, matcher: &Value, right: &[Value], wrong: &[Value]) -> Self {
        let bodies =
            |values: &[Value]| values.iter().map(|value| json!({"value": value})).collect::<Vec<_>>();
        Self::bodies(name, matcher, &bodies(right), &[bodies(wrong), vec![json!({"other": 1})]].concat())
    }
}

pub fn all() -> Vec<Case> {
    [
        addresses::texts(),
        addresses::values(),
        strings::texts(),
        strings::patterns(),
        strings::tokens(),
        relations::relations(),
        choices::unordered(),
        choices::choices(),
        times::times(),
        places::places(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
