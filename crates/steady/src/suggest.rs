//! "Did you mean …?"

/// The closest of the known names, if it is close enough to be what was meant.
pub fn closest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = 1 + given.chars().count() / 4;
    let given = given.to_lowercase();
    let ranked = known.into_iter().map(|name| (strsim::osa_distance(&given, &name.to_lowercase()), name));
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
