//! Findings as SARIF 2.1.0, the format code hosts show beside the code.
//!
//! Only the parts that are written are modelled; names are those of the standard (OASIS, 2020).

mod findings;
mod root;

use std::env;
use std::io::Write as _;

use serde::Serialize;

use crate::error::{CommandError, UserError};
use crate::output::UnfinishedFile;

pub use findings::of_findings;

#[derive(Debug, thiserror::Error)]
#[error("cannot write the SARIF file")]
struct WriteError(#[source] serde_json::Error);

impl UserError for WriteError {}

/// A SARIF file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Run {
    tool: Tool,
    results: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    information_uri: &'static str,
    rules: Vec<Rule>,
}

/// A kind of finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// Its stable name.
    pub id: &'static str,
    /// What it means, in a line.
    pub short_description: Message,
    /// What to do about it.
    pub help: Message,
}

/// Text for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Message {
    /// The text.
    pub text: String,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Has to be fixed.
    Error,
    /// Should be looked at.
    Warning,
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The rule it falls under.
    pub rule_id: &'static str,
    /// How bad it is.
    pub level: Level,
    /// What was found.
    pub message: Message,
    /// Where.
    pub locations: Vec<Location>,
    /// What makes it the same finding in another run.
    pub partial_fingerprints: Fingerprints,
}

/// What makes a finding the same one in another run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fingerprints {
    /// The name of what is found fault with.
    #[serde(rename = "steady/v1")]
    pub steady: String,
}

/// Where something was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// In which file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physical_location: Option<PhysicalLocation>,
    /// In which named part of the code.
    pub logical_locations: Vec<LogicalLocation>,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhysicalLocation {
    /// The file.
    pub artifact_location: ArtifactLocation,
    /// Where in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    /// The line, from 1.
    pub start_line: usize,
    /// The column, from 1, in UTF-16 code units.
    pub start_column: usize,
}

/// A file's address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArtifactLocation {
    /// Relative to the current folder, and in the file to the root of the repository; percent-encoded.
    pub uri: String,
}

/// A named part of the code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogicalLocation {
    /// Its whole name.
    pub fully_qualified_name: String,
}

impl Log {
    /// A file with these findings.
    pub fn new(rules: Vec<Rule>, results: Vec<Finding>) -> Self {
        let driver = Driver {
            name: "steady",
            version: env!("CARGO_PKG_VERSION"),
            information_uri: env!("CARGO_PKG_REPOSITORY"),
            rules,
        };
        Self {
            schema: "https://json.schemastore.org/sarif-2.1.0.json",
            version: "2.1.0",
            runs: [Run { tool: Tool { driver }, results }],
        }
    }

    /// Writes the file, with addresses from the root of the repository on.
    pub fn write(mut self, mut file: UnfinishedFile) -> Result<(), CommandError> {
        let prefix = env::current_dir().map(|folder| root::prefix(&folder)).unwrap_or_default();
        let locations =
            self.runs.iter_mut().flat_map(|run| &mut run.results).flat_map(|result| &mut result.locations);
        for place in locations.filter_map(|location| location.physical_location.as_mut()) {
            let uri = &mut place.artifact_location.uri;
            *uri = root::from_root(&prefix, uri);
        }
        serde_json::to_writer_pretty(&mut file, &self).map_err(WriteError)?;
        writeln!(file).map_err(|source| WriteError(serde_json::Error::io(source)))?;
        Ok(file.finish()?)
    }
}

/// A path as an address has it.
pub fn encoded(path: &str) -> String {
    let stays = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        if stays(byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}
