//! Answers with their moving parts blotted out.
//!
//! Most answers of an API differ from earlier ones only in times, random ids and counters. A judge who has found many of one
//! skeleton flawless need not read every further one.

use indexmap::IndexMap;
use steady_model::Response;
use xxhash_rust::xxh3::Xxh3;

use crate::endpoint_id::EndpointId;

/// Answers of one skeleton that are judged in any case.
const JUDGED: u32 = 16;
/// Of how many later ones one is judged.
const SAMPLED: u32 = 16;
/// Skeletons remembered before the memory starts over.
const MAX_SKELETONS: usize = 50_000;
/// Digits in a text that make it one of a kind: times, random ids and digests have more, words fewer.
const MOVING: usize = 6;

/// How many answers of each skeleton were found flawless.
#[derive(Debug, Default)]
pub struct Skeletons(IndexMap<u64, u32>);

impl Skeletons {
    /// Whether an answer of this skeleton can be taken for flawless without a look.
    pub fn is_trusted(&mut self, skeleton: u64) -> bool {
        let Some(count) = self.0.get_mut(&skeleton).filter(|count| **count >= JUDGED) else { return false };
        *count = count.saturating_add(1);
        !count.is_multiple_of(SAMPLED)
    }

    /// Takes note of the verdict on an answer of this skeleton; a flaw ends all trust.
    pub fn note(&mut self, skeleton: u64, flawless: bool) {
        if self.0.len() >= MAX_SKELETONS {
            self.0.clear();
        }
        let count = self.0.entry(skeleton).or_default();
        *count = if flawless { count.saturating_add(1) } else { 0 };
    }
}

/// A hash of an answer of this endpoint without its moving parts.
pub fn skeleton(endpoint: EndpointId, response: &Response) -> u64 {
    let mut bones: Vec<u8> = Vec::with_capacity(response.body.as_bytes().len() + 256);
    bones.extend_from_slice(&endpoint.position().to_le_bytes());
    bones.extend_from_slice(&response.status.to_le_bytes());
    for (name, value) in &response.headers {
        bones.extend_from_slice(name.as_bytes());
        text(value.as_bytes(), &mut bones);
    }
    body(response.body.as_bytes(), &mut bones);
    let mut hasher = Xxh3::new();
    hasher.update(&bones);
    hasher.digest()
}

/// JSON with texts and numbers reduced; anything else is reduced much the same, and no worse.
fn body(bytes: &[u8], bones: &mut Vec<u8>) {
    let mut rest = bytes;
    while let Some((&first, after)) = rest.split_first() {
        if first == b'"' {
            let end = string_end(after);
            bones.push(b'"');
            text(&after[..end], bones);
            rest = &after[end..];
            // The closing quote, where there is one.
            if let Some((_, after)) = rest.split_first() {
                rest = after;
            }
        } else {
            // The sign, the point and the length of a number stay.
            bones.push(if first.is_ascii_digit() { b'0' } else { first });
            rest = after;
        }
    }
}

fn string_end(bytes: &[u8]) -> usize {
    let mut index = 0;
    while index < bytes.len() && bytes[index] != b'"' {
        index += if bytes[index] == b'\\' { 2 } else { 1 };
    }
    index.min(bytes.len())
}

/// A text as it is, or its outline where it looks like one of a kind.
fn text(bytes: &[u8], bones: &mut Vec<u8>) {
    if bytes.iter().filter(|byte| byte.is_ascii_digit()).count() < MOVING {
        bones.extend_from_slice(bytes);
    } else {
        bones.extend(bytes.iter().map(|byte| if byte.is_ascii_alphanumeric() { b'x' } else { *byte }));
    }
}

#[cfg(test)]
mod tests {
    use steady_model::Payload;

    use super::*;

    fn of(body: &str) -> u64 {
        let body = Payload::Text(body.into());
        skeleton(EndpointId::FIRST, &Response { status: 200, headers: Vec::new(), body, truncated: false })
    }

    #[test]
    fn times_ids_and_digits_do_not_matter_and_everything_else_does() {
        let first = of(r#"{"id": 17, "at": "2024-03-15T10:00:00.123456Z", "name": "anvil"}"#);
        assert_eq!(first, of(r#"{"id": 42, "at": "2025-11-01T23:59:59.654321Z", "name": "anvil"}"#));
        for other in [
            r#"{"id": -7, "at": "2024-03-15T10:00:00.123456Z", "name": "anvil"}"#,
            r#"{"id": 17, "at": "2024-03-15 10:00:00.123456Z", "name": "anvil"}"#,
            r#"{"id": 17, "at": "2024-03-15T10:00:00.123456Z", "name": "anvils"}"#,
            r#"{"id": "17", "at": "2024-03-15T10:00:00.123456Z", "name": "anvil"}"#,
            r#"{"id": null, "at": "2024-03-15T10:00:00.123456Z", "name": "anvil"}"#,
        ] {
            assert_ne!(first, of(other), "{other}");
        }
    }

    #[test]
    fn a_body_cut_off_anywhere_is_read_to_its_end() {
        let body = r#"{"a": "b\"c\\", "d": [1, 2]}"#;
        (0..body.len()).for_each(|end| {
            of(&body[..end]);
        });
    }

    #[test]
    fn trust_is_earned_checked_and_lost() {
        let mut skeletons = Skeletons::default();
        assert!(!skeletons.is_trusted(1));
        (0..JUDGED).for_each(|_| skeletons.note(1, true));
        let trusted = (0..SAMPLED).filter(|_| skeletons.is_trusted(1)).count();
        assert_eq!(trusted, usize::try_from(SAMPLED).unwrap() - 1);
        skeletons.note(1, false);
        assert!(!skeletons.is_trusted(1));
    }
}
