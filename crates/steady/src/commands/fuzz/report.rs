//! What `steady fuzz` prints when it is done.
//!
//! ```text
//! Sample shop: 14 operations, 12 answered with a 2xx
//!
//!   answered with a 2xx     12
//!   only non-2xx answers     1
//!   never answered           0
//!   left alone               1
//!
//! 2 faults
//!   F100 server error
//!     POST /orders 500: division by zero (seen 14 times)
//!       curl -X POST 'http://127.0.0.1:8080/orders' …
//! …
//! ```

use std::collections::BTreeMap;
use std::path::Path;

use steady_emit::Emitter;
use steady_fuzz::Ending;
use steady_model::{AssertionCounts, Fault, FaultCode, Findings, OperationId, Summary};

use crate::flaky::flaky_lines;
use crate::ui::{Verbosity, counted, cut, escape_controls, figures_table, grouped};

/// How many faults of one kind are listed before the rest is only counted.
const FAULTS_PER_CODE: usize = 5;
/// How many operations without a 2xx are listed before the rest is only counted.
const UNSUCCESSFUL: usize = 8;
const LINE_CHARACTERS: usize = 400;
const BOLD: anstyle::Style = anstyle::Style::new().bold();
const RED: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();

/// A finished fuzzing run, ready to be printed.
#[derive(Debug)]
pub struct FuzzReport<'a> {
    /// The API's title.
    pub title: &'a str,
    /// The figures.
    pub summary: &'a Summary,
    /// The faults.
    pub findings: &'a Findings,
    /// Operations that never answered with a 2xx, and the statuses they gave instead.
    pub unsuccessful: &'a [(OperationId, Vec<u16>)],
    /// The output folder.
    pub out: &'a Path,
    /// The kinds of test code written under it.
    pub emitted: &'a [Emitter],
    /// How the run came to its end.
    pub ending: &'a Ending,
    /// The command to try next.
    pub next: Option<&'a str>,
}

impl FuzzReport<'_> {
    /// The report as styled text. Quiet leaves only the faults, verbose lists all of them.
    pub fn render(&self, verbosity: Verbosity) -> String {
        let faults = self.faults(verbosity);
        if verbosity == Verbosity::Quiet {
            return faults;
        }
        let flaky = self.detection() + &flaky_lines(&self.findings.flaky, verbosity, " in findings.json");
        format!(
            "{}\n{}\n{}{flaky}{faults}\n{}",
            self.headline(),
            self.figures(),
            self.out_of_reach(),
            self.files()
        )
    }

    fn headline(&self) -> String {
        let operations = &self.summary.operations;
        let cut_short = match self.ending {
            Ending::Complete => String::new(),
            Ending::Interrupted => ", interrupted".to_owned(),
            Ending::ApiGone { requests, .. } => {
                format!("; the API stopped answering after {} requests", grouped(*requests))
            }
        };
        format!(
            "{BOLD}{}{BOLD:#}: {}, {} answered with a 2xx{cut_short}\n",
            escape_controls(self.title),
            counted(operations.total, "operation"),
            operations.successful
        )
    }

    fn figures(&self) -> String {
        let summary = self.summary;
        let operations = &summary.operations;
        let otherwise = operations.any.saturating_sub(operations.successful);
        let never = operations.total.saturating_sub(operations.any).saturating_sub(operations.protected);
        let mut rows = vec![
            ("answered with a 2xx", operations.successful.to_string()),
            ("only non-2xx answers", otherwise.to_string()),
            ("never answered", never.to_string()),
        ];
        if operations.protected > 0 {
            rows.push(("skipped, to keep access", operations.protected.to_string()));
        }
        rows.push(("requests", grouped(summary.requests)));
        rows.push(("requests per second", grouped(summary.requests_per_second.round() as u64)));
        rows.push(("tests", grouped(summary.tests as u64)));
        let AssertionCounts { exact, relaxed, disabled } = &summary.assertions;
        rows.push(("assertions", grouped((exact + relaxed) as u64)));
        if *relaxed > 0 {
            rows.push(("  relaxed", grouped(*relaxed as u64)));
        }
        if *disabled > 0 {
            rows.push(("  disabled", grouped(*disabled as u64)));
        }
        rows.push(("seconds", format!("{:.1}", summary.seconds)));
        if let Some(detection) = &summary.detection {
            rows.push(("  detecting flakiness", format!("{:.1}", detection.seconds)));
            rows.push(("runs of all tests", detection.runs.to_string()));
        }
        figures_table(&rows)
    }

    /// How the tests were run again.
    fn detection(&self) -> String {
        let Some(detection) = &self.summary.detection else { return String::new() };
        let mut text = format!("Reran the tests: {}\n", detection.steps.join(", "));
        if !detection.left_out.is_empty() {
            text.push_str(&format!("Skipped for lack of time: {}\n", detection.left_out.join(", ")));
        }
        if !detection.unchecked.is_empty() {
            let unchecked = detection.unchecked.join(", ");
            text.push_str(&format!(
                "Not checked: {unchecked}; describe how to start the API under [sut] in steady.toml\n"
            ));
        }
        text + "\n"
    }

    /// The operations the suite says least about: here the reader can help.
    fn out_of_reach(&self) -> String {
        if self.unsuccessful.is_empty() {
            return String::new();
        }
        let mut text = "Never answered with a 2xx\n".to_owned();
        for (operation, statuses) in self.unsuccessful.iter().take(UNSUCCESSFUL) {
            let statuses: Vec<String> = statuses.iter().map(u16::to_string).collect();
            let gave = if statuses.is_empty() { "not called".to_owned() } else { statuses.join(", ") };
            text.push_str(&format!("    {} ({gave})\n", escape_controls(&operation.to_string())));
        }
        if self.unsuccessful.len() > UNSUCCESSFUL {
            text.push_str(&format!("    and {} more\n", self.unsuccessful.len() - UNSUCCESSFUL));
        }
        text.push('\n');
        text
    }

    fn faults(&self, verbosity: Verbosity) -> String {
        let faults = &self.findings.faults;
        if faults.is_empty() {
            return "No faults found\n".to_owned();
        }
        let mut by_code: BTreeMap<FaultCode, Vec<&Fault>> = BTreeMap::new();
        for fault in faults {
            by_code.entry(fault.code).or_default().push(fault);
        }
        let mut text = format!("{RED}{}{RED:#}\n", counted(faults.len(), "fault"));
        for (code, faults) in by_code {
            let shown = if verbosity == Verbosity::Verbose { faults.len() } else { FAULTS_PER_CODE };
            text.push_str(&format!("  {BOLD}{code}{BOLD:#} {} ({})\n", code.title(), faults.len()));
            for fault in faults.iter().take(shown) {
                text.push_str(&fault_lines(fault));
            }
            if faults.len() > shown {
                let findings = self.out.join("findings.json");
                text.push_str(&format!("    and {} more in {}\n", faults.len() - shown, findings.display()));
            }
        }
        text
    }

    fn files(&self) -> String {
        let mut text = format!("Wrote {}\n", self.out.display());
        for emitter in self.emitted {
            text.push_str(&format!("      {}\n", self.out.join("tests").join(emitter.as_str()).display()));
        }
        let seed = self.summary.seed;
        let shard = self.summary.part.map(|part| format!(" --shard {}", part.shard));
        text.push_str(&format!("Seed  {seed} (repeat with --seed {seed}{})\n", shard.unwrap_or_default()));
        if let Some(next) = self.next {
            text.push_str(&format!("Next  {next}\n"));
        }
        text
    }
}

fn fault_lines(fault: &Fault) -> String {
    let seen = if fault.seen > 1 { format!(" (seen {} times)", grouped(fault.seen)) } else { String::new() };
    let mut text = format!(
        "    {} {}: {}{seen}\n      {}\n",
        escape_controls(&fault.operation.to_string()),
        fault.status,
        cut(&fault.summary, LINE_CHARACTERS),
        cut(&fault.curl, LINE_CHARACTERS)
    );
    if !fault.also.is_empty() {
        let also: Vec<String> = fault.also.iter().map(ToString::to_string).collect();
        text.push_str(&format!("      also: {}\n", cut(&also.join(", "), LINE_CHARACTERS)));
    }
    text
}

#[cfg(test)]
mod tests {
    use steady_model::OperationCounts;

    use super::*;

    fn fault(code: FaultCode, number: usize) -> Fault {
        Fault {
            code,
            operation: format!("POST /orders/{number}").parse().unwrap(),
            also: vec![],
            status: 500,
            summary: "division by zero\u{1b}[2J".into(),
            key: number.to_string(),
            curl: format!("curl -X POST 'http://127.0.0.1:8080/orders/{number}'"),
            seen: number as u64,
            tests: vec![],
        }
    }

    fn report(faults: Vec<Fault>, verbosity: Verbosity) -> String {
        let summary = Summary {
            version: 1,
            seed: 42,
            part: None,
            seconds: 60.04,
            requests: 120_345,
            requests_per_second: 2005.4,
            operations: OperationCounts { total: 14, successful: 12, any: 13, protected: 1 },
            tests: 41,
            assertions: AssertionCounts { exact: 230, relaxed: 0, disabled: 0 },
            faults: faults.len(),
            detection: None,
            peak_memory_bytes: None,
        };
        let findings = Findings { version: 1, flaky: vec![], faults, externals: vec![] };
        let report = FuzzReport {
            title: "Sample shop",
            summary: &summary,
            findings: &findings,
            unsuccessful: &[],
            out: Path::new("steady-out"),
            emitted: &[Emitter::Pytest],
            ending: &Ending::Complete,
            next: Some("steady run steady-out/suite.json"),
        };
        anstream::adapter::strip_str(&report.render(verbosity)).to_string()
    }

    #[test]
    fn the_report_can_be_read_without_colour() {
        let faults = (1..=7).map(|number| fault(FaultCode::ServerError, number)).collect();
        insta::assert_snapshot!(report(faults, Verbosity::Normal));
    }

    #[test]
    fn quiet_leaves_only_the_faults() {
        assert_eq!(report(vec![], Verbosity::Quiet), "No faults found\n");
    }

    #[test]
    fn verbose_lists_every_fault() {
        let faults = (1..=7).map(|number| fault(FaultCode::SchemaMismatch, number)).collect();
        let text = report(faults, Verbosity::Verbose);
        assert!(text.contains("POST /orders/7") && !text.contains("more in"), "{text}");
    }
}
