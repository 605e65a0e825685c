//! What is wrong with an API, and what varies in its answers, as SARIF.

use std::path::Path;

use steady_model::{Fault, Findings, Flaky};

use super::{
    ArtifactLocation, Finding, Fingerprints, Level, Location, Log, LogicalLocation, Message,
    PhysicalLocation, Rule, encoded,
};

const FLAKY: &str = "flaky-value";
const FAULT: &str = "api-fault";

/// One result per fault and per value that varies; `suite` is the file whose tests show them.
pub fn of_findings(findings: &Findings, suite: &Path) -> Log {
    let flaky = findings.flaky.iter().map(|value| of_flaky(value, suite));
    let faults = findings.faults.iter().map(|fault| of_fault(fault, suite));
    Log::new(rules(), faults.chain(flaky).collect())
}

fn rules() -> Vec<Rule> {
    let rule = |id, description: &str, help: &str| Rule {
        id,
        short_description: Message { text: description.to_owned() },
        help: Message { text: help.to_owned() },
    };
    vec![
        rule(
            FAULT,
            "The API violates its document or HTTP.",
            "Fix the API, or its document if that is wrong; the curl command reproduces the fault.",
        ),
        rule(
            FLAKY,
            "A value in a response changes between runs.",
            "Nothing, if the value is meant to change: its assertion checks only what always holds. Otherwise remove the cause that the category names.",
        ),
    ]
}

fn of_fault(fault: &Fault, suite: &Path) -> Finding {
    let place = format!("{} {}", fault.operation, fault.status);
    let also: Vec<String> = fault.also.iter().map(ToString::to_string).collect();
    let also = if also.is_empty() { String::new() } else { format!(" Also: {}.", also.join(", ")) };
    let text = format!(
        "{} {}: {}.{also} Reproduce it with: {}",
        fault.code,
        fault.code.title(),
        fault.summary,
        fault.curl
    );
    finding(FAULT, Level::Error, text, &format!("{} {place} {}", fault.code, fault.key), place.clone(), suite)
}

fn of_flaky(value: &Flaky, suite: &Path) -> Finding {
    let place = format!("{} {} {}", value.operation, value.status, value.place);
    let note = value.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
    let text = format!(
        "{} varies between runs ({}; {}): {}. Its assertion is {}: {}{note}.",
        value.place,
        value.category,
        value.evidence.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        value.observed.join(" vs. "),
        value.handling,
        value.matcher
    );
    finding(FLAKY, Level::Warning, text, &place, place.clone(), suite)
}

fn finding(
    rule_id: &'static str,
    level: Level,
    text: String,
    key: &str,
    place: String,
    suite: &Path,
) -> Finding {
    let uri = encoded(&suite.to_string_lossy());
    Finding {
        rule_id,
        level,
        message: Message { text },
        locations: vec![Location {
            physical_location: Some(PhysicalLocation {
                artifact_location: ArtifactLocation { uri },
                region: None,
            }),
            logical_locations: vec![LogicalLocation { fully_qualified_name: place }],
        }],
        partial_fingerprints: Fingerprints { steady: key.to_owned() },
    }
}
