//! Gradle, 6 and later: an init script filters tests, shuffles JUnit 5, and keeps tests from being skipped as up to date.
//!
//! Ids are the class and the method, `shop.CartTest::total`; a parametrised test is selected as a whole. A listed order
//! cannot be had without a class of steady's own in the project.

use std::path::Path;

use steady_model::rerun::TestId;

use super::maven::{RANDOM_ORDER, RANDOM_SEED, java_long, patterns};
use crate::command::base;
use crate::{Invocation, Keeping, Order, Project, Report, Runner, Unsupported, What};

/// Gradle.
#[derive(Debug)]
pub(crate) struct Gradle;

const RERUN: &str = "steady-rerun.init.gradle";
const SELECT: &str = "steady-select.init.gradle";
const ORDER: &str = "steady-order.init.gradle";

impl Runner for Gradle {
    fn name(&self) -> &'static str {
        "gradle"
    }

    fn recognise(&self, words: &[String], _: &Project) -> Option<usize> {
        let tests = |word: &String| {
            let task = word.rsplit(':').next().unwrap_or(word);
            !word.starts_with('-') && (matches!(task, "test" | "check" | "build") || task.ends_with("Test"))
        };
        let gradle = matches!(base(words.first()?), "gradle" | "gradlew");
        (gradle && words[1..].iter().any(tests)).then_some(words.len())
    }

    fn report(&self, invocation: &mut Invocation, _: &Path) -> Report {
        script(invocation, RERUN, &["outputs.upToDateWhen { false }".to_owned()]);
        Report::files(["**/build/test-results/*/TEST-*.xml".to_owned()])
    }

    fn select(&self, invocation: &mut Invocation, tests: &[TestId]) -> Result<(), Unsupported> {
        let include = |pattern: &String| format!("filter.includeTestsMatching({})", quoted(pattern));
        let mut lines: Vec<String> = patterns(tests, ".").iter().map(include).collect();
        lines.push("filter.failOnNoMatchingTests = false".to_owned());
        script(invocation, SELECT, &lines);
        Ok(())
    }

    fn order(&self, invocation: &mut Invocation, order: Order<'_>) -> Result<Keeping, Unsupported> {
        let Order::Shuffled(seed) = order else {
            let instead = "JUnit orders by classes in the project; shuffle by seeds, or select single tests";
            return Err(Unsupported { runner: self.name(), what: What::Listed, instead });
        };
        let seed = java_long(seed).to_string();
        let properties = RANDOM_ORDER.into_iter().chain([(RANDOM_SEED, seed.as_str())]);
        let mut lines: Vec<String> = properties
            .map(|(name, value)| format!("systemProperty({}, {})", quoted(name), quoted(value)))
            .collect();
        lines.push("maxParallelForks = 1".to_owned());
        script(invocation, ORDER, &lines);
        Ok(Keeping::ByBlock)
    }
}

/// Adds an init script with these lines for every test task.
fn script(invocation: &mut Invocation, name: &'static str, lines: &[String]) {
    let lines = lines.join("\n    ");
    let text = format!("allprojects {{\n  tasks.withType(Test).configureEach {{\n    {lines}\n  }}\n}}\n");
    let path = invocation.file(name, text);
    invocation.add("--init-script");
    invocation.add(path);
}

/// Text as a Groovy string in which nothing is replaced.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', r"\\").replace('\'', r"\'").replace('\n', r"\n"))
}
