//! Says why a place varies, from what moved it and from what its values look like.
//!
//! The categories are those of Table 3 in the study of flaky REST tests that FlakyCatch comes from. Evidence decides in this
//! order: the kind of difference, the shape of the values, the one change that moved them, and how they moved.

mod evidence;
mod movement;

use steady_model::Place;
use steady_model::rerun::{Category, Perturbation};

pub use evidence::{Evidence, SuspicionStatus, suspicion_status};
pub use steady_model::Step;

use crate::compare::{Kind, Variation};
use crate::infer::Strength;
use movement::Movement;

/// Why a place varies, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// The category.
    pub category: Category,
    /// `rerun`, `perturbed:<what>` and `inferred`, as in `findings.json`.
    pub evidence: Vec<Step>,
}

/// The category of a variation.
pub fn classify(variation: &Variation, evidence: &Evidence) -> Cause {
    let (category, by_shape) = decide(variation, evidence);
    let mut shown: Vec<Step> = evidence.steps_that_moved().filter(|step| explains(*step, evidence)).collect();
    if by_shape && !evidence.has_moved(Step::Inferred) {
        shown.push(Step::Inferred);
    }
    Cause { category, evidence: shown }
}

/// Whether a step that moved a value says something that the others do not: a changed environment comes with a restart, so it is
/// no evidence for the change where a restart alone, or a rerun, moved the value as well.
fn explains(step: Step, evidence: &Evidence) -> bool {
    match step {
        Step::Perturbed(Perturbation::Order) => true,
        Step::Perturbed(_) => !evidence.has_moved(Step::Restart) && !evidence.has_moved(Step::Rerun),
        Step::Rerun | Step::Reset | Step::Restart | Step::Inferred => true,
    }
}

/// The category, and whether the shape of the values had a say.
fn decide(variation: &Variation, evidence: &Evidence) -> (Category, bool) {
    let movement = Movement::of(variation, evidence.in_place());
    if variation.kind == Kind::Order || movement == Movement::Shuffled {
        return (Category::Unord, false);
    }
    if evidence.is_process_id() {
        return (Category::Env, true);
    }
    // Another language writes the same moment, path or duration in other words.
    if evidence.has_only_moved(Step::Perturbed(Perturbation::Locale)) {
        return (Category::Env, false);
    }
    // A machine has its name as long as it runs: what is drawn each time only looks like one.
    let is_drawn = evidence.has_moved(Step::Rerun) && movement == Movement::Drawn;
    if let Some(category) = evidence.shape(Strength::Weak)
        && !(category == Category::Env && is_drawn)
    {
        return (category, true);
    }
    if let Some(category) = by_perturbation(evidence) {
        return (category, false);
    }
    (by_rerun(variation, evidence, movement), false)
}

/// A change that moved what stayed when nothing was changed names the cause.
fn by_perturbation(evidence: &Evidence) -> Option<Category> {
    if evidence.has_moved(Step::Rerun) || evidence.has_moved(Step::Reset) {
        return None;
    }
    // The more specific first: another locale also formats dates, another clock also changes what is drawn from it.
    let causes = [
        (Perturbation::Locale, Category::Env),
        (Perturbation::Tmp, Category::Env),
        (Perturbation::Clock, Category::Time),
        (Perturbation::Tz, Category::Time),
        (Perturbation::Hash, Category::RunMsg),
        (Perturbation::Random, Category::Rand),
        (Perturbation::Order, Category::State),
        (Perturbation::Latency, Category::Async),
        (Perturbation::Load, Category::Async),
    ];
    // Perturbed runs are restarted ones: what a restart alone moves, no perturbation explains.
    if evidence.has_moved(Step::Restart) {
        return None;
    }
    causes
        .into_iter()
        .find(|(perturbation, _)| evidence.has_moved(Step::Perturbed(*perturbation)))
        .map(|(_, category)| category)
}

/// What repeating alone moved: state that grows or is used up, or something drawn.
fn by_rerun(variation: &Variation, evidence: &Evidence, movement: Movement) -> Category {
    let in_place = evidence.has_moved(Step::Rerun);
    let reset = evidence.has_moved(Step::Reset);
    let restarted = evidence.has_moved(Step::Restart);
    if !in_place && !reset && !restarted {
        return Category::Unk;
    }
    // One of a few values is drawn again by chance: that a reset brought it back says nothing.
    let comes_back_anyway = movement == Movement::Recurring;
    // A reset that undoes what repeating does shows state, whatever the value is; so does one that undoes what was there.
    if !comes_back_anyway && in_place == evidence.has_held(Step::Reset) && (in_place || reset) {
        return Category::State;
    }
    let structural =
        matches!(variation.kind, Kind::Items | Kind::Presence) || variation.place == Place::Status;
    match (structural, movement) {
        (true, _) => Category::State,
        // In memory until the process ends: a class path, a registry, a process id.
        (false, _) if !in_place && restarted => Category::Env,
        (false, Movement::Counting) => Category::State,
        (false, Movement::Jumping | Movement::Recurring | Movement::Drawn) => Category::Rand,
        (false, _) => Category::Unk,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::infer::Context;

    struct Case {
        what: &'static str,
        place: &'static str,
        kind: Kind,
        values: Vec<Value>,
        moved: Vec<Step>,
        held: Vec<Step>,
        category: Category,
        evidence: &'static [&'static str],
    }

    fn check(case: Case) {
        let place: Place = case.place.parse().expect("a place");
        let variation = Variation::new(place.clone(), case.kind, case.values);
        let now = "2026-03-10T12:00:00Z".parse().expect("a time");
        let evidence =
            case.moved.into_iter().fold(Evidence::of(&variation, &Context::at(&place, now)), Evidence::moved);
        let evidence = case.held.into_iter().fold(evidence, Evidence::held);
        let cause = classify(&variation, &evidence);
        assert_eq!(cause.category, case.category, "{}", case.what);
        let shown: Vec<String> = cause.evidence.iter().map(Step::to_string).collect();
        assert_eq!(shown, case.evidence, "{}", case.what);
    }

    fn value(
        what: &'static str,
        place: &'static str,
        values: Vec<Value>,
        moved: &[Step],
        category: Category,
        evidence: &'static [&'static str],
    ) -> Case {
        Case {
            what,
            place,
            kind: Kind::Value,
            values,
            moved: moved.to_vec(),
            held: Vec::new(),
            category,
            evidence,
        }
    }

    #[test]
    fn times_move_with_the_clock_and_the_zone() {
        use Perturbation::{Clock, Tz};
        use Step::{Perturbed, Rerun};
        let cases = [
            value(
                "a timestamp",
                "body:/at",
                vec![json!("2026-03-10T11:00:00Z"), json!("2026-03-10T11:00:09Z")],
                &[Rerun],
                Category::Time,
                &["rerun", "inferred"],
            ),
            value(
                "a greeting by the hour",
                "body:/text",
                vec![json!("good morning"), json!("good evening")],
                &[Perturbed(Clock)],
                Category::Time,
                &["perturbed:clock"],
            ),
            value(
                "an hour of the zone",
                "body:/hour",
                vec![json!(12), json!(21)],
                &[Perturbed(Tz)],
                Category::Time,
                &["perturbed:tz"],
            ),
        ];
        cases.into_iter().for_each(check);
    }

    #[test]
    fn drawn_values_are_random_and_salted_ones_cryptographic() {
        use Perturbation::Random;
        use Step::{Perturbed, Rerun};
        let cases = [
            value(
                "a UUID",
                "body:/id",
                vec![
                    json!("f47ac10b-58cc-4372-a567-0e02b2c3d479"),
                    json!("0b8e5a52-9a7e-4f0e-8f67-6d1e3c1f9a10"),
                ],
                &[Rerun],
                Category::Rand,
                &["rerun", "inferred"],
            ),
            value(
                "a reference that looks like a container's id",
                "body:/ref",
                vec![json!("0f3a9c2b7d61"), json!("dd64ba415044"), json!("2a57007e6e25")],
                &[Rerun],
                Category::Rand,
                &["rerun"],
            ),
            value(
                "a die",
                "body:/roll",
                vec![json!(91_733), json!(12), json!(40_011)],
                &[Rerun],
                Category::Rand,
                &["rerun"],
            ),
            value(
                "a seeded draw",
                "body:/pick",
                vec![json!("tea"), json!("cup")],
                &[Perturbed(Random)],
                Category::Rand,
                &["perturbed:random"],
            ),
            value(
                "a salted hash",
                "body:/password",
                vec![
                    json!("$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"),
                    json!("$2a$10$dXJ3SW6G7P50lGmMkkmwe.20cQQubK3.HZWzG3YB1tlRy.fqvM/BG"),
                ],
                &[Rerun],
                Category::Crypt,
                &["rerun", "inferred"],
            ),
        ];
        cases.into_iter().for_each(check);
    }

    #[test]
    fn orders_and_identities_move_with_the_process() {
        use Perturbation::Hash;
        use Step::{Perturbed, Restart};
        let cases = [
            Case {
                kind: Kind::Order,
                ..value(
                    "a set",
                    "body:/tags",
                    vec![json!("[1,2]"), json!("[2,1]")],
                    &[Restart],
                    Category::Unord,
                    &["perturbed:restart"],
                )
            },
            value(
                "a set in a message",
                "body:/message",
                vec![json!("known: [red, blue, green]"), json!("known: [green, red, blue]")],
                &[Perturbed(Hash)],
                Category::Unord,
                &["perturbed:hash"],
            ),
            value(
                "an object's identity",
                "body:/message",
                vec![json!("no field in Cart@1b6d3586"), json!("no field in Cart@7852e922")],
                &[Restart],
                Category::RunMsg,
                &["perturbed:restart", "inferred"],
            ),
            value(
                "a hash code",
                "body:/message",
                vec![json!("bucket seven"), json!("bucket nine")],
                &[Perturbed(Hash)],
                Category::RunMsg,
                &["perturbed:hash"],
            ),
        ];
        cases.into_iter().for_each(check);
    }

    #[test]
    fn what_runs_leave_is_state() {
        use Perturbation::Order;
        use Step::{Perturbed, Rerun, Reset};
        let cases = [
            value(
                "a counter",
                "body:/count",
                vec![json!(7), json!(8), json!(9)],
                &[Rerun],
                Category::State,
                &["rerun"],
            ),
            Case {
                kind: Kind::Items,
                ..value(
                    "a growing list",
                    "body:/all",
                    vec![json!("2 items"), json!("3 items")],
                    &[Rerun, Reset],
                    Category::State,
                    &["rerun", "perturbed:reset"],
                )
            },
            value(
                "a created name",
                "status",
                vec![json!(201), json!(409)],
                &[Rerun],
                Category::State,
                &["rerun"],
            ),
            value(
                "another test's leavings",
                "body:/owner",
                vec![json!("ada"), json!("bob")],
                &[Perturbed(Order)],
                Category::State,
                &["perturbed:order"],
            ),
            Case {
                held: vec![Reset],
                ..value(
                    "undone by a reset",
                    "body:/note",
                    vec![json!("new"), json!("known")],
                    &[Rerun],
                    Category::State,
                    &["rerun"],
                )
            },
        ];
        cases.into_iter().for_each(check);
    }

    #[test]
    fn what_a_new_process_finds_is_the_environment() {
        use Perturbation::{Clock, Locale, Tmp, Tz};
        use Step::{Perturbed, Restart};
        let cases = [
            value(
                "a state that a restart ends, seen in every new process",
                "body:/status",
                vec![json!("STOPPED"), json!("RUNNING")],
                &[Restart, Perturbed(Clock), Perturbed(Tz), Perturbed(Locale)],
                Category::Env,
                &["perturbed:restart"],
            ),
            value(
                "a localised message",
                "body:/message",
                vec![json!("must match"), json!("muss passen auf")],
                &[Perturbed(Locale)],
                Category::Env,
                &["perturbed:locale"],
            ),
            value(
                "a localised date",
                "body:/day",
                vec![json!("3/10/2026, 12:00:00 PM"), json!("10.03.2026, 12:00:00")],
                &[Perturbed(Locale)],
                Category::Env,
                &["perturbed:locale"],
            ),
            value(
                "a cache folder",
                "body:/cache",
                vec![json!("/tmp/a1/cache"), json!("/tmp/b2/cache")],
                &[Perturbed(Tmp)],
                Category::Env,
                &["perturbed:tmp", "inferred"],
            ),
            value(
                "a loaded module",
                "body:/module",
                vec![json!("alpha"), json!("beta")],
                &[Restart],
                Category::Env,
                &["perturbed:restart"],
            ),
        ];
        cases.into_iter().for_each(check);
    }

    #[test]
    fn slowness_and_the_unexplained_have_categories() {
        use Perturbation::Latency;
        use Step::{Perturbed, Rerun};
        let cases = [
            value(
                "a fallback when slow",
                "body:/source",
                vec![json!("live"), json!("cached")],
                &[Perturbed(Latency)],
                Category::Async,
                &["perturbed:latency"],
            ),
            value(
                "unexplained text",
                "body:/word",
                vec![json!("alpha"), json!("beta")],
                &[Rerun],
                Category::Unk,
                &["rerun"],
            ),
            value(
                "moved by nothing known",
                "body:/word",
                vec![json!("alpha"), json!("beta")],
                &[],
                Category::Unk,
                &[],
            ),
        ];
        cases.into_iter().for_each(check);
    }
}
