//! YAML as forgivingly as real documents need it.
//!
//! Keys of any scalar type become strings (`200:`), the last of duplicate keys wins, `<<` merges, tags are dropped,
//! integers beyond 64 bits become floats.

use std::cell::Cell;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{DeserializeSeed, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Aliases may not blow a text up to more than this many times its size.
const MAX_EXPANSION: usize = 8;
/// What even a short text may expand to.
const FREE_EXPANSION: usize = 4 << 20;

/// Brackets that may be open at once; the scanner's work grows with their number at every token.
const MAX_OPEN_BRACKETS: usize = 2_000;

/// Reads the first document of a YAML stream.
pub(crate) fn read(text: &str) -> Result<Value, yaml_serde::Error> {
    read_strictly(text).or_else(|error| match repaired(text) {
        Some(text) => read_strictly(&text).map_err(|_| error),
        None => Err(error),
    })
}

/// The text without what YAML forbids: tabs that indent, and control characters.
fn repaired(text: &str) -> Option<String> {
    let mut repaired = String::with_capacity(text.len());
    for line in text.lines() {
        let content = line.trim_start_matches([' ', '\t']);
        if !content.is_empty() {
            repaired.extend(std::iter::repeat_n(' ', line.len() - content.len()));
            repaired.extend(content.chars().map(|c| if c.is_control() && c != '\t' { ' ' } else { c }));
        }
        repaired.push('\n');
    }
    (repaired != text).then_some(repaired)
}

fn read_strictly(text: &str) -> Result<Value, yaml_serde::Error> {
    if open_brackets(text) > MAX_OPEN_BRACKETS {
        return Err(Error::custom("more brackets are opened than closed"));
    }
    let budget = Cell::new(text.len().saturating_mul(MAX_EXPANSION).saturating_add(FREE_EXPANSION));
    let Some(document) = yaml_serde::Deserializer::from_str(text).next() else { return Ok(Value::Null) };
    document.deserialize_any(Lenient { budget: &budget })
}

/// The most brackets open at any place, those in strings included: a cheap bound, not a count.
fn open_brackets(text: &str) -> usize {
    let (mut open, mut most) = (0usize, 0);
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// Makes a value of anything, as long as the budget of bytes lasts.
#[derive(Clone, Copy)]
struct Lenient<'b> {
    budget: &'b Cell<usize>,
}

impl Lenient<'_> {
    fn spend<E: Error>(self, bytes: usize) -> Result<(), E> {
        let left =
            self.budget.get().checked_sub(bytes).ok_or_else(|| E::custom("aliases expand to too much"))?;
        self.budget.set(left);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Lenient<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Lenient<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.spend(1)?;
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        self.visit_unit()
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.spend(1)?;
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.spend(1)?;
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.spend(1)?;
        Ok(Value::from(value))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Value, E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        self.spend(1)?;
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.spend(value.len() + 1)?;
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.spend(1)?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        self.spend(1)?;
        let mut map = Map::new();
        let mut merged = Vec::new();
        while let Some(key) = entries.next_key_seed(self)? {
            let value = entries.next_value_seed(self)?;
            match key {
                Value::String(key) if key == "<<" => merged.push(value),
                Value::String(key) => drop(map.insert(key, value)),
                Value::Null => drop(map.insert("null".to_owned(), value)),
                key => drop(map.insert(key.to_string(), value)),
            }
        }
        for value in merged {
            merge(&mut map, value);
        }
        Ok(Value::Object(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Value, A::Error> {
        let (_, content) = tagged.variant_seed(self)?;
        content.newtype_variant_seed(self)
    }
}

/// Adds what `<<` names, where the map does not say otherwise; earlier maps of a list win.
fn merge(map: &mut Map<String, Value>, value: Value) {
    match value {
        Value::Object(other) => {
            for (key, value) in other {
                map.entry(key).or_insert(value);
            }
        }
        Value::Array(others) => others.into_iter().for_each(|other| merge(map, other)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_real_documents_do_is_forgiven() {
        for (text, expected) in [
            ("200: ok\ntrue: b\nnull: n\n1.0: f", json!({"200": "ok", "true": "b", "null": "n", "1.0": "f"})),
            ("a: no\nb: yes\nc: on", json!({"a": "no", "b": "yes", "c": "on"})),
            ("a: 1\nb: 2\na: 3", json!({"a": 3, "b": 2})),
            ("a: 123456789012345678901234567890", json!({"a": 1.2345678901234568e29})),
            ("a: .inf\nb: .nan", json!({"a": null, "b": null})),
            ("a: !thing 1\nb: !!str 1", json!({"a": 1, "b": "1"})),
            ("a: 2020-01-01", json!({"a": "2020-01-01"})),
            ("a: |-\n  \t\n  x\nb:\n\tc: 1", json!({"a": "\nx", "b": {"c": 1}})),
            ("a: \"x\u{9f}\u{1}y\"", json!({"a": "x  y"})),
            ("--- \na: 1\n---\nb: 2", json!({"a": 1})),
            ("", json!(null)),
        ] {
            assert_eq!(read(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn merge_keys_merge_and_the_map_itself_wins() {
        let text = "x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\nz:\n  <<: [*x, *y]\n  a: 0\nw: {<<: *x}";
        let value = read(text).unwrap();
        assert_eq!(value["z"], json!({"a": 0, "b": 2, "c": 4}));
        assert_eq!(value["w"], json!({"a": 1, "b": 2}));
    }

    #[test]
    fn aliases_cannot_blow_a_text_up() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
            text.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
        }
        assert!(read(&text).is_err());
        let text = format!("a: &a {}\nb: [{}]", "x".repeat(100_000), "*a, ".repeat(1_000));
        assert!(read(&text).unwrap_err().to_string().contains("too much"));
    }
}
