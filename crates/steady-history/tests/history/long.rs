//! Histories of thousands of commits, beside which files are followed.

use std::fmt::Write;
use std::time::Duration;

use steady_history::{Limits, Query, past};

use crate::sandbox::{START, Sandbox, changes, file, query, said};

const CART: &str = "tests/cart.test.ts";

/// Writes down a history for `git fast-import`.
struct Script {
    text: String,
    commits: usize,
    /// Between one commit and the next.
    seconds: i64,
}

impl Default for Script {
    fn default() -> Self {
        Self { text: String::new(), commits: 0, seconds: 60 }
    }
}

impl Script {
    /// A commit on the main branch, and on top of `other` too.
    fn merge(&mut self, other: Option<usize>, work: &str) {
        self.commits += 1;
        let (mark, time) = (self.commits, START + self.seconds * self.commits as i64);
        let merge = other.map(|mark| format!("merge :{mark}\n")).unwrap_or_default();
        write!(
            self.text,
            "commit refs/heads/main\nmark :{mark}\ncommitter Ada <ada@example.org> {time} +0000\n\
            data 2\nc\n{merge}{work}\n"
        )
        .unwrap();
    }

    fn commit(&mut self, work: &str) {
        self.merge(None, work);
    }

    /// Commits that touch something else.
    fn idle(&mut self, commits: usize) {
        for _ in 0..commits {
            let work = content("README.md", &format!("{}\n", self.commits));
            self.commit(&work);
        }
    }

    fn line(&mut self, path: &str, line: &str) {
        self.commit(&content(path, &file(line)));
    }

    fn sandbox(&self) -> Sandbox {
        let sandbox = Sandbox::new();
        sandbox.import(&self.text);
        sandbox
    }
}

fn content(path: &str, text: &str) -> String {
    format!("M 100644 inline {path}\ndata {}\n{text}\n", text.len())
}

fn moved(from: &str, to: &str, line: &str) -> String {
    format!("D {from}\n{}", content(to, &file(line)))
}

#[test]
fn a_file_is_followed_however_often_it_moved() {
    let mut script = Script::default();
    script.line("f0/cart.test.ts", "sleep(0);");
    for folder in 1..=5 {
        script.idle(400);
        let [old, new] = [folder - 1, folder].map(|folder| format!("f{folder}/cart.test.ts"));
        // Every second time it is edited as it moves.
        script.line(&old, &format!("sleep({folder}0);"));
        script.commit(&moved(&old, &new, &format!("sleep({folder}{});", folder % 2)));
        script.idle(400);
    }
    script.commit(&moved("f5/cart.test.ts", CART, "sleep(51);"));
    script.idle(900);
    let past = script.sandbox().past();
    let expected = ["50", "40", "31", "30", "20", "11", "10", "0"].map(|value| format!("sleep({value});"));
    assert_eq!(said(&past, CART, 3), expected);
    assert_eq!((past.commits_seen, past.complete), (script.commits, true));
    assert_eq!(changes(&past).len(), expected.len() + 1);
}

#[test]
fn what_a_path_was_before_the_file_that_moved_is_another_file() {
    let mut script = Script::default();
    script.line("old/cart.test.ts", "sleep(1);");
    script.commit("D old/cart.test.ts\n");
    script.idle(1500);
    script.line("old/cart.test.ts", "sleep(2);");
    script.commit(&moved("old/cart.test.ts", CART, "sleep(2);"));
    script.line("old/cart.test.ts", "sleep(3);");
    script.commit("D old/cart.test.ts\n");
    script.idle(900);
    let past = script.sandbox().past();
    assert_eq!(changes(&past), [("", "sleep(2);")]);
}

#[test]
fn depth_counts_no_commit_twice() {
    let mut script = Script::default();
    script.idle(1000);
    script.line("old/cart.test.ts", "sleep(1);");
    script.idle(1000);
    script.line("old/cart.test.ts", "sleep(2);");
    script.commit(&moved("old/cart.test.ts", CART, "sleep(2);"));
    script.idle(500);
    let sandbox = script.sandbox();
    let seen = |depth| {
        let limits = Limits { depth, time: Duration::from_secs(600) };
        past(&sandbox.repository(), &Query { limits, ..query("tests") }).unwrap()
    };
    let whole = seen(script.commits);
    assert_eq!(changes(&whole), [("sleep(1);", "sleep(2);"), ("", "sleep(1);")]);
    assert_eq!((whole.commits_seen, whole.complete), (script.commits, true));
    // The commit that added it is number 1503.
    assert_eq!((changes(&seen(1503)), seen(1503).commits_seen), (changes(&whole), 1503));
    assert_eq!(changes(&seen(1502)), changes(&whole)[..1]);
}

#[test]
fn where_branches_met_files_are_followed_too() {
    let mut script = Script::default();
    script.line("old/cart.test.ts", "sleep(1);");
    script.idle(1200);
    script.line("old/cart.test.ts", "sleep(2);");
    script.commit(&moved("old/cart.test.ts", CART, "sleep(2);"));
    let fork = script.commits;
    script.line("tests/one.test.ts", "sleep(10);");
    let side = script.commits;
    // The other branch: it lacks the file of the first.
    script.commit(&format!("from :{fork}\n{}", content("tests/two.test.ts", &file("sleep(20);"))));
    script.merge(Some(side), &content("tests/one.test.ts", &file("sleep(10);")));
    script.idle(1500);
    let past = script.sandbox().past();
    assert_eq!(said(&past, CART, 3), ["sleep(1);"]);
    let expected = [("", "sleep(20);"), ("", "sleep(10);"), ("sleep(1);", "sleep(2);"), ("", "sleep(1);")];
    assert_eq!(changes(&past), expected);
    assert_eq!((past.commits_seen, past.complete), (script.commits, true));
}

#[test]
fn a_file_is_followed_along_all_branches_it_was_edited_on() {
    let mut script = Script::default();
    script.line("old/cart.test.ts", "sleep(1);");
    script.idle(600);
    let fork = script.commits;
    script.line("old/cart.test.ts", "sleep(2);");
    script.idle(600);
    let side = script.commits;
    // The other branch touches another file of the folder it comes from.
    script.commit(&format!("from :{fork}\n{}", content("old/two.test.ts", &file("sleep(9);"))));
    script.idle(600);
    script.merge(Some(side), &content("old/cart.test.ts", &file("sleep(2);")));
    script.idle(600);
    script.commit(&moved("old/cart.test.ts", CART, "sleep(3);"));
    script.idle(1200);
    let sandbox = script.sandbox();
    let past = sandbox.past();
    assert_eq!(said(&past, CART, 3), ["sleep(2);", "sleep(1);"]);
    let again = (0..5).map(|_| sandbox.past()).collect::<Vec<_>>();
    assert!(again.iter().all(|again| *again == past));
}

#[test]
fn clocks_that_are_wrong_or_coarse_lose_no_change() {
    // Two files that leave with different commits, all of one second, as a rebase makes them.
    let mut script = Script { seconds: 0, ..Script::default() };
    script.commit(&format!(
        "{}{}",
        content("old/a.test.ts", &file("sleep(1);")),
        content("lib/b.test.ts", &file("wait(1);"))
    ));
    for value in 2..6 {
        script.line("old/a.test.ts", &format!("sleep({value});"));
        script.line("lib/b.test.ts", &format!("wait({value});"));
    }
    script.commit(&moved("old/a.test.ts", "tests/a.test.ts", "sleep(5);"));
    script.line("lib/b.test.ts", "wait(6);");
    script.commit(&moved("lib/b.test.ts", "tests/b.test.ts", "wait(6);"));
    let past = script.sandbox().past();
    assert_eq!(said(&past, "tests/a.test.ts", 3), ["sleep(4);", "sleep(3);", "sleep(2);", "sleep(1);"]);
    assert_eq!(
        said(&past, "tests/b.test.ts", 3),
        ["wait(5);", "wait(4);", "wait(3);", "wait(2);", "wait(1);"]
    );
}
