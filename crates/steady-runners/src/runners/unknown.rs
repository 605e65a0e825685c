//! A command whose runner is unknown.
//!
//! If it runs pytest, steady's plugin reports through environment variables; otherwise results are read where the
//! user says or from what the command prints, or the exit code decides. Tests can be selected when the command contains `{tests}`.

use std::path::Path;

use steady_model::rerun::TestId;

use super::pytest;
use crate::{Invocation, Keeping, Order, Project, Report, Runner, Source, Unsupported, What};

/// Any other command.
#[derive(Debug)]
pub(crate) struct Unknown;

impl Unknown {
    fn cannot(&self, what: What, instead: &'static str) -> Unsupported {
        Unsupported { runner: self.name(), what, instead }
    }
}

impl Runner for Unknown {
    fn name(&self) -> &'static str {
        "unknown"
    }

    fn is_known(&self) -> bool {
        false
    }

    fn recognise(&self, words: &[String], _: &Project) -> Option<usize> {
        Some(words.len())
    }

    fn report(&self, invocation: &mut Invocation, folder: &Path) -> Report {
        pytest::inject(invocation);
        let mut report = invocation.own_results(folder);
        report.sources.push(Source::Output);
        report
    }

    fn select(&self, _: &mut Invocation, _: &[TestId]) -> Result<(), Unsupported> {
        Err(self.cannot(
            What::Select,
            "the runner is not known; put `{tests}` where the command takes their names",
        ))
    }

    fn order(&self, _: &mut Invocation, order: Order<'_>) -> Result<Keeping, Unsupported> {
        Err(self.cannot(
            order.what(),
            "the runner is not known; give the runner's own command instead of one that calls it",
        ))
    }
}
