//! Files that got another name or place.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use steady_history::{line_versions, past};

use crate::sandbox::{Sandbox, changes, file, query, said, texts};

const CART: &str = "tests/cart.test.ts";

#[test]
fn a_file_that_got_another_name_keeps_its_past() {
    let sandbox = Sandbox::new();
    sandbox.commit_line("tests/old.test.ts", "sleep(10);");
    sandbox.commit_line("tests/old.test.ts", "sleep(20);");
    sandbox.git(["mv", "tests/old.test.ts", "tests/basket.test.ts"]);
    sandbox.commit("rename");
    sandbox.git(["mv", "tests/basket.test.ts", CART]);
    sandbox.commit_line(CART, "sleep(30);");
    let past = sandbox.past();
    assert_eq!(said(&past, CART, 3), ["sleep(20);", "sleep(10);"]);
    let expected = [("sleep(20);", "sleep(30);"), ("sleep(10);", "sleep(20);"), ("", "sleep(10);")];
    assert_eq!(changes(&past), expected);
    assert_eq!(past.changes[0].path, Path::new(CART));
}

#[test]
fn a_file_that_came_from_another_folder_keeps_its_past() {
    let sandbox = Sandbox::new();
    sandbox.commit_line("src/a/cart.spec.ts", "sleep(10);");
    sandbox.commit_line("src/a/cart.spec.ts", "sleep(20);");
    sandbox.write("src/b/keep", "");
    sandbox.git(["mv", "src/a/cart.spec.ts", "src/b/cart.test.ts"]);
    sandbox.commit("another name");
    sandbox.write("tests/keep", "");
    sandbox.git(["mv", "src/b/cart.test.ts", CART]);
    sandbox.write(CART, file("sleep(30);"));
    sandbox.commit("another folder, and more");
    let past = sandbox.past();
    assert_eq!(said(&past, CART, 3), ["sleep(20);", "sleep(10);"]);
    assert!(past.complete);
}

#[test]
fn a_new_file_of_an_old_name_is_no_moved_one() {
    let sandbox = Sandbox::new();
    sandbox.write("a/index.ts", "export * from './one';\nexport const limit = 5;\n");
    sandbox.commit("an index");
    sandbox.git(["rm", "--quiet", "a/index.ts"]);
    sandbox.write("tests/index.ts", file("sleep(10);"));
    sandbox.commit("another index");
    let past = sandbox.past();
    assert_eq!(changes(&past).first(), Some(&("", "sleep(10);")));
    assert_eq!(said(&past, "tests/index.ts", 3), [""; 0]);
}

#[test]
fn folders_below_count_only_when_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.commit_line(CART, "sleep(10);");
    sandbox.commit_line("tests/deep/down.test.ts", "sleep(20);");
    sandbox.commit_line("tests[1]*/odd.test.ts", "sleep(30);");
    sandbox.commit_line("tests/notes.md", "sleep(40);");
    let repository = sandbox.repository();
    let seen = |folder: &Path, recursive| {
        let found = past(&repository, &steady_history::Query { folder, recursive, ..query("") }).unwrap();
        found.changes.iter().filter_map(|change| change.new.clone()).collect::<Vec<_>>().join("")
    };
    assert_eq!(seen(Path::new("tests"), false), "  sleep(10);");
    assert_eq!(seen(Path::new("./tests/"), true), "  sleep(20);  sleep(10);");
    assert_eq!(seen(Path::new("tests[1]*"), false), "  sleep(30);");
    assert_eq!(seen(&sandbox.path().join("tests"), false), "  sleep(10);");
    assert_eq!(seen(&sandbox.path(), true), "  sleep(30);  sleep(20);  sleep(10);");
    assert_eq!(seen(Path::new(""), false), "");
}

#[test]
fn names_that_are_not_text_are_names_too() {
    let sandbox = Sandbox::new();
    let name = Path::new("tests").join(OsStr::from_bytes(b"caf\xe9 \"1\"\n.ts"));
    for value in [10, 20] {
        sandbox.write(&name, file(&format!("sleep({value});")));
        sandbox.commit("odd");
    }
    let past = sandbox.past();
    assert_eq!(past.changes[0].path, name);
    assert_eq!(texts(&line_versions(&past, &name, 3)), ["sleep(10);"]);
    assert!(!sandbox.repository().is_dirty(&name).unwrap());
}
