//! What holds on either database.

use std::time::Duration;

use steady_history::HistoryCache;
use steady_model::rerun::{Condition, Counts, Ending, Outcome, Perturbation, Run, TestResult};
use steady_model::shard::Shard;
use steady_store::{Bucket, HistoryQuery, Retention, Session, Store, StoreError, TestPattern};
use tokio::runtime::Builder;

use crate::backend::Backend;
use crate::sample::{remember, run, run_under, session, session_on, time};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn counts(passed: u32, failed: u32, skipped: u32) -> Counts {
    Counts { passed, failed, skipped }
}

fn ids(store: &mut Store, query: &HistoryQuery) -> Vec<String> {
    store.history(query).unwrap().into_iter().map(|test| test.id.to_string()).collect()
}

pub fn what_is_recorded_comes_back_as_it_was(backend: &Backend) {
    let mut store = backend.open();
    let session = Session { shard: Some(Shard::new(2, 4).unwrap()), ..session_on("shop", "c1", true) };
    let id = store.begin(&session).unwrap();
    let mut first = run_under(1, Condition::of(Perturbation::Tz, "Asia/Tokyo"), &["b .", "a F", "c s"]);
    first.ending = Ending::Signalled(9);
    first.excerpt = "the end".to_owned();
    first.results[0].milliseconds = Some(12.25);
    let second = Run { ending: Ending::TimedOut, ..run(2, &[]) };
    let runs = [first, second];
    store.record(id, time("2026-11-15T10:00:01Z"), &runs).unwrap();
    assert_eq!(store.runs(id).unwrap(), runs);

    let past = &store.sessions("shop", 10).unwrap()[0];
    assert_eq!((&past.session, past.id, past.finished, past.runs), (&session, id, None, 2));
    let end = time("2026-11-15T10:00:02Z");
    store.finish(id, end).unwrap();
    assert_eq!(backend.open().sessions("shop", 10).unwrap()[0].finished, Some(end));
}

pub fn text_of_any_kind_is_stored(backend: &Backend) {
    let mut store = backend.open();
    let id = store.begin(&session("a\0b")).unwrap();
    let result = |id: String, message: &str| TestResult {
        id: id.as_str().into(),
        outcome: Outcome::Failed,
        milliseconds: Some(f64::NAN),
        message: Some(message.to_owned()),
    };
    let hostile = Run {
        results: vec![
            result("n".repeat(100_000), &"é".repeat(100_000)),
            result("a\0b'; DROP TABLE results; --".to_owned(), "\u{1b}[31mred\0\u{7}"),
            result(String::new(), ""),
        ],
        excerpt: "\0".repeat(100_000),
        milliseconds: f64::INFINITY,
        ..run_under(1, Condition::of(Perturbation::Locale, "x\0y"), &[])
    };
    store.record(id, time("2026-11-15T10:00:00Z"), &[hostile]).unwrap();
    let stored = &store.runs(id).unwrap()[0];
    assert_eq!(stored.condition, Condition::of(Perturbation::Locale, "x\0y"));
    assert_eq!(stored.results[1].message.as_deref(), Some("\u{1b}[31mred\u{fffd}\u{7}"));
    assert_eq!((stored.results[1].milliseconds, stored.milliseconds), (None, 0.0));
    assert!(stored.results[0].message.as_ref().unwrap().len() < 10_000);
    assert!(stored.excerpt.len() < 100_000);
    assert_eq!(store.history(&HistoryQuery::new("a\0b")).unwrap().len(), 3);
}

pub fn a_run_recorded_twice_counts_once(backend: &Backend) {
    let mut store = backend.open();
    let id = store.begin(&session("shop")).unwrap();
    let at = time("2026-11-15T10:00:00Z");
    store.record(id, at, &[run(1, &["a F"])]).unwrap();
    store.record(id, at, &[run(1, &["a ."]), run(2, &["a ."])]).unwrap();
    assert_eq!(store.history(&HistoryQuery::new("shop")).unwrap()[0].counts, counts(1, 1, 0));
}

pub fn an_unknown_session_is_an_error_and_changes_nothing(backend: &Backend) {
    let other = Backend::sqlite();
    let unknown = other.open().begin(&session("shop")).unwrap();
    let mut store = backend.open();
    let error = store.record(unknown, time("2026-11-15T10:00:00Z"), &[run(1, &["a F"])]).unwrap_err();
    assert!(matches!(error, StoreError::NoSession { .. }), "{error:?}");
    assert!(store.history(&HistoryQuery::new("shop")).unwrap().is_empty());
}

pub fn history_counts_by_hour_day_and_week(backend: &Backend) {
    let mut store = backend.open();
    let shop = session("shop");
    // The 15th is a Sunday, the last day of its week.
    for (at, outcome) in [
        ("2026-11-14T23:59:59Z", "a ."),
        ("2026-11-15T00:00:00Z", "a F"),
        ("2026-11-15T01:30:00Z", "a ."),
        ("2026-11-17T12:00:00Z", "a s"),
    ] {
        remember(&mut store, &shop, at, &[outcome]);
    }
    let mut buckets = |bucket| {
        let tests = store.history(&HistoryQuery { bucket, ..HistoryQuery::new("shop") }).unwrap();
        assert_eq!(tests[0].counts, counts(2, 1, 1));
        assert_eq!(tests[0].failure_rate, Some(1.0 / 3.0));
        tests[0].buckets.clone()
    };
    let days = buckets(Bucket::Day);
    let found: Vec<Counts> = days.iter().map(|day| day.counts).collect();
    assert_eq!(found, [counts(1, 0, 0), counts(1, 1, 0), counts(0, 0, 0), counts(0, 0, 1)]);
    assert_eq!(days[0].start, time("2026-11-14T00:00:00Z"));
    let weeks = buckets(Bucket::Week);
    let found: Vec<Counts> = weeks.iter().map(|week| week.counts).collect();
    assert_eq!(found, [counts(2, 1, 0), counts(0, 0, 1)]);
    assert_eq!(weeks[0].start, time("2026-11-09T00:00:00Z"));
    let hours = buckets(Bucket::Hour);
    assert_eq!(hours.len(), 62);
    assert_eq!((hours[1].start, hours[1].counts), (time("2026-11-15T00:00:00Z"), counts(0, 1, 0)));
}

pub fn history_is_bounded_by_time(backend: &Backend) {
    let mut store = backend.open();
    for day in 10..=20 {
        remember(&mut store, &session("shop"), &format!("2026-11-{day}T10:00:00Z"), &["a F"]);
    }
    let mut failures = |since: &str, until: &str, bucket| {
        let query = HistoryQuery {
            since: Some(time(since)),
            until: Some(time(until)),
            bucket,
            ..HistoryQuery::new("shop")
        };
        store.history(&query).unwrap().first().map(|test| test.counts.failed)
    };
    assert_eq!(failures("2026-11-12T23:00:00Z", "2026-11-14T00:00:00Z", Bucket::Day), Some(3));
    assert_eq!(failures("2026-11-12T10:59:00Z", "2026-11-14T10:00:00Z", Bucket::Hour), Some(3));
    assert_eq!(failures("2026-11-12T11:00:00Z", "2026-11-14T09:59:00Z", Bucket::Hour), Some(1));
    assert_eq!(failures("2026-11-10T00:00:00Z", "2026-11-10T00:00:00Z", Bucket::Week), Some(6));
    assert_eq!(failures("2027-01-01T00:00:00Z", "2027-02-01T00:00:00Z", Bucket::Day), None);
}

pub fn history_finds_tests_by_pattern_the_worst_first(backend: &Backend) {
    let mut store = backend.open();
    let shop = session("shop");
    let names: Vec<String> = (0..600).map(|number| format!("many_{number} .")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    remember(&mut store, &shop, "2026-11-15T10:00:00Z", &names);
    remember(&mut store, &shop, "2026-11-15T11:00:00Z", &["cart::b F", "cart::a .", "cart::c F", "cart_d ."]);
    remember(&mut store, &shop, "2026-11-15T12:00:00Z", &["cart::b F", "cart::a ."]);
    let query = |pattern: &str, limit| HistoryQuery {
        tests: Some(TestPattern::new(pattern)),
        limit,
        ..HistoryQuery::new("shop")
    };
    assert_eq!(ids(&mut store, &query("cart::", 10)), ["cart::b", "cart::c", "cart::a"]);
    assert_eq!(ids(&mut store, &query("cart?*", 1)), ["cart::b"]);
    assert_eq!(ids(&mut store, &query("CART", 10)), Vec::<String>::new());
    assert_eq!(ids(&mut store, &query("many", 1000)).len(), 600);
    assert_eq!(ids(&mut store, &HistoryQuery::new("shop"))[..2], ["cart::b", "cart::c"]);
    assert_eq!(ids(&mut store, &HistoryQuery::new("none")), Vec::<String>::new());
}

pub fn the_last_failure_says_when_where_and_why(backend: &Backend) {
    let mut store = backend.open();
    remember(&mut store, &session_on("shop", "c1", false), "2026-11-15T10:00:00Z", &["a F"]);
    let id = store.begin(&session_on("shop", "c2", false)).unwrap();
    let clock = Condition::of(Perturbation::Clock, "+1d");
    let late = time("2026-11-16T10:00:00Z");
    store.record(id, late, &[run_under(1, clock.clone(), &["a F"]), run(2, &["a ."])]).unwrap();
    // A machine that is behind reports later.
    remember(&mut store, &session_on("shop", "c0", false), "2026-11-14T10:00:00Z", &["a F"]);
    let test = &store.history(&HistoryQuery::new("shop")).unwrap()[0];
    let failure = test.last_failure.as_ref().unwrap();
    assert_eq!((failure.at, failure.commit.as_deref()), (late, Some("c2")));
    assert_eq!((failure.branch.as_deref(), &failure.condition), (Some("main"), &clock));
    assert_eq!(failure.message.as_deref(), Some("a is wrong"));
    let under: Vec<_> =
        test.failed_under.iter().map(|under| (under.perturbations.as_slice(), under.counts)).collect();
    assert_eq!(under, [(&[][..], counts(1, 2, 0)), (&[Perturbation::Clock][..], counts(0, 1, 0))]);
    assert_eq!(test.first_seen, time("2026-11-15T10:00:00Z"));
}

pub fn a_flip_is_a_pass_and_a_failure_on_the_same_clean_commit(backend: &Backend) {
    let mut store = backend.open();
    let (clean, dirty) = (session_on("shop", "c1", false), session_on("shop", "c1", true));
    remember(&mut store, &clean, "2026-11-15T10:00:00Z", &["a .", "b .", "c .", "d s"]);
    remember(&mut store, &clean, "2026-11-15T11:00:00Z", &["a F", "b .", "d F"]);
    remember(&mut store, &clean, "2026-11-15T12:00:00Z", &["a F"]);
    remember(&mut store, &dirty, "2026-11-15T13:00:00Z", &["b F"]);
    remember(&mut store, &session_on("shop", "c2", false), "2026-11-15T14:00:00Z", &["b F"]);
    remember(&mut store, &session_on("other", "c1", false), "2026-11-15T14:00:00Z", &["b F"]);
    let id = store.begin(&clean).unwrap();
    let moved = run_under(1, Condition::of(Perturbation::Clock, "+1d"), &["c F"]);
    store.record(id, time("2026-11-15T15:00:00Z"), &[moved]).unwrap();
    store.finish(id, time("2026-11-15T15:00:00Z")).unwrap();
    // Without a commit a session is compared with itself.
    let id = store.begin(&session("shop")).unwrap();
    store.record(id, time("2026-11-15T16:00:00Z"), &[run(1, &["e ."]), run(2, &["e F"])]).unwrap();
    store.finish(id, time("2026-11-15T16:00:00Z")).unwrap();
    let flips: Vec<(String, u32)> = store
        .history(&HistoryQuery::new("shop"))
        .unwrap()
        .into_iter()
        .map(|test| (test.id.to_string(), test.flips))
        .collect();
    let expected = [("a", 1), ("e", 1), ("b", 0), ("c", 0), ("d", 0)];
    let flips: Vec<(&str, u32)> = flips.iter().map(|(id, count)| (id.as_str(), *count)).collect();
    let mut sorted = flips.clone();
    sorted.sort_by_key(|&(id, count)| (std::cmp::Reverse(count), id));
    assert_eq!(sorted, expected);
    assert_eq!(flips[0], ("a", 1));
}

pub fn projects_do_not_mix(backend: &Backend) {
    let mut store = backend.open();
    remember(&mut store, &session("shop"), "2026-11-15T10:00:00Z", &["a F"]);
    remember(&mut store, &session("bank"), "2026-11-15T10:00:00Z", &["a .", "b ."]);
    assert_eq!(store.history(&HistoryQuery::new("shop")).unwrap()[0].counts, counts(0, 1, 0));
    assert_eq!(ids(&mut store, &HistoryQuery::new("bank")), ["a", "b"]);
    assert_eq!(store.sessions("bank", 10).unwrap().len(), 1);
}

pub fn durations_are_the_mean_of_passes(backend: &Backend) {
    let mut store = backend.open();
    let id = store.begin(&session("shop")).unwrap();
    let timed = |number, milliseconds: [f64; 2]| {
        let mut run = run(number, &["a .", "b F", "c ."]);
        run.results[0].milliseconds = Some(milliseconds[0]);
        run.results[1].milliseconds = Some(milliseconds[1]);
        run
    };
    let durations = store.durations("shop").unwrap();
    assert!(durations.is_empty());
    store.record(id, time("2026-01-01T10:00:00Z"), &[timed(1, [1e6, 1.0])]).unwrap();
    store.record(id, time("2026-11-15T10:00:00Z"), &[timed(2, [10.0, 1.0]), timed(3, [20.0, 1.0])]).unwrap();
    let durations = store.durations("shop").unwrap();
    assert_eq!(durations.into_iter().collect::<Vec<_>>(), [("a".into(), 15.0)]);
}

pub fn a_summary_counts_tests_and_results(backend: &Backend) {
    let mut store = backend.open();
    let shop = session_on("shop", "c1", false);
    remember(&mut store, &shop, "2026-11-10T10:00:00Z", &["a F", "old ."]);
    remember(&mut store, &shop, "2026-11-15T10:00:00Z", &["a .", "b F", "c s"]);
    let all = store.summary("shop", None).unwrap();
    assert_eq!((all.tests, all.failing, all.flaky), (4, 2, 1));
    assert_eq!((all.passed, all.failed, all.skipped), (2, 2, 1));
    let recent = store.summary("shop", Some(time("2026-11-12T10:00:00Z"))).unwrap();
    assert_eq!((recent.tests, recent.failing, recent.passed, recent.failed), (3, 1, 1, 1));
    assert_eq!(store.summary("none", None).unwrap().tests, 0);
}

pub fn old_runs_go_and_their_counts_stay(backend: &Backend) {
    let mut store = backend.open();
    let old = remember(&mut store, &session("shop"), "2026-01-01T10:00:00Z", &["a F", "b ."]);
    let new = remember(&mut store, &session("shop"), "2026-11-15T10:00:00Z", &["b ."]);
    let retention = Retention { max_age: Some(90 * DAY), max_age_of_counts: None, max_bytes: None };
    let pruned = store.prune(&retention, time("2026-11-15T12:00:00Z")).unwrap();
    assert_eq!((pruned.runs, pruned.results, pruned.days), (1, 2, 0));
    assert!(store.runs(old).unwrap().is_empty());
    assert_eq!(store.runs(new).unwrap().len(), 1);
    assert_eq!(store.sessions("shop", 10).unwrap().len(), 1);
    let tests = store.history(&HistoryQuery::new("shop")).unwrap();
    assert_eq!((tests[0].counts, tests[1].counts), (counts(0, 1, 0), counts(2, 0, 0)));
    let failure = tests[0].last_failure.as_ref().unwrap();
    assert_eq!(failure.message.as_deref(), Some("a is wrong"));
    let again = store.prune(&retention, time("2026-11-15T12:00:00Z")).unwrap();
    assert_eq!((again.runs, again.days), (0, 0));
}

pub fn old_counts_go_with_their_tests(backend: &Backend) {
    let mut store = backend.open();
    remember(&mut store, &session("shop"), "2024-01-01T10:00:00Z", &["gone F", "b ."]);
    remember(&mut store, &session("shop"), "2026-11-15T10:00:00Z", &["b ."]);
    let pruned = store.prune(&Retention::default(), time("2026-11-15T12:00:00Z")).unwrap();
    assert_eq!((pruned.runs, pruned.days), (1, 2));
    let tests = store.history(&HistoryQuery::new("shop")).unwrap();
    assert_eq!((tests.len(), tests[0].counts), (1, counts(1, 0, 0)));
    // A test that comes back is a new one.
    remember(&mut store, &session("shop"), "2026-11-15T11:00:00Z", &["gone F"]);
    assert_eq!(ids(&mut store, &HistoryQuery::new("shop")), ["gone", "b"]);
}

pub fn a_store_that_is_too_large_loses_its_oldest_runs(backend: &Backend) {
    let mut store = backend.open();
    let names: Vec<String> = (0..300).map(|number| format!("test_{number} F")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let id = store.begin(&session("shop")).unwrap();
    for number in 1..=100 {
        let mut run = run(number, &names);
        run.excerpt = "x".repeat(5000);
        run.results[0].message = Some(format!("{number}{}", "y".repeat(5000)));
        store.record(id, time("2026-11-15T10:00:00Z"), &[run]).unwrap();
    }
    let newest = remember(&mut store, &session("shop"), "2026-11-15T11:00:00Z", &["test_1 ."]);
    let size = |backend: &Backend| backend.file().map(|file| std::fs::metadata(file).unwrap().len());
    let before = (store.bytes().unwrap(), size(backend));
    let limit = before.0 / 2;
    let retention = Retention { max_age: None, max_age_of_counts: None, max_bytes: Some(limit) };
    let pruned = store.prune(&retention, time("2026-11-15T12:00:00Z")).unwrap();
    assert!(pruned.runs >= 50 && pruned.bytes_after <= limit, "{pruned:?} with at most {limit}");
    assert_eq!((pruned.bytes_before, pruned.bytes_after), (before.0, store.bytes().unwrap()));
    assert_eq!(store.runs(newest).unwrap().len(), 1);
    let left = store.runs(id).unwrap();
    assert_eq!(left.len() as u64, 100 - pruned.runs);
    assert!(left.iter().all(|run| u64::from(run.number) > pruned.runs));
    if let (Some(before), Some(after)) = (before.1, size(backend)) {
        assert!(after < before * 2 / 3, "the file went from {before} to {after} bytes");
    }
}

pub fn the_cache_keeps_what_was_used_last(backend: &Backend) {
    let mut store = backend.open();
    let minute = |minute: i64| time("2026-11-15T10:00:00Z") + Duration::from_secs(60).mul_f64(minute as f64);
    for (number, key) in [(0, "a"), (1, "b"), (2, "c")] {
        store.keep("git", key, &[0, 255, number as u8], minute(number)).unwrap();
    }
    store.keep("other", "a", b"elsewhere", minute(0)).unwrap();
    store.keep("git", "b", b"new\0", minute(3)).unwrap();
    assert_eq!(store.cached("git", "b", minute(3)).unwrap().unwrap(), b"new\0");
    assert_eq!(store.cached("git", "none", minute(3)).unwrap(), None);
    // Used again an hour later, it is the newest.
    assert_eq!(store.cached("git", "a", minute(100)).unwrap().unwrap(), [0, 255, 0]);
    assert_eq!(store.evict("git", DAY, 7, minute(100)).unwrap(), 1);
    assert_eq!(store.cached("git", "c", minute(100)).unwrap(), None);
    assert_eq!(store.evict("git", Duration::from_secs(600), 100, minute(100)).unwrap(), 1);
    assert!(store.cached("git", "a", minute(100)).unwrap().is_some());
    assert!(store.cached("other", "a", minute(100)).unwrap().is_some());
}

pub fn what_git_told_is_kept_for_ninety_days_after_its_last_use(backend: &Backend) {
    let mut store = backend.open();
    let day = |day: u32| time("2026-11-15T10:00:00Z") + DAY * day;
    store.git_cache(day(0)).put("a", b"old").unwrap();
    store.git_cache(day(0)).put("b", b"\0\xff").unwrap();
    store.keep("other", "a", b"elsewhere", day(0)).unwrap();
    store.git_cache(day(1)).put("a", b"new").unwrap();
    assert_eq!(store.git_cache(day(80)).get("a").unwrap().unwrap(), b"new");
    assert_eq!(store.git_cache(day(80)).get("none").unwrap(), None);
    store.git_cache(day(100)).put("c", b"").unwrap();
    let known = |key| backend.open().git_cache(day(100)).get(key).unwrap();
    assert_eq!([known("a"), known("b"), known("c")], [Some(b"new".to_vec()), None, Some(Vec::new())]);
    assert!(store.cached("other", "a", day(100)).unwrap().is_some());
}

pub fn a_store_can_be_used_where_futures_run(backend: &Backend) {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let tests = runtime.block_on(async {
        let mut store = backend.open();
        remember(&mut store, &session("shop"), "2026-11-15T10:00:00Z", &["a F"]);
        store.history(&HistoryQuery::new("shop")).unwrap()
    });
    assert_eq!(tests.len(), 1);
}
