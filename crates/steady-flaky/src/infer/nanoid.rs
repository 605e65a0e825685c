//! Nano IDs: 21 characters drawn from the URL-safe alphabet (the `ai/nanoid` document), also CUIDs (`paralleldrive/cuid`).

use steady_model::rerun::Category;

use super::engine::{Candidate, Judgement, Rule};
use super::entropy::is_mixed;
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::NanoId, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r"c[0-9a-z]{24}|[0-9A-Za-z_-]{21}";

const NANO_ID: usize = 21;

fn judge(candidate: &Candidate<'_>, _context: &Context) -> Option<Judgement> {
    let joined = |character: Option<char>| matches!(character, Some('-' | '+' | '/' | '='));
    if joined(candidate.before.chars().next_back()) || joined(candidate.after.chars().next()) {
        return None;
    }
    if candidate.text.len() == NANO_ID {
        let drawn = is_mixed(candidate.text);
        return drawn.then(|| Judgement::new(Category::Rand, Strength::Likely, "Nano ID"));
    }
    is_cuid(candidate.text).then(|| Judgement::new(Category::Rand, Strength::Likely, "CUID"))
}

/// A CUID mixes letters and digits all along; a word does not.
fn is_cuid(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let changes =
        text.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit());
    (4..=18).contains(&digits) && changes.count() >= 5
}

#[cfg(test)]
mod tests {
    use super::super::table::check;
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("id", "V1StGXR8_Z5jdHi6B-myT"),
            ("id", "zR4mVbXy0QwL8sKd2NfTa"),
            ("id", "uO9kD3_fXq7Rt1WvZ5bNc"),
            ("id", "6pQ2xLw8ZrT0yVb4NcMdK"),
            ("id", "Uakgb_J5m9g-0JDMbcJqL"),
            ("id", "f4T9xQ1mZ7bKc3Rw5LpYd"),
            ("id", "cjld2cjxh0000qzrmn831i7rn"),
            ("id", "ch72gsb320000udocl363eofy"),
            ("id", "clh3am1f30000udocl36b9x2a"),
        ];
        let look_alikes = [
            ("slug", "a-guide-to-rest-tests"),
            ("name", "customerAddressLine12"),
            ("constant", "MAX_NUMBER_OF_RETRIES"),
            ("number", "123456789012345678901"),
            ("word", "counterrevolutionarys"),
            ("slug", "release-notes-2019-04"),
            ("word", "characteristicallyspeakin"),
            ("id", "V1StGXR8_Z5jdHi6B-my"),
            ("id", "aaaaaaaaaaaaaaaaaaaaa"),
        ];
        check(&RULE, Category::Rand, &known, &look_alikes);
    }
}
