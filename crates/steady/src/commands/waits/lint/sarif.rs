//! Complaints about waits as SARIF.

use steady_waits::lint::{Complaint, Rule as Lint};

use crate::sarif::{
    ArtifactLocation, Finding, Fingerprints, Level, Location, Log, LogicalLocation, Message,
    PhysicalLocation, Region, Rule, encoded,
};

/// One result per complaint.
pub fn of_complaints(complaints: &[Complaint]) -> Log {
    let rules = Lint::ALL.into_iter().map(rule).collect();
    Log::new(rules, complaints.iter().map(finding).collect())
}

fn rule(lint: Lint) -> Rule {
    let message = |text: &str| Message { text: text.to_owned() };
    Rule { id: lint.name(), short_description: message(lint.summary()), help: message(help(lint)) }
}

/// The message of a result says what to write; this is for those who see the rule alone.
fn help(lint: Lint) -> &'static str {
    match lint {
        Lint::FixedSleep => {
            "Wait for the condition that the next step needs, with a time limit; a fixed time costs every run."
        }
        Lint::LongTimeout => {
            "Give the call about as long as similar calls need, plus room for a slow machine: it returns as soon as it can."
        }
        Lint::ZeroWait => "Wait for the event that should have happened by then.",
        Lint::UnawaitedWait => "Write `await` before it, or return the promise.",
        Lint::LimitBelowWaits => "Give the test a limit above what its waits may take together.",
    }
}

fn finding(complaint: &Complaint) -> Finding {
    let path = complaint.path.display().to_string().replace('\\', "/");
    let test = complaint.wait.test.clone().unwrap_or_default();
    let name = format!("{path}::{test}::{}::{}", complaint.rule.name(), complaint.wait.callee);
    Finding {
        rule_id: complaint.rule.name(),
        level: Level::Warning,
        message: Message { text: format!("{}. {}", complaint.message, complaint.advice) },
        locations: vec![Location {
            physical_location: Some(PhysicalLocation {
                artifact_location: ArtifactLocation { uri: encoded(&path) },
                region: Some(Region { start_line: complaint.line, start_column: complaint.column }),
            }),
            logical_locations: vec![LogicalLocation { fully_qualified_name: format!("{path}::{test}") }],
        }],
        partial_fingerprints: Fingerprints { steady: name },
    }
}
