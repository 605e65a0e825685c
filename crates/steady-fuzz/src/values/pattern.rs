//! Text that matches a regular expression.

use fancy_regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::random::Random;

/// How often an unbounded repetition repeats beyond its minimum, at most.
const EXTRA_REPEATS: u32 = 6;
/// The longest text an expression may generate.
const MAX_LENGTH: usize = 2000;
/// How often a draw may miss before the expression is given up.
const TRIES: usize = 20;

/// A `pattern`, compiled for matching and, where its syntax allows, for drawing.
#[derive(Debug, Clone)]
pub struct Pattern {
    regex: Regex,
    hir: Option<Hir>,
}

impl Pattern {
    /// Compiles an ECMA-style expression; `None` for one that no engine here understands.
    pub fn compile(source: &str) -> Option<Self> {
        let source = strip_slashes(source);
        let regex = Regex::new(source).ok()?;
        let hir = regex_syntax::Parser::new().parse(source).ok().or_else(|| {
            // Look-around cannot be drawn from, but what is left without it often can; the match decides.
            regex_syntax::Parser::new().parse(&without_lookaround(source)?).ok()
        });
        Some(Self { regex, hir })
    }

    /// Whether the text matches anywhere, as JSON Schema asks; an engine that gives up counts as no.
    pub fn matches(&self, text: &str) -> bool {
        self.regex.is_match(text).unwrap_or(false)
    }

    /// A text that matches and has between `min` and `max` characters, if one was found.
    pub fn generate(&self, min: usize, max: Option<usize>, random: &mut Random) -> Option<String> {
        let hir = self.hir.as_ref()?;
        (0..TRIES).find_map(|attempt| {
            let mut text = String::new();
            draw(hir, random, &mut text, u32::try_from(attempt).unwrap_or(0).min(EXTRA_REPEATS));
            // An unanchored expression may be padded to the length asked for.
            while text.chars().count() < min && !text.is_empty() && text.len() < MAX_LENGTH {
                let last = text.chars().last()?;
                text.push(last);
            }
            let length = text.chars().count();
            (length >= min && max.is_none_or(|max| length <= max) && self.matches(&text)).then_some(text)
        })
    }
}

/// Some documents write `/^a$/i` as in JavaScript source.
fn strip_slashes(source: &str) -> &str {
    let Some(inner) = source.strip_prefix('/') else { return source };
    inner.trim_end_matches(['i', 'g', 'm', 'u']).strip_suffix('/').unwrap_or(source)
}

fn without_lookaround(source: &str) -> Option<String> {
    let mut kept = source.to_owned();
    while let Some(start) = ["(?=", "(?!", "(?<=", "(?<!"].iter().filter_map(|open| kept.find(open)).min() {
        let mut depth = 0;
        let mut escaped = false;
        let end = kept[start..].char_indices().find_map(|(offset, character)| {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(start + offset + character.len_utf8())
        })?;
        kept.replace_range(start..end, "");
    }
    Some(kept)
}

fn draw(hir: &Hir, random: &mut Random, text: &mut String, extra: u32) {
    if text.len() > MAX_LENGTH {
        return;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => text.extend(draw_class(class, random)),
        HirKind::Capture(capture) => draw(&capture.sub, random, text, extra),
        HirKind::Concat(parts) => parts.iter().for_each(|part| draw(part, random, text, extra)),
        HirKind::Alternation(branches) => {
            if let Some(branch) = random.pick(branches) {
                draw(branch, random, text, extra);
            }
        }
        HirKind::Repetition(repetition) => {
            let most = repetition
                .max
                .unwrap_or(repetition.min.saturating_add(extra))
                .min(repetition.min.saturating_add(extra));
            for _ in 0..random.between(i64::from(repetition.min), i64::from(most)) {
                draw(&repetition.sub, random, text, extra);
            }
        }
    }
}

/// A character of the class; printable ASCII where the class has any, since that is what people mean.
fn draw_class(class: &Class, random: &mut Random) -> Option<char> {
    let ranges: Vec<(u32, u32)> = match class {
        Class::Unicode(class) => {
            class.ranges().iter().map(|range| (u32::from(range.start()), u32::from(range.end()))).collect()
        }
        Class::Bytes(class) => {
            class.ranges().iter().map(|range| (u32::from(range.start()), u32::from(range.end()))).collect()
        }
    };
    let clip = |low: u32, high: u32| -> Vec<(u32, u32)> {
        ranges
            .iter()
            .map(|(start, end)| ((*start).max(low), (*end).min(high)))
            .filter(|(start, end)| start <= end)
            .collect()
    };
    let words: Vec<(u32, u32)> =
        [(48, 57), (65, 90), (97, 122)].into_iter().flat_map(|(low, high)| clip(low, high)).collect();
    let printable = clip(0x20, 0x7e);
    let choices = if !words.is_empty() {
        words
    } else if !printable.is_empty() {
        printable
    } else {
        ranges.clone()
    };
    let (start, end) = *random.pick(&choices)?;
    char::from_u32(u32::try_from(random.between(i64::from(start), i64::from(end))).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_text_matches_its_expression() {
        let mut random = Random::new(7, 0);
        for source in [
            r"^[A-Z]{3}-\d{4}$",
            r"^(?!admin)[a-z]{5,8}$",
            r"^\+?[1-9]\d{1,14}$",
            r"^(red|green|blue)$",
            r"/^[a-f0-9]{8}$/i",
            r"^\S+@\S+\.\S+$",
            r"^\p{L}+$",
            "abc",
        ] {
            let pattern = Pattern::compile(source).unwrap_or_else(|| panic!("{source} compiles"));
            let text = pattern.generate(0, None, &mut random).unwrap_or_else(|| panic!("{source} generates"));
            assert!(pattern.matches(&text), "{source} made {text}");
        }
    }

    #[test]
    fn length_limits_are_kept() {
        let pattern = Pattern::compile("^[a-z]+$").unwrap();
        let text = pattern.generate(20, Some(30), &mut Random::new(1, 0)).unwrap();
        assert!((20..=30).contains(&text.len()));
    }

    #[test]
    fn an_expression_nothing_understands_is_refused() {
        assert!(Pattern::compile("(unclosed").is_none());
    }
}
