//! `go test`, Go 1.20 and later: its JSON on standard output, `-run`, and `-shuffle` with a seed.
//!
//! Ids are the package's import path and the test, `example.com/shop/cart::TestTotal/three`. Tests with the same name in
//! several of the selected packages are selected together. There is no order other than the written and the shuffled.

use std::path::Path;

use steady_model::rerun::TestId;

use crate::command::base;
use crate::{Invocation, Keeping, Order, Project, Report, Runner, Source, Unsupported, What};

/// `go test`.
#[derive(Debug)]
pub(crate) struct GoTest;

/// Flags that take no value.
const SWITCHES: &[&str] = &[
    "-v",
    "-race",
    "-short",
    "-json",
    "-cover",
    "-failfast",
    "-benchmem",
    "-a",
    "-n",
    "-x",
    "-work",
    "-trimpath",
    "-msan",
    "-asan",
    "-i",
    "-c",
    "-fullpath",
    "-artifacts",
];

impl Runner for GoTest {
    fn name(&self) -> &'static str {
        "go"
    }

    fn recognise(&self, words: &[String], _: &Project) -> Option<usize> {
        let go = base(words.first()?) == "go" && words.get(1)? == "test";
        // Flags stand before the packages.
        go.then_some(2)
    }

    fn report(&self, invocation: &mut Invocation, _: &Path) -> Report {
        if !invocation.has_option("-json") {
            invocation.add("-json");
        }
        if !invocation.has_option("-count") {
            // A cached result is not a run.
            invocation.add("-count=1");
        }
        Report { sources: vec![Source::Output] }
    }

    fn select(&self, invocation: &mut Invocation, tests: &[TestId]) -> Result<(), Unsupported> {
        let mut packages: Vec<String> = Vec::new();
        let mut patterns: Vec<String> = Vec::new();
        for test in tests {
            let (package, name) = test.as_str().split_once("::").unwrap_or(("", test.as_str()));
            let pattern: Vec<String> = name.split('/').map(|part| format!("^{}$", escaped(part))).collect();
            for (list, item) in [(&mut packages, package.to_owned()), (&mut patterns, pattern.join("/"))] {
                if !item.is_empty() && !list.contains(&item) {
                    list.push(item);
                }
            }
        }
        if let Some(start) = invocation.start
            && !packages.is_empty()
        {
            replace_packages(&mut invocation.args, start + 1, &packages);
        }
        invocation.add(format!("-run={}", patterns.join("|")));
        Ok(())
    }

    fn order(&self, invocation: &mut Invocation, order: Order<'_>) -> Result<Keeping, Unsupported> {
        let Order::Shuffled(seed) = order else {
            let instead = "it runs tests as written or shuffled by a seed; select single tests instead";
            return Err(Unsupported { runner: self.name(), what: What::Listed, instead });
        };
        // The seed is a signed number, and packages must not run in parallel.
        invocation.add(format!("-shuffle={}", seed >> 1));
        invocation.add("-p=1");
        invocation.add("-parallel=1");
        Ok(Keeping::ByBlock)
    }
}

/// Replaces the given packages: the words after the flags, up to `-args`.
fn replace_packages(args: &mut Vec<String>, from: usize, packages: &[String]) {
    let end = args.iter().position(|word| matches!(word.as_str(), "-args" | "--args")).unwrap_or(args.len());
    let mut at = from;
    while at < end && args[at].starts_with('-') {
        let takes_value = !args[at].contains('=') && !SWITCHES.contains(&args[at].as_str());
        at += if takes_value { 2 } else { 1 };
    }
    let at = at.min(end);
    let flags = args[at..end].iter().position(|word| word.starts_with('-')).map_or(end, |flag| at + flag);
    args.splice(at..flags, packages.iter().cloned());
}

/// Text as a Go regular expression; `/` separates patterns and cannot be part of one.
fn escaped(text: &str) -> String {
    let mut pattern = String::new();
    for letter in text.chars() {
        if r"\^$.*+?()[]{}|".contains(letter) {
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
    fn packages_are_found_behind_flags_with_and_without_values() {
        for (line, expected) in [
            ("test ./...", "test p"),
            ("test -v -timeout 5s ./a ./b", "test -v -timeout 5s p"),
            ("test -race", "test -race p"),
            ("test ./... -run X", "test p -run X"),
            ("test ./... -args ./data", "test p -args ./data"),
        ] {
            let mut args: Vec<String> = line.split(' ').map(str::to_owned).collect();
            replace_packages(&mut args, 1, &["p".to_owned()]);
            assert_eq!(args.join(" "), expected, "{line}");
        }
    }
}
