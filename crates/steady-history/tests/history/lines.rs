//! Lines through edits, merges and removals.

use std::path::Path;

use steady_history::{line_versions, versions_in};

use crate::sandbox::{START, Sandbox, changes, file, said, texts};

const CART: &str = "tests/cart.test.ts";

#[test]
fn a_value_raised_again_and_again_is_told_newest_first() {
    let sandbox = Sandbox::new();
    let commits = ["sleep(100);", "sleep(500);", "sleep(2000);"].map(|line| sandbox.commit_line(CART, line));
    let past = sandbox.past();
    assert!(past.complete && past.notes.is_empty(), "{:?}", past.notes);
    assert_eq!(past.commits_seen, 3);
    assert_eq!(
        changes(&past),
        [("sleep(500);", "sleep(2000);"), ("sleep(100);", "sleep(500);"), ("", "sleep(100);")]
    );
    let raised = &past.changes[0];
    assert_eq!(
        (&raised.commit, raised.time, raised.subject.as_str()),
        (&commits[2], START + 120, "sleep(2000);")
    );
    assert_eq!(
        (raised.path.as_path(), raised.old_line, raised.new_line),
        (Path::new(CART), Some(3), Some(3))
    );
    let above = raised.hunk_before.each_ref().map(|line| line.as_deref().unwrap());
    assert_eq!(above, ["  open(cart);", "test('cart', async () => {"]);
    let versions = line_versions(&past, Path::new(CART), 3);
    assert_eq!(texts(&versions), ["sleep(500);", "sleep(100);"]);
    assert_eq!((&versions[1].commit, versions[1].line), (&commits[1], 3));
    assert_eq!(said(&past, CART, 2), [""; 0]);
    assert_eq!(said(&past, "tests/other.test.ts", 3), [""; 0]);
}

#[test]
fn lines_that_shift_and_commits_that_touch_other_lines_lose_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write(CART, "sleep(1);\nsleep(1);\n");
    sandbox.commit("two alike");
    sandbox.write(CART, "sleep(1);\nsleep(9);\n");
    sandbox.commit("the second");
    sandbox.write(CART, "open();\nsleep(1);\nclose();\n\nsleep(9);\n");
    sandbox.commit("lines between");
    let past = sandbox.past();
    assert_eq!(past.changes.len(), 3);
    assert_eq!((said(&past, CART, 2), said(&past, CART, 5)), (vec![], vec!["sleep(1);".to_owned()]));
}

#[test]
fn a_line_that_is_gone_is_still_told() {
    let sandbox = Sandbox::new();
    sandbox.commit_line(CART, "await sleep(100);");
    sandbox.commit_line(CART, "expect(list).toHaveLength(3);");
    sandbox.git(["rm", "--quiet", CART]);
    sandbox.commit("no more cart");
    assert_eq!(
        changes(&sandbox.past()),
        [
            ("expect(list).toHaveLength(3);", ""),
            ("", "expect(list).toHaveLength(3);"),
            ("await sleep(100);", ""),
            ("", "await sleep(100);"),
        ]
    );
}

#[test]
fn a_number_that_went_and_came_again_is_found() {
    let sandbox = Sandbox::new();
    for line in
        ["await waitFor(() => done, 50);", "await waitFor(() => done);", "await waitFor(() => done, 900);"]
    {
        sandbox.commit_line(CART, line);
    }
    let past = sandbox.past();
    assert_eq!(said(&past, CART, 3), ["await waitFor(() => done);", "await waitFor(() => done, 50);"]);
    // Before the number came again the line was none to keep.
    let bare = file("await waitFor(() => done);");
    sandbox.commit_line(CART, "await waitFor(() => done);");
    let versions = versions_in(&sandbox.past(), Path::new(CART), &bare);
    assert_eq!(versions.keys().copied().collect::<Vec<_>>(), [3]);
    let expected =
        ["await waitFor(() => done, 900);", "await waitFor(() => done);", "await waitFor(() => done, 50);"];
    assert_eq!(texts(&versions[&3]), expected);
}

#[test]
fn a_line_of_a_file_edited_since_is_found_by_what_it_says_and_where_it_stands() {
    let sandbox = Sandbox::new();
    sandbox.write(CART, "sleep(1);\nopen();\nsleep(1);\n");
    sandbox.commit("first");
    sandbox.write(CART, "sleep(2);\nopen();\nsleep(3);\n");
    sandbox.commit("second");
    let past = sandbox.past();
    let now = "// edited\nsleep(2);\nopen();\nclose();\nsleep(4);\n";
    let versions = versions_in(&past, Path::new(CART), now);
    let was = versions.iter().map(|(line, versions)| (*line, versions[0].line)).collect::<Vec<_>>();
    assert_eq!(was, [(2, 1), (5, 3)]);
    assert!(versions_in(&past, Path::new("tests/other.test.ts"), now).is_empty());
    assert!(versions_in(&past, Path::new(CART), "").is_empty());
}

#[test]
fn both_sides_of_a_merge_and_what_the_merge_itself_changed_are_told() {
    let sandbox = Sandbox::new();
    let file = |first: u32, second: u32, third: u32| {
        format!("open({first});\n\n\n\nsleep({second});\n\n\n\nclose({third});\n")
    };
    sandbox.write(CART, file(1, 1, 1));
    sandbox.commit("base");
    sandbox.git(["checkout", "--quiet", "-b", "side"]);
    sandbox.write(CART, file(1, 1, 7));
    sandbox.commit("side");
    sandbox.git(["checkout", "--quiet", "main"]);
    sandbox.write(CART, file(5, 1, 1));
    sandbox.commit("main");
    sandbox.git(["merge", "--quiet", "--no-commit", "side"]);
    sandbox.write(CART, file(5, 30, 7));
    sandbox.commit("merge");
    let past = sandbox.past();
    let seen = past.changes.iter().map(|change| (change.subject.as_str(), change.new.as_deref().unwrap()));
    let seen = seen.filter(|(subject, _)| *subject != "base").collect::<Vec<_>>();
    assert_eq!(seen, [("merge", "sleep(30);"), ("main", "open(5);"), ("side", "close(7);")]);
    assert_eq!(
        [1, 5, 9].map(|line| said(&past, CART, line)),
        [vec!["open(1);".to_owned()], vec!["sleep(1);".to_owned()], vec!["close(1);".to_owned()]]
    );
}

#[test]
fn a_change_taken_back_and_made_again_is_told_each_time() {
    let sandbox = Sandbox::new();
    for value in [10, 20, 10, 20] {
        sandbox.commit_line(CART, &format!("sleep({value});"));
    }
    assert_eq!(said(&sandbox.past(), CART, 3), ["sleep(10);", "sleep(20);", "sleep(10);"]);
}

#[test]
fn new_line_ends_and_indentation_are_no_changes() {
    let sandbox = Sandbox::new();
    sandbox.commit_line(CART, "sleep(10);");
    sandbox.write(CART, file("sleep(10);").replace('\n', "\r\n"));
    sandbox.commit("for Windows");
    sandbox.write(CART, file("    sleep(10);").replace('\n', "\r\n"));
    sandbox.commit("prettier");
    sandbox.write(CART, file("    sleep(30);").replace('\n', "\r\n"));
    sandbox.commit("longer");
    let past = sandbox.past();
    assert_eq!(changes(&past), [("sleep(10);", "sleep(30);"), ("", "sleep(10);")]);
    assert_eq!(past.changes[0].new.as_deref(), Some("      sleep(30);"));
}
