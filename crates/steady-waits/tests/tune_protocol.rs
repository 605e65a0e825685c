//! What the protocol costs and how often it is wrong, against the paper's, by simulation.
//!
//! `cargo test -p steady-waits --test tune_protocol -- --nocapture` prints the table.

use chacha20::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use steady_waits::tune::{Outcome, RUNS_PER_TRY, Settings, Strategy, Tuner, Verdict};

/// How often each protocol is played on each family.
const PLAYS: u32 = 400;
/// What must not be proposed: a value that fails this often.
const BAD: f64 = 0.03;
/// How often a hundred passes let such a value through: `0.97^100`.
const PAPERS_ERROR: f64 = 0.0476;

/// How long a test needs to wait, from run to run.
struct Family {
    name: &'static str,
    draw: fn(&mut ChaCha8Rng) -> f64,
    /// How often a wait of this length is too short.
    fails: fn(f64) -> f64,
}

fn uniform(random: &mut ChaCha8Rng) -> f64 {
    random.random_range(0.0..1.0)
}

/// Twelve uniform numbers less six: near enough to normal, with a tail that ends at six deviations.
fn normal(random: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| uniform(random)).sum::<f64>() - 6.0
}

/// The upper tail of the normal distribution, by Abramowitz and Stegun 7.1.26.
fn normal_tail(deviations: f64) -> f64 {
    let x = deviations.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let above = series.iter().fold(0.0, |sum, term| sum * t + term) * t * (-x * x).exp() / 2.0;
    if deviations < 0.0 { 1.0 - above } else { above }
}

fn exponential(mean: f64, random: &mut ChaCha8Rng) -> f64 {
    -mean * (1.0 - uniform(random)).ln()
}

fn exponential_tail(mean: f64, over: f64) -> f64 {
    (-over.max(0.0) / mean).exp()
}

fn spread(low: f64, high: f64, ms: f64) -> f64 {
    ((high - ms) / (high - low)).clamp(0.0, 1.0)
}

const FAMILIES: [Family; 9] = [
    Family { name: "always 177", draw: |_| 177.0, fails: |ms| f64::from(ms < 177.0) },
    Family {
        name: "uniform 137..177",
        draw: |random| 137.0 + 40.0 * uniform(random),
        fails: |ms| spread(137.0, 177.0, ms),
    },
    Family {
        name: "uniform 400..900",
        draw: |random| 400.0 + 500.0 * uniform(random),
        fails: |ms| spread(400.0, 900.0, ms),
    },
    Family {
        name: "normal 300 ± 20",
        draw: |random| 300.0 + 20.0 * normal(random),
        fails: |ms| normal_tail((ms - 300.0) / 20.0),
    },
    Family {
        name: "normal 300 ± 60",
        draw: |random| 300.0 + 60.0 * normal(random),
        fails: |ms| normal_tail((ms - 300.0) / 60.0),
    },
    Family {
        name: "100 + exponential 30",
        draw: |random| 100.0 + exponential(30.0, random),
        fails: |ms| exponential_tail(30.0, ms - 100.0),
    },
    Family {
        name: "100 + exponential 150",
        draw: |random| 100.0 + exponential(150.0, random),
        fails: |ms| exponential_tail(150.0, ms - 100.0),
    },
    Family {
        name: "100, in 5 % 400",
        draw: |random| if uniform(random) < 0.05 { 400.0 } else { 100.0 },
        fails: |ms| 0.95 * f64::from(ms < 100.0) + 0.05 * f64::from(ms < 400.0),
    },
    Family {
        name: "60, in 20 % 700",
        draw: |random| if uniform(random) < 0.2 { 700.0 } else { 60.0 },
        fails: |ms| 0.8 * f64::from(ms < 60.0) + 0.2 * f64::from(ms < 700.0),
    },
];

/// What one play came to: the value, and the executions.
type Play = (Option<u64>, u64);

fn ours(family: &Family, settings: &Settings, candidates: &[u64], random: &mut ChaCha8Rng) -> Play {
    let mut tuner = Tuner::new(settings, candidates);
    while let Some(attempt) = tuner.next_trial() {
        let passed = attempt.ms as f64 >= (family.draw)(random);
        tuner.absorb(attempt.ms, Outcome { passed, milliseconds: attempt.ms as f64 });
    }
    let value = match tuner.verdict() {
        Some(Verdict::Held { ms }) => Some(ms),
        _ => None,
    };
    (value, tuner.effort().executions)
}

/// TRaf as it is written: a hundred runs for every value, then bisection.
fn papers(family: &Family, settings: &Settings, candidates: &[u64], random: &mut ChaCha8Rng) -> Play {
    let mut tries = 0;
    let mut holds = |ms: u64| {
        tries += 1;
        // A hundred passes in one draw.
        uniform(random) < (1.0 - (family.fails)(ms as f64)).powi(RUNS_PER_TRY as i32)
    };
    let Some(mut high) = candidates.iter().copied().find(|ms| holds(*ms)) else {
        return (None, tries * RUNS_PER_TRY);
    };
    let mut low = 0;
    while settings.strategy != Strategy::Static && high - low >= settings.threshold {
        let middle = u64::midpoint(low, high);
        match (holds(middle), settings.strategy) {
            (true, Strategy::FirstMatch) => {
                high = middle;
                break;
            }
            (true, _) => high = middle,
            (false, _) => low = middle,
        }
    }
    (Some(high), tries * RUNS_PER_TRY)
}

/// Averages over many plays.
#[derive(Debug, Clone, Copy)]
struct Played {
    executions: f64,
    ms: f64,
    /// How often a bad value was proposed.
    bad: f64,
}

fn play(family: &Family, mut protocol: impl FnMut(&mut ChaCha8Rng) -> Play) -> Played {
    let mut random = ChaCha8Rng::seed_from_u64(20);
    let (mut executions, mut sum, mut found, mut bad) = (0, 0, 0_u32, 0_u32);
    for _ in 0..PLAYS {
        let (value, runs) = protocol(&mut random);
        executions += runs;
        let Some(ms) = value else { continue };
        found += 1;
        sum += ms;
        bad += u32::from((family.fails)(ms as f64) >= BAD);
    }
    let plays = f64::from(PLAYS);
    Played {
        executions: executions as f64 / plays,
        ms: sum as f64 / f64::from(found.max(1)),
        bad: f64::from(bad) / plays,
    }
}

/// Plays both protocols on all families and prints a line for each.
#[expect(clippy::print_stdout, reason = "the table is for people; cargo shows it when asked to")]
fn compare(settings: &Settings, candidates: &[u64]) -> Vec<(&'static str, Played, Played)> {
    println!("\n{:?} from {candidates:?}", settings.strategy);
    println!("{:22} | paper: runs   ms  bad | ours: runs   ms  bad | saved", "needs (ms)");
    let line = |family: &Family| {
        let paper = play(family, |random| papers(family, settings, candidates, random));
        let ours = play(family, |random| ours(family, settings, candidates, random));
        println!(
            "{:22} | {:11.0} {:4.0} {:3.1}% | {:10.0} {:4.0} {:3.1}% | {:4.1} times",
            family.name,
            paper.executions,
            paper.ms,
            100.0 * paper.bad,
            ours.executions,
            ours.ms,
            100.0 * ours.bad,
            paper.executions / ours.executions
        );
        (family.name, paper, ours)
    };
    FAMILIES.iter().map(line).collect()
}

fn settings(strategy: Strategy) -> Settings {
    Settings { strategy, baseline: 0, ..Settings::default() }
}

#[test]
fn to_the_end_takes_a_fifth_of_the_papers_executions_and_proposes_no_more_bad_values() {
    for candidates in [&[500, 1000, 5000][..], &[2000]] {
        let played = compare(&settings(Strategy::Dynamic), candidates);
        for (name, paper, ours) in &played {
            assert!(ours.bad <= PAPERS_ERROR, "{name}: {ours:?}");
            // A long tail takes confirmations that fail; what is left of the fifth does not always do for them.
            assert!(4.2 * ours.executions <= paper.executions, "{name}: {ours:?} against {paper:?}");
        }
        let all = |of: fn(&(&str, Played, Played)) -> f64| played.iter().map(of).sum::<f64>();
        assert!(5.0 * all(|(_, _, ours)| ours.executions) <= all(|(_, paper, _)| paper.executions));
        // Where a known wait always suffices and little varies, it is found.
        for (name, paper, ours) in &played[..2] {
            assert!(5.0 * ours.executions <= paper.executions, "{name}: {ours:?} against {paper:?}");
            assert!((ours.ms - paper.ms).abs() < 10.0, "{name}: {ours:?} against {paper:?}");
        }
    }
}

#[test]
fn a_single_value_can_be_trusted_no_cheaper() {
    for strategy in [Strategy::Static, Strategy::FirstMatch] {
        for (name, paper, ours) in compare(&settings(strategy), &[100, 500, 1000, 5000]) {
            assert!(ours.executions < paper.executions, "{name}: {ours:?} against {paper:?}");
            assert!(ours.executions >= 100.0, "{name}: {ours:?}");
            assert!(ours.bad <= PAPERS_ERROR, "{name}: {ours:?}");
        }
    }
}
