//! Events and findings without secrets.

use super::Secrets;
use crate::{Event, Fault, Findings, Flaky, Place};

impl Secrets {
    /// Masks what an event says.
    pub fn mask_event(&self, event: &mut Event) {
        match event {
            Event::FaultFound { fault } => self.mask_fault(fault),
            Event::FlakyFound { flaky } => self.mask_flaky(flaky),
            Event::TestFinished { failures, .. } => failures.iter_mut().for_each(|text| self.mask_in(text)),
            Event::Warning { message } | Event::Note { message } => self.mask_in(message),
            Event::RunFinished { error: Some(error), .. } => self.mask_in(error),
            Event::OperationSkipped { reason, .. } => self.mask_in(reason),
            Event::CommandFinished { run, .. } => {
                self.mask_in(&mut run.excerpt);
                let messages = run.results.iter_mut().filter_map(|result| result.message.as_mut());
                messages.for_each(|message| self.mask_in(message));
            }
            Event::TestJudged { report } => {
                if let Some(difference) = &mut report.difference {
                    self.mask_in(&mut difference.message);
                }
            }
            Event::RunStarted { .. }
            | Event::SchemaLoaded { .. }
            | Event::PhaseStarted { .. }
            | Event::PhaseFinished { .. }
            | Event::DetectionStarted { .. }
            | Event::StatusReached { .. }
            | Event::Progress { .. }
            | Event::AttemptStarted { .. }
            | Event::AttemptRun { .. }
            | Event::AttemptDecided { .. }
            | Event::WaitsTuned { .. }
            | Event::WaitsLinted { .. }
            | Event::HistoryListed { .. }
            | Event::FileWritten { .. }
            | Event::RunFinished { .. } => {}
        }
    }

    /// Masks what findings quote.
    pub fn mask_findings(&self, findings: &mut Findings) {
        findings.faults.iter_mut().for_each(|fault| self.mask_fault(fault));
        findings.flaky.iter_mut().for_each(|flaky| self.mask_flaky(flaky));
    }

    /// Masks what is told of a place that is not the same every time.
    pub fn mask_flaky(&self, flaky: &mut Flaky) {
        for value in &mut flaky.observed {
            *value = self.mask_at(&flaky.place, value);
        }
        if let Some(note) = &mut flaky.note {
            self.mask_in(note);
        }
        if let Place::Body(pointer) = &mut flaky.place {
            self.mask_in(pointer);
        }
    }

    fn mask_fault(&self, fault: &mut Fault) {
        self.mask_in(&mut fault.summary);
        self.mask_in(&mut fault.curl);
    }

    /// Masks a text where it is.
    pub fn mask_in(&self, text: &mut String) {
        if let std::borrow::Cow::Owned(masked) = self.mask(text) {
            *text = masked;
        }
    }
}
