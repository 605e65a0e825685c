//! How long an answer takes.

use std::f64::consts::TAU;
use std::time::Duration;

use rand::RngExt as _;

use super::Random;
use crate::mapping::{Delay, ResponseDefinition};

/// Longer waits are cut: nobody waits for an answer that long.
const LONGEST: f64 = 24.0 * 3600.0 * 1000.0;

/// The wait before an answer.
pub(crate) fn wait(response: &ResponseDefinition, everywhere: Option<u64>, random: &mut Random) -> Duration {
    let fixed = response.fixed_delay_milliseconds.or(everywhere).unwrap_or(0) as f64;
    let drawn = response.delay_distribution.as_ref().map_or(0.0, |delay| draw(delay, random));
    Duration::from_secs_f64((fixed + drawn).clamp(0.0, LONGEST) / 1000.0)
}

fn draw(delay: &Delay, random: &mut Random) -> f64 {
    match *delay {
        Delay::Fixed { milliseconds } => milliseconds as f64,
        Delay::Uniform { lower, upper } => random.random_range(lower.min(upper)..=upper.max(lower)) as f64,
        Delay::Lognormal { median, sigma, max_value } => {
            // Box and Muller's normal variate.
            let radius = (-2.0 * (1.0 - random.random::<f64>()).ln()).sqrt();
            let normal = radius * (TAU * random.random::<f64>()).cos();
            (median * (sigma * normal).exp()).min(max_value.unwrap_or(f64::INFINITY))
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;
    use serde_json::json;

    use super::*;

    fn waits(response: &serde_json::Value) -> Vec<u128> {
        let response: ResponseDefinition = serde_json::from_value(response.clone()).unwrap();
        let mut random = Random::seed_from_u64(1);
        let mut waits: Vec<_> = (0..1001).map(|_| wait(&response, None, &mut random).as_millis()).collect();
        waits.sort_unstable();
        waits
    }

    #[test]
    fn waits_are_drawn_as_described() {
        assert!(waits(&json!({})).iter().all(|wait| *wait == 0));
        assert!(waits(&json!({"fixedDelayMilliseconds": 7})).iter().all(|wait| *wait == 7));
        let uniform = waits(&json!({"delayDistribution": {"type": "uniform", "lower": 10, "upper": 20}}));
        assert_eq!((uniform[0], uniform[1000]), (10, 20));
        let lognormal =
            waits(&json!({"delayDistribution": {"type": "lognormal", "median": 80, "sigma": 0.4}}));
        assert!(
            (70..90).contains(&lognormal[500]) && lognormal[1000] > 150,
            "{} {}",
            lognormal[500],
            lognormal[1000]
        );
    }
}
