//! What is said about tests that are run again and again: identities, results, conditions, verdicts.
//!
//! A [`Run`] is one execution of the user's test command under a [`Condition`]; it holds a [`TestResult`] per test.
//! Over many runs each test earns a [`TestReport`], and all of them make a [`RerunReport`], the file `rerun.json`.

mod condition;
mod report;
mod result;
mod verdict;

pub use condition::{Condition, ParsePerturbationError, Perturbation};
pub use report::{
    Counts, Dependence, Difference, Flip, NotTried, Rate, Reason, RerunReport, Role, TestReport,
};
pub use result::{Ending, Outcome, Run, TestId, TestResult};
pub use verdict::{Category, Verdict};
