//! Timers and sleeps that are told nothing, or something that only a run knows.

use super::{Place, Site, Strength};

/// Functions and methods that sleep for the time they are given.
const SLEEPS: [&str; 6] = ["sleep", "delay", "pause", "waitForTimeout", "wait", "snooze"];

pub(super) fn slot(site: &Site<'_>) -> Option<(Place, Strength)> {
    let call = site.call;
    let name = call.name.as_str();
    let is_global = call.is_function || matches!(call.receiver.as_str(), "window" | "global" | "globalThis");
    let at = match name {
        "setTimeout" if is_global && site.count() > 0 => 1,
        // A driver's `wait` is for a condition.
        "wait" if !call.is_function && !matches!(call.root.as_str(), "cy" | "t") => return None,
        _ if SLEEPS.contains(&name) && site.count() <= 1 && is_length(site) => 0,
        _ => return None,
    };
    Some((Place::Argument { at }, Strength::Sleeps))
}

/// Whether the first argument may be a length, and the call is one that is waited for.
fn is_length(site: &Site<'_>) -> bool {
    match site.shape(0) {
        None => site.call.awaited && site.call.name != "wait",
        Some(shape) => {
            matches!(shape, super::Shape::Names | super::Shape::Number)
                && (site.call.awaited || site.is_on("cy"))
        }
    }
}
