//! Times that have a name and were not met as a part of a call: `const timeout = 5000`, `testTimeout: 5000`.

use oxc_ast::ast::{Expression, ObjectProperty};
use oxc_span::{GetSpan, Span};

use super::around::Titles;
use crate::facts::Facts;
use crate::parse::byte_span::ByteSpan as _;
use crate::{Form, Kind, Unit, Wait};

/// A name, and the expression that it stands for.
pub(super) struct Named<'a> {
    name: String,
    name_span: Span,
    span: Span,
    value: &'a Expression<'a>,
    test: Option<String>,
}

impl<'a> Named<'a> {
    /// A property whose name says that it is a time limit.
    pub(super) fn property(property: &'a ObjectProperty<'a>, titles: &Titles<'_>) -> Option<Self> {
        let name = property.key.static_name()?;
        let (kind, _) = meaning(&name)?;
        // `delay: 5` is too often data.
        (kind != Kind::Sleep && !property.shorthand).then(|| Self {
            name: name.into_owned(),
            name_span: property.key.span(),
            span: property.span,
            value: &property.value,
            test: titles.innermost(),
        })
    }
}

/// Adds what was not met: properties, and constants whose name says it.
pub(super) fn add<'a>(facts: &Facts<'a>, properties: &[Named<'a>], compared: &[Span], waits: &mut Vec<Wait>) {
    let constants =
        facts.constants.values().flatten().filter(|constant| meaning(constant.name).is_some()).map(
            |constant| Named {
                name: constant.name.to_owned(),
                name_span: constant.name_span,
                span: constant.span,
                value: constant.value,
                test: None,
            },
        );
    let mut met: Vec<steady_edit::Span> =
        waits.iter().filter_map(|wait| wait.value.as_ref()).map(|value| value.span).collect();
    met.sort_unstable();
    let constants: Vec<Named<'a>> = constants.collect();
    for named in properties.iter().chain(&constants) {
        let is_compared = || compared.iter().any(|span| span.contains_inclusive(named.span));
        if let Some(wait) = wait(facts, named)
            && !is_met(&met, &wait)
            && !is_compared()
        {
            waits.push(wait);
        }
    }
}

fn is_met(met: &[steady_edit::Span], wait: &Wait) -> bool {
    wait.value.as_ref().is_some_and(|value| met.binary_search(&value.span).is_ok())
}

fn wait<'a>(facts: &Facts<'a>, named: &Named<'a>) -> Option<Wait> {
    // A text may be a time only where a library takes it; a name for one is a name for a text.
    if matches!(
        named.value.get_inner_expression(),
        Expression::StringLiteral(_) | Expression::TemplateLiteral(_)
    ) {
        return None;
    }
    let (kind, unit) = meaning(&named.name)?;
    let reading = facts.read(named.value).filter(|reading| reading.constant.is_none())?;
    let value = facts.value(&reading, unit)?;
    let at = named.name_span.start as usize;
    Some(Wait {
        kind,
        form: Form::Setting,
        callee: named.name.clone(),
        receiver: String::new(),
        value: Some(value),
        call: named.span.byte_span(),
        line: facts.lines.line(at),
        column: facts.lines.column_utf16(facts.text, at),
        awaited: true,
        words: words(&named.name),
        test: named.test.clone(),
    })
}

/// What a name says about the time that it stands for.
fn meaning(name: &str) -> Option<(Kind, Unit)> {
    // Most names are spared the cutting into words.
    let holds = |stem: &str| {
        name.as_bytes().windows(stem.len()).any(|part| part.eq_ignore_ascii_case(stem.as_bytes()))
    };
    if !["timeout", "delay", "sleep", "pause", "wait"].into_iter().any(holds) {
        return None;
    }
    let words: Vec<String> = words(name).iter().map(|word| word.to_lowercase()).collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    let unit = if has(&["seconds", "secs", "sec", "s"]) { Unit::Seconds } else { Unit::Milliseconds };
    let is_limit = ["testTimeout", "hookTimeout", "globalTimeout"].iter().any(|end| name.ends_with(end));
    if has(&["counter", "count", "multiplier", "factor", "id", "index", "retries", "hours", "days"]) {
        None
    } else if is_limit {
        Some((Kind::TestTimeout, unit))
    } else if has(&["timeout"]) {
        Some((Kind::PollTimeout, unit))
    } else if has(&["delay", "sleep", "pause", "wait"]) {
        Some((Kind::Sleep, unit))
    } else {
        None
    }
}

/// `default`, `Timeout` of `defaultTimeout`; `MAX`, `WAIT` of `MAX_WAIT`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for sign in name.chars() {
        let starts = !sign.is_alphanumeric() || (sign.is_uppercase() && was_lower);
        if starts {
            words.push(String::new());
        }
        if let (true, Some(word)) = (sign.is_alphanumeric(), words.last_mut()) {
            word.push(sign);
        }
        was_lower = sign.is_lowercase() || sign.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    words
}
