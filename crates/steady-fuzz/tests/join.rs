//! Joining what several searches found loses nothing and repeats nothing.

use std::collections::BTreeSet;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use steady_fuzz::join::{JoinError, Results, join};
use steady_model::shard::{Shard, ShardOfWhole};
use steady_model::{
    ApiInfo, AssertionCounts, Body, Call, Fault, FaultCode, Findings, Group, Method, OperationId,
    RequestTemplate, Suite, Summary, TestCase,
};

/// Keys of faults the searches can find; a test that covers one of these lines shows it.
const KEYS: [&str; 3] = ["a", "b", "c"];

fn operation(number: u8) -> OperationId {
    OperationId::new(Method::Get, format!("/things/{number}"))
}

fn test(name: usize, target: u8, lines: BTreeSet<u8>, text: u8) -> TestCase {
    let covers: Vec<String> = lines
        .into_iter()
        .map(|line| match KEYS.get(usize::from(line)) {
            Some(key) => format!("shows F100 {key}"),
            None => format!("answers 20{line}"),
        })
        .collect();
    let body =
        Some(Body::Text { content_type: "text/plain".to_owned(), text: text.to_string().as_str().into() });
    let request = RequestTemplate { method: Method::Get, target: "/".into(), headers: Vec::new(), body };
    let call = Call {
        operation: operation(target),
        identity: None,
        request,
        captures: Vec::new(),
        expect: Vec::new(),
    };
    TestCase {
        name: format!("test_{name}"),
        group: if covers.iter().any(|line| line.starts_with("shows")) {
            Group::Faults
        } else {
            Group::Successes
        },
        about: String::new(),
        covers,
        fresh: Vec::new(),
        calls: vec![call],
        cleanup: Vec::new(),
    }
}

/// The faults that tests show, each with its tests, as a search reports them.
fn faults(tests: &[TestCase]) -> Vec<Fault> {
    let mut found = Vec::new();
    for (number, key) in (0..3).flat_map(|number| KEYS.map(|key| (number, key))) {
        let line = format!("shows F100 {key}");
        let shows =
            |test: &&TestCase| test.calls[0].operation == operation(number) && test.covers.contains(&line);
        let tests: Vec<String> = tests.iter().filter(shows).map(|test| test.name.clone()).collect();
        if !tests.is_empty() {
            found.push(Fault {
                also: Vec::new(),
                code: FaultCode::ServerError,
                operation: operation(number),
                status: 500,
                summary: key.to_owned(),
                key: key.to_owned(),
                curl: String::new(),
                seen: 3,
                tests,
            });
        }
    }
    found
}

prop_compose! {
    fn results()(
        drawn in vec((0u8..3, btree_set(0u8..6, 0..4), 0u8..3), 0..8),
        seed in 0u64..3,
        index in prop::option::of(1u32..4),
        reached in btree_set((0u8..3, 200u16..203), 0..4),
    ) -> Results {
        let tests: Vec<TestCase> = drawn
            .into_iter()
            .enumerate()
            .map(|(name, (target, lines, text))| test(name, target, lines, text))
            .collect();
        let findings =
            Findings { version: Findings::VERSION, flaky: Vec::new(), faults: faults(&tests), externals: Vec::new() };
        let shard = index.and_then(|index| Shard::new(index, 3).ok());
        let part = shard.map(|shard| ShardOfWhole { shard, whole: 1 });
        let summary = Summary { seed, part, requests: 10, assertions: AssertionCounts::of(&tests), ..Summary::default() };
        let api = ApiInfo { title: "Things".to_owned(), url: "http://127.0.0.1:1".to_owned() };
        Results {
            suite: Suite { version: Suite::VERSION, api, seed, identities: Vec::new(), tests },
            findings,
            summary,
            reached: reached.into_iter().map(|(number, status)| (operation(number), status)).collect(),
        }
    }
}

/// Everything the tests of some results show.
fn covered<'a>(all: impl IntoIterator<Item = &'a Results>) -> BTreeSet<(OperationId, String)> {
    all.into_iter()
        .flat_map(|results| &results.suite.tests)
        .flat_map(|test| test.covers.iter().map(|line| (test.calls[0].operation.clone(), line.clone())))
        .collect()
}

proptest! {
    #[test]
    fn what_any_search_shows_is_still_shown(all in vec(results(), 1..4)) {
        let joined = join(all.clone()).unwrap();
        prop_assert_eq!(covered(&all), covered([&joined]));
        let reached: BTreeSet<_> = all.iter().flat_map(|results| results.reached.clone()).collect();
        prop_assert_eq!(&joined.reached, &reached);
    }

    #[test]
    fn no_test_is_there_in_vain_and_every_name_is_its_own(all in vec(results(), 2..4)) {
        let joined = join(all).unwrap();
        let names: BTreeSet<&String> = joined.suite.tests.iter().map(|test| &test.name).collect();
        prop_assert_eq!(names.len(), joined.suite.tests.len());
        for left_out in joined.suite.tests.iter().filter(|test| !test.covers.is_empty()) {
            let mut fewer = joined.clone();
            fewer.suite.tests.retain(|test| test.name != left_out.name);
            prop_assert_ne!(covered([&fewer]), covered([&joined]));
        }
    }

    #[test]
    fn a_fault_is_reported_once_with_all_counts_and_tests_that_are_there(all in vec(results(), 2..4)) {
        let joined = join(all.clone()).unwrap();
        let mut keys = BTreeSet::new();
        for fault in &joined.findings.faults {
            prop_assert!(keys.insert((fault.operation.clone(), fault.key.clone())));
            prop_assert!(!fault.tests.is_empty());
            for name in &fault.tests {
                let test = joined.suite.tests.iter().find(|test| &test.name == name).unwrap();
                let line = format!("shows F100 {}", fault.key);
                prop_assert!(test.covers.contains(&line));
            }
        }
        let seen = |results: &Results| results.findings.faults.iter().map(|fault| fault.seen).sum::<u64>();
        prop_assert_eq!(seen(&joined), all.iter().map(seen).sum::<u64>());
        prop_assert_eq!(joined.summary.requests, 10 * all.len() as u64);
    }

    #[test]
    fn one_search_stays_as_it_is(results in results()) {
        prop_assert_eq!(join(vec![results.clone()]).unwrap(), results);
    }

    #[test]
    fn the_order_does_not_matter(all in vec(results(), 2..4), turn in 0usize..3) {
        let mut turned = all.clone();
        turned.reverse();
        turned.rotate_left(turn % all.len());
        prop_assert_eq!(join(all).unwrap(), join(turned).unwrap());
    }

    #[test]
    fn joining_a_joined_suite_with_itself_changes_no_test(all in vec(results(), 2..4)) {
        let once = join(all).unwrap();
        let twice = join(vec![once.clone(), once.clone()]).unwrap();
        prop_assert_eq!(twice.suite.tests, once.suite.tests);
    }

    #[test]
    fn different_apis_are_not_joined(first in results(), mut other in results()) {
        other.suite.api.title = "Other".to_owned();
        let different = matches!(join(vec![first, other]), Err(JoinError::DifferentApis { .. }));
        prop_assert!(different);
    }
}

#[test]
fn nothing_is_not_joined() {
    assert_eq!(join(Vec::new()), Err(JoinError::Nothing));
}
