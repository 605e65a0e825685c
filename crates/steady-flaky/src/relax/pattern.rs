//! Text by its pattern: the parts that stay anchored, the parts that vary by what they look like.

use std::collections::BTreeSet;

use regex::Regex;
use steady_model::{Matcher, Pattern};

use super::site::Site;
use super::{permuted, shape};
use crate::compare::{Part, Template};
use crate::infer::{self, Context, Family};

/// The longest text that is described; a pattern of more is no help to a reader.
const MAX_TEXT: usize = 2_000;
/// Values of a family are masked by a character of a private plane, which aligns them whatever they say.
const MASKS: u32 = 0xF_0000;

pub(super) fn form(site: &Site<'_>, suspected: &[Family]) -> Option<Vec<Matcher>> {
    let texts = site.texts()?;
    let context = site.context();
    describe(&texts, &context, suspected).map(|pattern| vec![Matcher::Pattern(pattern)])
}

/// The pattern of some texts; none when they have nothing in common. Values of the suspected families count as varying.
fn describe(texts: &[&str], context: &Context, suspected: &[Family]) -> Option<Pattern> {
    let is_private = |character: char| u32::from(character) >= MASKS;
    if texts.iter().any(|text| text.len() > MAX_TEXT || text.contains(is_private)) {
        return None;
    }
    if shape::are_offsets(texts) {
        return Some(Pattern::new(shape::OFFSET, "an offset from UTC"));
    }
    let varies = texts.iter().any(|text| *text != texts[0]);
    if let Some((form, what)) = shape::moment(texts).filter(|_| varies) {
        return Some(Pattern::new(form, what));
    }
    if let Some(pattern) = permuted::describe(texts) {
        return Some(pattern);
    }
    let masked: Vec<String> = texts.iter().map(|text| mask(text, texts, context, suspected)).collect();
    let parts = slots(&masked);
    let found = fill(&parts, texts)?;
    let mut regex = String::new();
    let mut taken = found.iter();
    for part in &parts {
        match part {
            Slot::Literal(literal) => regex.push_str(&shape::escaped(literal)),
            Slot::Family(family) => regex.push_str(&shape::of_family(*family, taken.next()?)),
            Slot::Hole => regex.push_str(&shape::of_hole(taken.next()?)),
        }
    }
    if regex == shape::ANYTHING || regex == shape::SOMETHING {
        return None;
    }
    let what = match parts.as_slice() {
        [Slot::Family(family)] => format!("{} {family}", article(*family)),
        _ => outline(&parts),
    };
    Some(Pattern::new(regex, what))
}

/// The text with a mark in place of every value that varies and is of a known family.
fn mask(text: &str, all: &[&str], context: &Context, suspected: &[Family]) -> String {
    let mut masked = String::new();
    let mut end = 0;
    for suspicion in infer::find(text, context) {
        let value = &text[suspicion.span.clone()];
        let varies = all.iter().any(|other| !other.contains(value));
        if varies || suspected.contains(&suspicion.family) {
            masked.push_str(&text[end..suspicion.span.start]);
            masked.extend(char::from_u32(MASKS + suspicion.family as u32));
            end = suspicion.span.end;
        }
    }
    masked + &text[end..]
}

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Slot {
    Literal(String),
    Family(Family),
    Hole,
}

fn slots(masked: &[String]) -> Vec<Slot> {
    let distinct: BTreeSet<&str> = masked.iter().map(String::as_str).collect();
    let parts = match distinct.iter().collect::<Vec<_>>().as_slice() {
        [only] => vec![Part::Literal((**only).to_owned())],
        _ => {
            let texts: Vec<&str> = masked.iter().map(String::as_str).collect();
            Template::of(&texts).map_or_else(|| vec![Part::Hole], |template| template.parts)
        }
    };
    let mut slots = Vec::new();
    for part in parts {
        match part {
            Part::Hole => slots.push(Slot::Hole),
            Part::Literal(text) => text.chars().for_each(|character| push(&mut slots, character)),
        }
    }
    slots
}

fn push(slots: &mut Vec<Slot>, character: char) {
    let family = || Family::ALL.into_iter().find(|family| u32::from(character) == MASKS + *family as u32);
    match (slots.last_mut(), family()) {
        (_, Some(family)) => slots.push(Slot::Family(family)),
        (Some(Slot::Literal(literal)), None) => literal.push(character),
        (_, None) => slots.push(Slot::Literal(character.to_string())),
    }
}

/// What stands in the open slots of each text, slot by slot.
fn fill<'a>(slots: &[Slot], texts: &[&'a str]) -> Option<Vec<Vec<&'a str>>> {
    let mut pattern = String::from("^");
    for slot in slots {
        match slot {
            Slot::Literal(literal) => pattern.push_str(&shape::escaped(literal)),
            Slot::Family(_) => pattern.push_str(r"([\s\S]+?)"),
            Slot::Hole => pattern.push_str(r"([\s\S]*?)"),
        }
    }
    let regex = Regex::new(&(pattern + "$")).ok()?;
    let mut found = vec![Vec::new(); regex.captures_len() - 1];
    for text in texts {
        let captures = regex.captures(text)?;
        for (index, values) in found.iter_mut().enumerate() {
            values.push(captures.get(index + 1)?.as_str());
        }
    }
    Some(found)
}

/// `took {…} ms`
fn outline(slots: &[Slot]) -> String {
    let mut outline = String::from("text like `");
    for slot in slots {
        match slot {
            Slot::Literal(literal) => outline.push_str(literal),
            Slot::Family(family) => outline.push_str(&format!("{{{family}}}")),
            Slot::Hole => outline.push_str("{…}"),
        }
    }
    outline.push('`');
    outline
}

fn article(family: Family) -> &'static str {
    match family {
        Family::Iso8601 | Family::HttpDate | Family::Epoch | Family::ObjectId | Family::Identity => "an",
        _ => "a",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(texts: &[&str]) -> Option<(String, String)> {
        let context = Context::new("value", "2026-03-10T12:00:00Z".parse().unwrap());
        let pattern = describe(texts, &context, &[])?;
        let regex = Regex::new(&format!("^(?:{})$", pattern.open())).unwrap();
        for text in texts {
            assert!(regex.is_match(text), "{} does not describe {text:?}", pattern.open());
        }
        Some((pattern.open(), pattern.what))
    }

    #[test]
    fn whole_values_get_the_pattern_of_their_family() {
        let uuid = pattern(&["f47ac10b-58cc-4372-a567-0e02b2c3d479", "0b8e5a52-9a7e-4f0e-8f67-6d1e3c1f9a10"]);
        let hex = "[0-9a-f]";
        let expected = format!("{hex}{{8}}-{hex}{{4}}-4{hex}{{3}}-[89ab]{hex}{{3}}-{hex}{{12}}");
        assert_eq!(uuid, Some((expected, "a UUID".to_owned())));
        let time = pattern(&["2026-03-10T12:00:00Z", "2026-03-10T12:00:00.123Z"]).unwrap();
        assert_eq!(time.0, "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?Z");
        assert_eq!(time.1, "an ISO 8601 time");
    }

    #[test]
    fn literal_parts_are_anchored() {
        let (regex, what) = pattern(&[
            "backup 7 finished at 2026-03-10T12:00:00Z (ok)",
            "backup 12 finished at 2026-03-10T12:00:09Z (ok)",
        ])
        .unwrap();
        assert!(
            regex.starts_with("backup [0-9]+ finished at [0-9]{4}-") && regex.ends_with(r"Z \(ok\)"),
            "{regex}"
        );
        assert_eq!(what, "text like `backup {…} finished at {ISO 8601 time} (ok)`");
        assert_eq!(pattern(&["took 12ms", "took 9ms"]).unwrap().0, "took [0-9]+(?:[.,][0-9]+)?ms");
        assert_eq!(
            pattern(&["Cart@1b6d3586 is gone", "Cart@7852e922 is gone"]).unwrap().0,
            "Cart@[0-9a-f]+ is gone"
        );
        assert_eq!(pattern(&["hello Ada Lovelace!", "hello Bob!"]).unwrap().0, r"hello [\s\S]+!");
    }

    #[test]
    fn more_evidence_never_gives_a_weaker_pattern() {
        let days = ["2026-03-10", "2026-03-11", "2026-09-09", "2028-05-18"];
        for seen in 2..=days.len() {
            let (regex, what) = pattern(&days[..seen]).unwrap();
            assert_eq!((regex.as_str(), what.as_str()), ("[0-9]{4}-[0-9]{2}-[0-9]{2}", "an ISO 8601 date"));
        }
        let hours = ["2:00:04 PM", "2:00:07 PM", "11:58:00\u{202f}AM"];
        for seen in 2..=hours.len() {
            let (regex, what) = pattern(&hours[..seen]).unwrap();
            assert_eq!(what, "a time of day", "{regex}");
            assert!(Regex::new(&format!("^(?:{regex})$")).unwrap().is_match("9:13:59 AM"), "{regex}");
        }
    }

    #[test]
    fn a_host_keeps_the_part_that_stays() {
        let context = Context::new("host", "2026-03-10T12:00:00Z".parse().unwrap());
        let names = ["api-1", "api-3", "api-2"];
        assert_eq!(describe(&names, &context, &[]).unwrap().open(), "api-[0-9]+");
        let containers = ["3f4e8a9b2c1d", "d1e2f3a4b5c6"];
        assert_eq!(describe(&containers, &context, &[]).unwrap().open(), "[0-9a-f]{12}");
    }

    #[test]
    fn an_offset_may_have_the_other_sign() {
        let (regex, what) = pattern(&["+00:00", "+14:00"]).unwrap();
        assert!(Regex::new(&format!("^(?:{regex})$")).unwrap().is_match("-03:30"), "{regex}");
        assert_eq!(what, "an offset from UTC");
    }

    #[test]
    fn texts_with_nothing_in_common_have_no_pattern() {
        assert_eq!(pattern(&["alpha", "beta"]), None);
        assert_eq!(pattern(&["", "beta"]), None);
        assert_eq!(pattern(&["\u{f0001}a", "a"]), None);
    }

    #[test]
    fn what_did_not_vary_stays_unless_it_is_suspected() {
        let context = Context::new("value", "2026-03-10T12:00:00Z".parse().unwrap());
        let texts = [
            "tenant f47ac10b-58cc-4372-a567-0e02b2c3d479 has 3",
            "tenant f47ac10b-58cc-4372-a567-0e02b2c3d479 has 4",
        ];
        let kept = describe(&texts, &context, &[]).unwrap();
        assert_eq!(kept.open(), "tenant f47ac10b-58cc-4372-a567-0e02b2c3d479 has [0-9]+");
        let suspected = describe(&texts[..1], &context, &[Family::Uuid]).unwrap();
        let regex = suspected.open();
        assert!(regex.starts_with("tenant [0-9a-f]{8}-") && regex.ends_with(" has 3"));
    }
}
