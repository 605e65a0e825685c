//! Names that are legal identifiers in every language.

use std::collections::BTreeSet;

/// A name as its lower-case words; each language writes it in its own case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name(Vec<String>);

impl Name {
    /// Reads any text as a name: `orderId`, `order-id` and `order_id` are the same one.
    pub(crate) fn of(text: &str) -> Self {
        let mut words: Vec<String> = vec![String::new()];
        let mut last_was_lower = false;
        for c in text.chars() {
            let starts_word = c.is_ascii_uppercase() && last_was_lower;
            if !c.is_ascii_alphanumeric() || starts_word {
                words.push(String::new());
            }
            if c.is_ascii_alphanumeric()
                && let Some(word) = words.last_mut()
            {
                word.push(c.to_ascii_lowercase());
            }
            last_was_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        }
        words.retain(|word| !word.is_empty());
        Self(words)
    }

    /// The name with a word at the end.
    fn with(&self, word: impl Into<String>) -> Self {
        let mut words = self.0.clone();
        words.push(word.into());
        Self(words)
    }

    /// `order_id`
    pub(crate) fn snake(&self) -> String {
        self.0.join("_")
    }

    /// `orderId`
    pub(crate) fn camel(&self) -> String {
        let pascal = self.pascal();
        let first = self.0.first().map_or(0, String::len);
        format!("{}{}", pascal[..first].to_ascii_lowercase(), &pascal[first..])
    }

    /// `OrderId`
    pub(crate) fn pascal(&self) -> String {
        let capital = |word: &String| format!("{}{}", word[..1].to_ascii_uppercase(), &word[1..]);
        self.0.iter().map(capital).collect()
    }

    /// `order id`
    pub(crate) fn spaced(&self) -> String {
        self.0.join(" ")
    }

    /// What two names must differ in to differ in every language.
    fn key(&self) -> String {
        self.0.concat()
    }
}

/// Gives out names, each only once.
#[derive(Debug, Default)]
pub(crate) struct UniqueNames(BTreeSet<String>);

impl UniqueNames {
    /// The name, or the name followed by a number when it is taken.
    pub(crate) fn claim(&mut self, name: Name) -> Name {
        let name = usable(name);
        if self.0.insert(name.key()) {
            return name;
        }
        let mut number = 2;
        loop {
            let numbered = name.with(number.to_string());
            if self.0.insert(numbered.key()) {
                return numbered;
            }
            number += 1;
        }
    }
}

fn usable(name: Name) -> Name {
    match name.0.first() {
        None => Name(vec!["value".to_owned()]),
        Some(first) if first.starts_with(|c: char| c.is_ascii_digit()) => {
            Name([vec!["value".to_owned()], name.0].concat())
        }
        Some(_) if TAKEN.contains(&name.key().as_str()) => name.with("value"),
        Some(_) => name,
    }
}

/// Words of Python, JavaScript, Java and Kotlin, what the support files call their own things, and methods that every
/// Java object has; written as [`Name::key`] writes them.
#[rustfmt::skip]
const TAKEN: &[&str] = &[
    "abstract", "actingas", "and", "any", "api", "arguments", "array", "as", "assert", "async", "atleast",
    "atmost", "await", "base", "base64text", "between", "body", "boolean", "break", "byte", "bytes", "case", "catch", "char",
    "class", "cleanup", "clone", "connect", "const", "continue", "credentials", "debugger", "def",
    "default", "del", "delete", "dict", "do", "double", "elif", "else", "emptylist", "emptymap", "enum",
    "env", "equals", "escaped", "eval", "exactly", "except", "exec", "expect", "export", "extends", "false", "final",
    "finalize", "finally", "finish", "float", "for", "form", "fresh", "from", "fun", "function", "get",
    "getclass", "global", "goto", "hashcode", "head", "header", "identities", "if", "implements",
    "import", "in", "inanyorder", "instanceof", "int", "integer", "interface", "is", "it", "joined",
    "json", "jsontext", "jwt", "lambda", "lastsegment", "let", "list", "listof", "long", "mapof", "matching",
    "multipart", "native", "new", "none", "nonlocal", "not", "notify", "notifyall", "null", "number",
    "obj", "object", "oneof", "options", "or", "package", "parsed", "part", "pass", "patch", "path",
    "post", "print", "private", "productof", "protected", "public", "put", "raise", "raw", "recent",
    "record", "request", "require", "response", "return", "sealed", "self", "session", "short",
    "shouldbe", "sizeof", "static", "str", "strictfp", "string", "suite", "sumof", "super", "switch",
    "synchronized", "test", "text", "this", "throw", "throws", "tostring", "trace", "transient", "true",
    "try", "typealias", "typeof", "undefined", "url", "val", "var", "void", "volatile", "wait", "when",
    "while", "with", "yield",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_from_any_case_and_written_in_any() {
        for text in ["order_id", "orderId", "OrderId", "order-id", " order  id "] {
            assert_eq!(Name::of(text).snake(), "order_id", "{text}");
        }
        let name = Name::of("post_orders_returns_201");
        assert_eq!(name.camel(), "postOrdersReturns201");
        assert_eq!(name.pascal(), "PostOrdersReturns201");
        assert_eq!(name.spaced(), "post orders returns 201");
    }

    #[test]
    fn names_are_legal_and_differ_in_every_case() {
        let mut names = UniqueNames::default();
        let claimed: Vec<String> = ["a_1", "a1", "a 1", "class", "9 lives", "", "\u{fc}\n", "__proto__"]
            .map(|text| names.claim(Name::of(text)).camel())
            .to_vec();
        assert_eq!(claimed, ["a1", "a12", "a13", "classValue", "value9Lives", "value", "value2", "proto"]);
    }
}
