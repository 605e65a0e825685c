//! `node --test`, Node.js 20 and later: a reporter beside the user's; selection by files and name patterns.
//!
//! Ids are the file and the titles: `test/cart.test.js::cart::adds up`. Name patterns are matched against a test's own
//! title or, in later versions, its titles joined: tests of the same file with the same title are selected
//! together. Each file is a process of its own and tests run as written; there is no other order.

use std::path::Path;

use steady_model::rerun::TestId;

use super::PLAN_CJS;
use crate::command::{NODE_VALUES, base, options};
use crate::{Invocation, Keeping, Order, Project, Report, Runner, Unsupported};

/// Node's own test runner.
#[derive(Debug)]
pub(crate) struct NodeTest;

impl Runner for NodeTest {
    fn name(&self) -> &'static str {
        "node"
    }

    fn recognise(&self, words: &[String], _: &Project) -> Option<usize> {
        if !matches!(base(words.first()?), "node" | "nodejs") {
            return None;
        }
        let given = 1 + options(&words[1..], NODE_VALUES);
        // Options stand before the files.
        words[..given].iter().any(|word| word == "--test").then_some(given)
    }

    fn report(&self, invocation: &mut Invocation, folder: &Path) -> Report {
        invocation.file(PLAN_CJS.0, PLAN_CJS.1);
        let path = invocation.file("steady-node-test.mjs", include_str!("../inject/steady-node-test.mjs"));
        if !invocation.has_option("--test-reporter") {
            invocation.add("--test-reporter=spec");
            invocation.add("--test-reporter-destination=stdout");
        } else if !invocation.has_option("--test-reporter-destination") {
            invocation.add("--test-reporter-destination=stdout");
        }
        invocation.add(format!("--test-reporter={path}"));
        invocation.add("--test-reporter-destination=stderr");
        invocation.own_results(folder)
    }

    fn select(&self, invocation: &mut Invocation, tests: &[TestId]) -> Result<(), Unsupported> {
        let mut files = Vec::new();
        for test in tests {
            let mut parts = test.as_str().split("::");
            let file = parts.next().unwrap_or_default().to_owned();
            let titles: Vec<&str> = parts.collect();
            if !files.contains(&file) {
                files.push(file);
            }
            if let Some((title, blocks)) = titles.split_last() {
                let blocks: String = blocks.iter().map(|block| escaped(block) + " ").collect();
                invocation.add(format!("--test-name-pattern=/^(?:{blocks})?{}$/", escaped(title)));
            }
        }
        if invocation.start.is_some() {
            invocation.args.truncate(invocation.slot);
        }
        invocation.args.extend(files);
        invocation.plan().set_select(tests);
        Ok(())
    }

    fn order(&self, _: &mut Invocation, order: Order<'_>) -> Result<Keeping, Unsupported> {
        let instead = "it runs each file in a process of its own, in the order it is written; select single tests instead";
        Err(Unsupported { runner: self.name(), what: order.what(), instead })
    }
}

/// Text as a JavaScript regular expression.
fn escaped(text: &str) -> String {
    let mut pattern = String::new();
    for letter in text.chars() {
        if r"\^$.*+?()[]{}|/".contains(letter) {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_match_themselves_only() {
        assert_eq!(escaped("a/b (c) [1+1]? $5"), r"a\/b \(c\) \[1\+1\]\? \$5");
    }
}
