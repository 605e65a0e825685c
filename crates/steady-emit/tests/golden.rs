//! What a small suite looks like in every language.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;

use steady_emit::{Emitter, emit};
use steady_http::ClientOptions;
use steady_model::{Relation, Suite, TimeFormat};

fn suite() -> Suite {
    serde_json::from_str(include_str!("golden/suite.json")).unwrap()
}

/// The files that depend on the suite; support files are what they are.
fn written(emitter: Emitter) -> String {
    let mut out = String::new();
    for file in emit(&suite(), emitter).unwrap() {
        let is_test =
            ["successes", "faults", "others"].iter().any(|group| file.path.to_lowercase().contains(group));
        let knows_the_api = file.text.contains("shop.test") && !is_test;
        if is_test || knows_the_api || file.path == "README.md" {
            out.push_str(&format!("==> {}\n{}\n", file.path, file.text));
        }
    }
    out
}

#[test]
fn a_small_suite_reads_well_in_every_language() {
    for emitter in Emitter::ALL {
        insta::assert_snapshot!(emitter.as_str(), written(emitter));
    }
}

#[test]
fn every_folder_says_how_it_is_run() {
    for emitter in Emitter::ALL {
        let files = emit(&suite(), emitter).unwrap();
        let readme = files.iter().find(|file| file.path == "README.md").unwrap();
        assert!(readme.text.contains("STEADY_URL") && readme.text.contains("SHOP_PASSWORD"), "{emitter}");
        assert!(
            files.iter().all(|file| !file.text.contains("{notes}") && file.text.ends_with('\n')),
            "{emitter}"
        );
    }
}

#[test]
fn support_files_allow_what_the_model_allows() {
    let limits = [format!("RECENT = {}", TimeFormat::RECENT), format!("ROUNDING = {:e}", Relation::ROUNDING)];
    for emitter in Emitter::ALL.into_iter().filter(|emitter| *emitter != Emitter::Hurl) {
        let files = emit(&suite(), emitter).unwrap();
        for limit in &limits {
            assert!(files.iter().any(|file| file.text.contains(limit)), "{emitter}: {limit}");
        }
    }
}

#[test]
fn support_files_allow_a_response_what_steady_allows_it() {
    let client = ClientOptions::default();
    assert_eq!((client.timeout.as_secs(), client.max_body), (30, 4 << 20));
    let limits = [
        (Emitter::Pytest, ["\"STEADY_TIMEOUT\") or 30)", "LARGEST = 4 << 20"]),
        (Emitter::Unittest, ["\"STEADY_TIMEOUT\") or 30)", "LARGEST = 4 << 20"]),
        (Emitter::Jest, ["STEADY_TIMEOUT || 30) * 1000", "LARGEST = 4 << 20"]),
        (Emitter::Playwright, ["STEADY_TIMEOUT || 30) * 1000", "LARGEST = 4 << 20"]),
        (Emitter::Junit5, ["\"STEADY_TIMEOUT\", \"30\")", "LARGEST = 4 << 20"]),
        (Emitter::Kotlin, ["\"STEADY_TIMEOUT\", \"30\")", "LARGEST = 4 << 20"]),
        (Emitter::Hurl, ["--max-time \"${STEADY_TIMEOUT:-30}\"", "--max-filesize 4194304"]),
    ];
    for (emitter, limits) in limits {
        let files = emit(&suite(), emitter).unwrap();
        for limit in limits {
            assert!(files.iter().any(|file| file.text.contains(limit)), "{emitter}: {limit}");
        }
    }
}

#[test]
fn a_file_holds_at_most_200_tests() {
    let mut suite = suite();
    let test = suite.tests[2].clone();
    suite.tests = (0..401).map(|_| test.clone()).collect();
    let expected = [
        (Emitter::Pytest, "test_others_3.py"),
        (Emitter::Unittest, "test_others_3.py"),
        (Emitter::Jest, "others-3.test.js"),
        (Emitter::Playwright, "others-3.spec.js"),
        (Emitter::Junit5, "src/test/java/steady/Others3Test.java"),
        (Emitter::Kotlin, "src/test/kotlin/steady/Others3Test.kt"),
        (Emitter::Hurl, "others/get_orders_without_login_returns_401_401.hurl"),
    ];
    for (emitter, last) in expected {
        let files = emit(&suite, emitter).unwrap();
        assert_eq!(files.last().unwrap().path, last);
        let unique: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(unique.len(), files.len(), "{emitter}");
    }
}
