//! cargo-nextest: JUnit XML through a tool configuration file (0.9.42), selection by filter sets (0.9.65).
//!
//! Ids are the binary's id and the test's path, joined: `shop::cart::tests::adds_up`. Each test runs in a process of its
//! own, so an order has no effect.

use std::path::Path;

use steady_model::rerun::TestId;

use crate::command::base;
use crate::{Invocation, Keeping, Order, Project, Report, Runner, Unsupported};

/// `cargo nextest run`.
#[derive(Debug)]
pub(crate) struct Nextest;

impl Runner for Nextest {
    fn name(&self) -> &'static str {
        "nextest"
    }

    fn recognise(&self, words: &[String], _: &Project) -> Option<usize> {
        let program = base(words.first()?);
        let from = match program {
            "cargo-nextest" => 0,
            "cargo" => 1 + words[1..].iter().take_while(|word| word.starts_with('+')).count(),
            _ => return None,
        };
        let nextest = (from..words.len()).find(|&at| words[at] == "nextest")?;
        matches!(words.get(nextest + 1)?.as_str(), "run" | "r").then_some(nextest + 2)
    }

    fn report(&self, invocation: &mut Invocation, folder: &Path) -> Report {
        let path = folder.join("nextest.xml").display().to_string();
        // A path of the user's own comes before ours, so both places are read.
        let text = format!("[profile.default.junit]\npath = {}\n", serde_json::Value::from(path.clone()));
        let config = invocation.file("steady-nextest.toml", text);
        invocation.add(format!("--tool-config-file=steady:{config}"));
        Report::files([path, "target/nextest/*/*.xml".to_owned()])
    }

    fn select(&self, invocation: &mut Invocation, tests: &[TestId]) -> Result<(), Unsupported> {
        let filters: Vec<String> = tests.iter().map(filter).collect();
        invocation.add("-E");
        invocation.add(filters.join(" | "));
        Ok(())
    }

    fn order(&self, _: &mut Invocation, order: Order<'_>) -> Result<Keeping, Unsupported> {
        let instead =
            "each test runs in a process of its own, so tests cannot disturb each other by their order";
        Err(Unsupported { runner: self.name(), what: order.what(), instead })
    }
}

/// A filter set for one test. A binary's id is one part (a library) or two (`shop::integration`).
fn filter(test: &TestId) -> String {
    let parts: Vec<&str> = test.as_str().split("::").collect();
    let splits = (1..parts.len().min(3)).map(|at| {
        format!(
            "(binary_id(={}) & test(={}))",
            escaped(&parts[..at].join("::")),
            escaped(&parts[at..].join("::"))
        )
    });
    let splits: Vec<String> = splits.collect();
    if splits.is_empty() { format!("test(={})", escaped(test.as_str())) } else { splits.join(" | ") }
}

fn escaped(text: &str) -> String {
    text.replace('\\', r"\\").replace(')', r"\)").replace(',', r"\,")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_tries_both_ways_to_read_an_id() {
        assert_eq!(
            filter(&"shop::it::adds".into()),
            "(binary_id(=shop) & test(=it::adds)) | (binary_id(=shop::it) & test(=adds))"
        );
        assert_eq!(filter(&"shop::adds".into()), "(binary_id(=shop) & test(=adds))");
    }
}
