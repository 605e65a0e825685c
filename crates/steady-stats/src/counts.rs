//! How often a test passed and failed.

/// How often a test passed and failed on the same code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub struct Counts {
    /// Runs that passed.
    pub passed: u64,
    /// Runs that failed.
    pub failed: u64,
}

impl Counts {
    /// Counts one more run.
    pub fn observe(&mut self, passed: bool) {
        let count = if passed { &mut self.passed } else { &mut self.failed };
        *count = count.saturating_add(1);
    }

    /// All runs.
    pub fn runs(self) -> u64 {
        self.passed.saturating_add(self.failed)
    }

    /// The share of runs that failed; `None` without runs.
    pub fn failure_rate(self) -> Option<f64> {
        (self.runs() > 0).then(|| self.failed as f64 / self.runs() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_of_no_runs_is_unknown() {
        assert_eq!(Counts::default().failure_rate(), None);
        assert_eq!(Counts { passed: 3, failed: 1 }.failure_rate(), Some(0.25));
    }
}
