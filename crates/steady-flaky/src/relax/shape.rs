//! Regular expressions for what varies, in the subset that every emitted language reads alike.
//!
//! An expression must hold for values not seen yet: lengths are fixed only where the family fixes them, and a
//! fraction of a second may be missing, because many languages leave out one that is zero.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::infer::Family;

pub(super) const ANYTHING: &str = r"[\s\S]*";
pub(super) const SOMETHING: &str = r"[\s\S]+";

/// As many different values that are alike in something are not so by chance.
const SEVERAL: usize = 3;
/// Characters after which one in 32 has shown itself, but for one time in a million.
const ENOUGH_DRAWN: usize = 436;
/// Random text as long as this shows which characters it is made of.
const DISTINCTIVE: usize = 8;

/// The version of a program.
const VERSION: &str = r"[0-9]+(?:\.[0-9]+)+";
const ISO_DATE: &str = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
const ISO_SECONDS: &str = "(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?";
pub(super) const OFFSET: &str = "(?:Z|[+-][0-9]{2}:?[0-9]{2})";
/// Dates as programs print them: ECMAScript's with and without the time, Java's, the Common Log Format's.
const PRINTED_DATES: [&str; 4] = [
    "[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]{2} [0-9]{4}",
    r"[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT[+-][0-9]{4}(?: \([^)]+\))?",
    "[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9A-Z:+-]+ [0-9]{4}",
    "[0-9]{2}/[A-Z][a-z]{2}/[0-9]{4}:[0-9]{2}:[0-9]{2}:[0-9]{2} [+-][0-9]{4}",
];
/// A time of day on a clock of twelve hours; what stands before the half of the day is a blank of some kind.
const CLOCK_12: &str = "[0-9]{1,2}:[0-9]{2}:[0-9]{2}[^0-9A-Za-z]?[AP]M";
/// The same without seconds.
const CLOCK_12_SHORT: &str = "[0-9]{1,2}:[0-9]{2}[^0-9A-Za-z]?[AP]M";
/// A time of day on a clock of 24 hours.
const CLOCK_24: &str = "[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?";
const HTTP_DATE: &str = "[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT";

/// A literal as a regular expression.
pub(super) fn escaped(literal: &str) -> String {
    let mut escaped = String::with_capacity(literal.len());
    for character in literal.chars() {
        if r"\.+*?()|[]{}^$".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// What values of a family look like, these among them.
pub(super) fn of_family(family: Family, texts: &[&str]) -> String {
    match family {
        Family::Uuid => uuid(texts),
        Family::Iso8601 => iso8601(texts),
        Family::HttpDate if all_match(HTTP_DATE, texts) => HTTP_DATE.to_owned(),
        Family::HttpDate | Family::DateString => printed_date(texts),
        Family::Epoch if same_length(texts).is_some() && all_of(texts, |byte| byte.is_ascii_digit()) => {
            format!("[0-9]{{{}}}", texts[0].len())
        }
        Family::Epoch => r"[0-9]+(?:\.[0-9]+)?".to_owned(),
        Family::Ulid => format!(
            "[0-7]{}{{25}}",
            cased(texts, "[0-9A-HJKMNP-TV-Z]", "[0-9a-hjkmnp-tv-z]", "[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]")
        ),
        Family::Ksuid => "[0-9A-Za-z]{27}".to_owned(),
        Family::ObjectId => format!("{}{{24}}", hex(texts)),
        Family::NanoId => sized("[0-9A-Za-z_-]", texts),
        Family::Snowflake => "[0-9]{15,20}".to_owned(),
        Family::Jwt => r"[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]*".to_owned(),
        Family::PasswordHash => password_hash(texts),
        Family::Hex => sized(hex(texts), texts),
        Family::Base64 => base64(texts),
        Family::Identity | Family::Pointer => identity(texts),
        Family::StackFrame => r"[^\n]+".to_owned(),
        Family::Port => runs(texts, "[^0-9]+"),
        Family::TempPath => temporary_path(texts),
        Family::Host => host(texts),
        Family::Duration => duration(texts),
        Family::Own if all_match(VERSION, texts) => VERSION.to_owned(),
        Family::Own if all_of(texts, |byte| byte.is_ascii_digit()) => "[0-9]+".to_owned(),
        Family::Own => r#"[^\s"']+"#.to_owned(),
    }
}

/// What texts look like that are all dates or times of one form, and what that is. However far apart they are: what moved with
/// the clock may be years away, and is still a date.
pub(super) fn moment(texts: &[&str]) -> Option<(String, &'static str)> {
    if all_match(ISO_DATE, texts) {
        return Some((ISO_DATE.to_owned(), "an ISO 8601 date"));
    }
    if let Some(form) = iso_time(texts) {
        return Some((form, "an ISO 8601 time"));
    }
    let clocks = [CLOCK_12, CLOCK_12_SHORT, CLOCK_24].map(|form| (form, "a time of day"));
    let printed = PRINTED_DATES.map(|form| (form, "a printed date"));
    let mut forms = [(HTTP_DATE, "an HTTP date")].into_iter().chain(clocks).chain(printed);
    forms.find(|(form, _)| all_match(form, texts)).map(|(form, what)| (form.to_owned(), what))
}

/// Whether these are distances of a zone from UTC.
pub(super) fn are_offsets(texts: &[&str]) -> bool {
    all_match(OFFSET, texts)
}

/// What stands in a hole of a template looks like.
pub(super) fn of_hole(texts: &[&str]) -> String {
    if texts.iter().any(|text| text.is_empty()) {
        return ANYTHING.to_owned();
    }
    if all_of(texts, |byte| byte.is_ascii_digit()) {
        return "[0-9]+".to_owned();
    }
    if all_match(r"-?[0-9]+(?:\.[0-9]+)?", texts) {
        return r"-?[0-9]+(?:\.[0-9]+)?".to_owned();
    }
    let long = texts.iter().all(|text| text.len() >= DISTINCTIVE);
    if long && all_of(texts, |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        let several = texts.iter().collect::<BTreeSet<_>>().len() >= SEVERAL;
        return if several { sized("[0-9a-f]", texts) } else { "[0-9a-f]+".to_owned() };
    }
    if long
        && all_of(texts, |byte| byte.is_ascii_alphanumeric())
        && texts.iter().any(|text| text.bytes().any(|byte| byte.is_ascii_digit()))
    {
        return if may_hold_dashes(texts) { "[0-9A-Za-z_-]+" } else { "[0-9A-Za-z]+" }.to_owned();
    }
    let is_drawn = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if long && all_of(texts, is_drawn) && texts.iter().all(|text| has_digit(text)) {
        let fixed = same_length(texts).filter(|length| *length >= 2 * DISTINCTIVE);
        return fixed.map_or("[0-9A-Za-z_-]+".to_owned(), |length| format!("[0-9A-Za-z_-]{{{length}}}"));
    }
    runs(texts, SOMETHING)
}

/// Whether letters of both cases may yet turn out to be drawn from the 64 characters of URLs, of which two are no letters.
fn may_hold_dashes(texts: &[&str]) -> bool {
    let has = |is: fn(&u8) -> bool| texts.iter().any(|text| text.bytes().any(|byte| is(&byte)));
    let drawn: usize = texts.iter().map(|text| text.len()).sum();
    has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && drawn < ENOUGH_DRAWN
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Digits by digits, the rest literally where it is the same in all texts; `otherwise` where it is not.
fn runs(texts: &[&str], otherwise: &str) -> String {
    let split: Vec<Vec<&str>> = texts.iter().map(|text| digit_runs(text)).collect();
    let Some((first, rest)) = split.split_first() else { return otherwise.to_owned() };
    let is_digits = |run: &str| run.bytes().all(|byte| byte.is_ascii_digit());
    let alike = rest.iter().all(|other| {
        other.len() == first.len()
            && first.iter().zip(other).all(|(one, other)| is_digits(one) == is_digits(other))
    });
    if !alike || !first.iter().any(|run| is_digits(run)) {
        return SOMETHING.to_owned();
    }
    let mut regex = String::new();
    for (index, run) in first.iter().enumerate() {
        if is_digits(run) {
            regex.push_str("[0-9]+");
        } else if rest.iter().all(|other| other[index] == *run) {
            regex.push_str(&escaped(run));
        } else {
            regex.push_str(otherwise);
        }
    }
    regex
}

/// A text cut where digits begin and end.
fn digit_runs(text: &str) -> Vec<&str> {
    static RUN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("[0-9]+|[^0-9]+").ok());
    RUN.as_ref().map(|run| run.find_iter(text).map(|found| found.as_str()).collect()).unwrap_or_default()
}

fn uuid(texts: &[&str]) -> String {
    let hex = hex(texts);
    let version = |text: &&str| text.as_bytes().get(14).copied().filter(|_| text.len() == 36);
    let Some(first) = texts.first().and_then(version) else {
        return r"(?:urn:uuid:)?\{?[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?".to_owned();
    };
    if texts.iter().all(|text| version(text) == Some(first)) {
        let (version, variant) = (char::from(first), cased(texts, "[89AB]", "[89ab]", "[89ABab]"));
        return format!("{hex}{{8}}-{hex}{{4}}-{version}{hex}{{3}}-{variant}{hex}{{3}}-{hex}{{12}}");
    }
    format!("{hex}{{8}}(?:-{hex}{{4}}){{3}}-{hex}{{12}}")
}

fn iso8601(texts: &[&str]) -> String {
    if all_match(ISO_DATE, texts) {
        return ISO_DATE.to_owned();
    }
    iso_time(texts).unwrap_or_else(|| runs(texts, "[^0-9]+"))
}

/// A date and a time, as ISO 8601 writes them.
fn iso_time(texts: &[&str]) -> Option<String> {
    for separator in ["T", " "] {
        for seconds in ["", ISO_SECONDS] {
            for offset in ["", "Z", OFFSET] {
                let regex = format!("{ISO_DATE}{separator}[0-9]{{2}}:[0-9]{{2}}{seconds}{offset}");
                if all_match(&regex, texts) {
                    return Some(regex);
                }
            }
        }
    }
    None
}

/// The words that all of these names have stay, numbers are numbers; of a single name, nothing is known to stay.
fn host(texts: &[&str]) -> String {
    let any = "[0-9A-Za-z_.:-]+";
    let distinct: BTreeSet<&&str> = texts.iter().collect();
    if distinct.len() < 2 {
        return any.to_owned();
    }
    if all_of(texts, |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return sized("[0-9a-f]", texts);
    }
    match runs(texts, any) {
        regex if regex == SOMETHING => any.to_owned(),
        regex => regex,
    }
}

/// Numbers stay numbers. Words and signs are names of days, months and zones, and others on another day.
fn printed_date(texts: &[&str]) -> String {
    if let Some(form) = PRINTED_DATES.into_iter().find(|form| all_match(form, texts)) {
        return form.to_owned();
    }
    let first = texts.first().copied().unwrap_or_default();
    let named =
        |run: &str| run.contains(|character: char| character.is_alphabetic() || "+-".contains(character));
    let mut regex = String::new();
    for run in digit_runs(first) {
        if run.starts_with(|character: char| character.is_ascii_digit()) {
            regex.push_str("[0-9]+");
        } else if named(run) {
            regex.push_str("[^0-9]+");
        } else {
            regex.push_str(&escaped(run));
        }
    }
    if all_match(&regex, texts) { regex } else { SOMETHING.to_owned() }
}

/// The folder is anyone's, and may have a space in its name; the names below it that never changed stay.
fn temporary_path(texts: &[&str]) -> String {
    let first = texts.first().copied().unwrap_or_default();
    let ends_all = |end: &&str| texts.iter().all(|text| text.len() > end.len() && text.ends_with(*end));
    let varies = texts.iter().any(|text| *text != first);
    let ends = first.match_indices('/').map(|(at, _)| &first[at..]);
    let kept = ends.filter(|_| varies).find(ends_all).unwrap_or_default();
    format!(r#"[^\n"']+{}"#, escaped(kept))
}

/// The algorithm and its cost stay, salt and hash are new.
fn password_hash(texts: &[&str]) -> String {
    let first = texts.first().copied().unwrap_or_default();
    let shared = texts
        .iter()
        .map(|text| text.bytes().zip(first.bytes()).take_while(|(one, other)| one == other).count())
        .min();
    // Of a single hash, what stands before the last two parts.
    let shared = if texts.iter().all(|text| *text == first) { first.len() } else { shared.unwrap_or(0) };
    let known = match first.get(..shared).unwrap_or_default().rfind('$') {
        Some(_) if first.starts_with("$2") => first.match_indices('$').nth(2).map_or(0, |(at, _)| at + 1),
        Some(last) => first.get(..last).and_then(|start| start.rfind('$')).map_or(last + 1, |at| at + 1),
        None => 0,
    };
    format!("{}[0-9A-Za-z./+$=,]+", escaped(first.get(..known.min(shared)).unwrap_or_default()))
}

/// The name stays, the number after it is the object's.
fn identity(texts: &[&str]) -> String {
    let first = texts.first().copied().unwrap_or_default();
    let start = first.rfind("0x").map(|at| at + 2).or_else(|| first.rfind('@').map(|at| at + 1));
    let Some(start) = start else { return runs(texts, SOMETHING) };
    let end = first[start..]
        .find(|character: char| !character.is_ascii_hexdigit())
        .map_or(first.len(), |end| start + end);
    format!("{}[0-9A-Fa-f]+{}", escaped(&first[..start]), escaped(&first[end..]))
        .replace("[0-9A-Fa-f]", hex(texts_tail(texts, start).as_slice()))
}

fn texts_tail<'a>(texts: &[&'a str], start: usize) -> Vec<&'a str> {
    texts.iter().map(|text| text.get(start..).unwrap_or_default()).collect()
}

/// As long as ever, when several were seen: keys and digests have a length of their own.
fn base64(texts: &[&str]) -> String {
    let class = "[0-9A-Za-z+/_-]";
    let distinct: BTreeSet<&&str> = texts.iter().collect();
    let sizes: BTreeSet<(usize, usize)> =
        texts.iter().map(|text| (text.trim_end_matches('=').len(), text.len())).collect();
    match sizes.first() {
        Some((size, length)) if sizes.len() == 1 && distinct.len() >= SEVERAL => {
            format!("{class}{{{size}}}{}", "=".repeat(length - size))
        }
        _ => format!("{class}+={{0,2}}"),
    }
}

/// One of these words.
pub(super) fn one_of(words: &BTreeSet<&str>) -> String {
    let words: Vec<String> = words.iter().map(|word| escaped(word)).collect();
    format!("(?:{})", words.join("|"))
}

/// Numbers with their units; how many digits they have is chance.
fn duration(texts: &[&str]) -> String {
    let number = r"[0-9]+(?:[.,][0-9]+)?";
    let unit = |text: &str| {
        text.trim_start_matches(|character: char| character.is_ascii_digit() || ".,".contains(character))
            .to_owned()
    };
    match texts.first().map(|first| unit(first)) {
        Some(first)
            if texts.iter().all(|text| unit(text) == first)
                && !first.bytes().any(|byte| byte.is_ascii_digit()) =>
        {
            format!("{number}{}", escaped(&first))
        }
        _ => runs(texts, SOMETHING),
    }
}

fn hex(texts: &[&str]) -> &'static str {
    cased(texts, "[0-9A-F]", "[0-9a-f]", "[0-9A-Fa-f]")
}

/// One of three expressions, by the case of the letters seen.
fn cased(texts: &[&str], upper: &'static str, lower: &'static str, mixed: &'static str) -> &'static str {
    let has = |is: fn(&u8) -> bool| texts.iter().any(|text| text.bytes().any(|byte| is(&byte)));
    match (has(u8::is_ascii_uppercase), has(u8::is_ascii_lowercase)) {
        (true, false) => upper,
        (false, true) => lower,
        _ => mixed,
    }
}

fn sized(class: &str, texts: &[&str]) -> String {
    same_length(texts).map_or_else(|| format!("{class}+"), |length| format!("{class}{{{length}}}"))
}

fn same_length(texts: &[&str]) -> Option<usize> {
    let length = texts.first()?.len();
    texts.iter().all(|text| text.len() == length).then_some(length)
}

fn all_of(texts: &[&str], is: impl Fn(u8) -> bool) -> bool {
    texts.iter().all(|text| text.bytes().all(&is))
}

fn all_match(regex: &str, texts: &[&str]) -> bool {
    Regex::new(&format!("^(?:{regex})$")).is_ok_and(|regex| texts.iter().all(|text| regex.is_match(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_describes_values_it_has_not_seen() {
        let cases: [(Family, &[&str], &str, &str); 14] = [
            (
                Family::Uuid,
                &["f47ac10b-58cc-4372-a567-0e02b2c3d479"],
                "0b8e5a52-9a7e-4f0e-8f67-6d1e3c1f9a10",
                "17",
            ),
            (Family::Iso8601, &["2026-03-10T12:00:09.120Z"], "2027-01-01T00:00Z", "2027-01-01"),
            (Family::Iso8601, &["2026-03-10"], "2031-12-31", "2031-12-31T00:00"),
            (
                Family::HttpDate,
                &["Tue, 10 Mar 2026 12:00:00 GMT"],
                "Wed, 11 Mar 2026 12:00:00 GMT",
                "yesterday",
            ),
            (Family::DateString, &["Tue Mar 10 12:00:00 UTC 2026"], "Fri Jan 22 13:11:00 GMT-03:00 2027", ""),
            (
                Family::DateString,
                &["Tue Mar 10 2026 12:00:00 GMT+0000 (Coordinated Universal Time)"],
                "Sun Nov 01 2026 23:09:10 GMT-1100 (GMT-11:00)",
                "Sun Nov 01 2026",
            ),
            (
                Family::DateString,
                &["March 10, 2026 at 12:00 PM"],
                "November 1, 2027 at 9:05 AM",
                "March 10, 2026",
            ),
            (
                Family::TempPath,
                &["/tmp/uploads", "/tmp/x1/elsewhere/uploads"],
                "/tmp/with a space/uploads",
                "/tmp/downloads",
            ),
            (Family::Epoch, &["1773144000"], "1773144001", "1773144001000"),
            (Family::Hex, &["0123456789abcdef0123456789abcdef"], "ffffffffffffffff0123456789abcdef", "ffff"),
            (
                Family::PasswordHash,
                &["$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"],
                "$2a$10$abc",
                "$2a$04$abc",
            ),
            (Family::Identity, &["Cart@1b6d3586"], "Cart@7852e9", "Card@7852e9"),
            (Family::Port, &["127.0.0.1:34567"], "127.0.0.1:5", "localhost"),
            (Family::Duration, &["12 ms"], "3.5 ms", "12 s"),
        ];
        for (family, seen, good, bad) in cases {
            let regex = of_family(family, seen);
            assert!(all_match(&regex, seen) && all_match(&regex, &[good]), "{family}: {regex} and {good}");
            assert!(!all_match(&regex, &[bad]), "{family}: {regex} and {bad}");
        }
    }

    #[test]
    fn base64_has_a_length_when_several_had_it() {
        assert_eq!(of_family(Family::Base64, &["Zbp4", "lc7b"]), "[0-9A-Za-z+/_-]+={0,2}");
        assert_eq!(of_family(Family::Base64, &["Zbp=", "lc7=", "m13="]), "[0-9A-Za-z+/_-]{3}=");
        assert_eq!(of_family(Family::Base64, &["Zbp=", "lc==", "m13="]), "[0-9A-Za-z+/_-]+={0,2}");
    }

    #[test]
    fn few_drawn_letters_do_not_rule_out_the_dashes_that_seldom_come() {
        assert_eq!(of_hole(&["0AcPI3CR", "Dh3eObIa", "1ydme5Fz"]), "[0-9A-Za-z_-]+");
        assert_eq!(of_hole(&["0acpi3cr", "dh3eobia", "1ydme5fz"]), "[0-9A-Za-z]+");
        let many = "0AcPI3CR".repeat(60);
        assert_eq!(of_hole(&[&many]), "[0-9A-Za-z]+");
    }

    #[test]
    fn literals_mean_themselves() {
        let literal = r"a.b*c(d)[e]{f}^$|\+?/-";
        assert!(all_match(&escaped(literal), &[literal]));
    }
}
