//! Which value is tried next: a file per strategy.
//!
//! A strategy is asked for its next [`Goal`] before every run and hears when a goal is reached or missed. It sees all
//! [`Evidence`], and keeps only what evidence does not tell: how far it got.

mod candidates;
mod first_match;
mod in_order;
mod range;
mod shrink;
mod to_the_end;

use std::fmt;

use super::{Evidence, Settings, Strategy, Why};
use candidates::Candidates;

/// How often a value has to pass, in the beginning, before a shorter one is looked for.
///
/// A value far too short fails at once. One that fails seldom may get through; its confirmation finds it out, and from then on
/// more is asked.
const FIRST_LOOK: u64 = 3;

/// Run this value until it passed so often, or failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Goal {
    pub ms: u64,
    pub passes: u64,
    pub why: Why,
}

/// What a strategy wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Try(Goal),
    /// This is the value.
    Settled(u64),
    /// No value holds.
    Nothing,
}

/// A strategy under way.
pub(super) trait Course: fmt::Debug + Send {
    /// What to do now.
    fn next(&mut self, evidence: &Evidence) -> Next;

    /// The value passed as often as the goal asks.
    fn reached(&mut self, goal: Goal, evidence: &Evidence);

    /// The value failed.
    fn missed(&mut self, goal: Goal, evidence: &Evidence);
}

/// Begins a strategy.
pub(super) fn begin(settings: &Settings, candidates: &[u64]) -> Box<dyn Course> {
    let low = settings.before.unwrap_or(0);
    let candidates = Candidates::new(candidates).and_longer(settings.longer);
    match settings.strategy {
        Strategy::Static => Box::new(in_order::InOrder::new(settings, candidates, low)),
        Strategy::FirstMatch => Box::new(first_match::FirstMatch::new(settings, candidates, low)),
        Strategy::Dynamic => Box::new(to_the_end::ToTheEnd::new(settings, candidates, low)),
        Strategy::Fatb { from } => {
            Box::new(to_the_end::ToTheEnd::new(settings, Candidates::new(&[from]), low))
        }
        Strategy::Shrink => Box::new(shrink::Shrink::new(settings, low)),
    }
}
