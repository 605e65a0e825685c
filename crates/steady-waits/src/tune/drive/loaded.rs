//! Whether a value holds on a busy machine, and how much longer it has to be if not.

use serde::Serialize;

use super::rehearsal::Rehearsal;
use super::watch::Watched;
use super::{Target, Tell, TuneError, TuneEvent};

/// What a value is multiplied by, in hundredths, until it holds.
const FACTORS: [u64; 5] = [100, 150, 200, 300, 400];

/// What became of a value while two threads per core did other work.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Loaded {
    /// The values that were run, the proposed one first.
    pub values: Vec<LoadedValue>,
    /// The shortest of them that passed every time, in milliseconds.
    pub holds: Option<u64>,
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

/// Runs a value under load, then longer ones, until one passes every time.
pub(super) fn under_load(
    rehearsal: &mut Rehearsal<'_>,
    target: &Target<'_>,
    watched: &Watched,
    proposed: u64,
    tell: Tell<'_>,
) -> Result<Option<Loaded>, TuneError> {
    let mut loaded = Loaded { values: Vec::new(), holds: None };
    for factor in FACTORS {
        let ms = (proposed.saturating_mul(factor) / 100).max(proposed);
        if loaded.values.last().is_some_and(|last| last.ms == ms) {
            continue;
        }
        let text = (target.patch)(ms).map_err(|source| TuneError::Patch {
            path: target.path.to_owned(),
            ms,
            source,
        })?;
        rehearsal.stage(target.path, &text)?;
        let mut value = LoadedValue { ms, runs: 0, passed: 0 };
        while value.runs < target.loaded && value.passed == value.runs && !rehearsal.is_over() {
            let Some(outcome) = rehearsal.observe(watched, true, tell)? else { break };
            value.runs += 1;
            value.passed += u64::from(outcome.passed);
            let (passed, milliseconds) = (outcome.passed, outcome.milliseconds);
            tell(TuneEvent::RunFinished { ms, passed, milliseconds, loaded: true });
        }
        loaded.values.push(value);
        if value.runs == target.loaded && value.passed == value.runs {
            loaded.holds = Some(ms);
            break;
        }
        if rehearsal.is_over() {
            break;
        }
    }
    Ok(Some(loaded).filter(|loaded| loaded.values.iter().any(|value| value.runs > 0)))
}
