//! Values seen in responses, by the name they went under.

use indexmap::IndexMap;
use serde_json::Value;

use crate::names::Name;
use crate::random::Random;
use crate::values::{Kind, Shape};

/// Values kept per name; the newest replace the oldest.
const VALUES_PER_NAME: usize = 50;
/// Names kept in all.
const MAX_NAMES: usize = 2_000;
/// The longest text worth keeping.
const MAX_TEXT: usize = 200;
/// How many values of one response are looked at.
const MAX_VISITS: usize = 400;

/// A bounded memory of values, found again by name.
#[derive(Debug, Default)]
pub struct Dictionary {
    values: IndexMap<String, Vec<Value>>,
}

impl Dictionary {
    /// Takes in every scalar of a response body.
    pub fn learn(&mut self, body: &Value) {
        let mut budget = MAX_VISITS;
        self.visit("", body, &mut budget);
    }

    fn visit(&mut self, name: &str, value: &Value, budget: &mut usize) {
        if *budget == 0 {
            return;
        }
        *budget -= 1;
        match value {
            Value::Object(object) => object.iter().for_each(|(name, value)| self.visit(name, value, budget)),
            Value::Array(items) => items.iter().take(5).for_each(|item| self.visit(name, item, budget)),
            Value::String(text) if text.is_empty() || text.len() > MAX_TEXT => {}
            Value::String(_) | Value::Number(_) => self.keep(name, value),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn keep(&mut self, name: &str, value: &Value) {
        let key = Name::new(name).key();
        if key.is_empty() || (self.values.len() >= MAX_NAMES && !self.values.contains_key(&key)) {
            return;
        }
        let known = self.values.entry(key).or_default();
        if known.contains(value) {
            return;
        }
        if known.len() >= VALUES_PER_NAME {
            known.remove(0);
        }
        known.push(value.clone());
    }

    /// A value seen under this name that the shape's type admits.
    pub fn value_for(&self, name: &str, shape: &Shape, random: &mut Random) -> Option<Value> {
        let known = self.values.get(&Name::new(name).key())?;
        let value = random.pick(known)?;
        let fits = match &shape.kind {
            Kind::String(limits) => value.as_str().is_some_and(|text| {
                let length = text.chars().count();
                length >= limits.min
                    && limits.max.is_none_or(|max| length <= max)
                    && limits.pattern.as_ref().is_none_or(|pattern| pattern.matches(text))
            }),
            Kind::Integer(limits) | Kind::Number(limits) => value.as_f64().is_some_and(|number| {
                let whole = matches!(shape.kind, Kind::Number(_)) || number.fract() == 0.0;
                whole
                    && limits.min.is_none_or(|min| number >= min)
                    && limits.max.is_none_or(|max| number <= max)
            }),
            Kind::Any => true,
            _ => false,
        };
        fits.then(|| value.clone())
    }
}
