//! A variable of the test: what an earlier call answered, or what the test itself made up.

use steady_model::{Matcher, Segment, Text};
use steady_suite::same_value;

use super::site::Site;
use crate::infer::Family;

/// Shorter texts of variables are only looked for between other characters than letters and digits.
const DISTINCTIVE: usize = 4;

/// A variable that had the place's value every time.
pub(super) fn variable(site: &Site<'_>, _: &[Family]) -> Option<Vec<Matcher>> {
    let values = site.all()?;
    let holds = |name: &str| {
        site.subject
            .seen
            .iter()
            .zip(&values)
            .all(|(seen, value)| seen.variables.get(name).is_some_and(|known| same_value(known, value)))
    };
    let name = names(site).into_iter().find(|name| holds(name))?;
    (site.distinct() > 1).then(|| vec![Matcher::Variable(name)])
}

/// Text in which variables stand, the same around them every time.
pub(super) fn text(site: &Site<'_>, _: &[Family]) -> Option<Vec<Matcher>> {
    let sample = site.texts()?.first().copied()?;
    let first = site.subject.seen.first()?;
    if site.distinct() < 2 {
        return None;
    }
    let mut known: Vec<(String, String)> = names(site)
        .into_iter()
        .filter_map(|name| Some((first.variables.text(&name)?, name)))
        .filter(|(text, _)| !text.is_empty())
        .collect();
    known.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
    let mut segments = vec![Segment::Literal(sample.to_owned())];
    for (value, name) in &known {
        segments = segments.into_iter().flat_map(|segment| split(segment, value, name)).collect();
    }
    let text = Text::new(segments);
    let has_some = text.variables().next().is_some();
    has_some.then(|| vec![Matcher::Text(text)])
}

/// The test's variables that may be spoken of: not the one that is taken from this very place.
fn names(site: &Site<'_>) -> Vec<String> {
    let taken_here = |name: &str| {
        site.subject.call.captures.iter().any(|capture| capture.name == name && capture.from == *site.place)
    };
    let Some(first) = site.subject.seen.first() else { return Vec::new() };
    first.variables.iter().map(|(name, _)| name).filter(|name| !taken_here(name)).map(str::to_owned).collect()
}

/// A literal with every mention of a value replaced by the variable.
fn split(segment: Segment, value: &str, name: &str) -> Vec<Segment> {
    let Segment::Literal(mut rest) = segment else { return vec![segment] };
    let mut segments = Vec::new();
    let mut from = 0;
    while let Some(found) = rest[from..].find(value).map(|found| from + found) {
        let end = found + value.len();
        if value.len() < DISTINCTIVE && !stands_alone(&rest, found, end) {
            from = found + rest[found..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let after = rest.split_off(end);
        rest.truncate(found);
        segments.push(Segment::Literal(std::mem::replace(&mut rest, after)));
        segments.push(Segment::Variable { var: name.to_owned() });
        from = 0;
    }
    segments.push(Segment::Literal(rest));
    segments
}

fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let apart = |character: Option<char>| character.is_none_or(|character| !character.is_alphanumeric());
    apart(text[..start].chars().next_back()) && apart(text[end..].chars().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str, value: &str) -> Text {
        Text::new(split(Segment::Literal(text.to_owned()), value, "id"))
    }

    #[test]
    fn short_values_are_found_only_where_they_stand_alone() {
        let id = || Segment::Variable { var: "id".to_owned() };
        let literal = |text: &str| Segment::Literal(text.to_owned());
        assert_eq!(pieces("/a/7/b/17", "7"), Text::new([literal("/a/"), id(), literal("/b/17")]));
        assert_eq!(pieces("7", "7"), Text::new([id()]));
        assert_eq!(
            pieces("order-abcdef/abcdef", "abcdef"),
            Text::new([literal("order-"), id(), literal("/"), id()])
        );
        assert_eq!(pieces("nothing", "7"), Text::new([literal("nothing")]));
    }
}
