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
    values: IndexMap<String, Known>,
    /// Where the values of a name are, by the name as it is written; most names come again and again.
    written: IndexMap<String, usize>,
}

/// The values of one name, a ring once it is full.
#[derive(Debug, Default)]
struct Known {
    values: Vec<Value>,
    oldest: usize,
}

impl Known {
    fn keep(&mut self, value: &Value) {
        if self.values.contains(value) {
            return;
        }
        if self.values.len() < VALUES_PER_NAME {
            self.values.push(value.clone());
        } else {
            self.values[self.oldest] = value.clone();
            self.oldest = (self.oldest + 1) % VALUES_PER_NAME;
        }
    }
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
        let Some(place) = self.written.get(name).copied().or_else(|| self.place(name)) else { return };
        if let Some((_, known)) = self.values.get_index_mut(place) {
            known.keep(value);
        }
    }

    /// Where the values of a name new in its writing are; `None` when there is no room for them.
    fn place(&mut self, name: &str) -> Option<usize> {
        let key = Name::new(name).key();
        if key.is_empty() || (self.values.len() >= MAX_NAMES && !self.values.contains_key(&key)) {
            return None;
        }
        let entry = self.values.entry(key);
        let place = entry.index();
        entry.or_default();
        if self.written.len() < MAX_NAMES {
            self.written.insert(name.to_owned(), place);
        }
        Some(place)
    }

    /// Whether a value was seen under this name.
    pub fn knows(&self, name: &str, value: &Value) -> bool {
        self.known(name).is_some_and(|known| known.values.contains(value))
    }

    fn known(&self, name: &str) -> Option<&Known> {
        match self.written.get(name) {
            Some(place) => self.values.get_index(*place).map(|(_, known)| known),
            None => self.values.get(&Name::new(name).key()),
        }
    }

    /// A value seen under this name that the shape's type admits.
    pub fn value_for(&self, name: &str, shape: &Shape, random: &mut Random) -> Option<Value> {
        let value = random.pick(&self.known(name)?.values)?;
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::values::StringShape;

    #[test]
    fn a_value_is_found_under_every_writing_of_its_name_and_the_newest_stay() {
        let mut dictionary = Dictionary::default();
        for number in 0..VALUES_PER_NAME + 10 {
            dictionary.learn(&json!({"orderCode": format!("c{number}")}));
        }
        let shape = Shape::of(Kind::String(StringShape::default()));
        let mut random = Random::new(1, 1);
        for name in ["orderCode", "order_code", "Order-Code"] {
            let mut drawn: Vec<usize> = (0..500)
                .filter_map(|_| dictionary.value_for(name, &shape, &mut random))
                .filter_map(|value| value.as_str()?.strip_prefix('c')?.parse().ok())
                .collect();
            drawn.sort_unstable();
            assert_eq!(drawn.first(), Some(&10), "{name}");
        }
        assert_eq!(dictionary.value_for("other", &shape, &mut random), None);
    }
}
