//! Names for definitions: safe in JSON pointers and URIs, each used once.

use std::collections::{BTreeMap, BTreeSet};

const MAX_LENGTH: usize = 100;

#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
    /// How often a name was wanted.
    wanted: BTreeMap<String, usize>,
}

impl Names {
    /// A name for what these pointer steps lead to: a component's own name, the document's, else all the steps.
    pub fn unique(&mut self, steps: &[String], document: &str) -> String {
        let base = match steps {
            [.., holder, name] if matches!(holder.as_str(), "schemas" | "definitions" | "$defs") => {
                safe(name)
            }
            [] => safe(document),
            steps => safe(&steps.join(".")),
        };
        loop {
            let count = self.wanted.entry(base.clone()).or_default();
            *count += 1;
            let name = if *count == 1 { base.clone() } else { format!("{base}_{count}") };
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Only characters that need no escaping anywhere.
fn safe(name: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') { c } else { '_' };
    let name: String = name.chars().take(MAX_LENGTH).map(keep).collect();
    if name.is_empty() { "_".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_used_once() {
        let mut names = Names::default();
        let mut name =
            |steps: &[&str]| names.unique(&steps.iter().map(ToString::to_string).collect::<Vec<_>>(), "pet");
        assert_eq!(name(&["components", "schemas", "Pet"]), "Pet");
        assert_eq!(name(&["definitions", "Pet"]), "Pet_2");
        assert_eq!(name(&["definitions", "Pet_2"]), "Pet_2_2");
        assert_eq!(name(&["definitions", "Iterable«Session»"]), "Iterable_Session_");
        assert_eq!(name(&["definitions", "a/b%20 c"]), "a_b_20_c");
        assert_eq!(name(&["definitions", ""]), "_");
        assert_eq!(name(&[]), "pet");
        assert_eq!(name(&["paths", "/x", "get"]), "paths._x.get");
        assert_eq!(name(&["definitions", &"x".repeat(500)]).len(), MAX_LENGTH);
    }
}
