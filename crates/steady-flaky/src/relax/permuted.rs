//! Text in which words change places: a set written into a message or a header.

use std::collections::BTreeSet;
use std::ops::Range;

use steady_model::Pattern;

use super::shape;

/// A text as words and what stands before, between and after them.
struct Words<'a> {
    words: Vec<&'a str>,
    /// One more than there are words.
    gaps: Vec<&'a str>,
}

impl<'a> Words<'a> {
    fn of(text: &'a str) -> Self {
        let (mut words, mut gaps) = (Vec::new(), Vec::new());
        let mut rest = text;
        loop {
            let start = rest.find(char::is_alphanumeric).unwrap_or(rest.len());
            let (gap, after) = rest.split_at(start);
            gaps.push(gap);
            if after.is_empty() {
                return Self { words, gaps };
            }
            let end = after.find(|character: char| !character.is_alphanumeric()).unwrap_or(after.len());
            words.push(&after[..end]);
            rest = &after[end..];
        }
    }
}

/// The pattern of texts that differ only in the order of words of a list; none of others.
pub(super) fn describe(texts: &[&str]) -> Option<Pattern> {
    let all: Vec<Words<'_>> = texts.iter().map(|text| Words::of(text)).collect();
    let (first, rest) = all.split_first()?;
    let sorted = |words: &Words<'_>| {
        let mut sorted: Vec<String> = words.words.iter().map(ToString::to_string).collect();
        sorted.sort_unstable();
        sorted
    };
    let known = sorted(first);
    if rest.iter().any(|other| other.gaps != first.gaps || sorted(other) != known) {
        return None;
    }
    let moves = |index: &usize| rest.iter().any(|other| other.words[*index] != first.words[*index]);
    let mut moving = (0..first.words.len()).filter(moves);
    let (start, last) = (moving.next()?, moving.next_back()?);
    let list = list_around(start..last + 1, &first.gaps)?;
    let words: BTreeSet<&str> = first.words[list.clone()].iter().copied().collect();
    let one = shape::one_of(&words);
    let (mut regex, mut what) = (String::new(), String::from("text like `"));
    for (index, word) in first.words.iter().enumerate() {
        regex.push_str(&shape::escaped(first.gaps[index]));
        what.push_str(first.gaps[index]);
        if list.contains(&index) {
            regex.push_str(&one);
            what.push_str("{…}");
        } else {
            regex.push_str(&shape::escaped(word));
            what.push_str(word);
        }
    }
    let end = first.gaps.last().copied().unwrap_or_default();
    Some(Pattern::new(regex + &shape::escaped(end), format!("{what}{end}`")))
}

/// The whole list around the words that moved: one that was at an end every time so far may move the next time.
fn list_around(moving: Range<usize>, gaps: &[&str]) -> Option<Range<usize>> {
    let between = gaps.get(moving.start + 1)?;
    let (mut start, mut end) = (moving.start, moving.end);
    while start > 0 && gaps[start] == *between {
        start -= 1;
    }
    while end + 1 < gaps.len() && gaps[end] == *between {
        end += 1;
    }
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regex(texts: &[&str]) -> Option<String> {
        describe(texts).map(|pattern| pattern.open())
    }

    #[test]
    fn words_that_change_places_stay_words() {
        let word = "(?:blue|green|red)";
        let texts = ["one of [red, blue, green]", "one of [green, red, blue]"];
        assert_eq!(regex(&texts), Some(format!(r"one of \[{word}, {word}, {word}\]")));
        assert_eq!(describe(&texts).unwrap().what, "text like `one of [{…}, {…}, {…}]`");
        assert_eq!(regex(&["red, blue", "blue, red"]), Some("(?:blue|red), (?:blue|red)".to_owned()));
    }

    #[test]
    fn the_ends_of_a_list_belong_to_it() {
        let word = "(?:blue|green|pink|red)";
        let seen = regex(&["known: red, blue, green, pink.", "known: red, green, blue, pink."]);
        assert_eq!(seen, Some(format!(r"known: {word}, {word}, {word}, {word}\.")));
    }

    #[test]
    fn other_texts_are_left_to_others() {
        assert_eq!(regex(&["[red, blue]", "[red, pink]"]), None);
        assert_eq!(regex(&["light blue, green", "green, light blue"]), None);
        assert_eq!(regex(&["the same", "the same"]), None);
        assert_eq!(regex(&["", ""]), None);
        assert_eq!(regex(&[]), None);
    }
}
