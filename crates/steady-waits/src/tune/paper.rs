//! What the paper's protocol would take, to compare with.

use serde::Serialize;

use super::Strategy;

/// The executions with which TRaf and FaTB try one value, whether it fails or not (TRaf, section 5.1).
pub const RUNS_PER_TRY: u64 = 100;

/// How many values the paper's protocol would try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PaperEffort {
    /// Candidates: `n_loc`.
    pub candidates: u64,
    /// Values after them: `n_tuning`.
    pub tuned: u64,
}

impl PaperEffort {
    /// `n_total`, in executions of the test.
    pub fn executions(self) -> u64 {
        (self.candidates + self.tuned) * RUNS_PER_TRY
    }
}

/// What the paper's protocol would take where values below `held` fail and the others pass: candidates in order, none passed over, then
/// bisection (TRaf, section 4.2). `None` if no candidate is that long.
pub fn paper(
    strategy: Strategy,
    before: Option<u64>,
    candidates: &[u64],
    held: u64,
    threshold: u64,
) -> Option<PaperEffort> {
    let (candidates, low) = match strategy {
        Strategy::Fatb { from } => (vec![from], before.unwrap_or(0)),
        Strategy::Shrink => (vec![before?], 0),
        _ => (candidates.to_vec(), before.unwrap_or(0)),
    };
    let place = candidates.iter().position(|candidate| *candidate >= held)?;
    let (mut low, mut high) = (low, candidates[place]);
    let mut tuned = 0;
    while strategy != Strategy::Static && high.saturating_sub(low) >= threshold.max(2) {
        let middle = low.midpoint(high);
        tuned += 1;
        if middle < held {
            low = middle;
        } else if strategy == Strategy::FirstMatch {
            break;
        } else {
            high = middle;
        }
    }
    Some(PaperEffort { candidates: place as u64 + 1, tuned })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_are_counted_as_the_paper_does() {
        let of = |strategy| {
            let effort = paper(strategy, Some(0), &[100, 500, 2000], 177, 5).unwrap();
            (effort.candidates, effort.tuned, effort.executions())
        };
        assert_eq!(of(Strategy::Static), (2, 0, 200));
        // 250
        assert_eq!(of(Strategy::FirstMatch), (2, 1, 300));
        // 250, 125, 187, 156, 171, 179, 175
        assert_eq!(of(Strategy::Dynamic), (2, 7, 900));
        assert_eq!(of(Strategy::Fatb { from: 500 }), (1, 7, 800));
    }

    #[test]
    fn without_a_candidate_that_is_long_enough_it_is_not_applicable() {
        assert_eq!(paper(Strategy::Static, None, &[10, 20], 30, 5), None);
    }
}
