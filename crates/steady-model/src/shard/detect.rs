//! Which shard this process is, from the environment variables of its engine.

use super::engine::{ENGINES, Engine, Numbering};
use super::index::whole_number;
use super::{Shard, ShardError};

/// The environment does not name the shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DetectError {
    /// No engine set a number.
    #[error(
        "no engine says which shard this is: none of {} is set; write --shard K/N, or set STEADY_SHARD=K/N",
        telltales()
    )]
    Nothing,
    /// An engine set a number, but not the total.
    #[error("{index} is set ({engine}), but {missing} is not; set {missing}, or write --shard K/N")]
    Missing {
        /// The engine.
        engine: &'static str,
        /// The variable that is set.
        index: &'static str,
        /// The variable to set.
        missing: &'static str,
    },
    /// A variable does not hold a whole number.
    #[error(
        "{variable} is `{given}` ({engine}), which is not a whole number; correct it, or write --shard K/N"
    )]
    NotANumber {
        /// The engine.
        engine: &'static str,
        /// The variable.
        variable: &'static str,
        /// What it holds.
        given: String,
    },
    /// The numbers are there, but do not form a shard.
    #[error("{variable} ({engine}) does not name a shard: {problem}")]
    NoShard {
        /// The engine.
        engine: &'static str,
        /// The variable.
        variable: &'static str,
        /// What is wrong with it.
        problem: ShardError,
    },
    /// The number of the job is not among those the engine counts.
    #[error(
        "{variable} is {given}, but the {engine} counts {first} to {last}; correct it, or write --shard K/N"
    )]
    OutOfRange {
        /// The engine.
        engine: &'static str,
        /// The variable.
        variable: &'static str,
        /// What it holds.
        given: u32,
        /// The number of the first job.
        first: u32,
        /// The number of the last job.
        last: u32,
    },
    /// The numbers of the jobs are an irregular list, so the position of one is unknown.
    #[error(
        "the {engine} has {count} tasks, numbered {first} to {last} with gaps, which does not say which shard this is; \
         number the tasks without gaps, or write --shard K/N"
    )]
    Gaps {
        /// The engine.
        engine: &'static str,
        /// How many tasks there are.
        count: u32,
        /// The number of the first task.
        first: u32,
        /// The number of the last task.
        last: u32,
    },
}

/// The shard of this process, and where it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detected {
    /// The shard.
    pub shard: Shard,
    /// The engine whose variables were read.
    pub engine: &'static Engine,
}

impl Shard {
    /// The shard that an engine's variables name. The first of [`ENGINES`] that set its number decides; an empty variable
    /// counts as not set.
    pub fn from_environment(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Detected, DetectError> {
        let lookup = |name: &str| lookup(name).filter(|value| !value.trim().is_empty());
        let engine = ENGINES.iter().find(|engine| lookup(engine.numbering.telltale()).is_some());
        let engine = engine.ok_or(DetectError::Nothing)?;
        Ok(Detected { shard: read(engine, &lookup)?, engine })
    }
}

fn read(engine: &Engine, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Shard, DetectError> {
    let optional = |variable: &'static str| -> Result<Option<u32>, DetectError> {
        let Some(given) = lookup(variable) else { return Ok(None) };
        let number = whole_number(&given);
        number.map(Some).ok_or(DetectError::NotANumber { engine: engine.name, variable, given })
    };
    let index = engine.numbering.telltale();
    let missing = |missing| DetectError::Missing { engine: engine.name, index, missing };
    let needed = |variable| optional(variable)?.ok_or_else(|| missing(variable));
    let no_shard = |problem| DetectError::NoShard { engine: engine.name, variable: index, problem };
    let among = |range: Range| {
        Shard::new(1, range.count).map_err(no_shard)?;
        let given = needed(index)?;
        let outside = DetectError::OutOfRange {
            engine: engine.name,
            variable: index,
            given,
            first: range.first,
            last: range.last(),
        };
        Shard::new(range.place(given).ok_or(outside)?, range.count).map_err(no_shard)
    };
    match engine.numbering {
        Numbering::Written { shard } => {
            let given = lookup(shard).ok_or(DetectError::Nothing)?;
            given.trim().parse().map_err(no_shard)
        }
        Numbering::Counted { first, counts, .. } => {
            let set = counts.iter().copied().find(|count| lookup(count).is_some());
            let count = needed(set.or(counts.first().copied()).unwrap_or(index))?;
            among(Range { first, step: 1, count })
        }
        Numbering::Ranged { first, last, step, count, .. } => {
            let (first, last) = (needed(first)?, needed(last)?);
            let step = optional(step)?.unwrap_or(1).max(1);
            let without_gaps = (last.saturating_sub(first) / step).saturating_add(1);
            match optional(count)? {
                Some(count) if count != without_gaps => {
                    Err(DetectError::Gaps { engine: engine.name, count, first, last })
                }
                _ => among(Range { first, step, count: without_gaps }),
            }
        }
    }
}

/// Numbers at equal distances.
struct Range {
    first: u32,
    step: u32,
    count: u32,
}

impl Range {
    fn last(&self) -> u32 {
        self.first.saturating_add(self.count.saturating_sub(1).saturating_mul(self.step))
    }

    /// Which of the numbers this is, counted from one.
    fn place(&self, number: u32) -> Option<u32> {
        let distance = number.checked_sub(self.first)?;
        let place = (distance / self.step).checked_add(1)?;
        (distance % self.step == 0 && place <= self.count).then_some(place)
    }
}

fn telltales() -> String {
    let names: Vec<&str> = ENGINES.iter().map(|engine| engine.numbering.telltale()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Variables<'a> = &'a [(&'a str, &'a str)];

    fn detect(variables: Variables<'_>) -> Result<Detected, DetectError> {
        Shard::from_environment(&|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    fn found(variables: Variables<'_>) -> (String, &'static str) {
        let detected = detect(variables).unwrap();
        (detected.shard.to_string(), detected.engine.name)
    }

    fn slurm<'a>(
        id: &'a str,
        first: &'a str,
        last: &'a str,
        step: &'a str,
        count: &'a str,
    ) -> [(&'a str, &'a str); 5] {
        [
            ("SLURM_ARRAY_TASK_ID", id),
            ("SLURM_ARRAY_TASK_MIN", first),
            ("SLURM_ARRAY_TASK_MAX", last),
            ("SLURM_ARRAY_TASK_STEP", step),
            ("SLURM_ARRAY_TASK_COUNT", count),
        ]
    }

    #[test]
    fn every_engine_is_understood_in_its_own_counting() {
        let environments: [(Variables<'_>, &str, &str); 9] = [
            (&[("STEADY_SHARD", "2/5")], "2/5", "set by hand"),
            (&[("STEADY_SHARD_INDEX", "0"), ("STEADY_SHARD_COUNT", "3")], "1/3", "GitHub Actions matrix"),
            (&[("CI_NODE_INDEX", "4"), ("CI_NODE_TOTAL", "4")], "4/4", "GitLab parallel job"),
            (&[("CIRCLE_NODE_INDEX", "3"), ("CIRCLE_NODE_TOTAL", "4")], "4/4", "CircleCI parallelism"),
            (
                &[("BUILDKITE_PARALLEL_JOB", "1"), ("BUILDKITE_PARALLEL_JOB_COUNT", "2")],
                "2/2",
                "Buildkite parallelism",
            ),
            (&[("JOB_COMPLETION_INDEX", "0"), ("STEADY_SHARD_COUNT", "8")], "1/8", "Kubernetes Indexed Job"),
            (&[("JOB_COMPLETION_INDEX", "7"), ("JOB_COMPLETIONS", "8")], "8/8", "Kubernetes Indexed Job"),
            (&slurm("3", "0", "3", "1", "4"), "4/4", "Slurm job array"),
            (&slurm("5", "1", "7", "2", "4"), "3/4", "Slurm job array"),
        ];
        for (variables, shard, engine) in environments {
            assert_eq!(found(variables), (shard.to_owned(), engine));
        }
    }

    #[test]
    fn what_a_person_set_comes_before_the_engine_and_a_service_before_its_cluster() {
        let gitlab = [("CI_NODE_INDEX", "1"), ("CI_NODE_TOTAL", "2")];
        let all = [&gitlab[..], &slurm("3", "0", "3", "1", "4"), &[("STEADY_SHARD", " 1/9 ")]].concat();
        assert_eq!(found(&all).0, "1/9");
        assert_eq!(found(&all[..7]).0, "1/2");
    }

    #[test]
    fn empty_variables_count_as_not_set() {
        assert_eq!(found(&[("STEADY_SHARD", ""), ("CI_NODE_INDEX", "1"), ("CI_NODE_TOTAL", "2")]).0, "1/2");
        assert_eq!(detect(&[("STEADY_SHARD", " ")]), Err(DetectError::Nothing));
    }

    #[test]
    fn each_thing_that_can_be_wrong_is_named_with_what_to_do() {
        let cases: [(Variables<'_>, &str); 7] = [
            (
                &[],
                "no engine says which shard this is: none of STEADY_SHARD, STEADY_SHARD_INDEX, CI_NODE_INDEX, \
                 CIRCLE_NODE_INDEX, BUILDKITE_PARALLEL_JOB, JOB_COMPLETION_INDEX, SLURM_ARRAY_TASK_ID is set; write \
                 --shard K/N, or set STEADY_SHARD=K/N",
            ),
            (
                &[("JOB_COMPLETION_INDEX", "2")],
                "JOB_COMPLETION_INDEX is set (Kubernetes Indexed Job), but STEADY_SHARD_COUNT is not; set \
                 STEADY_SHARD_COUNT, or write --shard K/N",
            ),
            (
                &[("CI_NODE_INDEX", "one"), ("CI_NODE_TOTAL", "2")],
                "CI_NODE_INDEX is `one` (GitLab parallel job), which is not a whole number; correct it, or write \
                 --shard K/N",
            ),
            (
                &[("CI_NODE_INDEX", "0"), ("CI_NODE_TOTAL", "2")],
                "CI_NODE_INDEX is 0, but the GitLab parallel job counts 1 to 2; correct it, or write --shard K/N",
            ),
            (
                &slurm("9", "1", "9", "1", "3"),
                "the Slurm job array has 3 tasks, numbered 1 to 9 with gaps, which does not say which shard this is; \
                 number the tasks without gaps, or write --shard K/N",
            ),
            (
                &[("STEADY_SHARD_INDEX", "0"), ("STEADY_SHARD_COUNT", "0")],
                "STEADY_SHARD_INDEX (GitHub Actions matrix) does not name a shard: shard 1/0 is one of none; the number \
                 after the slash must be 1 or more",
            ),
            (
                &[("STEADY_SHARD", "6/5")],
                "STEADY_SHARD (set by hand) does not name a shard: shard 6/5 does not exist; shards are counted from 1, \
                 so write 1/5 to 5/5",
            ),
        ];
        for (variables, message) in cases {
            assert_eq!(detect(variables).unwrap_err().to_string(), message);
        }
    }

    proptest! {
        #[test]
        fn a_slurm_array_without_gaps_gives_every_shard_once(first in 0u32..50, step in 1u32..9, count in 1u32..30) {
            let last = first + (count - 1) * step;
            for place in 0..count {
                let [id, first, last, step, count] = [first + place * step, first, last, step, count].map(|n| n.to_string());
                let detected = detect(&slurm(&id, &first, &last, &step, &count)).unwrap();
                prop_assert_eq!(detected.shard.to_string(), format!("{}/{count}", place + 1));
            }
        }

        #[test]
        fn whatever_the_variables_hold_it_answers(values in prop::collection::vec("[0-9]{0,11}|.{0,4}", 14)) {
            let all = ["STEADY_SHARD", "STEADY_SHARD_INDEX", "STEADY_SHARD_COUNT", "CI_NODE_INDEX", "CI_NODE_TOTAL",
                "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN",
                "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT"];
            let variables: Vec<(&str, &str)> = all.into_iter().zip(values.iter().map(String::as_str)).collect();
            for start in 0..variables.len() {
                if let Ok(detected) = detect(&variables[start..]) {
                    prop_assert!((1..=detected.shard.count()).contains(&detected.shard.index()));
                }
            }
        }
    }
}
