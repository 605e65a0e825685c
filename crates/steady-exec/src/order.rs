//! Orders to run tests in.

use chacha20::ChaCha8Rng;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use steady_model::rerun::TestId;
use steady_runners::{Invocation, Keeping, Order, Recognised, Unsupported};

/// The tests in the order of this seed, independent of the given order.
pub fn shuffled<'a>(tests: impl IntoIterator<Item = &'a TestId>, seed: u64) -> Vec<TestId> {
    let mut tests: Vec<TestId> = tests.into_iter().cloned().collect();
    tests.sort();
    tests.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    tests
}

/// Makes the runner run all tests in the order of this seed: listed one by one, or by its own shuffling where it cannot.
pub fn shuffle<'a>(
    runner: &Recognised,
    invocation: &mut Invocation,
    tests: impl IntoIterator<Item = &'a TestId>,
    seed: u64,
) -> Result<(), Unsupported> {
    let listed = shuffled(tests, seed);
    let mut attempt = invocation.clone();
    // Tests in separate processes cannot affect each other: an approximate order in one process shows more than an exact one over many.
    match runner.runner.order(&mut attempt, Order::Listed(&listed)) {
        Ok(Keeping::Exactly | Keeping::ByBlock) => {}
        Ok(Keeping::Apart) | Err(_) => {
            attempt = invocation.clone();
            runner.runner.order(&mut attempt, Order::Shuffled(seed))?;
        }
    }
    *invocation = attempt;
    Ok(())
}

/// Makes the runner keep this order, if it accepts one.
pub fn keep(runner: &Recognised, invocation: &mut Invocation, tests: &[TestId]) {
    let mut attempt = invocation.clone();
    if let Ok(Keeping::Exactly | Keeping::ByBlock) = runner.runner.order(&mut attempt, Order::Listed(tests)) {
        *invocation = attempt;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_the_order_alone() {
        let tests: Vec<TestId> = (0..30).map(|n| TestId::from(format!("t{n}").as_str())).collect();
        let backwards: Vec<TestId> = tests.iter().rev().cloned().collect();
        assert_eq!(shuffled(&tests, 7), shuffled(&backwards, 7));
        assert_ne!(shuffled(&tests, 7), shuffled(&tests, 8));
    }
}
