//! Every verdict, category and polluter of the project of known rates.

use super::{report, rerun_rates, rerun_script, test_named, verdicts};

fn expected(failures: [u64; 4], runs: u64) -> Vec<(String, String, u64)> {
    let [two, three, five, ten] = failures;
    [
        ("test_broken", "broken", runs),
        ("test_fails_every[10]", "flaky", ten),
        ("test_fails_every[2]", "flaky", two),
        ("test_fails_every[3]", "flaky", three),
        ("test_fails_every[5]", "flaky", five),
        ("test_skipped", "skipped", 0),
        ("test_stable", "stable", 0),
    ]
    .map(|(name, verdict, failed)| (name.to_owned(), verdict.to_owned(), failed))
    .into()
}

#[test]
fn known_rates_are_found_in_a_fixed_number_of_runs() {
    let outcome = rerun_rates(&["--runs", "30", "--perturb", "off"], "test_rates.py").run().exits_with(1);
    let report = report(&outcome);
    assert_eq!(verdicts(&report), expected([15, 10, 6, 3], 30));
    assert_eq!((report["runs"].as_u64(), report["executions"].as_u64()), (Some(30), Some(180)));
}

#[test]
fn known_rates_are_found_until_stable_in_a_fifth_of_a_hundred_runs() {
    let outcome = rerun_rates(&["--until-stable", "--perturb", "off"], "test_rates.py").run().exits_with(1);
    let report = report(&outcome);
    assert_eq!(report["runs"].as_u64(), Some(20));
    assert_eq!(verdicts(&report), expected([10, 6, 4, 2], 20));
}

#[test]
fn the_perturbation_that_flips_a_test_gives_its_category() {
    let options = [
        "--runs",
        "10",
        "--jobs",
        "2",
        "--perturb",
        "hash,tz,clock,locale,tmp",
        "--env",
        "PYTHONHASHSEED=5",
        "--env",
        "TZ=UTC",
        "--env",
        "LC_ALL=C.UTF-8",
    ];
    let outcome = rerun_rates(&options, "test_surroundings.py").run().exits_with(1);
    let report = report(&outcome);
    for (name, perturbation, category) in [
        ("test_order_of_a_set", "hash", "Unord"),
        ("test_time_zone", "tz", "Time"),
        ("test_date", "clock", "Time"),
        ("test_language", "locale", "Env"),
        ("test_temporary_folder", "tmp", "Env"),
    ] {
        let test = test_named(&report, name);
        assert_eq!(test["verdict"], "sensitive", "{test:#}");
        assert_eq!(test["category"], category, "{test:#}");
        assert_eq!(test["flips"].as_array().unwrap().len(), 1, "{test:#}");
        assert_eq!(test["flips"][0]["perturbation"], perturbation);
        assert_eq!(test["flips"][0]["counts"]["passed"], 0);
    }
    let calm = test_named(&report, "test_nothing_of_it");
    assert_eq!((calm["all"]["failed"].as_u64(), calm["category"].as_str()), (Some(0), None));
}

#[test]
fn fixed_randomness_and_slow_connections_give_categories() {
    let options = ["--runs", "10", "--perturb", "random,latency"];
    let outcome = rerun_rates(&options, "test_shim.py").run().exits_with(1);
    let report = report(&outcome);
    for (name, perturbation, category) in
        [("test_never_draws_twice", "random", "Rand"), ("test_connects_at_once", "latency", "Async")]
    {
        let test = test_named(&report, name);
        assert_eq!(test["plain"]["failed"], 0, "{test:#}");
        assert_eq!(test["category"], category, "{test:#}");
        assert_eq!(test["flips"][0]["perturbation"], perturbation, "{test:#}");
    }
}

#[test]
fn shuffling_names_polluter_and_setter() {
    let outcome =
        rerun_rates(&["--runs", "20", "--shuffle", "--seed", "1"], "test_order.py").run().exits_with(1);
    let report = report(&outcome);
    for (name, role, other) in [
        ("test_cart_is_empty", "polluter", "test_order.py::test_adds_to_the_cart"),
        ("test_sees_the_user", "setter", "test_order.py::test_logs_in"),
    ] {
        let test = test_named(&report, name);
        assert_eq!((test["verdict"].as_str(), test["category"].as_str()), (Some("sensitive"), Some("State")));
        let dependence = &test["dependence"];
        assert_eq!(dependence["role"], role);
        assert_eq!(dependence["tests"], serde_json::json!([other]));
        assert_eq!((dependence["confirmed"].as_u64(), dependence["tried"].as_u64()), (Some(3), Some(3)));
    }
    for name in ["test_adds_to_the_cart", "test_logs_in", "test_needs_nothing"] {
        assert_eq!(test_named(&report, name)["verdict"], "stable");
    }
    assert!(outcome.stdout.contains("  fails after test_order.py::test_adds_to_the_cart (3 of 3)\n"));
    assert!(outcome.stdout.contains("  fails unless it runs after test_order.py::test_logs_in (3 of 3)\n"));
}

#[test]
fn a_retry_that_passes_is_still_a_failure_seen() {
    let script = r#"cat >report.xml <<'END'
<testsuite name="shop"><testcase classname="shop.Cart" name="pays"><flakyFailure message="late"/></testcase></testsuite>
END"#;
    let outcome = rerun_script(&["--runs", "3", "--perturb", "off", "--results", "report.xml"], script)
        .run()
        .exits_with(1);
    assert_eq!(verdicts(&report(&outcome)), [("pays".to_owned(), "flaky".to_owned(), 3)]);
}

#[test]
fn a_failure_in_too_few_runs_is_undecided_and_no_success() {
    let outcome = rerun_script(&["--runs", "3", "--perturb", "off"], "exit 3").run().exits_with(1);
    assert!(outcome.stdout.starts_with("UNDECIDED sh -c exit 3: 3 of 3 failed"), "{}", outcome.stdout);
}

#[test]
fn a_test_that_fails_only_under_a_change_now_and_then_is_sensitive_and_never_flaky() {
    // Fails in every second run with another time zone, and never as it is.
    let script = r#"echo "1..1"
if [ -z "$TZ" ]; then echo "ok 1 - a"; exit; fi
n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n >n
if [ $((n % 2)) -eq 0 ]; then echo "not ok 1 - a"; else echo "ok 1 - a"; fi"#;
    let outcome = rerun_script(&["--runs", "20", "--perturb", "tz"], script).run().exits_with(1);
    assert!(
        outcome.stdout.starts_with("SENSITIVE a: 0 of 20 failed, 0 % (0–16.8 %), Time\n"),
        "{}",
        outcome.stdout
    );
    assert!(
        outcome.stderr.starts_with("note: trying tz: at least 4 more runs, about 1 s\n"),
        "{}",
        outcome.stderr
    );
}
