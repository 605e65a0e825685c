//! The rules by which a test is named, all in this place.
//!
//! 1. An id is the **file**, the **describe blocks or classes**, and the **name**, from the outside inwards, joined by
//!    `::`. Where a report does not name the file, the id begins with the class, package or suite.
//! 2. The file is relative to the project's root, with `/` ([`Base::relative`]). A dotted Python class name becomes the
//!    file it stands for, where the root holds it: pytest's JUnit and JSON reports then give the same ids.
//! 3. Parameters belong to the name: `test_total[3]` and `test_total[4]` are two tests. A Playwright project comes last,
//!    in brackets: `cart.spec.js::cart::adds up [chromium]`.
//! 4. What differs between runs of the same test is taken out: terminal colours, memory addresses (`at 0x7f…`,
//!    `Order@1b2c3d4`), the root and folders for temporary files inside a name, and at the end of a name a duration as a
//!    runner prints it (`(12 ms)`, `(1.25 s)`) and the number of a retry (`(retry 1)`).
//! 5. A test whose retry number was taken out is another try of the test before it. Tests of the same name otherwise get
//!    `#2`, `#3`, … in the order of their lines, or of the report where lines are not given.
//! 6. White space is a single space, control characters are dropped, and an id of more than 400 characters is cut and
//!    ends in a hash of the whole.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use indexmap::IndexMap;
use regex::{Captures, Regex};
use steady_model::rerun::{TestId, TestResult};
use xxhash_rust::xxh3::xxh3_64;

use crate::base::Base;
use crate::case::Case;
use crate::text;

/// How many characters of an id are kept.
const ID_LIMIT: usize = 400;

/// Python writes `<Cart object at 0x7f…>`, Java `shop.Cart@1b2c3d4` and `Lambda/0x0000…`.
static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?<before>\bat |Lambda/|Lambda\$\d+/)0x[0-9a-fA-F]{4,16}|(?<class>[A-Za-z_$][\w$]*)@[0-9a-f]{5,8}\b").ok()
});

static TEMPORARY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?<before>^|[^\w./-])(?:/private)?/(?:tmp|var/tmp|var/folders)/(?<path>[^\s'"<>|,;:()\[\]]+)"#,
    )
    .ok()
});

/// The id of a test from its parts, from the file inwards; empty parts are left out.
pub(crate) fn id<'a>(base: &Base, parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut joined = String::new();
    for part in parts.into_iter().map(str::trim).filter(|part| !part.is_empty()) {
        if !joined.is_empty() {
            joined.push_str("::");
        }
        joined.push_str(part);
    }
    normalise(base, &joined)
}

/// The id of a test that is already named the way pytest does it: `tests/test_cart.py::TestCart::test_total[3]`.
pub(crate) fn of_node(base: &Base, node: &str) -> String {
    match node.split_once("::") {
        Some((file, inside)) => id(base, [base.relative(file).as_str(), inside]),
        None => id(base, [base.relative(node).as_str()]),
    }
}

/// What reports call the test that a plugin knows by this name: its node id, its dotted name, or class and method joined by `::`.
pub fn test_id(base: &Base, node: &str) -> TestId {
    TestId::from(of_node(base, node).as_str())
}

/// Takes out of an id what differs between runs, except the number of a retry.
fn normalise(base: &Base, id: &str) -> String {
    let mut normalised = if is_plain(id) { Cow::Borrowed(id) } else { normalised_inside(base, id) };
    if let Some((name, inside)) = bracket_at_end(&normalised)
        && is_duration(inside)
    {
        normalised = name.to_owned().into();
    }
    shortened(normalised)
}

/// Whether nothing inside the id needs a closer look, as is so for nearly all: no control character, no letter beyond
/// ASCII, no address, no absolute path, no two spaces.
fn is_plain(id: &str) -> bool {
    let mut before = b' ';
    id.bytes().enumerate().all(|(at, byte)| {
        let plain = match byte {
            b'/' => before.is_ascii_alphanumeric() || matches!(before, b'_' | b'.' | b'-'),
            b'x' => before != b'0',
            b' ' => at > 0 && before != b' ',
            b'@' => false,
            _ => matches!(byte, b' '..=b'~'),
        };
        before = byte;
        plain
    })
}

fn normalised_inside<'a>(base: &Base, id: &'a str) -> Cow<'a, str> {
    let mut normalised = text::without_colours(id);
    if normalised.contains('/') && base.roots().iter().any(|root| normalised.contains(root.as_str())) {
        normalised = base.roots().iter().fold(normalised, |id, root| id.replace(root.as_str(), "").into());
    }
    for folder in base.temporary() {
        if normalised.contains(folder.as_str()) {
            normalised = normalised.replace(folder.as_str(), "/tmp/").into();
        }
    }
    if normalised.contains("/tmp/") || normalised.contains("/var/") {
        normalised = replaced(&TEMPORARY, normalised, |found| {
            let path = &found["path"];
            let kept = path.rsplit_once('/').map_or("", |(_, file)| file);
            let kept = if kept.contains('.') { kept } else { "" };
            format!("{}<tmp>{}{kept}", &found["before"], if kept.is_empty() { "" } else { "/" })
        });
    }
    if normalised.contains("0x") || normalised.contains('@') {
        normalised =
            replaced(&ADDRESS, normalised, |found| match (found.name("before"), found.name("class")) {
                (Some(before), _) => format!("{}0x…", before.as_str()),
                (_, class) => format!("{}@…", class.map_or("", |class| class.as_str())),
            });
    }
    if normalised.contains(|character: char| character.is_control()) || normalised.contains("  ") {
        let words: Vec<&str> = normalised
            .split(|character: char| character.is_control() || character == ' ')
            .filter(|word| !word.is_empty())
            .collect();
        normalised = words.join(" ").into();
    }
    normalised
}

fn replaced<'a>(
    pattern: &LazyLock<Option<Regex>>,
    id: Cow<'a, str>,
    with: impl Fn(&Captures<'_>) -> String,
) -> Cow<'a, str> {
    match &**pattern {
        Some(pattern) if pattern.is_match(&id) => pattern.replace_all(&id, with).into_owned().into(),
        _ => id,
    }
}

fn shortened(id: Cow<'_, str>) -> String {
    if id.len() <= ID_LIMIT || id.chars().count() <= ID_LIMIT {
        return id.into_owned();
    }
    let kept: String = id.chars().take(ID_LIMIT - 20).collect();
    format!("{kept}…{:016x}", xxh3_64(id.as_bytes()))
}

/// The id without the number of a retry, if it has one.
fn without_retry(id: &str) -> Option<&str> {
    let (name, inside) = bracket_at_end(id)?;
    // A test that is called nothing but `(retry 1)` keeps its name.
    (is_retry(inside) && !name.is_empty() && !name.ends_with("::")).then_some(name)
}

/// Splits `name (inside)` and `name [inside]`.
fn bracket_at_end(id: &str) -> Option<(&str, &str)> {
    let (name, inside) = id.strip_suffix([')', ']'])?.rsplit_once(['(', '['])?;
    Some((name.trim_end(), inside))
}

/// `12 ms`, `1.25s`; whole seconds are more likely the author's.
fn is_duration(inside: &str) -> bool {
    let number = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_digit()) && text.trim_end().parse::<f64>().is_ok()
    };
    match ["ms", "µs", "us", "ns"].iter().find_map(|unit| inside.strip_suffix(unit)) {
        Some(value) => number(value),
        None => inside.strip_suffix('s').is_some_and(|value| value.contains('.') && number(value)),
    }
}

/// `retry 1`, `Retry #1`, `attempt 2 of 3`, `try 2/3`.
fn is_retry(inside: &str) -> bool {
    let words = ["retry", "rerun", "attempt", "try"];
    let after = words.iter().find_map(|word| {
        let (front, rest) = inside.split_at_checked(word.len())?;
        front.eq_ignore_ascii_case(word).then_some(rest)
    });
    let count = after.map(|rest| rest.trim_start_matches([' ', ':', '#']).replace("of", "/"));
    count.is_some_and(|count| count.split('/').all(|number| number.trim().parse::<u32>().is_ok()))
}

/// The results of one run: tests of the same name are numbered, tries of one test share its id and are adjacent,
/// the last one being the runner's final result.
pub(crate) fn number(cases: Vec<Case>) -> Vec<TestResult> {
    let mut tests: IndexMap<String, Vec<Case>> = IndexMap::with_capacity(cases.len());
    for mut case in cases {
        let retried = without_retry(&case.id).map(str::to_owned);
        if let Some(id) = &retried
            && let Some(earlier) = tests.get_mut(id).and_then(|same| same.last_mut())
        {
            earlier.attempts.append(&mut case.attempts);
            continue;
        }
        tests.entry(retried.unwrap_or_else(|| case.id.clone())).or_default().push(case);
    }
    let repeated = tests.values().any(|same| same.len() > 1);
    let mut taken: BTreeSet<String> =
        if repeated { tests.keys().cloned().collect() } else { BTreeSet::new() };
    let mut results = Vec::with_capacity(tests.len());
    for (id, mut same) in tests {
        same.sort_by_key(|case| case.line);
        for (index, case) in same.into_iter().enumerate() {
            let id = if index == 0 { id.clone() } else { free_number(&id, index + 1, &mut taken) };
            let id = TestId::from(id.as_str());
            results.extend(case.attempts.into_iter().map(|attempt| TestResult {
                id: id.clone(),
                outcome: attempt.outcome,
                milliseconds: attempt.milliseconds,
                message: attempt.message,
            }));
        }
    }
    results
}

/// `id#2`, unless a test really has that name.
fn free_number(id: &str, from: usize, taken: &mut BTreeSet<String>) -> String {
    let mut number = from;
    loop {
        let numbered = format!("{id}#{number}");
        if taken.insert(numbered.clone()) {
            return numbered;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use steady_model::rerun::Outcome;

    use super::*;
    use crate::case::Attempt;

    fn named(id: &str, line: u32, outcome: Outcome) -> Case {
        Case { line, ..Case::once(id.to_owned(), Attempt::new(outcome, None, "")) }
    }

    fn ids(cases: Vec<Case>) -> Vec<String> {
        number(cases).into_iter().map(|result| result.id.to_string()).collect()
    }

    #[test]
    fn what_differs_between_runs_is_taken_out() {
        let base = Base::new("/home/ann/shop").with_temporary("/scratch/run-7");
        let table = [
            ("a.py::test_x[3]", "a.py::test_x[3]"),
            ("a.py::test_x[<object object at 0x7f5cbf9a5ea0>]", "a.py::test_x[<object object at 0x…>]"),
            ("shop.CartTest::holds[shop.Order@1b2c3d4]", "shop.CartTest::holds[shop.Order@…]"),
            ("shop.CartTest::mails ann@example.org", "shop.CartTest::mails ann@example.org"),
            ("a.py::test_x[0xdeadbeef]", "a.py::test_x[0xdeadbeef]"),
            ("reads /home/ann/shop/data/x.json", "reads data/x.json"),
            ("reads /tmp/pytest-of-ann/pytest-3/x0/data.json now", "reads <tmp>/data.json now"),
            ("reads /tmp/tmpab12cd", "reads <tmp>"),
            ("reads /scratch/run-7/sub/x.db", "reads <tmp>/x.db"),
            ("keeps app/tmp/x and a/var/folders/y", "keeps app/tmp/x and a/var/folders/y"),
            ("adds up (12 ms)", "adds up"),
            ("adds up (1.25s)", "adds up"),
            ("waits (5s)", "waits (5s)"),
            ("takes [seconds]", "takes [seconds]"),
            ("\u{1b}[32madds\u{1b}[0m  up\n", "adds up"),
        ];
        for (raw, expected) in table {
            assert_eq!(id(&base, [raw]), expected, "{raw:?}");
        }
    }

    #[test]
    fn parts_are_joined_and_empty_ones_left_out() {
        let base = Base::new("/home/ann/shop");
        assert_eq!(id(&base, ["a.test.js", "", " cart ", "adds up"]), "a.test.js::cart::adds up");
    }

    #[test]
    fn long_ids_stay_different() {
        let base = Base::new("/home/ann/shop");
        let (one, two) = (id(&base, [&*("x".repeat(900) + "1")]), id(&base, [&*("x".repeat(900) + "2")]));
        assert_ne!(one, two);
        assert!(one.chars().count() <= ID_LIMIT);
    }

    #[test]
    fn tests_of_the_same_name_are_numbered_by_line_whatever_ran_first() {
        use Outcome::{Failed, Passed};
        let forwards = number(vec![named("a", 3, Passed), named("b", 5, Passed), named("a", 9, Failed)]);
        let backwards = number(vec![named("a", 9, Failed), named("b", 5, Passed), named("a", 3, Passed)]);
        let failed = |results: &[TestResult]| {
            results.iter().find(|result| result.outcome == Failed).map(|result| result.id.to_string())
        };
        assert_eq!(failed(&forwards).as_deref(), Some("a#2"));
        assert_eq!(failed(&backwards).as_deref(), Some("a#2"));
    }

    #[test]
    fn numbers_give_way_to_tests_that_are_really_called_so() {
        let same = || named("a", 0, Outcome::Passed);
        assert_eq!(ids(vec![same(), named("a#2", 0, Outcome::Passed), same()]), ["a", "a#3", "a#2"]);
    }

    #[test]
    fn retries_are_tries_of_the_same_test() {
        let (failed, passed) = (Outcome::Failed, Outcome::Passed);
        let results = number(vec![
            named("a", 0, failed),
            named("a (retry 1)", 0, failed),
            named("a (retry #2)", 0, passed),
        ]);
        assert_eq!(results.iter().map(|result| result.outcome).collect::<Vec<_>>(), [failed, failed, passed]);
        assert!(results.iter().all(|result| result.id.as_str() == "a"));
        assert_eq!(ids(vec![named("(retry 1)", 0, passed)]), ["(retry 1)"]);
        for (inside, expected) in
            [("attempt 2 of 3", true), ("Try #2/3", true), ("retry", false), ("tryout 1", false)]
        {
            assert_eq!(is_retry(inside), expected, "{inside}");
        }
    }
}
