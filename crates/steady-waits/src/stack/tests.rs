//! Failures as runners printed them, with the project's folder replaced. Cypress's are written by its documented format:
//! it needs a display and a download that a test cannot have.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;

/// A project with the files that the failures name.
fn project() -> tempfile::TempDir {
    let project = tempfile::tempdir().expect("a folder");
    for file in [
        "test/cart.test.js",
        "test/cart.test.ts",
        "test/cart.spec.js",
        "test/utils.js",
        "test/utils.ts",
        "test/plain.mjs",
        "test/crash.mjs",
        "test/my cart.test.ts",
        "e2e/cart.spec.ts",
        "e2e/helper.ts",
        "cypress/e2e/cart.cy.js",
        "dist/cart.js",
        "node_modules/dom/index.js",
    ] {
        let path = project.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, "").expect("a file");
    }
    project
}

fn located(text: &str, project: &Path) -> Option<(String, usize, Option<usize>)> {
    let text = text.replace("{project}", &project.to_string_lossy());
    let location = fix_location(&text, project)?;
    Some((location.path.to_string_lossy().into_owned(), location.line, location.column))
}

macro_rules! captured {
    ($($name:literal => $path:literal, $line:literal, $column:expr;)*) => {
        [$(($name, include_str!(concat!("captured/", $name, ".txt")), $path, $line, $column)),*]
    };
}

#[test]
fn the_frame_nearest_to_the_failure_is_found_in_every_format() {
    let project = project();
    for (name, text, path, line, column) in captured! {
        "jest-assertion" => "test/cart.test.js", 8, Some(24);
        "jest-helper" => "test/utils.js", 9, Some(9);
        "jest-too-slow" => "test/cart.test.js", 15, Some(3);
        "mocha-assertion" => "test/cart.spec.js", 8, Some(12);
        "mocha-helper" => "test/utils.js", 9, Some(9);
        "playwright-poll" => "e2e/cart.spec.ts", 5, Some(47);
        "playwright-helper" => "e2e/helper.ts", 6, Some(6);
        "playwright-too-slow" => "e2e/cart.spec.ts", 12, Some(1);
        "vitest-assertion" => "test/cart.test.ts", 8, Some(24);
        "vitest-helper" => "test/utils.ts", 8, Some(9);
        "node-test" => "test/plain.mjs", 5, Some(10);
        "node-uncaught" => "test/crash.mjs", 3, Some(9);
        "cypress-mapped" => "cypress/e2e/cart.cy.js", 12, Some(4);
        "cypress-bundle" => "cypress/e2e/cart.cy.js", 12, Some(4);
    } {
        assert_eq!(located(text, project.path()), Some((path.to_owned(), line, column)), "{name}");
    }
}

#[test]
fn frames_of_packages_and_of_other_folders_are_passed_over() {
    let project = project();
    let text = "Error: gone
    at find (node_modules/dom/index.js:9:1)
    at find ({project}/node_modules/dom/index.js:9:1)
    at other (/elsewhere/test/cart.test.js:1:1)
    at up ({project}/../cart.test.js:1:1)
    at missing (test/missing.test.js:1:1)
    at process.processTimers (node:internal/timers:519:7)
    at Array.map (<anonymous>)
    at webpack (webpack-internal:///./test/cart.test.js:1:1)
    at Object.<anonymous> ({project}/test/cart.test.js:12:5)";
    assert_eq!(located(text, project.path()), Some(("test/cart.test.js".to_owned(), 12, Some(5))));
}

#[test]
fn what_was_built_counts_only_when_nothing_else_is_named() {
    let project = project();
    let built = "at open (dist/cart.js:1:2)";
    assert_eq!(located(built, project.path()), Some(("dist/cart.js".to_owned(), 1, Some(2))));
    let both = format!("{built}\nat test (test/cart.test.js:3:4)");
    assert_eq!(located(&both, project.path()), Some(("test/cart.test.js".to_owned(), 3, Some(4))));
}

#[test]
fn what_the_test_printed_before_it_failed_does_not_count() {
    let project = project();
    let text = "  console.log\n    hello\n      at Object.log (test/utils.js:3:11)\n\n  ● cart › opens\n\n    gone\n\n      \
                at Object.toBe (test/cart.test.js:8:24)";
    assert_eq!(located(text, project.path()), Some(("test/cart.test.js".to_owned(), 8, Some(24))));
}

#[test]
fn an_excerpt_is_enough_when_there_is_no_stack() {
    let project = project();
    let text = "FAIL test/cart.test.js (5.2 s)\n  ● cart › opens\n\n      7 | x\n    > 8 | y\n      9 | z\n";
    assert_eq!(located(text, project.path()), Some(("test/cart.test.js".to_owned(), 8, None)));
}

#[test]
fn a_path_with_spaces_is_told_from_a_function_before_it() {
    let project = project();
    for text in [" ❯ test/my cart.test.ts:8:9", " ❯ new Cart test/my cart.test.ts:8:9"] {
        assert_eq!(
            located(text, project.path()),
            Some(("test/my cart.test.ts".to_owned(), 8, Some(9))),
            "{text}"
        );
    }
}

#[test]
fn text_without_a_frame_of_the_project_has_no_location() {
    let project = project();
    for text in
        ["", "Error: gone", "at find (/elsewhere/a.js:1:1)", "\u{0}\u{1b}[", "at  (:1:1)", "at test/:1:1"]
    {
        assert_eq!(located(text, project.path()), None, "{text:?}");
    }
}

#[test]
fn endless_text_is_read_to_a_bound() {
    let text = "    at open (test/missing.js:1:1)\n".repeat(200_000);
    assert_eq!(frames(&text).len(), FRAMES);
    let late = format!("{}\n    at open (test/cart.test.js:1:1)", "x".repeat(2 << 20));
    assert_eq!(frames(&late), []);
}

#[test]
fn a_project_is_found_through_a_link() {
    let project = project();
    let text =
        "at open ({project}/test/cart.test.js:3:4)".replace("{project}", &project.path().to_string_lossy());
    let here = PathBuf::from(".");
    assert_eq!(fix_location(&text, &here), None, "another folder's frame");
    #[cfg(unix)]
    {
        let beside = tempfile::tempdir().expect("a folder");
        let link = beside.path().join("shop");
        std::os::unix::fs::symlink(project.path(), &link).expect("a link");
        assert_eq!(fix_location(&text, &link).map(|location| location.line), Some(3));
    }
}
