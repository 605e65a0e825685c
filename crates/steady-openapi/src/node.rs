//! A value of a document, read without assuming that it is what it should be.

use serde_json::{Map, Value};

/// A value and the document it stands in, which its references are relative to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<'d> {
    pub document: usize,
    pub value: &'d Value,
}

impl<'d> Node<'d> {
    /// Another value of the same document.
    pub fn with(self, value: &'d Value) -> Self {
        Self { value, ..self }
    }

    /// The value under a key, `null` counting as absent.
    pub fn get(self, key: &str) -> Option<Self> {
        self.value.get(key).filter(|value| !value.is_null()).map(|value| self.with(value))
    }

    pub fn text(self, key: &str) -> Option<&'d str> {
        self.value.get(key)?.as_str()
    }

    pub fn flag(self, key: &str) -> Option<bool> {
        match self.value.get(key)? {
            Value::Bool(flag) => Some(*flag),
            Value::String(text) => text.parse().ok(),
            _ => None,
        }
    }

    pub fn map(self) -> Option<&'d Map<String, Value>> {
        self.value.as_object()
    }

    /// The entries of an object; none of anything else.
    pub fn entries(self) -> impl Iterator<Item = (&'d str, Self)> {
        self.map().into_iter().flatten().map(move |(key, value)| (key.as_str(), self.with(value)))
    }

    /// The items of a list; a single thing is a list of one.
    pub fn items(self) -> impl Iterator<Item = Self> {
        let items = match self.value {
            Value::Array(items) => items.as_slice(),
            Value::Null => &[],
            value => std::slice::from_ref(value),
        };
        items.iter().map(move |item| self.with(item))
    }

    /// The strings of a list; a single string is a list of one.
    pub fn strings(self) -> impl Iterator<Item = &'d str> {
        self.items().filter_map(|item| item.value.as_str())
    }
}
