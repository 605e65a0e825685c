//! Where each strategy ends, and what it takes, when the needed wait is known.

use steady_waits::tune::{Attempt, Effort, Outcome, Settings, Strategy, Tuner, Verdict, Why, paper};

/// Plays a test that fails below `needed`.
fn play(settings: &Settings, candidates: &[u64], needed: u64) -> (Verdict, Effort, Vec<Attempt>) {
    play_runs(settings, candidates, |_, ms| ms >= needed)
}

/// Plays a test whose outcome depends on the number of the run and on the wait.
fn play_runs(
    settings: &Settings,
    candidates: &[u64],
    passes: impl Fn(usize, u64) -> bool,
) -> (Verdict, Effort, Vec<Attempt>) {
    let mut tuner = Tuner::new(settings, candidates);
    let mut attempts = Vec::new();
    while let Some(attempt) = tuner.next_trial() {
        let passed = passes(attempts.len(), attempt.ms);
        attempts.push(attempt);
        tuner.absorb(attempt.ms, Outcome { passed, milliseconds: attempt.ms as f64 });
        assert!(attempts.len() < 5000, "no end: {:?}", attempts.last());
    }
    let verdict = tuner.verdict().unwrap_or_else(|| panic!("no verdict after {} runs", attempts.len()));
    (verdict, tuner.effort(), attempts)
}

fn with(strategy: Strategy) -> Settings {
    Settings { strategy, before: Some(0), ..Settings::default() }
}

#[test]
fn static_takes_the_first_candidate_that_holds_and_passes_over_what_cannot_hold() {
    let (verdict, effort, attempts) = play(&with(Strategy::Static), &[100, 50, 500, 2000], 177);
    assert_eq!(verdict, Verdict::Held { ms: 500 });
    // 100 fails at once; 50 is shorter and is not run.
    assert_eq!((effort.candidates, effort.tuned, effort.executions, effort.baseline), (2, 0, 101, 5));
    assert!(attempts.iter().all(|attempt| attempt.ms != 50));
}

#[test]
fn first_match_ends_at_the_first_shorter_value_that_holds() {
    let (verdict, effort, _) = play(&with(Strategy::FirstMatch), &[500], 177);
    assert_eq!(verdict, Verdict::Held { ms: 250 });
    assert_eq!((effort.candidates, effort.tuned, effort.executions), (1, 1, 103));
}

#[test]
fn first_match_keeps_the_candidate_when_nothing_shorter_holds() {
    let (verdict, _, _) = play(&with(Strategy::FirstMatch), &[177], 177);
    assert_eq!(verdict, Verdict::Held { ms: 177 });
}

#[test]
fn dynamic_and_fatb_end_within_the_threshold() {
    // A candidate that fails raises the lower end.
    for (strategy, ms) in [(Strategy::Dynamic, 178), (Strategy::Fatb { from: 500 }, 179)] {
        let settings = with(strategy);
        let (verdict, effort, _) = play(&settings, &[100, 500], 177);
        assert_eq!(verdict, Verdict::Held { ms }, "{strategy:?}");
        assert_eq!(effort.tuned, 7);
        let theirs = paper(strategy, Some(0), &[100, 500], ms, 5).unwrap();
        assert_eq!(theirs.tuned, 7);
        assert!(5 * effort.executions <= theirs.executions(), "{effort:?} against {theirs:?}");
    }
}

#[test]
fn every_needed_wait_is_found_within_the_threshold_without_one_failure_at_it() {
    for needed in (0..2000).step_by(37) {
        for strategy in [Strategy::Dynamic, Strategy::Shrink] {
            let before = if strategy == Strategy::Shrink { Some(2000) } else { None };
            let settings = Settings { strategy, before, ..Settings::default() };
            let (verdict, ..) = play_runs(&settings, &[2000], |run, ms| {
                // The baseline of a repair has to fail.
                ms >= needed && (run >= 5 || strategy == Strategy::Shrink)
            });
            let (Verdict::Held { ms } | Verdict::Kept { ms }) = verdict else { panic!("{verdict:?}") };
            assert!(ms >= needed && ms - needed < 5, "{strategy:?}: {ms} for {needed}");
        }
    }
}

#[test]
fn a_wait_that_nobody_needs_shrinks_to_nothing() {
    let settings = Settings { before: Some(2000), ..with(Strategy::Shrink) };
    let (verdict, ..) = play(&settings, &[], 0);
    assert_eq!(verdict, Verdict::Held { ms: 0 });
}

#[test]
fn a_wait_that_is_right_is_kept_without_a_confirmation() {
    let settings = Settings { before: Some(200), ..with(Strategy::Shrink) };
    let (verdict, effort, _) = play(&settings, &[], 200);
    assert_eq!(verdict, Verdict::Kept { ms: 200 });
    assert!(effort.executions < 10, "{effort:?}");
}

#[test]
fn a_wait_that_fails_as_it_is_is_not_shortened() {
    let settings = Settings { before: Some(200), ..with(Strategy::Shrink) };
    assert_eq!(play(&settings, &[], 300).0, Verdict::Flaky);
}

#[test]
fn a_test_that_does_not_fail_needs_no_repair() {
    let settings = Settings { before: Some(200), ..with(Strategy::Dynamic) };
    let (verdict, effort, _) = play(&settings, &[500], 100);
    assert_eq!((verdict, effort.baseline, effort.executions), (Verdict::NotFlaky, 20, 0));
}

#[test]
fn no_candidate_that_is_long_enough_is_said() {
    for strategy in [Strategy::Static, Strategy::FirstMatch, Strategy::Dynamic] {
        let (verdict, effort, _) = play(&with(strategy), &[100, 300, 200], 1000);
        assert_eq!(verdict, Verdict::NoneHeld, "{strategy:?}");
        assert_eq!(effort.candidates, 2, "200 is shorter than 300, which failed");
    }
}

#[test]
fn when_no_candidate_is_long_enough_the_longest_is_doubled() {
    for (strategy, needed, found) in
        [(Strategy::Static, 1000, 1200), (Strategy::Static, 700, 1200), (Strategy::Dynamic, 1000, 1002)]
    {
        let settings = Settings { longer: 3, ..with(strategy) };
        let (verdict, effort, attempts) = play(&settings, &[100, 300, 200], needed);
        assert_eq!(verdict, Verdict::Held { ms: found }, "{strategy:?}");
        assert_eq!(effort.candidates, 2);
        let longer = attempts.iter().filter(|attempt| attempt.why == Why::Longer).map(|attempt| attempt.ms);
        let mut longer: Vec<u64> = longer.collect();
        longer.dedup();
        assert_eq!(longer, [600, 1200]);
    }
}

#[test]
fn doubling_has_an_end() {
    let settings = Settings { longer: 3, ..with(Strategy::Static) };
    let (verdict, effort, _) = play(&settings, &[300], 100_000);
    assert_eq!((verdict, effort.executions), (Verdict::NoneHeld, 4));
    let (verdict, effort, _) = play(&settings, &[20_000], 100_000);
    assert_eq!((verdict, effort.executions), (Verdict::NoneHeld, 1), "nobody keeps a wait of 40 s");
}

#[test]
fn a_value_that_fails_in_its_confirmation_is_left_for_a_longer_one() {
    // 240 and less fail in one run of thirty.
    let settings = Settings { baseline: 0, ..with(Strategy::Dynamic) };
    let passes = |run: usize, ms: u64| ms >= 250 || (ms >= 177 && run % 30 != 29);
    let (verdict, effort, attempts) = play_runs(&settings, &[500], passes);
    let Verdict::Held { ms } = verdict else { panic!("{verdict:?}") };
    assert!(ms >= 250, "{ms}");
    assert!(effort.executions < 300, "{effort:?}");
    assert!(attempts.iter().any(|attempt| attempt.why == Why::Confirm && attempt.ms < 250));
}

#[test]
fn when_the_runs_are_used_up_the_best_so_far_is_told() {
    let settings = Settings { most: Some(30), ..with(Strategy::Dynamic) };
    let (verdict, _, attempts) = play(&settings, &[500], 177);
    assert_eq!((verdict, attempts.len()), (Verdict::Unfinished { best: Some(179) }, 30));
}

#[test]
fn with_one_candidate_that_never_passes_there_is_an_end() {
    let (verdict, effort, _) = play_runs(&with(Strategy::Dynamic), &[500, 1000], |_, _| false);
    assert_eq!((verdict, effort.executions), (Verdict::NoneHeld, 2));
}
