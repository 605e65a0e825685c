//! Statistics of repeated runs: failure rates, sequential decisions, comparisons of run times.
//!
//! [`Counts`] holds how often a test passed and failed. [`clopper_pearson`] gives the failure rates
//! those runs support, [`upper_limit`] the highest they do not exclude, [`Sprt`] decides when enough runs were made, [`fisher`] whether two conditions
//! differ and [`homogeneity`] whether any of several does. Run times are a [`Sample`]; [`mann_whitney`] decides whether two samples differ, [`a12`] how clearly and [`shift()`] by how much. Where one report makes
//! many comparisons, [`holm`] keeps the chance of a false alarm below its limit.
//!
//! Everything is a plain function of its arguments. Each formula names its source, and each is tested against
//! exact results that enumerate every outcome of small cases.
//!
//! ```
//! use steady_stats::{Confidence, Counts, Decision, Hypotheses, Sprt, clopper_pearson};
//!
//! let confidence = Confidence::new(0.99)?;
//! let rule = Sprt::new(Hypotheses::default(), confidence)?;
//! let mut counts = Counts::default();
//! while rule.over(counts) == Decision::Undecided {
//!     counts.observe(true);
//! }
//! assert_eq!((rule.over(counts), counts.runs()), (Decision::Stable, 20));
//! assert_eq!(clopper_pearson(counts, confidence).to_string(), "0.0 %..23.3 %");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod a12;
mod clopper_pearson;
mod counts;
#[cfg(test)]
mod exact;
mod fisher;
mod holm;
mod homogeneity;
mod interval;
mod mann_whitney;
mod probability;
mod sample;
mod shift;
mod sprt;
mod upper_limit;

pub use a12::{A12, Magnitude, a12};
pub use clopper_pearson::clopper_pearson;
pub use counts::Counts;
pub use fisher::fisher;
pub use holm::holm;
pub use homogeneity::homogeneity;
pub use interval::Interval;
pub use mann_whitney::{MannWhitney, Method, mann_whitney};
pub use probability::{Confidence, OutOfRange, Rate};
pub use sample::{Sample, SampleError};
pub use shift::{Shift, shift};
pub use sprt::{Decision, Hypotheses, Sprt, SprtError};
pub use upper_limit::upper_limit;
