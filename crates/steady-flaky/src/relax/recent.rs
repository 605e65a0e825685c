//! Times of the moment they were asked for.

use crate::Observation;
use serde_json::Value;
use steady_model::rerun::Perturbation;
use steady_model::{Matcher, TimeFormat};
use steady_suite::{moment, reference};

use super::site::Site;
use crate::classify::Step;

/// Said besides the format: that the time is near that of the API.
///
/// Only of a time that moved when nothing but the time had changed: one that moves with every start of the API is near it
/// now and will not be next week. A date has to move with the clock.
pub(super) fn besides(site: &Site<'_>) -> Option<Matcher> {
    let values = site.all()?;
    let (first, rest) = values.split_first()?;
    let moved = |step: Step| {
        let seen = site.subject.seen[1..].iter().zip(rest);
        seen.into_iter().any(|(seen, value)| seen.step == step && value != first)
    };
    let format = format(first)?;
    // A date stays the same all day, and goes where the clock goes.
    let step = if format == TimeFormat::Date { Step::Perturbed(Perturbation::Clock) } else { Step::Rerun };
    moved(step).then_some(())?;
    let near = |(seen, value): (&&Observation, &&Value)| {
        let reference = seen.clock.or_else(|| reference(&seen.response));
        let (Some(moment), Some(reference)) = (moment(value, format), reference) else {
            return false;
        };
        let reach = if format == TimeFormat::Date { format.reach() } else { format.reach() / 2 };
        moment.duration_since(reference).abs().as_secs() <= i64::from(reach)
    };
    site.subject.seen.iter().zip(&values).all(near).then_some(Matcher::Recent(format))
}

fn format(value: &Value) -> Option<TimeFormat> {
    /// 2001 to 2286, in seconds.
    const SECONDS: std::ops::Range<f64> = 1e9..1e10;
    let number = match value {
        Value::String(text) if moment(value, TimeFormat::Rfc3339).is_some() && text.contains('T') => {
            return Some(TimeFormat::Rfc3339);
        }
        Value::String(_) if moment(value, TimeFormat::Date).is_some() => return Some(TimeFormat::Date),
        Value::String(_) if moment(value, TimeFormat::Http).is_some() => return Some(TimeFormat::Http),
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok()?,
        other => other.as_f64()?,
    };
    let units = [
        (TimeFormat::Seconds, 1.0),
        (TimeFormat::Milliseconds, 1e3),
        (TimeFormat::Microseconds, 1e6),
        (TimeFormat::Nanoseconds, 1e9),
    ];
    units.into_iter().find(|(_, unit)| SECONDS.contains(&(number / unit))).map(|(format, _)| format)
}
