//! What is known about raising a wait to a value.

use std::collections::BTreeMap;

use super::evidence::{Scope, Seen};
use super::model::Tables;

/// How many facts there are about a raise.
pub(super) const RAISES: usize = 7;
/// From here on a factor is usual, as [`Tables::usual_factor`] has it.
const USUAL_FACTOR: f64 = -3.1;
/// From here on, a step's share of all steps is large.
const USUAL_STEP: f64 = 0.045;
/// The factor that most raises are near to, as a power of two.
const MIDDLE: f64 = 1.2;

/// How a folder's values stand among each other, of whatever kind the waits are.
#[derive(Debug, Default)]
pub(super) struct Standing {
    /// The share of the lines that have a value, and its place by that.
    values: BTreeMap<u64, (f64, usize)>,
}

impl Standing {
    /// Counts the lines of the folder.
    pub(super) fn of<'a>(seen: impl Iterator<Item = &'a Seen>) -> Self {
        let mut lines: BTreeMap<u64, usize> = BTreeMap::new();
        for seen in seen.filter(|seen| seen.scope != Scope::Around) {
            *lines.entry(seen.ms).or_default() += 1;
        }
        let all = lines.values().sum::<usize>() as f64 + 2.0;
        let place = |count: usize| 1 + lines.values().filter(|&&other| other > count).count();
        let values = lines.iter().map(|(&ms, &count)| (ms, (count as f64 / all, place(count)))).collect();
        Self { values }
    }

    /// The facts. How much more a wait gets depends on how long it is: short ones jump, long ones do not.
    pub(super) fn raise(&self, old: u64, ms: u64, tables: &Tables, usual_step: f64) -> [f64; RAISES] {
        let yes = |is: bool| f64::from(u8::from(is));
        let (share, place) = self.values.get(&ms).copied().unwrap_or((0.0, usize::MAX));
        let factor = ms as f64 / old as f64;
        [
            yes(share >= 0.125),
            yes(share >= 0.25),
            yes(place == 1),
            yes(place <= 3),
            yes(tables.usual_factor(factor) > USUAL_FACTOR),
            yes(usual_step > USUAL_STEP),
            (factor.log2() - MIDDLE).abs() * (3.0 - (old as f64).log10()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use steady_js::{Form, Kind};

    use super::*;

    #[test]
    fn values_stand_by_their_lines_in_the_folder_whatever_their_kind() {
        let seen = |scope: Scope, kind: Kind, ms: u64| Seen {
            scope,
            path: PathBuf::new(),
            line: 1,
            text: String::new(),
            kind,
            form: Form::Helper,
            callee: String::new(),
            ms,
            similarity: 0.0,
        };
        let lines = [
            seen(Scope::File, Kind::Sleep, 500),
            seen(Scope::Folder, Kind::PollTimeout, 500),
            seen(Scope::Folder, Kind::Sleep, 900),
            seen(Scope::Around, Kind::Sleep, 700),
        ];
        let standing = Standing::of(lines.iter());
        let tables = Tables::default();
        let first = |ms: u64| standing.raise(100, ms, &tables, 0.0)[..4].to_vec();
        assert_eq!(first(500), [1.0, 1.0, 1.0, 1.0]);
        assert_eq!(first(900), [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(first(700), [0.0; 4]);
    }
}
