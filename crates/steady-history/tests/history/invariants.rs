//! What holds of every history: made up from a seed, and known line by line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chacha20::ChaCha8Rng;
use rand::{Rng, RngExt, SeedableRng};
use steady_history::{Past, line_versions, past, past_cached};

use crate::cache::Memory;
use crate::sandbox::{Sandbox, query};

/// The files of a folder, by their lines.
type Files = BTreeMap<PathBuf, Vec<String>>;

const COMMITS: usize = 30;

fn line(random: &mut impl Rng) -> String {
    let call = ["await sleep", "cy.wait", "expect(list).toHaveLength", "open"][random.random_range(0..4)];
    match random.random_range(0..3) {
        0 => format!("  {call}();"),
        _ => format!("  {call}({});", random.random_range(0..4) * 100),
    }
}

/// Changes some lines of some files, and adds, renames and removes files.
fn change(files: &mut Files, random: &mut impl Rng) {
    let name = |number: u32| PathBuf::from(format!("tests/t{number}.ts"));
    let path = name(random.random_range(0..6));
    match random.random_range(0..10) {
        0 => drop(files.remove(&path)),
        1 => {
            if let Some(lines) = files.remove(&path) {
                files.insert(name(random.random_range(6..9)), lines);
            }
        }
        _ => {
            let lines = files.entry(path).or_default();
            for _ in 0..random.random_range(1..4) {
                let at = random.random_range(0..=lines.len());
                match random.random_range(0..3) {
                    0 if at < lines.len() => drop(lines.remove(at)),
                    1 if at < lines.len() => lines[at] = line(random),
                    _ => lines.insert(at, line(random)),
                }
            }
        }
    }
}

/// Makes the history of a seed: each commit with the files it left.
fn history(sandbox: &Sandbox, seed: u64, mut each: impl FnMut(&str)) -> Vec<(String, Files)> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut files = Files::new();
    let mut commits = Vec::new();
    for number in 0..COMMITS {
        for path in files.keys() {
            std::fs::remove_file(sandbox.path().join(path)).unwrap();
        }
        (0..random.random_range(1..3)).for_each(|_| change(&mut files, &mut random));
        for (path, lines) in &files {
            sandbox.write(path, lines.join("\n"));
        }
        let commit = sandbox.commit(&format!("commit {number}"));
        each(&commit);
        commits.push((commit, files.clone()));
    }
    commits
}

/// How often each kept line is there.
fn kept(files: &Files) -> BTreeMap<&str, i32> {
    let mut count = BTreeMap::new();
    for line in files.values().flatten().filter(|line| (query("").keep)(line)) {
        *count.entry(line.trim()).or_default() += 1;
    }
    count
}

fn add<'a>(count: &mut BTreeMap<&'a str, i32>, text: &'a Option<String>, by: i32) {
    if let Some(text) = text.as_deref().filter(|text| (query("").keep)(text)) {
        *count.entry(text.trim()).or_default() += by;
    }
}

/// Every change is true of the files, and all of them together are everything that changed.
fn check_changes(past: &Past, commits: &[(String, Files)], seed: u64) {
    let mut before = &Files::new();
    for (commit, after) in commits {
        let mut count = kept(before);
        for change in past.changes.iter().filter(|change| change.commit == *commit) {
            let context = format!("seed {seed}: {change:?}");
            if let (Some(line), Some(text)) = (change.old_line, &change.old) {
                assert!(before.values().any(|lines| lines.get(line - 1) == Some(text)), "{context}");
            }
            if let (Some(line), Some(text)) = (change.new_line, &change.new) {
                assert_eq!(&after[&change.path][line - 1], text, "{context}");
            }
            assert_ne!(change.old, change.new, "{context}");
            add(&mut count, &change.old, -1);
            add(&mut count, &change.new, 1);
        }
        count.retain(|_, count| *count != 0);
        assert_eq!(count, kept(after), "seed {seed}: {commit}");
        before = after;
    }
}

/// What a line said comes by one change after the other to what it says now.
fn check_versions(past: &Past, files: &Files, seed: u64) {
    for (path, lines) in files {
        for (index, now) in lines.iter().enumerate().filter(|(_, line)| (query("").keep)(line)) {
            let mut said = now.trim().to_owned();
            for version in line_versions(past, Path::new(path), index + 1) {
                let known = past.changes.iter().any(|change| {
                    change.commit == version.commit
                        && change.old.as_ref() == Some(&version.text)
                        && change.new.as_ref().is_some_and(|new| new.trim() == said)
                });
                assert!(known, "seed {seed}: {} line {}: {version:?}", path.display(), index + 1);
                said = version.text.trim().to_owned();
            }
        }
    }
}

#[test]
fn changes_are_true_and_complete_and_remembered_ones_the_same() {
    for seed in 0..4 {
        let sandbox = Sandbox::new();
        let mut memory = Memory::default();
        let remember = |_: &str| {
            past_cached(&sandbox.repository(), &query("tests"), &mut memory).unwrap();
        };
        let commits = history(&sandbox, seed, remember);
        let found = past(&sandbox.repository(), &query("tests")).unwrap();
        assert!(found.changes.len() > COMMITS, "seed {seed} changes too little");
        check_changes(&found, &commits, seed);
        check_versions(&found, &commits[COMMITS - 1].1, seed);
        assert_eq!(
            past_cached(&sandbox.repository(), &query("tests"), &mut memory).unwrap(),
            found,
            "seed {seed}"
        );
    }
}
