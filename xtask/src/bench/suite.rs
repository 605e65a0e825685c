//! Running an emitted pytest suite against a live service.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use regex::Regex;
use serde::Serialize;
use steady_model::{Segment, Suite, Text};

use super::install;
use super::process::{Running, last_words};
use super::service::{Credential, Site};

/// A suite of a few hundred short tests; slow services are slow.
const LIMIT: Duration = Duration::from_secs(600);

/// What pytest said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct SuiteRun {
    /// Tests that passed.
    pub passed: usize,
    /// Tests that failed, or could not even start.
    pub failed: usize,
}

/// Installs pytest; quick when it is there.
pub fn install() -> Result<()> {
    install::python("tools/pytest").map(drop)
}

/// Runs the suite in `out` against a service; `occasion` names its report.
pub fn run(out: &Path, site: &Site, occasion: &str) -> Result<SuiteRun> {
    let report = out.join(format!("pytest-{occasion}.xml"));
    let mut command = Command::new(install::python("tools/pytest")?.join("pytest"));
    command.current_dir(out).args(["-q", "--tb=short", "-p", "no:cacheprovider"]).arg("tests/pytest");
    command.arg("--junit-xml").arg(&report).env("STEADY_URL", &site.base);
    if let Some(credential) = &site.credential {
        command.envs(secrets(&out.join("suite.json"), credential)?);
    }
    let log = out.join(format!("pytest-{occasion}.log"));
    Running::start(&mut command, &log)?.wait(LIMIT).context("pytest")?;
    // Failing tests and files that do not even load are counted; without a report nothing ran.
    let text = fs::read_to_string(&report);
    let text = text.with_context(|| format!("pytest could not run the suite; {}", last_words(&log)))?;
    counts(&text).with_context(|| format!("no counts in {}", report.display()))
}

/// The environment variables the suite's identities look up, filled from the credential.
fn secrets(file: &Path, credential: &Credential) -> Result<Vec<(String, String)>> {
    let text = fs::read_to_string(file).with_context(|| format!("could not read {}", file.display()))?;
    let suite: Suite =
        serde_json::from_str(&text).with_context(|| format!("unexpected suite {}", file.display()))?;
    let headers = suite.identities.iter().flat_map(|identity| &identity.headers);
    let ours = headers.filter(|(name, _)| name.eq_ignore_ascii_case(credential.header));
    Ok(ours.filter_map(|(_, text)| secret(text, &credential.value)).collect())
}

/// The variable in a header such as `Basic {env}`, with what stands there in the header's value.
fn secret(text: &Text, value: &str) -> Option<(String, String)> {
    let mut rest = value;
    let mut segments = text.segments().iter();
    while let Some(segment) = segments.next() {
        match segment {
            Segment::Literal(literal) => rest = rest.strip_prefix(literal.as_str())?,
            Segment::Environment { env, .. } => {
                let tail = match segments.next() {
                    Some(Segment::Literal(literal)) => literal.as_str(),
                    _ => "",
                };
                return Some((env.clone(), rest.strip_suffix(tail)?.to_owned()));
            }
            Segment::Variable { .. } | Segment::Base { .. } => return None,
        }
    }
    None
}

/// Reads the counts of a JUnit XML report.
fn counts(report: &str) -> Option<SuiteRun> {
    let suite = report.split_once("<testsuite ")?.1.split_once('>')?.0;
    let number = |name: &str| -> Option<usize> {
        let pattern = Regex::new(&format!(r#"\b{name}="(\d+)""#)).ok()?;
        pattern.captures(suite)?[1].parse().ok()
    };
    let failed = number("failures")? + number("errors")?;
    let passed = number("tests")?.checked_sub(failed + number("skipped")?)?;
    Some(SuiteRun { passed, failed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_come_from_the_junit_report() {
        let report = r#"<?xml version="1.0"?><testsuites><testsuite name="pytest" errors="1" failures="2" skipped="1" tests="10" time="0.1">"#;
        assert_eq!(counts(report), Some(SuiteRun { passed: 6, failed: 3 }));
    }

    #[test]
    fn a_secret_is_what_stands_between_the_literal_parts() {
        let text =
            Text::new([Segment::Literal("Basic ".into()), Segment::environment("STEADY_AUTHORIZATION")]);
        assert_eq!(secret(&text, "Basic dXNlcg=="), Some(("STEADY_AUTHORIZATION".into(), "dXNlcg==".into())));
        assert_eq!(secret(&text, "Bearer dXNlcg=="), None);
    }
}
