//! Advice that many waits get is printed once.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use steady_waits::lint::Complaint;

use super::{LintedFile, STRONG};
use crate::ui::{counted, escape_controls};

/// Advice that is given this often gets a number.
const OFTEN: usize = 3;

/// The advice that is given often, the most frequent first.
pub(super) struct Notes<'a> {
    numbered: Vec<(&'a str, usize)>,
}

impl<'a> Notes<'a> {
    pub(super) fn of(files: &[LintedFile<'a>]) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for complaint in files.iter().flat_map(|file| file.complaints).filter(|complaint| is_noted(complaint))
        {
            *counts.entry(&complaint.advice).or_default() += 1;
        }
        let mut numbered: Vec<(&str, usize)> =
            counts.into_iter().filter(|(_, count)| *count >= OFTEN).collect();
        numbered.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Self { numbered }
    }

    /// The number of a complaint's advice, from 1.
    pub(super) fn number(&self, complaint: &Complaint) -> Option<usize> {
        let place = self.numbered.iter().position(|(advice, _)| *advice == complaint.advice);
        place.filter(|_| is_noted(complaint)).map(|place| place + 1)
    }

    pub(super) fn listed(&self) -> String {
        let mut text = String::new();
        if !self.numbered.is_empty() {
            let _ = writeln!(text, "\n{STRONG}What to do{STRONG:#}");
        }
        for (place, (advice, count)) in self.numbered.iter().enumerate() {
            let _ =
                writeln!(text, "  [{}] {} ({})", place + 1, escape_controls(advice), counted(*count, "time"));
        }
        text
    }
}

/// Only of sleeps is all that is special said by the line itself.
fn is_noted(complaint: &Complaint) -> bool {
    use steady_waits::lint::Rule;
    matches!(complaint.rule, Rule::FixedSleep | Rule::ZeroWait)
}
