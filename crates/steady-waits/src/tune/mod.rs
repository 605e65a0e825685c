//! Finds the right value for a wait by running its test.
//!
//! A [`Tuner`] decides which value is run next and when enough runs were made; it is plain data. The values it tries
//! come from a [`Strategy`]. Where TRaf runs every value it tries a hundred times, the tuner gives up a value at its
//! first failure, looks at values on the way with a few runs, and makes all runs with the last one alone: what is proposed is
//! as sure as with TRaf. [`paper()`] counts what TRaf would take. [`drive`] makes the runs.
//!
//! A [`ShrinkPlan`] lists the sleeps of a suite that could be shorter; [`deletion_at`] and [`stop_gap_advice`] say what is better than
//! another value.
//!
//! # What it takes
//!
//! A hundred passes are needed to say of one value that it fails in less than 3 % of the runs, at 95 %: no protocol can trust a value
//! with fewer. What can be saved is the rest. Simulated for nine distributions of the needed wait (`tests/tune_protocol.rs` prints
//! all), bisection from 500 or 2000 ms takes 113 to 199 executions instead of 800 to 1085: six to eight times fewer where the needed wait
//! varies little, 4.5 times with the worst tail. A value that fails in 3 % of the runs or more is proposed in at most 3.1 % of the
//! cases (TRaf: 2.8 %); a hundred passes let one through in 4.8 %. With a long tail the value is longer than TRaf's: see
//! [`Settings::search`]. Static and first match take two to five times fewer.
//!
//! ```
//! use steady_waits::tune::{Outcome, Settings, Strategy, Tuner, Verdict};
//!
//! let settings = Settings { strategy: Strategy::Dynamic, baseline: 0, ..Settings::default() };
//! let mut tuner = Tuner::new(&settings, &[500]);
//! while let Some(attempt) = tuner.next_trial() {
//!     // A test that needs 177 ms.
//!     tuner.absorb(attempt.ms, Outcome { passed: attempt.ms >= 177, milliseconds: 20.0 });
//! }
//! assert_eq!(tuner.verdict(), Some(Verdict::Held { ms: 179 }));
//! assert_eq!(tuner.effort().executions, 113);
//! ```

mod advice;
mod attempt;
pub mod drive;
mod evidence;
mod margin;
mod paper;
mod settings;
mod shrink_plan;
mod strategy;
mod tuner;

pub use advice::{Deletion, deletion_at, sleep_before, stop_gap_advice};
pub use attempt::{Attempt, Decided, Outcome, Standing, Why};
pub use evidence::Evidence;
pub use margin::with_margin;
pub use paper::{PaperEffort, RUNS_PER_TRY, paper};
pub use settings::{Settings, Strategy};
pub use shrink_plan::{BlockingSleep, ChangedFile, ShrinkPlan};
pub use tuner::{Effort, Tuner, Verdict};
