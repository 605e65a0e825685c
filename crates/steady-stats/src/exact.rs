//! Exact small cases: every outcome is enumerated, so the tests need no formula of the crate.

/// The number of ways to choose `k` of `n`.
pub fn choose(n: u64, k: u64) -> f64 {
    (1..=k).map(|i| (n - k + i) as f64 / i as f64).product()
}

/// The probability of exactly `k` failures in `n` runs.
pub fn binomial(n: u64, k: u64, rate: f64) -> f64 {
    choose(n, k) * rate.powi(k as i32) * (1.0 - rate).powi((n - k) as i32)
}

/// Every way to choose `k` of the positions `0..n`, as bit masks.
pub fn subsets(n: usize, k: usize) -> impl Iterator<Item = u32> {
    (0..1u32 << n).filter(move |mask| mask.count_ones() as usize == k)
}

/// Rates from 0 to 1, both included.
pub fn rates(steps: u32) -> impl Iterator<Item = f64> {
    (0..=steps).map(move |step| f64::from(step) / f64::from(steps))
}
