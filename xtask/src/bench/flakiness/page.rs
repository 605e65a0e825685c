//! The figures as a page of tables.

use super::super::table;
use super::{Evaluation, Options};

/// The share of assertions that must still assert something.
const GOAL_ASSERTING: f64 = 0.98;
/// Mutants the handled suite must kill for each that the unhandled one kills.
const GOAL_MUTANTS: f64 = 0.95;

/// Everything, in Markdown.
pub fn render(evaluations: &[Evaluation], speed: &[String], options: &Options) -> String {
    let sections = [
        introduction(evaluations, options),
        labels(evaluations),
        assertions(evaluations),
        native(evaluations),
        emitted(evaluations),
        mutants(evaluations),
        cost(evaluations, speed),
        shortcomings(evaluations),
    ];
    sections.join("\n")
}

fn introduction(evaluations: &[Evaluation], options: &Options) -> String {
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let names: Vec<&str> = evaluations.iter().map(|evaluation| evaluation.api.as_str()).collect();
    let starts = evaluations.iter().map(|evaluation| evaluation.native.starts).max().unwrap_or_default();
    format!(
        "# Flakiness: what is found, what is kept, what still fails\n\n\
         Written by `cargo xtask bench flakiness --write` (a {profile} build of steady; seed {}).\n\n\
         The APIs of the test kit's catalogue ({}) are fuzzed twice from one seed: once with flaky assertions handled, as\n\
         `steady fuzz` does by default, once with every assertion left as first written (`--flaky keep`). Each suite is run {} times\n\
         by the native runner, shuffled, over {starts} starts of the API; each emitted suite {} times. Every start is a new process on\n\
         another port and in another folder, under one of: all conditions at once (with the first value of each kind, and with the last),\n\
         clock +1d3h, +183d, +800d, two time zones, the locales there are, two folders for temporary files, seeds of hash\n\
         tables and of random numbers, nothing changed. Detection tries the first value of each kind, of the clock all: no shift of\n\
         the clock is new to the suites, the second time zone, the other locales, folder and seeds are.\n",
        options.seed,
        names.join(", "),
        options.runs,
        options.emitted
    )
}

fn labels(evaluations: &[Evaluation]) -> String {
    let rows = evaluations.iter().map(|evaluation| {
        let labels = &evaluation.labels;
        let wrong = labels.all - labels.right;
        let figures = [
            labels.all,
            labels.right,
            labels.inferred,
            labels.avoided,
            wrong,
            labels.constants,
            labels.touched,
        ];
        (evaluation.api.as_str(), verdict(wrong + labels.touched == 0), figures)
    });
    let header = [
        "API",
        "goal met",
        "labels",
        "right category",
        "inferred",
        "avoided",
        "missed or wrong",
        "look-alikes",
        "touched",
    ];
    format!(
        "## Labels\n\n{}\n\
         Right category: found, and put down to what the label says. Of these, inferred: nothing on one machine moves the value (its\n\
         port, its folders, its name), and it was told by its looks; avoided: it was seen to vary with what other calls left, and the\n\
         suite's tests create what they look at, so that it is still asserted exactly. Goal: none missed, no look-alike touched.\n",
        with_total(&header, rows)
    )
}

fn assertions(evaluations: &[Evaluation]) -> String {
    let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
    let mut rows = Vec::new();
    let mut sum = [0; 7];
    let mut row = |name: &str, figures: [usize; 7]| {
        let [exact, relaxed, disabled, .., before, after] = figures;
        let asserting = share(exact + relaxed, exact + relaxed + disabled);
        let kept = share(after, before);
        let met = asserting >= GOAL_ASSERTING && kept >= GOAL_ASSERTING;
        let mut cells = vec![name.to_owned(), verdict(met).to_owned()];
        cells.extend(figures.map(|figure| figure.to_string()));
        cells.extend([asserting, kept].map(|share| format!("{:.1} %", 100.0 * share)));
        rows.push(cells);
    };
    for evaluation in evaluations {
        let left = &evaluation.left;
        let counts = &left.counts;
        let tests = evaluation.suites.handled.suite.tests.len();
        let figures = [
            counts.exact,
            counts.relaxed,
            counts.disabled,
            tests,
            left.shared_tests,
            left.before,
            left.after,
        ];
        sum.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
        row(&evaluation.api, figures);
    }
    row("total", sum);
    let header = [
        "API",
        "goal met",
        "exact",
        "relaxed",
        "disabled",
        "tests",
        "in both",
        "before",
        "still spoken of",
        "asserting",
        "kept",
    ];
    format!(
        "## Assertions\n\n{}\n\
         Exact, relaxed, disabled, asserting: of the handled suite. Before: assertions of the unhandled suite in the tests that both\n\
         suites have; still spoken of: those whose place the handled suite still asserts, alone or as an item of an asserted list.\n\
         Goal: at least {:.0} % in both shares.\n",
        table::render(&header, &rows),
        100.0 * GOAL_ASSERTING
    )
}

fn native(evaluations: &[Evaluation]) -> String {
    let mut rows = Vec::new();
    for evaluation in evaluations {
        let suites = [
            ("handled", &evaluation.suites.handled, &evaluation.native.handled),
            ("unhandled", &evaluation.suites.unhandled, &evaluation.native.unhandled),
        ];
        for (name, outcome, ledger) in suites {
            let (tests, failing) = (outcome.suite.tests.len(), ledger.failing_tests());
            rows.push(vec![
                evaluation.api.clone(),
                name.to_owned(),
                tests.to_string(),
                ledger.runs.to_string(),
                evaluation.native.starts.to_string(),
                failing.to_string(),
                ledger.failures.len().to_string(),
                format!("{:.1} %", 100.0 * failing as f64 / tests.max(1) as f64),
            ]);
        }
    }
    let header = [
        "API",
        "suite",
        "tests",
        "runs",
        "starts",
        "tests that failed",
        "assertions that failed",
        "of tests",
    ];
    format!(
        "## Native reruns\n\n{}\nCounted when they failed in at least one run. Goal: no test of a handled suite.\n",
        table::render(&header, &rows)
    )
}

fn emitted(evaluations: &[Evaluation]) -> String {
    let mut rows = Vec::new();
    for evaluation in evaluations {
        for emitted in &evaluation.emitted {
            let runs = emitted.runs.max(1) as f64;
            rows.push(vec![
                evaluation.api.clone(),
                emitted.emitter.as_str().to_owned(),
                evaluation.suites.handled.suite.tests.len().to_string(),
                emitted.runs.to_string(),
                emitted.failing.len().to_string(),
                format!("{:.1}", emitted.elapsed.as_secs_f64() / runs),
            ]);
        }
    }
    let header = ["API", "emitter", "tests", "runs", "tests that failed", "seconds per run"];
    format!("## Emitted suites\n\n{}\nGoal: no test fails.\n", table::render(&header, &rows))
}

fn mutants(evaluations: &[Evaluation]) -> String {
    let mut rows = Vec::new();
    let mut sum = (0, 0, 0);
    let mut row = |name: &str, (all, handled, unhandled): (usize, usize, usize)| {
        let ratio = handled as f64 / unhandled.max(1) as f64;
        rows.push(vec![
            name.to_owned(),
            verdict(ratio >= GOAL_MUTANTS).to_owned(),
            all.to_string(),
            handled.to_string(),
            unhandled.to_string(),
            format!("{:.1} %", 100.0 * ratio),
        ]);
    };
    for evaluation in evaluations {
        let mutation = &evaluation.mutation;
        let figures = (mutation.all, mutation.handled(), mutation.unhandled());
        sum = (sum.0 + figures.0, sum.1 + figures.1, sum.2 + figures.2);
        row(&evaluation.api, figures);
    }
    row("total", sum);
    let header = ["API", "goal met", "mutants", "killed, handled", "killed, unhandled", "handled/unhandled"];
    format!(
        "## Mutants\n\n{}\n\
         A mutant is killed by an assertion that fails in one of two runs on it, and in none of 20 over five starts of the API as it\n\
         should be, no condition changed. Goal: at least {:.0} %.\n",
        table::render(&header, &rows),
        100.0 * GOAL_MUTANTS
    )
}

fn cost(evaluations: &[Evaluation], speed: &[String]) -> String {
    let mut rows = Vec::new();
    for evaluation in evaluations {
        let suites = &evaluation.suites;
        let detection = suites.handled.summary.detection.clone();
        let steps = detection.as_ref().map(|detection| detection.steps.clone()).unwrap_or_default();
        let figure = |figure: Option<u64>| figure.unwrap_or_default().to_string();
        rows.push(vec![
            evaluation.api.clone(),
            steps.join(", "),
            figure(detection.as_ref().map(|detection| detection.runs.into())),
            steps.iter().map(|step| restarts(step)).sum::<u32>().to_string(),
            figure(detection.as_ref().map(|detection| detection.requests)),
            format!("{:.1}", suites.detecting.as_secs_f64()),
            suites.handled.summary.requests.to_string(),
            format!("{:.1}", suites.searching.as_secs_f64()),
        ]);
    }
    let header =
        ["API", "steps", "runs", "restarts", "requests", "seconds", "search requests", "search seconds"];
    let speed: String = speed.iter().map(|line| format!("- {line}\n")).collect();
    format!(
        "## Cost\n\n{}\n\
         Runs, restarts, requests and seconds: of detection, starting the API included; beside it the search with its re-checks.\n\n\
         Comparing, in a release build on one core; goal: under 1,000 ms for 10,000 pairs of 10 kB.\n\n{speed}",
        table::render(&header, &rows)
    )
}

/// How often a step, such as `proof x2`, started the API.
fn restarts(step: &str) -> u32 {
    let (name, times) = match step.rsplit_once(" x").map(|(name, times)| (name, times.parse())) {
        Some((name, Ok(times))) => (name, times),
        _ => (step, 1),
    };
    if matches!(name, "rerun" | "order" | "reset" | "backwards") { 0 } else { times }
}

fn shortcomings(evaluations: &[Evaluation]) -> String {
    let mut text = "## What falls short\n".to_owned();
    for evaluation in evaluations {
        let mut lines: Vec<String> = evaluation.suites.warnings.clone();
        lines.extend(evaluation.labels.wrong.iter().cloned());
        lines.extend(evaluation.left.given_up.iter().map(|line| format!("no longer asserted: {line}")));
        for (spot, failed) in &evaluation.native.handled.failures {
            let message = failed.message.lines().next().unwrap_or_default();
            lines.push(format!(
                "fails {} times, first with {}: {spot}: {message}",
                failed.times, failed.condition
            ));
        }
        for emitted in &evaluation.emitted {
            for (test, conditions) in &emitted.failing {
                let conditions: Vec<&str> = conditions.iter().map(String::as_str).collect();
                let emitter = emitted.emitter.as_str();
                lines.push(format!("{emitter}: {test} fails with {}", conditions.join("; ")));
            }
        }
        let mutation = &evaluation.mutation;
        lines.extend(
            mutation.lost.iter().map(|mutant| format!("killed by the unhandled suite only: {mutant}")),
        );
        lines.extend(mutation.alive.iter().map(|mutant| format!("killed by neither suite: {mutant}")));
        text.push_str(&format!("\n{}:\n\n", evaluation.api));
        if lines.is_empty() {
            text.push_str("- nothing\n");
        }
        lines.iter().for_each(|line| text.push_str(&format!("- {line}\n")));
    }
    text
}

/// A table with a last row of sums.
fn with_total<'a, const N: usize>(
    header: &[&str],
    figures: impl Iterator<Item = (&'a str, &'static str, [usize; N])>,
) -> String {
    let mut sum = [0; N];
    let mut rows = Vec::new();
    let row = |name: &str, met: &str, figures: [usize; N]| {
        let names = [name.to_owned(), met.to_owned()];
        names.into_iter().chain(figures.map(|figure| figure.to_string())).collect::<Vec<_>>()
    };
    let mut all_met = true;
    for (name, met, figures) in figures {
        all_met &= met == verdict(true);
        sum.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
        rows.push(row(name, met, figures));
    }
    rows.push(row("total", verdict(all_met), sum));
    table::render(header, &rows)
}

fn verdict(met: bool) -> &'static str {
    if met { "yes" } else { "no" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_in_place_start_nothing() {
        assert_eq!(
            ["rerun x3", "order", "reset", "restart", "proof x2", "clock +1d3h"].map(restarts),
            [0, 0, 0, 1, 2, 1]
        );
    }
}
