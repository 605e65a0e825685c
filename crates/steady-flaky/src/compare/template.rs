//! What several texts have in common.

use std::fmt;

/// The longest text a template is made of.
const MAX_TEXT: usize = 1024 * 1024;
/// Tokens between common start and end up to which texts are aligned; longer ones become one hole.
const MAX_TOKENS: usize = 1_000;

/// A text with holes where its versions differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Literals and holes, never two of a kind in a row.
    pub parts: Vec<Part>,
}

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The same in all versions.
    Literal(String),
    /// Different in some.
    Hole,
}

impl Template {
    /// The template of some texts; none if they share nothing but blanks and punctuation.
    pub fn of(texts: &[&str]) -> Option<Self> {
        let (first, rest) = texts.split_first()?;
        if texts.iter().any(|text| text.len() > MAX_TEXT) {
            return None;
        }
        let mut common: Vec<Option<&str>> = tokens(first).into_iter().map(Some).collect();
        for text in rest {
            common = align(&common, &tokens(text));
        }
        let mut parts: Vec<Part> = Vec::new();
        for token in common {
            match (token, parts.last_mut()) {
                (Some(text), Some(Part::Literal(literal))) => literal.push_str(text),
                (Some(text), _) => parts.push(Part::Literal(text.to_owned())),
                (None, Some(Part::Hole)) => {}
                (None, _) => parts.push(Part::Hole),
            }
        }
        let worth = |part: &Part| matches!(part, Part::Literal(text) if text.contains(char::is_alphanumeric));
        parts.iter().any(worth).then_some(Self { parts })
    }

    /// Whether a text fits: all literals in order, the first and last at its ends.
    pub fn fits(&self, text: &str) -> bool {
        let mut rest = text;
        let mut after_hole = false;
        let last = self.parts.len().saturating_sub(1);
        for (index, part) in self.parts.iter().enumerate() {
            let Part::Literal(literal) = part else {
                after_hole = true;
                continue;
            };
            let found = match (after_hole, index == last) {
                (false, _) => rest.starts_with(literal.as_str()).then_some(0),
                (true, true) => rest.ends_with(literal.as_str()).then(|| rest.len() - literal.len()),
                (true, false) => rest.find(literal.as_str()),
            };
            let Some(start) = found else { return false };
            rest = &rest[start + literal.len()..];
            after_hole = false;
        }
        after_hole || rest.is_empty()
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            Part::Literal(text) => f.write_str(text),
            Part::Hole => f.write_str("{…}"),
        })
    }
}

/// Words, numbers and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if first.is_alphanumeric() {
            rest.find(|character: char| !character.is_alphanumeric()).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(end);
        tokens.push(token);
        rest = after;
    }
    tokens
}

/// Keeps what a template and another text share; everything else becomes holes.
fn align<'a>(common: &[Option<&'a str>], other: &[&str]) -> Vec<Option<&'a str>> {
    let same = |(one, other): &(&Option<&str>, &&str)| **one == Some(**other);
    let start = common.iter().zip(other).take_while(same).count();
    let (common_rest, other_rest) = (&common[start..], &other[start..]);
    let end = common_rest.iter().rev().zip(other_rest.iter().rev()).take_while(same).count();
    let middle = &common_rest[..common_rest.len() - end];
    let other_middle = &other_rest[..other_rest.len() - end];
    let mut aligned = common[..start].to_vec();
    if middle.len() > MAX_TOKENS || other_middle.len() > MAX_TOKENS {
        aligned.push(None);
    } else {
        longest_common(middle, other_middle, &mut aligned);
    }
    aligned.extend_from_slice(&common_rest[common_rest.len() - end..]);
    aligned
}

fn longest_common<'a>(one: &[Option<&'a str>], other: &[&str], aligned: &mut Vec<Option<&'a str>>) {
    let width = other.len() + 1;
    let mut lengths = vec![0_u16; (one.len() + 1) * width];
    for row in (0..one.len()).rev() {
        for column in (0..other.len()).rev() {
            lengths[row * width + column] = if one[row] == Some(other[column]) {
                lengths[(row + 1) * width + column + 1] + 1
            } else {
                lengths[(row + 1) * width + column].max(lengths[row * width + column + 1])
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    while row < one.len() && column < other.len() {
        if one[row] == Some(other[column]) {
            aligned.push(one[row]);
            row += 1;
            column += 1;
        } else {
            aligned.push(None);
            if lengths[(row + 1) * width + column] >= lengths[row * width + column + 1] {
                row += 1;
            } else {
                column += 1;
            }
        }
    }
    if row < one.len() || column < other.len() {
        aligned.push(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_stay_and_holes_open() {
        let cases: [(&[&str], Option<&str>); 6] = [
            (&["took 3 ms", "took 12 ms"], Some("took {…} ms")),
            (&["id=a1; ok", "id=b2; ok", "id=c3; fine"], Some("id={…}; {…}")),
            (&["same", "same"], Some("same")),
            (&["", "x"], None),
            (&["abc", "xyz"], None),
            (&["a b", "a"], Some("a{…}")),
        ];
        for (texts, expected) in cases {
            let template = Template::of(texts);
            assert_eq!(template.as_ref().map(ToString::to_string).as_deref(), expected, "{texts:?}");
            if let Some(template) = template {
                assert!(texts.iter().all(|text| template.fits(text)), "{texts:?}");
            }
        }
    }

    #[test]
    fn another_literal_does_not_fit() {
        let template = Template::of(&["took 3 ms", "took 12 ms"]).expect("a template");
        assert!(template.fits("took 99 ms"));
        for other in ["spent 3 ms", "took 3 s", "took 3 ms!", "x took 3 ms"] {
            assert!(!template.fits(other), "{other}");
        }
    }

    #[test]
    fn long_texts_become_one_hole() {
        let one = format!("start {} end", "a b ".repeat(MAX_TOKENS));
        let other = format!("start {} end", "c d ".repeat(MAX_TOKENS));
        let template = Template::of(&[&one, &other]).expect("a template");
        assert!(template.to_string().starts_with("start {…}"));
    }
}
