//! What is cached.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use steady_history::{HistoryCache, Past, Query, past_cached};

use crate::sandbox::{Sandbox, changes, query, said};

const CART: &str = "tests/cart.test.ts";

#[derive(Default)]
pub struct Memory {
    entries: BTreeMap<String, Vec<u8>>,
    fails: bool,
}

impl HistoryCache for Memory {
    fn get(&mut self, key: &str) -> Result<Option<Vec<u8>>, Box<dyn Error + Send + Sync>> {
        if self.fails { Err("the store is locked".into()) } else { Ok(self.entries.get(key).cloned()) }
    }

    fn put(&mut self, key: &str, content: &[u8]) -> Result<(), Box<dyn Error + Send + Sync>> {
        if self.fails {
            return Err("the store is locked".into());
        }
        self.entries.insert(key.to_owned(), content.to_vec());
        Ok(())
    }
}

fn remembered(sandbox: &Sandbox, memory: &mut Memory) -> Past {
    past_cached(&sandbox.repository(), &query("tests"), memory).unwrap()
}

/// Removes git's objects: only a cache can answer then.
fn without_objects(sandbox: &Sandbox, work: impl FnOnce()) {
    let (here, away) = (sandbox.path().join(".git/objects"), sandbox.path().join("objects"));
    let head = sandbox.git(["rev-parse", "HEAD"]);
    fs::rename(&here, &away).unwrap();
    let object = |folder: &Path| folder.join(&head[..2]).join(&head[2..]);
    fs::create_dir_all(object(&here).parent().unwrap()).unwrap();
    fs::copy(object(&away), object(&here)).unwrap();
    work();
    fs::remove_dir_all(&here).unwrap();
    fs::rename(&away, &here).unwrap();
}

#[test]
fn the_same_commit_is_not_looked_at_twice() {
    let sandbox = Sandbox::new();
    for value in [10, 20, 30] {
        sandbox.commit_line(CART, &format!("sleep({value});"));
    }
    let mut memory = Memory::default();
    let first = remembered(&sandbox, &mut memory);
    assert_eq!(first, sandbox.past());
    without_objects(&sandbox, || assert_eq!(remembered(&sandbox, &mut memory), first));
}

#[test]
fn later_commits_are_added_to_what_is_known() {
    let sandbox = Sandbox::new();
    let mut memory = Memory::default();
    let mut kept = Vec::new();
    for value in [10, 20, 30, 40] {
        kept.push(sandbox.commit_line(CART, &format!("sleep({value});")));
        sandbox.commit_line("tests/list.test.ts", "sleep(5);");
        assert_eq!(remembered(&sandbox, &mut memory), sandbox.past());
    }
    // The oldest version is no longer needed.
    let blob = sandbox.git(["rev-parse", &format!("{}:{CART}", kept[0])]);
    fs::remove_file(sandbox.path().join(format!(".git/objects/{}/{}", &blob[..2], &blob[2..]))).unwrap();
    sandbox.git(["mv", CART, "tests/basket.test.ts"]);
    sandbox.commit_line("tests/basket.test.ts", "sleep(50);");
    let past = remembered(&sandbox, &mut memory);
    assert_eq!(
        said(&past, "tests/basket.test.ts", 3),
        ["sleep(40);", "sleep(30);", "sleep(20);", "sleep(10);"]
    );
    assert_eq!((past.commits_seen, past.complete, past.changes.len()), (9, true, 6));
}

#[test]
fn another_branch_is_looked_at_anew() {
    let sandbox = Sandbox::new();
    sandbox.commit_line(CART, "sleep(10);");
    sandbox.commit_line(CART, "sleep(20);");
    let mut memory = Memory::default();
    remembered(&sandbox, &mut memory);
    sandbox.git(["checkout", "--quiet", "-b", "other", "HEAD^"]);
    sandbox.commit_line(CART, "sleep(77);");
    assert_eq!(
        changes(&remembered(&sandbox, &mut memory)),
        [("sleep(10);", "sleep(77);"), ("", "sleep(10);")]
    );
}

#[test]
fn what_cannot_be_read_is_ignored() {
    let sandbox = Sandbox::new();
    sandbox.commit_line(CART, "sleep(10);");
    let mut memory = Memory::default();
    let plain = remembered(&sandbox, &mut memory);
    let text = |content: &Vec<u8>| String::from_utf8(content.clone()).unwrap();
    let good = memory.entries.clone();
    let damage: [fn(String) -> Vec<u8>; 4] = [
        |_| Vec::new(),
        |text| text.replace("\"format\":1", "\"format\":0").into_bytes(),
        |text| text.replace("\"commit\":0", "\"commit\":9").into_bytes(),
        |text| text.as_bytes()[..text.len() / 2].to_vec(),
    ];
    for (number, damage) in damage.into_iter().enumerate() {
        memory.entries = good.iter().map(|(key, content)| (key.clone(), damage(text(content)))).collect();
        assert_ne!(memory.entries, good, "{number}");
        assert_eq!(remembered(&sandbox, &mut memory), plain, "{number}");
        assert_eq!(memory.entries, good, "{number}");
    }
}

#[test]
fn other_questions_get_other_answers() {
    let sandbox = Sandbox::new();
    sandbox.commit_line(CART, "sleep(10);");
    sandbox.commit_line("tests/below/list.test.ts", "sleep(20);");
    let mut memory = Memory::default();
    let mut count =
        |query: &Query<'_>| past_cached(&sandbox.repository(), query, &mut memory).unwrap().changes.len();
    let plain = query("tests");
    assert_eq!(count(&plain), 1);
    assert_eq!(count(&Query { recursive: true, ..plain }), 2);
    assert_eq!(count(&Query { folder: Path::new("src"), ..plain }), 0);
    assert_eq!(count(&Query { keep: &|_| false, rules: "nothing", ..plain }), 0);
    assert_eq!(count(&plain), 1);
}

#[test]
fn a_cache_that_fails_is_noted_and_done_without() {
    let sandbox = Sandbox::new();
    sandbox.commit_line(CART, "sleep(10);");
    let past = remembered(&sandbox, &mut Memory { fails: true, ..Memory::default() });
    assert_eq!(past.changes.len(), 1);
    assert!(past.notes.iter().any(|note| note.contains("the store is locked")), "{:?}", past.notes);
}
