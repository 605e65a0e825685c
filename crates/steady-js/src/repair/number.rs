//! A length written the way the old one was.

use crate::{Unit, Value};

/// A number in a text.
struct Number<'t> {
    start: usize,
    text: &'t str,
    value: f64,
}

/// The expression `text`, which holds `value`, changed to hold `ms`: its unit, its separators and its factors stay as far
/// as they can.
pub(super) fn rewritten(text: &str, value: &Value, ms: u64) -> String {
    let numbers = numbers(text);
    if let Some(number) = counting(text, &numbers)
        && value.ms > 0
    {
        let changed = number.value * ms as f64 / value.ms as f64;
        let is_alone = number.text.len() == text.len() || text.starts_with(['\'', '"', '`']);
        if changed.fract() == 0.0 || (is_alone && decimals(changed).is_some()) {
            let written = styled(changed, number.text);
            return format!(
                "{}{written}{}",
                &text[..number.start],
                &text[number.start + number.text.len()..]
            );
        }
    }
    let style = numbers.iter().map(|number| number.text).find(|text| text.contains('_')).unwrap_or_default();
    styled(ms as f64 / value.unit.ms() as f64, style)
}

/// The power of ten from which on a file writes separators, as in `10_000`; none if it writes no such number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Separators(Option<u64>);

impl Separators {
    /// Those of a file, by the lengths that it has.
    pub(super) fn of<'t>(lengths: impl Iterator<Item = &'t str>) -> Self {
        let separated = lengths.flat_map(numbers).filter(|number| number.text.contains('_'));
        let digits = separated.map(|number| number.text.bytes().filter(u8::is_ascii_digit).count());
        Self(
            digits.min().and_then(|digits| 10_u64.checked_pow(u32::try_from(digits).ok()?.saturating_sub(1))),
        )
    }
}

/// A length that was not there before: in the unit of the call, with separators if the file writes them.
pub(super) fn fresh(ms: u64, unit: Unit, separators: Separators) -> String {
    let number = ms as f64 / unit.ms() as f64;
    let is_separated = separators.0.is_some_and(|least| number >= least as f64);
    styled(number, if is_separated { "1_000" } else { "" })
}

/// The number that says how many: the only one, or that of a product which is no unit of time.
fn counting<'n, 't>(text: &str, numbers: &'n [Number<'t>]) -> Option<&'n Number<'t>> {
    match numbers {
        [only] => Some(only),
        _ if text.contains(['+', '-', '/', '?', '|', ',']) => None,
        several => {
            let first = |units: &[f64]| several.iter().find(|number| !units.contains(&number.value));
            first(&[1000.0, 60.0]).or_else(|| first(&[1000.0]))
        }
    }
}

/// The numbers of an expression, without those that are a part of a name.
fn numbers(text: &str) -> Vec<Number<'_>> {
    let mut numbers = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let is_name = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '$');
        if rest.starts_with(|sign: char| sign.is_ascii_digit()) {
            let length = rest
                .find(|sign: char| !sign.is_ascii_digit() && !matches!(sign, '_' | '.'))
                .unwrap_or(rest.len());
            if rest.starts_with('0') && rest[length..].starts_with(['x', 'X', 'o', 'O', 'b', 'B']) {
                // Nobody keeps a time in hexadecimals: it is replaced as a whole.
                return Vec::new();
            }
            let length = length + exponent(&rest[length..]);
            let token = rest[..length].trim_end_matches('.');
            if let Ok(value) = token.replace('_', "").parse() {
                numbers.push(Number { start: at, text: token, value });
            }
            at += length;
        } else {
            let length = rest.find(|sign| !is_name(sign)).unwrap_or(rest.len());
            at += length.max(rest.chars().next().map_or(1, char::len_utf8));
        }
    }
    numbers
}

/// How long `e3` at the front of a text is.
fn exponent(text: &str) -> usize {
    let Some(digits) = text.strip_prefix(['e', 'E']) else { return 0 };
    match digits.bytes().take_while(u8::is_ascii_digit).count() {
        0 => 0,
        count => count + 1,
    }
}

/// A number in the style of another: with separators, with an exponent, or plain.
fn styled(number: f64, style: &str) -> String {
    if number.fract() != 0.0 {
        // The next larger one with four decimals: a wait may be longer than asked for, never shorter.
        return decimals(number).unwrap_or_else(|| format!("{:.4}", (number * 10_000.0).ceil() / 10_000.0));
    }
    if style.contains(['e', 'E']) && number >= 1000.0 && number % 1000.0 == 0.0 {
        return format!("{}e3", number / 1000.0);
    }
    let digits = format!("{number:.0}");
    if !style.contains('_') {
        return digits;
    }
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number with at most three decimals, if it has no more.
fn decimals(number: f64) -> Option<String> {
    let thousandths = (number * 1000.0).round();
    ((number * 1000.0 - thousandths).abs() < 1e-6).then(|| format!("{}", thousandths / 1000.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use steady_edit::Span;

    fn changed(text: &str, old: u64, unit: Unit, ms: u64) -> String {
        let value = Value {
            ms: old,
            unit,
            span: Span { start: 0, end: text.len() },
            line: 1,
            constant: None,
            holder: crate::Holder::Number,
        };
        rewritten(text, &value, ms)
    }

    #[test]
    fn the_way_a_length_is_written_stays() {
        use Unit::{Milliseconds, Minutes, Seconds};
        for (text, old, unit, ms, expected) in [
            ("500", 500, Milliseconds, 1500, "1500"),
            ("5_000", 5000, Milliseconds, 10_000, "10_000"),
            ("5_000", 5000, Milliseconds, 800, "800"),
            ("5e3", 5000, Milliseconds, 8000, "8e3"),
            ("5e3", 5000, Milliseconds, 8500, "8500"),
            ("0x10", 16, Milliseconds, 20, "20"),
            ("5 * 1000", 5000, Milliseconds, 8000, "8 * 1000"),
            ("5 * 1000", 5000, Milliseconds, 8500, "8500"),
            ("5*1_000", 5000, Milliseconds, 8500, "8_500"),
            ("1000 * 5", 5000, Milliseconds, 8000, "1000 * 8"),
            ("60 * 1000", 60_000, Milliseconds, 90_000, "90 * 1000"),
            ("2 * 60 * 1000", 120_000, Milliseconds, 180_000, "3 * 60 * 1000"),
            ("5 * SECOND", 5000, Milliseconds, 8000, "8 * SECOND"),
            ("5 * SECOND", 5000, Milliseconds, 8500, "8500"),
            ("seconds(5)", 5000, Milliseconds, 8000, "seconds(8)"),
            ("4 * 250 + 1000", 2000, Milliseconds, 3000, "3000"),
            ("'5s'", 5000, Milliseconds, 2500, "'2.5s'"),
            ("ms('5s')", 5000, Milliseconds, 8000, "ms('8s')"),
            ("0", 0, Milliseconds, 50, "50"),
            ("2", 2000, Seconds, 2500, "2.5"),
            ("2", 2000, Seconds, 3000, "3"),
            ("1", 60_000, Minutes, 1000, "0.0167"),
            ("T5 * 3", 30, Milliseconds, 50, "T5 * 5"),
        ] {
            assert_eq!(changed(text, old, unit, ms), expected, "{text} to {ms}");
        }
    }

    #[test]
    fn a_new_length_has_the_unit_of_its_call() {
        assert_eq!(fresh(1500, Unit::Milliseconds, Separators(None)), "1500");
        assert_eq!(fresh(1500, Unit::Seconds, Separators(None)), "1.5");
    }

    #[test]
    fn separators_are_written_from_the_size_on_that_the_file_writes_them() {
        let separators = Separators::of(["500", "30_000", "10_000"].into_iter());
        assert_eq!(fresh(2000, Unit::Milliseconds, separators), "2000");
        assert_eq!(fresh(10_000, Unit::Milliseconds, separators), "10_000");
        assert_eq!(Separators::of(["30000"].into_iter()), Separators(None));
    }
}
