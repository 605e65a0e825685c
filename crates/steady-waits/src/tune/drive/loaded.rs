//! Whether a value holds on a busy machine, and how much longer it has to be if not.

use serde::Serialize;

use super::sandboxed::SandboxedTests;
use super::watch::Watched;
use super::{Target, Tell, TuneError, TuneEvent};

/// What a value is multiplied by, in hundredths, until it holds.
const FACTORS: [u64; 5] = [100, 150, 200, 300, 400];
/// How often what is between the last that failed and the first that held is halved.
const HALVINGS: usize = 2;
/// Two values closer than this part of what was proposed are not told apart.
const CLOSE: u64 = 10;

/// What became of a value while two threads per core did other work.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Loaded {
    /// The values that were run, the proposed one first.
    pub values: Vec<LoadedValue>,
    /// The shortest of them that passed every time, in milliseconds.
    pub holds: Option<u64>,
    /// How many times the value that held on the machine as it was this is, if the proposed value was not enough.
    pub factor: Option<f64>,
    /// The margin that makes the value that long, in tenths.
    pub margin: Option<f64>,
}

/// A value on a busy machine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LoadedValue {
    /// In milliseconds.
    pub ms: u64,
    /// How often it was run.
    pub runs: u64,
    /// How often it passed.
    pub passed: u64,
}

/// Runs a value under load, then longer ones until one passes every time, then some in between. `held` is the value without its margin.
pub(super) fn under_load(
    tests: &mut SandboxedTests<'_>,
    target: &Target<'_>,
    watched: &Watched,
    held: u64,
    proposed: u64,
    tell: Tell<'_>,
) -> Result<Option<Loaded>, TuneError> {
    let mut load = Load { tests, target, watched, values: Vec::new() };
    let holds = load.search(proposed, tell)?;
    let values = load.values;
    let longer = holds.filter(|ms| *ms > proposed && held > 0);
    let loaded = Loaded {
        holds,
        factor: longer.map(|ms| (ms as f64 / held as f64 * 100.0).round() / 100.0),
        margin: longer.map(|ms| margin(held, ms)),
        values,
    };
    Ok(Some(loaded).filter(|loaded| loaded.values.iter().any(|value| value.runs > 0)))
}

/// The margin, in tenths, that makes a value at least so long.
fn margin(held: u64, wanted: u64) -> f64 {
    wanted.saturating_mul(10).div_ceil(held.max(1)) as f64 / 10.0
}

/// A wait on a busy machine.
struct Load<'l, 'a> {
    tests: &'l mut SandboxedTests<'a>,
    target: &'l Target<'l>,
    watched: &'l Watched,
    values: Vec<LoadedValue>,
}

impl Load<'_, '_> {
    /// The shortest value that passed every time.
    fn search(&mut self, proposed: u64, tell: Tell<'_>) -> Result<Option<u64>, TuneError> {
        let mut failed = None;
        for factor in FACTORS {
            let ms = (proposed.saturating_mul(factor) / 100).max(proposed);
            if failed == Some(ms) {
                continue;
            }
            if self.holds(ms, tell)? {
                return match failed {
                    Some(low) => self.between(low, ms, (proposed / CLOSE).max(1), tell).map(Some),
                    None => Ok(Some(ms)),
                };
            }
            if self.tests.is_over() {
                break;
            }
            failed = Some(ms);
        }
        Ok(None)
    }

    /// A value that passed every time, between one that failed and one that held.
    fn between(&mut self, mut low: u64, mut high: u64, close: u64, tell: Tell<'_>) -> Result<u64, TuneError> {
        for _ in 0..HALVINGS {
            if high - low <= close || self.tests.is_over() {
                break;
            }
            let middle = low + (high - low) / 2;
            if self.holds(middle, tell)? {
                high = middle;
            } else {
                low = middle;
            }
        }
        Ok(high)
    }

    /// Runs a value until it fails, or passed as often as was asked.
    fn holds(&mut self, ms: u64, tell: Tell<'_>) -> Result<bool, TuneError> {
        let path = self.target.path;
        let text = (self.target.patch)(ms).map_err(|source| TuneError::Patch {
            path: path.to_owned(),
            ms,
            source,
        })?;
        self.tests.stage(path, &text)?;
        let mut value = LoadedValue { ms, runs: 0, passed: 0 };
        while value.runs < self.target.loaded && value.passed == value.runs && !self.tests.is_over() {
            let Some(outcome) = self.tests.observe(self.watched, true, tell)? else { break };
            value.runs += 1;
            value.passed += u64::from(outcome.passed);
            let (passed, milliseconds) = (outcome.passed, outcome.milliseconds);
            tell(TuneEvent::RunFinished { ms, passed, milliseconds, loaded: true });
        }
        self.values.push(value);
        Ok(value.runs == self.target.loaded && value.passed == value.runs)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::with_margin;
    use super::*;

    #[test]
    fn the_margin_makes_the_value_long_enough() {
        for (held, wanted, expected) in [(100, 150, 1.5), (100, 151, 1.6), (180, 270, 1.5), (1000, 4000, 4.0)]
        {
            let found = margin(held, wanted);
            assert!((found - expected).abs() < 1e-9, "{held} to {wanted}: {found}");
            assert!(with_margin(held, found) >= wanted);
        }
    }
}
