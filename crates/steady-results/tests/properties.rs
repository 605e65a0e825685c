//! Reading a report of any content terminates without a panic.
#![expect(clippy::unwrap_used, reason = "a test's helpers may panic as the test does")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use steady_results::{Base, Format, MESSAGE_LIMIT, read};

/// Every report of `tests/data`.
fn reports() -> Vec<Vec<u8>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let folders = fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|path| path.is_file()).collect();
    files.sort();
    files.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Reads in every format, and holds what is read against what is promised of it.
fn check(bytes: &[u8]) -> Result<(), TestCaseError> {
    let base = Base::new("/project");
    for format in Format::ALL {
        for result in format.read(bytes, &base).into_iter().flatten() {
            prop_assert!(!result.id.as_str().contains(char::is_control), "{:?}", result.id);
            prop_assert!(result.milliseconds.is_none_or(|time| time.is_finite() && time >= 0.0));
            prop_assert!(result.message.is_none_or(|message| message.chars().count() <= MESSAGE_LIMIT));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes)?;
    }

    #[test]
    fn arbitrary_markup_is_read_or_refused(text in r#"(<testsuite|<testcase name="|<failure|</|/>|>|"|&#x1B;|&|<!\[CDATA\[|\]\]>|ü| ){0,60}"#) {
        check(text.as_bytes())?;
    }

    #[test]
    fn arbitrary_tap_is_read_or_refused(text in r"(not ok|ok| 1| - a|    | # SKIP| # TODO| \{|\}|---|\.\.\.|Bail out!|\n){0,80}") {
        check(text.as_bytes())?;
    }

    #[test]
    fn damaged_reports_are_read_or_refused(
        report in proptest::sample::select(reports()),
        cut in any::<proptest::sample::Index>(),
        hits in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..8),
    ) {
        let mut bytes = report[..cut.index(report.len() + 1)].to_vec();
        for (at, byte) in hits {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
        }
        check(&bytes)?;
    }

    #[test]
    fn ids_are_unique_and_do_not_depend_on_the_order(
        mut names in proptest::collection::vec("(a|b|a#2|a \\(retry 1\\)x|ü \\[[0-9]\\])", 1..20),
        seed in any::<u64>(),
    ) {
        let forwards = ids(&names);
        prop_assert_eq!(forwards.len(), names.len());
        let by = |name: &String| seed.rotate_left(name.len() as u32) ^ name.bytes().map(u64::from).sum::<u64>();
        names.sort_by_key(by);
        prop_assert_eq!(&ids(&names), &forwards);
        names.reverse();
        prop_assert_eq!(&ids(&names), &forwards);
    }
}

fn ids(names: &[String]) -> BTreeSet<String> {
    let cases: String = names.iter().map(|name| format!("<testcase classname='A' name='{name}'/>")).collect();
    let results = read(format!("<testsuite>{cases}</testsuite>").as_bytes(), &Base::new("/project")).unwrap();
    results.into_iter().map(|result| result.id.to_string()).collect()
}
