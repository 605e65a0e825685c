//! The parts of addresses that secrets stand in.

use std::ops::Range;

use super::shape::{OPAQUE, is_opaque};

/// The passwords between `://` and `@`.
pub(super) fn credentials_in_addresses(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, separator) in text.match_indices("://") {
        let start = at + separator.len();
        let ends = |character: char| character.is_whitespace() || "/?#\"'<>`".contains(character);
        let authority = &text[start..text[start..].find(ends).map_or(text.len(), |length| start + length)];
        let Some(user) = authority.rfind('@').map(|at| &authority[..at]) else { continue };
        let before = user.find(':').map_or(0, |colon| colon + 1);
        let is_masked = user[before..].chars().all(|character| character == '*');
        // Without a colon it is a user's name, or a token: `https://TOKEN@host`.
        if !is_masked && (before > 0 || is_opaque(user, OPAQUE)) {
            found.push(start + before..start + user.len());
        }
    }
    found
}

/// Names and values of the parameters of addresses, and of forms.
pub(super) fn parameters(text: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let mut found = Vec::new();
    for (equals, _) in text.match_indices('=') {
        let is_name = |character: char| character.is_ascii_alphanumeric() || "-_.%[]".contains(character);
        let name = text[..equals].trim_end_matches(is_name).len()..equals;
        let begins = match text[..name.start].chars().next_back() {
            None => true,
            Some(before) => "?&#;".contains(before),
        };
        if !begins || name.is_empty() {
            continue;
        }
        let start = equals + 1;
        let ends = |character: char| character.is_whitespace() || "&#;\"'<>`,)".contains(character);
        let end = text[start..].find(ends).map_or(text.len(), |length| start + length);
        if start < end {
            found.push((name, start..end));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_and_parameters_are_found_where_they_stand() {
        let text =
            "see https://ada:pa:ss@host/a?x=1&token=abc#code=d, or http://host/@x and <a href='/b?sig=e'>";
        let passwords: Vec<&str> =
            credentials_in_addresses(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(passwords, ["pa:ss"]);
        let pairs: Vec<(&str, &str)> =
            parameters(text).into_iter().map(|(name, value)| (&text[name], &text[value])).collect();
        assert_eq!(pairs, [("x", "1"), ("token", "abc"), ("code", "d"), ("sig", "e")]);
    }
}
