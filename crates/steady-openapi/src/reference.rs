//! The parts of a `$ref`: which document, and where in it.

use serde_json::Value;
use steady_model::percent;

/// `other.yaml#/components/schemas/Pet`, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reference<'r> {
    /// The other document, as written; empty for the same one.
    pub document: &'r str,
    /// What follows the `#`, as written.
    pub fragment: &'r str,
}

impl<'r> Reference<'r> {
    pub fn new(text: &'r str) -> Self {
        let text = text.trim();
        let (document, fragment) = text.split_once('#').unwrap_or((text, ""));
        Self { document, fragment }
    }

    /// The pointer's steps, unescaped; none for the whole document, `None` for an anchor.
    pub fn steps(&self) -> Option<Vec<String>> {
        match self.fragment {
            "" | "/" => Some(Vec::new()),
            fragment => fragment.strip_prefix('/').map(|steps| steps.split('/').map(unescape).collect()),
        }
    }
}

/// One step of a JSON pointer in a URI fragment: percent-encoding first, then `~1` and `~0`.
fn unescape(step: &str) -> String {
    percent::decode(step).replace("~1", "/").replace("~0", "~")
}

/// Walks the steps; where a key itself holds an unescaped `/`, the remaining steps together are tried as the key.
pub(crate) fn walk<'v>(root: &'v Value, steps: &[String]) -> Option<&'v Value> {
    let mut value = root;
    for (index, step) in steps.iter().enumerate() {
        value = match value {
            Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            Value::Object(map) => match map.get(step) {
                Some(next) => next,
                None => return map.get(&steps[index..].join("/")),
            },
            _ => return None,
        };
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_lead_to_what_they_name() {
        let root = json!({
            "definitions": {"Pet": 1, "a/b": 2, "c~d": 3, "Iterable«Session»": 4, "100%": 5, "list": [6, 7], "": 8},
        });
        for (reference, expected) in [
            ("#/definitions/Pet", json!(1)),
            (" #/definitions/Pet ", json!(1)),
            ("#/definitions/a~1b", json!(2)),
            ("#/definitions/a/b", json!(2)),
            ("#/definitions/a%2Fb", json!(2)),
            ("#/definitions/c~0d", json!(3)),
            ("#/definitions/Iterable«Session»", json!(4)),
            ("#/definitions/Iterable%C2%ABSession%C2%BB", json!(4)),
            ("#/definitions/100%", json!(5)),
            ("#/definitions/list/1", json!(7)),
            ("#/definitions/", json!(8)),
        ] {
            let steps = Reference::new(reference).steps().unwrap();
            assert_eq!(walk(&root, &steps), Some(&expected), "{reference}");
        }
        for missing in
            ["#/definitions/Dog", "#/definitions/list/9", "#/definitions/list/x", "#/definitions/Pet/x"]
        {
            assert_eq!(walk(&root, &Reference::new(missing).steps().unwrap()), None, "{missing}");
        }
        assert_eq!(walk(&root, &Reference::new("#").steps().unwrap()), Some(&root));
    }

    #[test]
    fn a_reference_has_a_document_and_a_fragment() {
        assert_eq!(Reference::new("pet.yaml"), Reference { document: "pet.yaml", fragment: "" });
        assert_eq!(Reference::new("http://h/a#/b"), Reference { document: "http://h/a", fragment: "/b" });
        assert_eq!(Reference::new("#node").steps(), None);
    }
}
