//! Maven's Surefire, 2.22 and later, with JUnit 5 or 4: its own JUnit XML, `-Dtest`, and JUnit 5's random orderers.
//!
//! Ids are the class and the method, `shop.CartTest::total`; a parametrised test is selected as a whole. Shuffling
//! needs JUnit 5.7 for methods and 5.8 for classes. A listed order cannot be had without a class of steady's own in the
//! project.

use std::path::Path;

use steady_model::rerun::TestId;

use crate::command::base;
use crate::{Invocation, Keeping, Order, Project, Report, Runner, Unsupported, What};

/// Maven.
#[derive(Debug)]
pub(crate) struct Maven;

/// What shuffles JUnit 5's classes and methods by a seed.
pub(super) const RANDOM_ORDER: [(&str, &str); 2] = [
    ("junit.jupiter.testclass.order.default", "org.junit.jupiter.api.ClassOrderer$Random"),
    ("junit.jupiter.testmethod.order.default", "org.junit.jupiter.api.MethodOrderer$Random"),
];

/// The setting for the seed of both.
pub(super) const RANDOM_SEED: &str = "junit.jupiter.execution.order.random.seed";

impl Runner for Maven {
    fn name(&self) -> &'static str {
        "maven"
    }

    fn recognise(&self, words: &[String], _: &Project) -> Option<usize> {
        let runs = |word: &String| {
            matches!(word.as_str(), "test" | "package" | "verify" | "install" | "integration-test")
                || word.starts_with("surefire:")
        };
        let maven = matches!(base(words.first()?), "mvn" | "mvnw" | "mvnd");
        (maven && words[1..].iter().any(runs)).then_some(words.len())
    }

    fn report(&self, _: &mut Invocation, _: &Path) -> Report {
        Report::files(["surefire", "failsafe"].map(|plugin| format!("**/target/{plugin}-reports/TEST-*.xml")))
    }

    fn select(&self, invocation: &mut Invocation, tests: &[TestId]) -> Result<(), Unsupported> {
        invocation.add(format!("-Dtest={}", patterns(tests, "#").join(",")));
        // A module without any of them must not fail; the second name is for versions before 3.
        invocation.add("-Dsurefire.failIfNoSpecifiedTests=false");
        invocation.add("-DfailIfNoTests=false");
        Ok(())
    }

    fn order(&self, invocation: &mut Invocation, order: Order<'_>) -> Result<Keeping, Unsupported> {
        let Order::Shuffled(seed) = order else {
            let instead = "JUnit orders by classes in the project; shuffle by seeds, or select single tests";
            return Err(Unsupported { runner: self.name(), what: What::Listed, instead });
        };
        for (name, value) in RANDOM_ORDER {
            invocation.add(format!("-D{name}={value}"));
        }
        invocation.add(format!("-D{RANDOM_SEED}={}", java_long(seed)));
        Ok(Keeping::ByBlock)
    }
}

/// A seed as Java's signed number.
pub(super) fn java_long(seed: u64) -> i64 {
    i64::from_ne_bytes(seed.to_ne_bytes())
}

/// Tests as `Class` + `joiner` + `method`, each once, without the parameters that reports append to a method.
pub(super) fn patterns(tests: &[TestId], joiner: &str) -> Vec<String> {
    let mut patterns = Vec::new();
    for test in tests {
        let pattern = match test.as_str().split_once("::") {
            Some((class, method)) => {
                let method = method.split(['(', '{', '[']).next().unwrap_or(method).trim_end();
                format!("{class}{joiner}{method}")
            }
            None => test.to_string(),
        };
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    patterns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_no_part_of_a_pattern() {
        let tests =
            ["a.BTest::c(int)[1]", "a.BTest::c(int)[2]", "a.BTest$Inner::d", "a.ETest"].map(TestId::from);
        assert_eq!(patterns(&tests, "#"), ["a.BTest#c", "a.BTest$Inner#d", "a.ETest"]);
    }
}
