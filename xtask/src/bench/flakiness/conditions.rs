//! The conditions suites are run again under.

use anyhow::Result;
use steady_model::rerun::{Condition, Perturbation};

use super::live::Subject;

/// Every condition the API can be under, one change each, between all changes at once and none.
///
/// All at once comes twice, with the first and with the last values: detection has seen the first only.
pub async fn of(subject: &Subject) -> Result<Vec<Condition>> {
    let live = subject.start(&Condition::default(), None).await?;
    Ok(arranged(live.sut.perturbations()))
}

fn arranged(mut single: Vec<Condition>) -> Vec<Condition> {
    // A slow network makes nothing else of an answer, only later.
    single.retain(|condition| !condition.0.contains_key(&Perturbation::Latency));
    let together = |conditions: &mut dyn Iterator<Item = &Condition>| {
        Condition(conditions.flat_map(|condition| condition.0.clone()).collect())
    };
    // Of several values for a change, the last one given stays.
    let (last, first) = (together(&mut single.iter()), together(&mut single.iter().rev()));
    [last, first].into_iter().chain(single).chain([Condition::default()]).collect()
}

/// As many of them as wanted, evenly spread, so from every kind some.
pub fn spread(conditions: &[Condition], wanted: usize) -> impl Iterator<Item = &Condition> {
    let at = move |index: usize| conditions.get(index * conditions.len() / wanted.max(1));
    (0..wanted).filter_map(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_at_once_has_the_last_and_the_first_values() {
        let single = [
            ("+1d3h", Perturbation::Clock),
            ("+800d", Perturbation::Clock),
            ("+50ms", Perturbation::Latency),
        ];
        let arranged = arranged(single.map(|(value, what)| Condition::of(what, value)).into());
        let names: Vec<String> = arranged.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["clock +800d", "clock +1d3h", "clock +1d3h", "clock +800d", "plain"]);
    }

    #[test]
    fn a_spread_takes_from_everywhere_and_repeats_when_more_are_wanted() {
        let conditions: Vec<Condition> =
            (0..4).map(|seed| Condition::of(Perturbation::Hash, seed.to_string())).collect();
        let values = |wanted| {
            let spread = spread(&conditions, wanted);
            spread.map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(values(2), "hash 0 hash 2");
        assert_eq!(values(8), "hash 0 hash 0 hash 1 hash 1 hash 2 hash 2 hash 3 hash 3");
        assert_eq!(values(0), "");
    }
}
