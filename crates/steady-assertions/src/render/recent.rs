//! Times that are compared with the clock.

use serde_json::{Number, Value};
use steady_model::{Assertion, Matcher, Pattern, Range, TimeFormat};

use super::Context;
use crate::language::Language;

/// How the comparison with the clock goes with what is said of a time's form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    /// It reads the form strictly, and says all.
    Instead,
    /// It reads more than the form: both are asserted.
    Besides,
    /// It cannot be made here.
    Impossible,
}

/// Replacements of which none says what another does: that a time is near takes the place of its form, stands besides it, or is
/// left out, whichever says most in this language.
pub(crate) fn with_clock<'c>(
    replacements: &[Assertion],
    context: impl Fn(&Assertion) -> Context<'c>,
) -> Vec<Assertion> {
    let mut kept: Vec<Assertion> = Vec::with_capacity(replacements.len());
    for new in replacements {
        let Matcher::Recent(format) = new.matcher else {
            kept.push(new.clone());
            continue;
        };
        let known = kept.iter().rposition(|known| known.place == new.place);
        let context = context(new);
        let comparison = comparison(&context, format);
        match (comparison, known) {
            (Comparison::Instead, Some(at)) => {
                let note = kept[at].note.clone().or_else(|| new.note.clone());
                kept[at] = new.clone().noted(explained(note, format));
            }
            (Comparison::Instead, None) => {
                kept.push(new.clone().noted(explained(new.note.clone(), format)));
            }
            (Comparison::Besides, Some(at)) => {
                kept[at].note = explained(kept[at].note.take(), format);
                kept.push(new.clone().noted(None));
            }
            (Comparison::Besides, None) => {
                let note = explained(new.note.clone(), format);
                kept.push(Assertion::new(new.place.clone(), form(format, &context)).noted(note));
                kept.push(new.clone().noted(None));
            }
            // A range says more than a type, and no more than a pattern.
            (Comparison::Impossible, Some(at)) => {
                if let range @ Matcher::Range(_) = form(format, &context) {
                    kept[at].matcher = range;
                }
            }
            (Comparison::Impossible, None) => kept.push(new.clone()),
        }
    }
    kept
}

/// A note that says why the tolerance is what it is.
fn explained(note: Option<String>, format: TimeFormat) -> Option<String> {
    let tolerance = match format {
        TimeFormat::Date => "a day either way for time zones",
        _ => "within an hour of now",
    };
    note.map(|note| format!("{note}; {tolerance}"))
}

/// Whether the test can compare such a time with the clock.
pub(super) fn is_compared(context: &Context<'_>, format: TimeFormat) -> bool {
    comparison(context, format) != Comparison::Impossible
}

fn comparison(context: &Context<'_>, format: TimeFormat) -> Comparison {
    if !context.reads_the_clock() {
        return Comparison::Impossible;
    }
    let is_text = matches!(context.original, Some(Value::String(_)));
    match (format, context.language) {
        (TimeFormat::Date, _) => Comparison::Instead,
        (TimeFormat::Rfc3339, Language::Python) if is_read_by_python(context.original) => Comparison::Instead,
        (TimeFormat::Rfc3339 | TimeFormat::Http, Language::Python) => Comparison::Impossible,
        // `Date.parse` reads almost anything.
        (TimeFormat::Rfc3339 | TimeFormat::Http, _) if context.may_be_read_twice() => Comparison::Besides,
        (TimeFormat::Rfc3339 | TimeFormat::Http, _) => Comparison::Impossible,
        // Digits in a text are told by their number.
        _ if is_text => Comparison::Impossible,
        _ => Comparison::Instead,
    }
}

/// Whether every Python 3 reads such a time, once `Z` is an offset: a fraction has three digits or six.
fn is_read_by_python(value: Option<&Value>) -> bool {
    let Some(Value::String(text)) = value else { return false };
    let fraction = text.split_once('.').map(|(_, rest)| rest.bytes().take_while(u8::is_ascii_digit).count());
    text.contains('T') && !text.contains(',') && matches!(fraction, None | Some(3 | 6))
}

/// What is said of a time's form, where nothing is known but the format.
pub(super) fn form(format: TimeFormat, context: &Context<'_>) -> Matcher {
    let pattern = |regex: &str, what: &str| Matcher::Pattern(Pattern::new(regex, what));
    match format {
        TimeFormat::Rfc3339 => pattern(
            r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})",
            "a time",
        ),
        TimeFormat::Http => {
            pattern("[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT", "a date")
        }
        TimeFormat::Date => pattern("[0-9]{4}-[0-9]{2}-[0-9]{2}", "a date"),
        TimeFormat::Seconds
        | TimeFormat::Milliseconds
        | TimeFormat::Microseconds
        | TimeFormat::Nanoseconds => number(format, context),
    }
}

/// Seconds since 1970 had ten digits since 2001, and will until 2286.
fn number(format: TimeFormat, context: &Context<'_>) -> Matcher {
    let zeros = match format {
        TimeFormat::Seconds | TimeFormat::Rfc3339 | TimeFormat::Http | TimeFormat::Date => 0,
        TimeFormat::Milliseconds => 3,
        TimeFormat::Microseconds => 6,
        TimeFormat::Nanoseconds => 9,
    };
    if matches!(context.original, Some(Value::String(_))) {
        let regex = format!(r"[0-9]{{{}}}(?:\.[0-9]+)?", 10 + zeros);
        return Matcher::Pattern(Pattern::new(regex, "a time"));
    }
    let unit = 10_u64.pow(zeros);
    let bound = |seconds: u64| Some(Number::from(seconds.saturating_mul(unit)));
    Matcher::Range(Range { min: bound(1_000_000_000), max: bound(9_999_999_999) })
}

/// The condition that a value is a time near now, in Python, and the module that has the clock.
pub(super) fn python(context: &Context<'_>, value: &str, format: TimeFormat) -> (String, &'static str) {
    let near = |clock: &str, unit: &str| (format!("abs({value} - {clock}{unit}) < 60 * 60{unit}"), "time");
    match format {
        TimeFormat::Date => (
            format!("abs((datetime.date.fromisoformat({value}) - datetime.date.today()).days) <= 1"),
            "datetime",
        ),
        TimeFormat::Seconds => near("time.time()", ""),
        TimeFormat::Milliseconds => near("time.time()", " * 1000"),
        TimeFormat::Microseconds => near("time.time()", " * 1000000"),
        TimeFormat::Nanoseconds => near("time.time()", " * 1000000000"),
        TimeFormat::Rfc3339 | TimeFormat::Http => {
            // Before Python 3.11, `fromisoformat` does not read `Z`.
            let offset = matches!(context.original, Some(Value::String(text)) if !text.ends_with(['Z', 'z']));
            let text = if offset { value.to_owned() } else { format!("{value}.replace(\"Z\", \"+00:00\")") };
            let now = "datetime.datetime.now(datetime.timezone.utc)";
            (
                format!("abs(datetime.datetime.fromisoformat({text}) - {now}) < datetime.timedelta(hours=1)"),
                "datetime",
            )
        }
    }
}

/// The statements that a value is a time near now, in Jest.
pub(super) fn jest(value: &str, format: TimeFormat) -> Vec<String> {
    let between = |clock: &str, hour: &str| {
        vec![
            format!("expect({value}).toBeGreaterThan({clock} - {hour})"),
            format!("expect({value}).toBeLessThan({clock} + {hour})"),
        ]
    };
    match format {
        // The text is one of three: its form is said by that, too.
        TimeFormat::Date => vec![format!(
            "expect([-1, 0, 1].map((days) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10))).toContain({value})"
        )],
        TimeFormat::Rfc3339 | TimeFormat::Http => {
            vec![format!("expect(Math.abs(Date.parse({value}) - Date.now())).toBeLessThan(60 * 60 * 1000)")]
        }
        TimeFormat::Seconds => between("Date.now() / 1000", "60 * 60"),
        TimeFormat::Milliseconds => between("Date.now()", "60 * 60 * 1000"),
        TimeFormat::Microseconds => between("Date.now() * 1000", "60 * 60 * 1000000"),
        TimeFormat::Nanoseconds => between("Date.now() * 1000000", "60 * 60 * 1000000000"),
    }
}
