//! JSON, an object on each line: what formats that are written while the tests run have in common.

use serde::de::DeserializeOwned;

use super::json;
use crate::error::{ReadError, ReportPosition};
use crate::format::Format;

/// What else may be between the objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noise {
    /// The lines share standard output with the tests' own output: other lines are skipped.
    Expected,
    /// The lines have a file to themselves.
    Refused,
}

/// Every object of `text` with the number of its line.
///
/// A last line without an end was being written when the run was ended: it is left out, the others are complete.
pub(super) fn objects<T: DeserializeOwned>(
    text: &str,
    format: Format,
    noise: Noise,
) -> impl Iterator<Item = Result<T, ReadError>> {
    text.split_inclusive('\n').enumerate().filter_map(move |(index, line)| {
        let complete = line.ends_with('\n');
        let line = line.trim();
        let object = match noise {
            Noise::Expected => &line[line.find('{')?..],
            Noise::Refused if line.is_empty() => return None,
            Noise::Refused => line,
        };
        match json::from_str(object) {
            Ok(object) => Some(Ok(object)),
            Err(_) if noise == Noise::Expected || !complete => None,
            Err(error) => Some(Err(ReadError::Malformed {
                format,
                place: ReportPosition::Line(index + 1),
                detail: error.to_string(),
            })),
        }
    })
}

/// Whether one of the first lines is an object with all of these keys.
pub(super) fn has_object_with(start: &[u8], keys: &[&str]) -> bool {
    let start = crate::text::decode(start);
    let keys: Vec<String> = keys.iter().map(|key| format!("\"{key}\"")).collect();
    start.lines().any(|line| line.contains('{') && keys.iter().all(|key| line.contains(key.as_str())))
}
