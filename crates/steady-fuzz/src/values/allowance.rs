//! How large a value may become.
//!
//! A document can ask for more than any machine holds: forty levels of two required properties, lists of a thousand lists
//! of a thousand items, texts of 2^63 characters. A value is therefore bounded by what it takes, not by how deep it nests: a
//! few megabytes at most, a few milliseconds to draw. What does not fit is left out, and the value is not a valid one then.

use std::fmt;

use serde_json::{Map, Value};

use super::shape::{Kind, Shape};

/// The values inside a value, itself included, after which optional ones are left out.
const AMPLE: usize = 2_000;
/// The most values inside a value.
pub const MAX_PARTS: usize = 20_000;
/// The most characters of a text.
pub const MAX_TEXT: usize = 20_000;
/// The most characters of all its texts together.
const MAX_CHARACTERS: usize = 1_000_000;
/// The most items of a list.
pub const MAX_LIST: usize = 1_000;
/// How deep values nest, steps from a shape to the one it refers to included. What follows them calls itself, and readers of
/// `suite.json` take 128 levels.
const MAX_NESTING: usize = 100;
/// The parts of a value that cannot be made whole: enough to see what the API says to it.
const TOKEN: usize = 50;

/// The limit that a value of a shape cannot be made within.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    /// It would hold too many values.
    Parts,
    /// It would nest too deep, or its schema leads through too many others.
    Nesting,
    /// One of its lists would be too long.
    List,
    /// One of its texts, or all of them, would be too long.
    Text,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parts => write!(f, "more than {MAX_PARTS} values"),
            Self::Nesting => write!(f, "values nested more than {MAX_NESTING} deep"),
            Self::List => write!(f, "a list of more than {MAX_LIST} items"),
            Self::Text => write!(f, "a text of more than {MAX_TEXT} characters, or {MAX_CHARACTERS} in all"),
        }
    }
}

/// What may still be added to a value.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    parts: usize,
    characters: usize,
    nesting: usize,
    excess: Option<Excess>,
}

impl Allowance {
    /// As much as a value may take.
    pub const FULL: Self = Self { parts: MAX_PARTS, characters: MAX_CHARACTERS, nesting: 0, excess: None };
    /// As much as is made of a value that would take more than that.
    pub const TOKEN: Self = Self { parts: TOKEN, characters: MAX_CHARACTERS, nesting: 0, excess: None };

    /// Begins one more value; whether there is room for it.
    pub fn enter(&mut self) -> bool {
        if self.parts == 0 || self.nesting >= MAX_NESTING {
            self.excess = Some(if self.parts == 0 { Excess::Parts } else { Excess::Nesting });
            return false;
        }
        self.parts -= 1;
        self.nesting += 1;
        true
    }

    /// Ends the value begun last.
    pub fn leave(&mut self) {
        self.nesting -= 1;
    }

    /// The length of a text that should have at least this many characters.
    pub fn text(&mut self, least: usize) -> usize {
        let length = least.min(MAX_TEXT).min(self.characters);
        self.characters -= length;
        if length < least {
            self.excess = Some(Excess::Text);
        }
        length
    }

    /// The number of items of a list that should have this many, and at least `least`.
    pub fn list(&mut self, wanted: usize, least: usize) -> usize {
        if least > MAX_LIST {
            self.excess = Some(Excess::List);
        }
        wanted.min(MAX_LIST)
    }

    /// Whether there is room for what could be left out.
    pub fn is_ample(&self) -> bool {
        self.parts + AMPLE > MAX_PARTS
    }

    /// Whether nothing more can be added.
    pub fn is_spent(&self) -> bool {
        self.parts == 0
    }

    /// Why something had to be left out.
    pub fn excess(&self) -> Option<Excess> {
        self.excess
    }
}

/// What stands where there is no room: the least value of the kind.
pub fn stub(shape: &Shape) -> Value {
    match &shape.kind {
        Kind::Object { .. } => Value::Object(Map::new()),
        Kind::Array { .. } => Value::Array(Vec::new()),
        Kind::String(_) => Value::String(String::new()),
        Kind::Integer(_) | Kind::Number(_) => Value::from(0),
        Kind::Boolean => Value::Bool(false),
        Kind::Enumeration(values) => values.first().cloned().unwrap_or(Value::Null),
        Kind::Any | Kind::Null | Kind::Never | Kind::Union(_) | Kind::Reference(_) => Value::Null,
    }
}

/// The values inside a value, itself included, counted no further than there may be.
pub fn parts(value: &Value) -> usize {
    let mut count = 0;
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        count += 1;
        if count + waiting.len() >= MAX_PARTS {
            return MAX_PARTS;
        }
        match value {
            Value::Array(items) => waiting.extend(items.iter().take(MAX_PARTS)),
            Value::Object(fields) => waiting.extend(fields.values().take(MAX_PARTS)),
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use steady_openapi::Api;

    use super::*;
    use crate::dictionary::Dictionary;
    use crate::random::Random;
    use crate::values::{Flavour, Generator, Shapes, alter, edges, violations};

    const FLAVOURS: [Flavour; 5] =
        [Flavour::Plain, Flavour::Full, Flavour::Mixed, Flavour::Edge, Flavour::Novel];

    /// A document whose only body has this schema.
    fn api(schema: &Value, definitions: &Value) -> Api {
        let document = json!({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/x": {"post": {
            "requestBody": {"content": {"application/json": {"schema": schema}}}, "responses": {}}}},
            "components": {"schemas": definitions}});
        steady_openapi::parse(&document.to_string(), "t").unwrap()
    }

    /// The largest value of every flavour, and of their edges and violations; what was noted; whether all were valid.
    fn drawn(schema: &Value, definitions: &Value) -> (usize, usize, Option<Excess>, bool) {
        let api = api(schema, definitions);
        let body = api.operations[0].body.as_ref().unwrap().content[0].schema.clone().unwrap();
        let shapes = Shapes::new(std::sync::Arc::clone(&api.definitions));
        let (shape, check) = (shapes.of(&body), api.request_validator(&body).unwrap());
        let (mut random, dictionary) = (Random::new(5, 0), Dictionary::default());
        let (mut largest, mut longest, mut valid) = (0, 0, true);
        for flavour in FLAVOURS.into_iter().cycle().take(15) {
            let mut generator =
                Generator { shapes: &shapes, dictionary: &dictionary, random: &mut random, flavour };
            let value = generator.value(&shape, "");
            valid &= check.is_valid(&value);
            let changed = [edges(&value, &shape, &shapes), violations(&value, &shape, &shapes)]
                .into_iter()
                .filter_map(|changes| alter(&value, changes, &|_| 0, &|_| true, &mut random))
                .map(|(value, _)| value);
            for value in changed.chain([value.clone()]) {
                largest = largest.max(parts(&value));
                longest = longest.max(value.to_string().len());
            }
        }
        (largest, longest, shapes.excess(&shape), valid)
    }

    /// Levels that each have the next one as two properties.
    fn fan(levels: usize, required: &[&str]) -> Value {
        let level = |number: usize| {
            let next = json!({"$ref": format!("#/components/schemas/L{}", number + 1)});
            (
                format!("L{number}"),
                json!({"type": "object", "required": required, "properties": {"a": next, "b": next}}),
            )
        };
        let mut definitions: Map<String, Value> = (0..levels).map(level).collect();
        definitions.insert(format!("L{levels}"), json!({"type": "string"}));
        Value::Object(definitions)
    }

    /// Lists of one item in each other.
    fn chain(levels: usize) -> Value {
        let level = |number: usize| {
            let next = json!({"$ref": format!("#/components/schemas/L{}", number + 1)});
            (format!("L{number}"), json!({"type": "array", "minItems": 1, "items": next}))
        };
        (0..levels).map(level).collect::<Map<String, Value>>().into()
    }

    #[test]
    fn what_a_document_asks_for_is_made_within_limits_or_noted() {
        let top = json!({"$ref": "#/components/schemas/L0"});
        let list = |items: Value, least: u64| json!({"type": "array", "minItems": least, "items": items});
        let next = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
        let required =
            |own: Value| json!({"type": "object", "required": ["own"], "properties": {"own": own}});
        let names: Vec<String> = (0..50_000).map(|number| format!("p{number}")).collect();
        let text = |least: u64| json!({"type": "string", "minLength": least});
        let table = [
            (top.clone(), fan(40, &["a", "b"]), Some(Excess::Parts)),
            (top.clone(), fan(40, &[]), None),
            (top.clone(), fan(6, &["a", "b"]), None),
            (top, chain(2_000), Some(Excess::Nesting)),
            (next("Own"), json!({"Own": required(next("Own"))}), Some(Excess::Nesting)),
            (next("Own"), json!({"Own": required(json!({"oneOf": [next("Own"), {"type": "null"}]}))}), None),
            (list(list(list(json!({"type": "integer"}), 1000), 1000), 1000), json!({}), Some(Excess::Parts)),
            (list(json!({"type": "integer"}), 2_000_000_000), json!({}), Some(Excess::List)),
            (list(list(json!({"type": "integer"}), 10), 10), json!({}), None),
            (json!({"type": "object", "required": names}), json!({}), Some(Excess::Parts)),
            (json!({"type": "object", "minProperties": 1_000_000_000}), json!({}), Some(Excess::Parts)),
            (text(i64::MAX as u64), json!({}), Some(Excess::Text)),
            (text(100_000_000), json!({}), Some(Excess::Text)),
            (text(20_000), json!({}), None),
            (list(text(20_000), 100), json!({}), Some(Excess::Text)),
        ];
        for (schema, definitions, excess) in table {
            let shown: String = schema.to_string().chars().take(80).collect();
            let (largest, longest, noted, valid) = drawn(&schema, &definitions);
            assert!(largest <= MAX_PARTS && longest <= 2 * MAX_CHARACTERS, "{shown}: {largest} {longest}");
            assert_eq!((noted, valid), (excess, excess.is_none()), "{shown}");
        }
    }

    #[test]
    fn optional_parts_that_multiply_are_left_out() {
        let next = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
        let wide = |name: &str| {
            let properties: Map<String, Value> =
                (0..60).map(|number| (format!("p{number}"), next(name))).collect();
            json!({"type": "object", "properties": properties})
        };
        let definitions = json!({"A": wide("B"), "B": wide("C"), "C": wide("A")});
        let (largest, _, noted, valid) = drawn(&next("A"), &definitions);
        assert!((AMPLE / 2..2 * AMPLE).contains(&largest), "{largest}");
        assert_eq!((noted, valid), (None, true));
    }
}
