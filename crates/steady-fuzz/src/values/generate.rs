//! Draws values from shapes.

use serde_json::{Map, Number, Value};

use super::allowance::{Allowance, MAX_TEXT, stub};
use super::compile::Shapes;
use super::shape::{Kind, Numeric, Property, Shape, StringShape};
use crate::dictionary::Dictionary;
use crate::random::Random;

/// How deep values nest before optional parts are left out.
const MAX_DEPTH: usize = 6;
/// The longest list drawn without being asked for more.
const MAX_ITEMS: usize = 3;
/// How often a value that became too large is drawn again, as small as it may be.
const SMALLER: usize = 3;

// Shares of draws. Like those of the sampler they are judgement: every way stays in use, the likeliest in front.
/// An example of the document, where a call should work: its author knows what is accepted.
const EXAMPLE: f64 = 0.9;
/// A value seen in a response, where a call should work.
const LEARNT: f64 = 0.1;
/// An example, where a call should vary.
const EXAMPLE_MIXED: f64 = 0.2;
/// A value seen in a response, where a call should vary.
const LEARNT_MIXED: f64 = 0.3;
/// Null, where the schema allows it beside something else.
const NULL_BRANCH: f64 = 0.15;
/// A whole number of the first hundred that the schema allows.
const SMALL_INTEGER: f64 = 0.8;
/// An optional property.
const OPTIONAL_PROPERTY: f64 = 0.5;
/// A property in an object of which the schema names none.
const FREE_PROPERTY: f64 = 0.7;

/// What kind of valid value is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// Required parts only, examples where there are any.
    Plain,
    /// Every optional part too.
    Full,
    /// Optional parts by the toss of a coin, values from the dictionary among them.
    Mixed,
    /// At the edges of what the schema allows.
    Edge,
    /// Values that were never used before: for what must be unique.
    Novel,
}

/// Draws values.
#[derive(Debug)]
pub struct Generator<'a> {
    /// The API's shapes.
    pub shapes: &'a Shapes,
    /// Values learnt from responses.
    pub dictionary: &'a Dictionary,
    /// Where decisions come from.
    pub random: &'a mut Random,
    /// What kind of value is wanted.
    pub flavour: Flavour,
}

impl Generator<'_> {
    /// A value of the shape, for a field or parameter of this name. Where every valid one is larger than what is made, it is
    /// cut, and the shape is [noted](Shapes::excess).
    pub fn value(&mut self, shape: &Shape, name: &str) -> Value {
        if self.shapes.excess(shape).is_some() {
            return self.drawn(Allowance::TOKEN).at_depth(shape, name, 0);
        }
        let mut drawing = self.drawn(Allowance::FULL);
        let mut value = drawing.at_depth(shape, name, 0);
        for _ in 0..SMALLER {
            if drawing.allowance.excess().is_none() {
                return value;
            }
            drawing.flavour = Flavour::Plain;
            drawing.allowance = Allowance::FULL;
            value = drawing.at_depth(shape, name, 0);
        }
        match drawing.allowance.excess() {
            None => value,
            Some(excess) => {
                self.shapes.note_excess(shape, excess);
                self.drawn(Allowance::TOKEN).at_depth(shape, name, 0)
            }
        }
    }

    fn drawn(&mut self, allowance: Allowance) -> Drawing<'_> {
        let Self { shapes, dictionary, random, flavour } = self;
        Drawing { shapes, dictionary, random, flavour: *flavour, allowance }
    }
}

/// A value that is being drawn.
struct Drawing<'a> {
    shapes: &'a Shapes,
    dictionary: &'a Dictionary,
    random: &'a mut Random,
    flavour: Flavour,
    allowance: Allowance,
}

impl Drawing<'_> {
    fn at_depth(&mut self, shape: &Shape, name: &str, depth: usize) -> Value {
        if !self.allowance.enter() {
            return stub(shape);
        }
        let value = self.entered(shape, name, depth);
        self.allowance.leave();
        value
    }

    fn entered(&mut self, shape: &Shape, name: &str, depth: usize) -> Value {
        if let Some(offered) = self.offered(shape, name) {
            return offered;
        }
        match &shape.kind {
            Kind::Any => self.anything(name),
            Kind::Null | Kind::Never => Value::Null,
            Kind::Boolean => Value::Bool(self.random.chance(0.5)),
            Kind::Integer(limits) => self.integer(limits),
            Kind::Number(limits) => self.number(limits),
            Kind::String(limits) => Value::String(self.string(limits, name)),
            Kind::Enumeration(values) => self.random.pick(values).cloned().unwrap_or(Value::Null),
            Kind::Union(branches) => self.union(branches, name, depth),
            Kind::Reference(target) => {
                let shapes = self.shapes;
                self.at_depth(&shapes.named(target), name, depth)
            }
            Kind::Array { items, prefix, min, max, unique } => {
                self.array(items, prefix, (*min, *max, *unique), name, depth)
            }
            Kind::Object { properties, additional, min } => {
                self.object(properties, additional.as_deref(), *min, depth)
            }
        }
    }

    /// A value that is known to be good: an example of the document, or one seen in a response.
    fn offered(&mut self, shape: &Shape, name: &str) -> Option<Value> {
        let (example, learnt) = match self.flavour {
            Flavour::Plain | Flavour::Full => (EXAMPLE, LEARNT),
            Flavour::Mixed => (EXAMPLE_MIXED, LEARNT_MIXED),
            Flavour::Edge | Flavour::Novel => (0.0, 0.0),
        };
        if !shape.examples.is_empty() && self.random.chance(example) {
            return self.random.pick(&shape.examples).cloned();
        }
        let scalar = matches!(shape.kind, Kind::String(_) | Kind::Integer(_) | Kind::Number(_) | Kind::Any);
        if scalar && !name.is_empty() && self.random.chance(learnt) {
            return self.dictionary.value_for(name, shape, self.random);
        }
        None
    }

    fn union(&mut self, branches: &[Shape], name: &str, depth: usize) -> Value {
        // Null is a legitimate branch, but rarely the interesting one.
        let solid: Vec<&Shape> =
            branches.iter().filter(|branch| !matches!(branch.kind, Kind::Null)).collect();
        // Far down, what ends is what is wanted.
        let ends = |branch: &&Shape| {
            !matches!(branch.kind, Kind::Reference(_) | Kind::Object { .. } | Kind::Array { .. })
        };
        if depth > MAX_DEPTH
            && let Some(branch) = branches.iter().find(ends)
        {
            return self.at_depth(branch, name, depth);
        }
        if solid.is_empty()
            || (solid.len() < branches.len()
                && self.flavour != Flavour::Plain
                && self.random.chance(NULL_BRANCH))
        {
            return Value::Null;
        }
        let index = if self.flavour == Flavour::Plain && depth > MAX_DEPTH {
            0
        } else {
            self.random.index(solid.len())
        };
        self.at_depth(solid[index], name, depth)
    }

    fn anything(&mut self, name: &str) -> Value {
        match self.random.index(4) {
            0 => Value::from(self.random.between(0, 100)),
            1 if self.flavour != Flavour::Plain => Value::Bool(true),
            2 if self.flavour == Flavour::Mixed => Value::Object(Map::new()),
            _ => Value::String(self.string(&StringShape::default(), name)),
        }
    }

    fn integer(&mut self, limits: &Numeric) -> Value {
        let low = limits.min.unwrap_or(-1e9) + f64::from(u8::from(limits.exclusive_min));
        let high = limits.max.unwrap_or(1e9) - f64::from(u8::from(limits.exclusive_max));
        let (low, high) = (low.ceil() as i64, high.floor() as i64);
        let drawn = match self.flavour {
            Flavour::Edge => {
                let edges = [low, high, low.saturating_add(1), high.saturating_sub(1), 0, 1, -1];
                *self.random.pick(&edges).unwrap_or(&low)
            }
            // Small numbers are what counters, pages and quantities accept.
            _ if self.random.chance(SMALL_INTEGER) => {
                self.random.between(low.max(1.min(high)), high.min(low.max(1).saturating_add(99)))
            }
            _ => self.random.between(low, high),
        };
        let drawn = drawn.clamp(low.min(high), high.max(low));
        Value::from(match limits.multiple_of {
            Some(step) if step >= 1.0 => round_to_multiple(drawn, step as i64, low),
            _ => drawn,
        })
    }

    fn number(&mut self, limits: &Numeric) -> Value {
        let low = limits.min.unwrap_or(-1e12);
        let high = limits.max.unwrap_or(1e12);
        let nudge = if limits.exclusive_min || limits.exclusive_max {
            (high - low).abs().min(1.0) / 1000.0
        } else {
            0.0
        };
        let (low, high) = (low + nudge, high - nudge);
        let drawn = match self.flavour {
            Flavour::Edge => *self.random.pick(&[low, high, 0.0, low + 0.5, 1e-7]).unwrap_or(&low),
            _ => {
                let start = low.max(0.0_f64.min(high));
                let end = high.min(start + 100.0);
                (start + self.random.fraction() * (end - start) * 100.0 / 100.0).mul_add(100.0, 0.0).round()
                    / 100.0
            }
        };
        let drawn = drawn.clamp(low.min(high), high.max(low));
        let stepped = limits.multiple_of.map_or(drawn, |step| (drawn / step).round() * step);
        Number::from_f64(stepped).map_or(Value::from(0), Value::Number)
    }

    fn string(&mut self, limits: &StringShape, name: &str) -> String {
        if let Some(pattern) = &limits.pattern
            && let Some(text) = pattern.generate(limits.min, limits.max, self.random)
        {
            return text;
        }
        if let Some(format) = limits.format {
            if self.flavour == Flavour::Edge
                && let Some(edge) = self.random.pick(format.edges())
            {
                return (*edge).to_owned();
            }
            let text = format.generate(self.random);
            let length = text.chars().count();
            if length >= limits.min && limits.max.is_none_or(|max| length <= max) {
                return text;
            }
        }
        let max = limits.max.unwrap_or(limits.min.max(64));
        let min = self.allowance.text(limits.min);
        match self.flavour {
            Flavour::Edge => self.edge_text(min, max, limits.max.is_some()),
            _ => self.typical_text(min, max, name),
        }
    }

    fn typical_text(&mut self, min: usize, max: usize, name: &str) -> String {
        let guess = typical_for(name, self.random);
        let text = guess.unwrap_or_else(|| {
            let length = self.random.between(3, 10);
            self.random.word(usize::try_from(length).unwrap_or(3))
        });
        padded(&text, 'a', min, max)
    }

    fn edge_text(&mut self, min: usize, max: usize, bounded: bool) -> String {
        let filled = |length: usize| "a".repeat(length.min(MAX_TEXT));
        const ODD: [&str; 12] =
            ["*", "*abc", "\"x", "-1", "null", "NaN", "[]", "{}", "%00", "../..", "2024-02-30", "1e400"];
        match self.random.index(10) {
            7..=9 => padded(self.random.pick(&ODD).copied().unwrap_or_default(), 'x', min, max),
            0 => filled(min),
            1 if bounded => filled(max),
            2 => padded("Ünïcödé 漢字 🦀", 'x', min, max),
            3 => padded("quote ' \" ; -- <b>&amp;</b>", 'x', min, max),
            4 => padded("  leading and trailing  ", 'x', min, max),
            5 => padded("line\nbreak\ttab", 'x', min, max),
            _ => padded("0", 'x', min, max),
        }
    }

    fn array(
        &mut self,
        items: &Shape,
        prefix: &[Shape],
        (min, max, unique): (usize, Option<usize>, bool),
        name: &str,
        depth: usize,
    ) -> Value {
        let most = max.unwrap_or(min.max(MAX_ITEMS)).max(min);
        let wanted = match self.flavour {
            _ if depth > MAX_DEPTH || !self.allowance.is_ample() => min,
            Flavour::Plain | Flavour::Novel => min.max(1.min(most)),
            Flavour::Full => min.max(2.min(most)),
            Flavour::Edge => {
                if self.random.chance(0.5) {
                    min
                } else {
                    most.min(min + 20)
                }
            }
            Flavour::Mixed => {
                usize::try_from(self.random.between(to_i64(min), to_i64(most.min(min + MAX_ITEMS))))
                    .unwrap_or(min)
            }
        };
        let singular = crate::names::singular(name);
        let wanted = self.allowance.list(wanted, min);
        let mut list: Vec<Value> = Vec::new();
        for index in 0..wanted {
            // One item that finds no room is enough to know; a thousand would take time.
            if self.allowance.is_spent() && self.allowance.excess().is_some() {
                break;
            }
            let shape = prefix.get(index).unwrap_or(items);
            let mut item = self.at_depth(shape, &singular, depth + 1);
            for _ in 0..10 {
                if !unique || !list.contains(&item) {
                    break;
                }
                item = self.at_depth(shape, &singular, depth + 1);
            }
            if !unique || !list.contains(&item) {
                list.push(item);
            }
        }
        Value::Array(list)
    }

    fn object(
        &mut self,
        properties: &[Property],
        additional: Option<&Shape>,
        min: usize,
        depth: usize,
    ) -> Value {
        let mut object = Map::new();
        for property in properties {
            if self.allowance.is_spent() && self.allowance.excess().is_some() {
                break;
            }
            let wanted = property.required
                || match self.flavour {
                    _ if depth > MAX_DEPTH || !self.allowance.is_ample() => false,
                    Flavour::Plain => false,
                    Flavour::Full => !property.shape.read_only,
                    Flavour::Mixed | Flavour::Edge | Flavour::Novel => {
                        !property.shape.read_only && self.random.chance(OPTIONAL_PROPERTY)
                    }
                };
            if wanted && !(property.shape.read_only && self.flavour != Flavour::Full) {
                let value = self.at_depth(&property.shape, &property.name, depth + 1);
                object.insert(property.name.clone(), value);
            }
        }
        let free_form = properties.is_empty()
            && self.flavour != Flavour::Plain
            && depth <= MAX_DEPTH
            && self.allowance.is_ample();
        let mut missing =
            min.saturating_sub(object.len()).max(usize::from(free_form && self.random.chance(FREE_PROPERTY)));
        for property in properties {
            if missing > 0 && min > 0 && !object.contains_key(&property.name) {
                let value = self.at_depth(&property.shape, &property.name, depth + 1);
                object.insert(property.name.clone(), value);
                missing -= 1;
            }
        }
        if let Some(shape) = additional {
            for _ in 0..missing {
                if self.allowance.is_spent() && self.allowance.excess().is_some() {
                    break;
                }
                let key = self.random.word(5);
                let value = self.at_depth(shape, &key, depth + 1);
                object.insert(key, value);
            }
        }
        Value::Object(object)
    }
}

fn to_i64(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

fn round_to_multiple(value: i64, step: i64, low: i64) -> i64 {
    let rounded = value - value.rem_euclid(step.max(1));
    if rounded < low { rounded + step } else { rounded }
}

/// At least `min` and at most `max` characters.
fn padded(text: &str, with: char, min: usize, max: usize) -> String {
    let missing = min.saturating_sub(text.chars().count());
    text.chars().take(max).chain(std::iter::repeat_n(with, missing)).collect()
}

/// What a field of this name usually holds, where its schema says no more than "text".
fn typical_for(name: &str, random: &mut Random) -> Option<String> {
    let name = name.to_ascii_lowercase();
    let has = |part: &str| name.contains(part);
    Some(if has("mail") {
        format!("{}@example.com", random.word(6))
    } else if has("url") || has("uri") || has("href") || has("website") || has("link") {
        format!("http://example.com/{}", random.word(5))
    } else if has("phone") {
        "+15550100123".to_owned()
    } else if has("country") {
        "NO".to_owned()
    } else if has("currency") {
        "EUR".to_owned()
    } else if has("lang") || has("locale") {
        "en".to_owned()
    } else if has("password") {
        format!("Aa1!{}", random.word(8))
    } else if name.ends_with("date") {
        "2024-05-17".to_owned()
    } else if has("time") && !has("timeout") && !has("zone") {
        "2024-05-17T10:30:00Z".to_owned()
    } else if has("method") {
        "GET".to_owned()
    } else {
        return None;
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use steady_openapi::Schema;

    use super::*;
    use crate::values::{alter, edges, violations};

    /// A document whose only body has this schema, and the schema's shape.
    fn compiled(schema: &Value) -> (steady_openapi::Api, Schema, Shapes) {
        let document = json!({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/x": {"post": {
            "requestBody": {"content": {"application/json": {"schema": schema}}}, "responses": {}}}},
            "components": {"schemas": {"Tree": {"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}}}}}});
        let api = steady_openapi::parse(&document.to_string(), "t").unwrap();
        let body = api.operations[0].body.as_ref().unwrap().content[0].schema.clone().unwrap();
        let shapes = Shapes::new(Arc::clone(&api.definitions));
        (api, body, shapes)
    }

    fn schemas() -> Vec<Value> {
        vec![
            json!({"type": "integer", "minimum": 3, "maximum": 9}),
            json!({"type": "integer", "exclusiveMinimum": 3, "multipleOf": 5}),
            json!({"type": "number", "minimum": 0, "exclusiveMaximum": 1}),
            json!({"type": "string", "minLength": 4, "maxLength": 6}),
            json!({"type": "string", "pattern": "^[A-Z]{2}[0-9]{3}$"}),
            json!({"type": "string", "format": "uuid"}),
            json!({"type": "string", "format": "date-time"}),
            json!({"type": "string", "format": "email"}),
            json!({"enum": ["a", 2, null]}),
            json!({"type": ["string", "null"]}),
            json!({"type": "array", "minItems": 2, "maxItems": 4, "uniqueItems": true, "items": {"type": "integer"}}),
            json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "boolean"}, "b": {"type": "string"}},
                   "additionalProperties": false}),
            json!({"type": "object", "minProperties": 2, "additionalProperties": {"type": "integer"}}),
            json!({"allOf": [{"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}},
                             {"properties": {"b": {"const": "x"}}, "required": ["b"]}]}),
            json!({"oneOf": [{"type": "object", "required": ["k"], "properties": {"k": {"const": 1}}},
                             {"type": "object", "required": ["l"], "properties": {"l": {"const": 2}}}]}),
            json!({"$ref": "#/components/schemas/Tree"}),
        ]
    }

    #[test]
    fn generated_values_satisfy_their_schema() {
        for schema in schemas() {
            let (api, body, shapes) = compiled(&schema);
            let (shape, check) = (shapes.of(&body), api.request_validator(&body).unwrap());
            let dictionary = Dictionary::default();
            let mut random = Random::new(3, 0);
            for flavour in [Flavour::Plain, Flavour::Full, Flavour::Mixed, Flavour::Edge, Flavour::Novel] {
                for _ in 0..20 {
                    let mut generator =
                        Generator { shapes: &shapes, dictionary: &dictionary, random: &mut random, flavour };
                    let value = generator.value(&shape, "");
                    assert!(check.is_valid(&value), "{schema} made {value} as {flavour:?}");
                }
            }
        }
    }

    #[test]
    fn edges_stay_valid_and_violations_are_invalid() {
        for schema in schemas() {
            let (api, body, shapes) = compiled(&schema);
            let (shape, check) = (shapes.of(&body), api.request_validator(&body).unwrap());
            let mut random = Random::new(4, 0);
            let dictionary = Dictionary::default();
            let mut generator = Generator {
                shapes: &shapes,
                dictionary: &dictionary,
                random: &mut random,
                flavour: Flavour::Full,
            };
            let value = generator.value(&shape, "");
            let broken = alter(
                &value,
                violations(&value, &shape, &shapes),
                &|_| 0,
                &|spoilt| !check.is_valid(spoilt),
                &mut random,
            );
            assert!(broken.is_some(), "nothing to break in {schema}");
            if let Some((edge, _)) = alter(
                &value,
                edges(&value, &shape, &shapes),
                &|_| 0,
                &|edge| check.is_valid(edge),
                &mut random,
            ) {
                assert!(check.is_valid(&edge), "{schema} at its edge is {edge}");
            }
        }
    }
}
