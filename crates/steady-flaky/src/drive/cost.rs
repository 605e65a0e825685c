//! What looking for flakiness costs.

use std::fmt;
use std::time::Duration;

/// The runs made of one kind, and what they took.
#[derive(Debug, Clone, PartialEq)]
pub struct Spent {
    /// What was done: `rerun`, `restart`, `clock +1d3h`.
    pub step: String,
    /// How often all tests were run.
    pub runs: u32,
    /// Requests sent.
    pub requests: u64,
    /// How long it took.
    pub elapsed: Duration,
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.step)?;
        if self.runs > 1 {
            write!(f, " x{}", self.runs)?;
        }
        Ok(())
    }
}

/// Everything that was spent, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cost {
    /// One entry per kind of run.
    pub spent: Vec<Spent>,
    /// What there was no time for, in order.
    pub left_out: Vec<String>,
}

impl Cost {
    /// Adds a run, to the last entry when it is of the same kind.
    pub fn add(&mut self, step: &str, requests: u64, elapsed: Duration) {
        match self.spent.last_mut() {
            Some(last) if last.step == step => {
                last.runs += 1;
                last.requests += requests;
                last.elapsed += elapsed;
            }
            _ => self.spent.push(Spent { step: step.to_owned(), runs: 1, requests, elapsed }),
        }
    }

    /// Notes what there was no time for, once.
    pub fn leave_out(&mut self, step: &str) {
        if !self.left_out.iter().any(|known| known == step) {
            self.left_out.push(step.to_owned());
        }
    }

    /// How often all tests were run.
    pub fn runs(&self) -> u32 {
        self.spent.iter().map(|spent| spent.runs).sum()
    }

    /// Requests sent.
    pub fn requests(&self) -> u64 {
        self.spent.iter().map(|spent| spent.requests).sum()
    }

    /// How long it took.
    pub fn elapsed(&self) -> Duration {
        self.spent.iter().map(|spent| spent.elapsed).sum()
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, spent) in self.spent.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{spent}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_a_kind_are_one_entry() {
        let mut cost = Cost::default();
        let second = Duration::from_secs(1);
        cost.add("rerun", 5, second);
        cost.add("rerun", 5, second);
        cost.add("clock +1d3h", 4, second);
        assert_eq!(cost.to_string(), "rerun x2, clock +1d3h");
        assert_eq!((cost.runs(), cost.requests(), cost.elapsed()), (3, 14, 3 * second));
    }
}
