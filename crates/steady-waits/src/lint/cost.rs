//! What the sleeps of a file cost.

use steady_js::{Form, Kind, Script, Wait};

use super::fixed_sleep::is_latency;
use super::{Context, File};

/// How long a run sleeps, as far as the code says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cost {
    /// Sleeps that a run waits for and whose length is known.
    pub sleeps: usize,
    /// How long they take together, each once, in milliseconds.
    pub ms: u64,
    /// Sleeps that a run waits for and whose length only the run knows.
    pub unknown: usize,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.sleeps += other.sleeps;
        self.ms = self.ms.saturating_add(other.ms);
        self.unknown += other.unknown;
    }
}

/// What the sleeps of a file cost. Not among them: constants, the inside of helpers whose calls are counted, what stands in for a slow
/// server, pauses of loops that look again, promises that a fake clock keeps, and what nothing waits for.
pub fn cost(script: &Script) -> Cost {
    let context = Context::default();
    let file = File::new(script, script.path(), &context);
    let is_blocking = |wait: &&Wait| {
        wait.kind == Kind::Sleep
            && wait.form != Form::Setting
            && wait.awaited
            && !file.is_in_helper(wait)
            && !is_latency(&file, wait)
    };
    let mut cost = Cost::default();
    for wait in script.waits().iter().filter(is_blocking) {
        cost.sleeps += 1;
        cost.ms = cost.ms.saturating_add(script.length_of(wait).unwrap_or(0));
    }
    cost.unknown = script.unread_waits().iter().filter(is_blocking).count();
    cost
}
