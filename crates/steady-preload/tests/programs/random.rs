//! Random numbers follow from the seed, where one is set.

use std::collections::BTreeSet;
use std::process::Command;

use jiff::SignedDuration;

use crate::victim::{Shim, java, node, python, rust};

/// What a program draws in a run of its own.
fn drawn(command: &mut Command, seed: Option<u64>) -> Vec<Vec<String>> {
    let shim = Shim::new();
    shim.control.seed_random(seed);
    shim.control.shift_clock(SignedDuration::from_hours(27)).unwrap();
    let mut victim = shim.start(command);
    let lines = victim.answer();
    victim.finish();
    lines
}

/// The same with the same seed, different with another one or none, and no value twice.
fn follows(mut command: impl FnMut() -> Command, sources: &[&str]) {
    let first = drawn(&mut command(), Some(7));
    assert_eq!(first.iter().map(|line| line[1].as_str()).collect::<Vec<_>>(), sources);
    assert_eq!(first, drawn(&mut command(), Some(7)));
    let values: BTreeSet<_> = first.iter().map(|line| &line[2]).collect();
    assert_eq!(values.len(), sources.len(), "{first:?}");
    for other in [Some(8), None] {
        for (line, other) in first.iter().zip(drawn(&mut command(), other)) {
            assert_ne!(*line, other);
        }
    }
}

#[test]
fn python_follows_and_so_do_its_forks_and_threads() {
    let sources = ["random", "uuid4", "secrets", "hash", "device", "fork", "another-fork", "thread"];
    follows(|| python("random.py"), &sources);
}

#[test]
fn node_follows() {
    follows(|| node("random.mjs"), &["Math.random", "randomUUID", "randomBytes"]);
}

#[test]
fn the_jvm_follows_where_it_asks_the_system() {
    follows(|| java("Random.java"), &["UUID", "SecureRandom"]);
}

#[test]
fn rust_follows() {
    follows(|| rust("random.rs"), &["RandomState"]);
}

#[test]
fn without_a_seed_every_run_draws_something_else() {
    assert_ne!(drawn(&mut node("random.mjs"), None), drawn(&mut node("random.mjs"), None));
    assert_ne!(drawn(&mut python("random.py"), None), drawn(&mut python("random.py"), None));
}

#[test]
fn two_programs_of_one_name_draw_different_numbers() {
    let shim = Shim::new();
    shim.control.seed_random(Some(7));
    let (mut one, mut other) = (shim.start(&mut python("random.py")), shim.start(&mut python("random.py")));
    assert_ne!(one.answer(), other.answer());
    one.finish();
    other.finish();
}
