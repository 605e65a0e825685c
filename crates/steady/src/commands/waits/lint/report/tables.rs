//! How many complaints there are, by rule and by folder.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use steady_waits::lint::{Complaint, Rule};

use super::{LintedFile, is_of_sleep};
use crate::ui::{counted, duration, escape_controls, grouped};

/// Folders that are listed.
const SHOWN: usize = 10;
const DIM: anstyle::Style = anstyle::Style::new().dimmed();

/// Complaints, and how long the sleeps among them take.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Sum {
    ms: u64,
    complaints: usize,
}

impl Sum {
    fn add(&mut self, complaint: &Complaint) {
        self.complaints += 1;
        self.ms += if is_of_sleep(complaint) { complaint.wait.ms().unwrap_or(0) } else { 0 };
    }

    fn line(self, name: &str) -> String {
        let slept = if self.ms == 0 { String::new() } else { duration(self.ms) };
        format!("{:>13}  {slept:>8}  {name}\n", grouped(self.complaints as u64))
    }
}

fn heading(what: &str) -> String {
    format!("\n{DIM}{:>13}  {:>8}  {what}{DIM:#}\n", "complaints", "slept")
}

/// The rules that are broken, the worst first.
pub(super) fn by_rule(files: &[LintedFile<'_>]) -> String {
    let mut sums: BTreeMap<Rule, Sum> = BTreeMap::new();
    for complaint in files.iter().flat_map(|file| file.complaints) {
        sums.entry(complaint.rule).or_default().add(complaint);
    }
    let mut sums: Vec<(Rule, Sum)> = sums.into_iter().collect();
    sums.sort_by_key(|(_, sum)| std::cmp::Reverse(*sum));
    let mut text = heading("rule");
    for (rule, sum) in sums {
        text.push_str(&sum.line(&format!("{:<17}  {DIM}{}{DIM:#}", rule.name(), rule.summary())));
    }
    text
}

/// The folders, the worst first; nothing where there is only one.
pub(super) fn by_folder(files: &[LintedFile<'_>]) -> String {
    let mut sums: BTreeMap<&Path, Sum> = BTreeMap::new();
    for complaint in files.iter().flat_map(|file| file.complaints) {
        let folder =
            complaint.path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        sums.entry(folder).or_default().add(complaint);
    }
    if sums.len() < 2 {
        return String::new();
    }
    let mut sums: Vec<(&Path, Sum)> = sums.into_iter().collect();
    sums.sort_by_key(|(_, sum)| std::cmp::Reverse(*sum));
    let mut text = heading("folder");
    for (folder, sum) in sums.iter().take(SHOWN) {
        text.push_str(&sum.line(&escape_controls(&folder.display().to_string())));
    }
    if let Some(more) = sums.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(text, "{:>25}and {}", "", counted(more, "more folder"));
    }
    text
}
