//! What was tried on a place, and what came of it.

use std::collections::BTreeSet;

use serde_json::Value;
use steady_model::Step;
use steady_model::rerun::{Category, Perturbation};

use crate::compare::Variation;
use crate::infer::{self, Context, Family, Strength, Suspicion};

/// Which steps moved a value, which left it alone, and what its values look like.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    moved: BTreeSet<Step>,
    held: BTreeSet<Step>,
    in_place: Vec<Value>,
    suspicions: Vec<Option<Suspicion>>,
    is_process_id: bool,
}

impl Evidence {
    /// What the values of a variation look like; no step is known yet.
    pub fn of(variation: &Variation, context: &Context) -> Self {
        let suspicions = variation.values.iter().map(|value| infer::suspect(value, context)).collect();
        Self { suspicions, ..Self::default() }
    }

    /// With the values seen one after the other, nothing changed in between.
    #[must_use]
    pub fn seen_in_place(mut self, values: impl IntoIterator<Item = Value>) -> Self {
        self.in_place = values.into_iter().collect();
        self
    }

    /// The values seen one after the other, nothing changed in between.
    pub(super) fn in_place(&self) -> &[Value] {
        &self.in_place
    }

    /// With the knowledge that every value was the id of the process that answered.
    #[must_use]
    pub fn of_process(self, is_process_id: bool) -> Self {
        Self { is_process_id, ..self }
    }

    /// Whether every value was the id of the process that answered.
    pub(super) fn is_process_id(&self) -> bool {
        self.is_process_id
    }

    /// With a step that moved the value.
    #[must_use]
    pub fn moved(mut self, step: Step) -> Self {
        self.moved.insert(step);
        self
    }

    /// With a step that left the value alone.
    #[must_use]
    pub fn held(mut self, step: Step) -> Self {
        self.held.insert(step);
        self
    }

    /// Whether a step moved the value.
    pub fn has_moved(&self, step: Step) -> bool {
        self.moved.contains(&step)
    }

    /// Whether this step and no other moved the value.
    pub fn has_only_moved(&self, step: Step) -> bool {
        self.moved.len() == 1 && self.has_moved(step)
    }

    /// Whether a step was tried and left the value alone.
    pub fn has_held(&self, step: Step) -> bool {
        self.held.contains(&step) && !self.has_moved(step)
    }

    /// The steps that moved the value, in order.
    pub fn steps_that_moved(&self) -> impl Iterator<Item = Step> + '_ {
        self.moved.iter().copied()
    }

    /// The category that the shape of most values speaks for, at least this strongly: drawn characters now and then look
    /// like those of another family, or like a word.
    pub(super) fn shape(&self, at_least: Strength) -> Option<Category> {
        let strong = |suspicion: &&Suspicion| suspicion.strength >= at_least;
        let all: Vec<&Suspicion> = self.suspicions.iter().flatten().filter(strong).collect();
        let votes = |category: Category| all.iter().filter(|other| other.category == category).count();
        let winner =
            all.iter().map(|suspicion| suspicion.category).max_by_key(|category| votes(*category))?;
        (votes(winner) * 2 > self.suspicions.len()).then_some(winner)
    }
}

/// Whether reruns and perturbations confirm a suspicion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuspicionStatus {
    /// Something moved the value.
    Confirmed,
    /// What moves such values was tried and left this one alone: it is a constant.
    Cleared,
    /// Not tried, or not enough.
    Open,
}

/// Whether a suspicion about a value that a comparison did not find is confirmed, cleared or open.
///
/// Only the steps that move every value of the family clear one: a timestamp that stays when the clock is moved is
/// stored, not read; a random id that stays in a new process is fixed.
pub fn suspicion_status(suspicion: &Suspicion, evidence: &Evidence) -> SuspicionStatus {
    use Perturbation::{Clock, Hash, Random, Tmp};
    if !evidence.moved.is_empty() {
        return SuspicionStatus::Confirmed;
    }
    let held = |step: Step| evidence.has_held(step);
    let cleared = match suspicion.family {
        Family::Iso8601 | Family::HttpDate | Family::DateString | Family::Epoch => {
            held(Step::Perturbed(Clock)) || (held(Step::Restart) && suspicion.strength == Strength::Weak)
        }
        // How long something takes is new in every run.
        Family::Duration => held(Step::Rerun),
        Family::Uuid
        | Family::Ulid
        | Family::Ksuid
        | Family::ObjectId
        | Family::NanoId
        | Family::Snowflake
        | Family::Jwt
        | Family::PasswordHash
        | Family::Hex
        | Family::Base64 => held(Step::Restart) || held(Step::Perturbed(Random)),
        Family::Identity | Family::Pointer => held(Step::Restart) || held(Step::Perturbed(Hash)),
        Family::StackFrame | Family::Port => held(Step::Restart),
        Family::TempPath => held(Step::Perturbed(Tmp)),
        // No step gives the machine another name, or the API another port.
        Family::Host | Family::Own => false,
    };
    if cleared { SuspicionStatus::Cleared } else { SuspicionStatus::Open }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suspicion(name: &str, text: &str) -> Suspicion {
        let now = "2026-03-10T12:00:00Z".parse().expect("a time");
        infer::suspect(&Value::from(text), &Context::new(name, now)).expect("a suspicion")
    }

    #[test]
    fn a_suspicion_is_cleared_by_what_moves_its_family() {
        let date = suspicion("released", "2026-01-15T00:00:00Z");
        let clock = Step::Perturbed(Perturbation::Clock);
        assert_eq!(suspicion_status(&date, &Evidence::default()), SuspicionStatus::Open);
        assert_eq!(suspicion_status(&date, &Evidence::default().held(Step::Rerun)), SuspicionStatus::Open);
        assert_eq!(suspicion_status(&date, &Evidence::default().held(clock)), SuspicionStatus::Cleared);
        assert_eq!(suspicion_status(&date, &Evidence::default().moved(clock)), SuspicionStatus::Confirmed);
    }

    #[test]
    fn a_fixed_tenant_is_cleared_by_a_restart() {
        let tenant = suspicion("tenant", "f47ac10b-58cc-4372-a567-0e02b2c3d479");
        assert_eq!(
            suspicion_status(&tenant, &Evidence::default().held(Step::Restart)),
            SuspicionStatus::Cleared
        );
        let host = suspicion("hostname", "3f4e8a9b2c1d");
        assert_eq!(suspicion_status(&host, &Evidence::default().held(Step::Restart)), SuspicionStatus::Open);
    }

    #[test]
    fn a_step_that_moved_the_value_once_did_not_hold() {
        let evidence = Evidence::default().held(Step::Rerun).moved(Step::Rerun);
        assert!(evidence.has_moved(Step::Rerun) && !evidence.has_held(Step::Rerun));
    }
}
