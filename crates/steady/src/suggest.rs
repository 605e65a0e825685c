//! "Did you mean …?"

/// The closest of the known names, if it is close enough to be what was meant.
pub fn closest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = 1 + given.chars().count() / 4;
    let ranked = known.into_iter().map(|name| (distance(given, name), name));
    ranked.filter(|(distance, _)| *distance <= limit).min().map(|(_, name)| name)
}

/// The hint for a serde error such as "unknown field `tiem`, expected one of `time`, `rate`".
pub fn hint_for(message: &str) -> Option<String> {
    let (_, rest) = message.split_once("unknown ")?;
    let mut names = rest.split('`').skip(1).step_by(2);
    let given = names.next()?;
    let suggestion = closest(given, names)?;
    Some(format!("did you mean `{suggestion}`?"))
}

/// Optimal string alignment distance: insertions, deletions, changes and swaps of neighbours, whatever the case.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().collect();
    let right: Vec<char> = right.to_lowercase().chars().collect();
    let mut rows = vec![vec![0; right.len() + 1]; left.len() + 1];
    for (row, cells) in rows.iter_mut().enumerate() {
        cells[0] = row;
    }
    rows[0] = (0..=right.len()).collect();
    for row in 1..=left.len() {
        for column in 1..=right.len() {
            let changed = usize::from(left[row - 1] != right[column - 1]);
            let mut best = (rows[row - 1][column] + 1)
                .min(rows[row][column - 1] + 1)
                .min(rows[row - 1][column - 1] + changed);
            let swapped = row > 1
                && column > 1
                && left[row - 1] == right[column - 2]
                && left[row - 2] == right[column - 1];
            if swapped {
                best = best.min(rows[row - 2][column - 2] + 1);
            }
            rows[row][column] = best;
        }
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_name_is_found_and_far_ones_are_not() {
        let known = ["time", "rate", "requests", "openapi"];
        let cases = [
            ("tiem", Some("time")),
            ("request", Some("requests")),
            ("openAPI", Some("openapi")),
            ("speed", None),
        ];
        for (given, expected) in cases {
            assert_eq!(closest(given, known), expected, "{given}");
        }
    }

    #[test]
    fn serde_messages_become_hints() {
        let message = "unknown field `tiem`, expected one of `rate`, `time`";
        assert_eq!(hint_for(message).as_deref(), Some("did you mean `time`?"));
        assert_eq!(hint_for("invalid type: integer `1`, expected a string"), None);
    }
}
