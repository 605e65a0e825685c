//! UUIDs of RFC 9562, distinguished by version.

use steady_model::rerun::Category;

use super::context::by_distance;
use super::engine::{Candidate, Judgement, Rule};
use super::entropy::is_sequence;
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::Uuid, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r"(?i)(?:urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\{[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}";

/// Seconds from the start of the Gregorian calendar, where versions 1 and 6 count from, to 1970.
const GREGORIAN: i64 = 12_219_292_800;

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    let text = candidate.text.to_ascii_lowercase();
    let hex: String = text.trim_start_matches("urn:uuid:").chars().filter(char::is_ascii_hexdigit).collect();
    let bits = u128::from_str_radix(&hex, 16).ok()?;
    let variant = (bits >> 62) & 0b11;
    let version = (bits >> 76) & 0xf;
    if variant != 0b10 || is_written(&hex) {
        return None;
    }
    let strength = match version {
        1 => by_distance(context.days_from_seconds(gregorian(v1_ticks(bits)))),
        6 => by_distance(context.days_from_seconds(gregorian(v6_ticks(bits)))),
        7 => by_distance(context.days_from_seconds(i64::try_from(bits >> 80).ok()? / 1_000)),
        4 => Strength::Likely,
        // Computed from a name: the same name gives the same id.
        2 | 3 | 5 | 8 => Strength::Weak,
        _ => return None,
    };
    let strength = if matches!(version, 1 | 6 | 7) { strength.max(Strength::Likely) } else { strength };
    Some(Judgement::new(Category::Rand, strength, format!("version {version}")))
}

fn v1_ticks(bits: u128) -> u128 {
    ((bits >> 64 & 0xfff) << 48) | ((bits >> 80 & 0xffff) << 32) | (bits >> 96)
}

fn v6_ticks(bits: u128) -> u128 {
    ((bits >> 80) << 12) | (bits >> 64 & 0xfff)
}

/// Seconds since 1970 of 100 ns ticks since 1582.
fn gregorian(ticks: u128) -> i64 {
    i64::try_from(ticks / 10_000_000).unwrap_or(i64::MAX).saturating_sub(GREGORIAN)
}

/// Whether a person typed it: repeated or counted digits, or hardly any different ones.
fn is_written(hex: &str) -> bool {
    let mut distinct = hex.as_bytes().to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct.len() < 7 || is_sequence(hex.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::table::{check, strength};
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("id", "f47ac10b-58cc-4372-a567-0e02b2c3d479"),
            ("id", "F47AC10B-58CC-4372-A567-0E02B2C3D479"),
            ("id", "urn:uuid:f47ac10b-58cc-4372-a567-0e02b2c3d479"),
            ("id", "{f47ac10b-58cc-4372-a567-0e02b2c3d479}"),
            ("id", "c232ab00-9414-11ec-b3c8-9f6bdeced846"),
            ("id", "1ec9414c-232a-6b00-b3c8-9f6bdeced846"),
            ("id", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"),
            ("id", "5df41881-3aed-3515-88a7-2f4a814cf09e"),
            ("id", "2ed6657d-e927-568b-95e1-2665a8aea6a2"),
        ];
        let look_alikes = [
            ("id", "00000000-0000-0000-0000-000000000000"),
            ("id", "ffffffff-ffff-ffff-ffff-ffffffffffff"),
            ("id", "00000000-0000-4000-8000-000000000001"),
            ("id", "11111111-1111-4111-8111-111111111111"),
            ("id", "f47ac10b-58cc-4372-c567-0e02b2c3d479"),
            ("id", "f47ac10b-58cc-0372-a567-0e02b2c3d479"),
            ("id", "f47ac10b-58cc-4372-a567-0e02b2c3d47"),
            ("id", "f47ac10b58cc-4372-a567-0e02b2c3d479"),
            ("id", "12345678-1234-1234-1234-123456789012"),
            ("id", "g47ac10b-58cc-4372-a567-0e02b2c3d479"),
        ];
        check(&RULE, Category::Rand, &known, &look_alikes);
    }

    #[test]
    fn versions_with_a_time_of_now_are_certain() {
        // Version 7, made at 2026-03-10T12:00:00Z.
        assert_eq!(strength(&RULE, "id", "019cd79e-4600-7cc3-98c4-dc0c0c07398f"), Some(Strength::Certain));
        assert_eq!(strength(&RULE, "id", "f47ac10b-58cc-4372-a567-0e02b2c3d479"), Some(Strength::Likely));
        assert_eq!(strength(&RULE, "id", "2ed6657d-e927-568b-95e1-2665a8aea6a2"), Some(Strength::Weak));
    }
}
