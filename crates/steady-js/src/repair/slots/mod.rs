//! Where a call takes the longest it may wait, for each framework.
//!
//! A file per framework, each with one function `slot` that looks at one call and says where its length goes, or
//! nothing. The first that knows the call decides.

mod cypress;
mod limit;
mod page;
mod selenium;
mod testing_library;
mod timer;

use super::outline::{Call, Function, Outline, Shape};
use crate::{Framework, Kind};

/// Where a length goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Under a key of an object among the arguments; missing arguments before it are filled.
    Option { at: usize, key: &'static str, fill: &'static str },
    /// An argument of its own.
    Argument { at: usize },
    /// An object of its own between the title and the function.
    AfterTitle { key: &'static str },
    /// A call at the end of the chain: `.timeout(ms)`.
    Chained { name: &'static str },
    /// A call at the beginning of the function among the arguments: `this.timeout(ms)`.
    Opening { function: usize, name: &'static str },
    /// Nowhere, since an arrow function has no `this`.
    NoThis,
}

/// A place for a length, and what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) place: Place,
    pub(super) strength: Strength,
    /// How long the call waits when it is told nothing and the project does not say otherwise, in milliseconds.
    pub(super) default: Option<u64>,
}

impl Slot {
    fn new(place: Place, strength: Strength, default: u64) -> Self {
        Self { place, strength, default: Some(default) }
    }
}

/// What a length at a place is, the best to change first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// The longest that something is waited for.
    Waits,
    /// The longest that an action waits for its element.
    Acts,
    /// The time of a timer.
    Sleeps,
    /// The longest a test may take.
    Limits,
}

impl Strength {
    /// Who pays for a wait with such a length.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Waits | Self::Acts => Kind::PollTimeout,
            Self::Sleeps => Kind::Timer,
            Self::Limits => Kind::TestTimeout,
        }
    }
}

/// A call in its file.
pub(super) struct Site<'s> {
    pub(super) outline: &'s Outline,
    pub(super) frameworks: &'s [Framework],
    pub(super) call: &'s Call,
}

/// The place of a length in a call that could be told one.
pub(super) fn slot(site: &Site<'_>) -> Option<Slot> {
    let families =
        [cypress::slot, limit::slot, timer::slot, selenium::slot, testing_library::slot, page::slot];
    families.iter().find_map(|slot| slot(site))
}

/// The option `timeout` of the argument at a place.
fn timeout(at: usize) -> Place {
    Place::Option { at, key: "timeout", fill: "{}" }
}

impl Site<'_> {
    fn uses(&self, framework: Framework) -> bool {
        self.frameworks.contains(&framework)
    }

    fn count(&self) -> usize {
        self.call.arguments.len()
    }

    fn shape(&self, at: usize) -> Option<&Shape> {
        self.call.arguments.get(at).map(|argument| &argument.shape)
    }

    /// How many arguments come before the options, where these are always last.
    fn before_options(&self) -> usize {
        match self.call.arguments.last() {
            Some(last) if last.object().is_some() || last.is_options => self.count() - 1,
            _ => self.count(),
        }
    }

    /// Whether the call is a part of a chain that begins with this name.
    fn is_on(&self, root: &str) -> bool {
        self.call.root == root && !self.call.is_function
    }

    /// The function among the arguments.
    fn function(&self) -> Option<(usize, &Function)> {
        let given = self.call.arguments.iter().find(|argument| matches!(argument.shape, Shape::Function))?;
        self.outline.functions.iter().enumerate().find(|(_, function)| function.span == given.span)
    }
}
