//! Timers and sleeps that are told nothing, or something that only a run knows.

use super::{Place, Site, Slot, Strength};

/// Functions and methods that sleep for the time they are given.
const SLEEPS: [&str; 6] = ["sleep", "delay", "pause", "waitForTimeout", "wait", "snooze"];

pub(super) fn slot(site: &Site<'_>) -> Option<Slot> {
    let call = site.call;
    let name = call.name.as_str();
    let is_global = call.is_function || matches!(call.receiver.as_str(), "window" | "global" | "globalThis");
    let is_promise = site.outline.imports.get(name).is_some_and(|module| module.ends_with("timers/promises"));
    let at = match name {
        "setTimeout" if is_promise => 0,
        "setTimeout" if is_global && site.count() > 0 => 1,
        // A driver's `wait` is for a condition.
        "wait" if !call.is_function && !matches!(call.root.as_str(), "cy" | "t") => return None,
        _ if SLEEPS.contains(&name) && is_length(site) => 0,
        _ => return None,
    };
    let default = (site.count() <= at).then_some(0);
    Some(Slot { place: Place::Argument { at }, strength: Strength::Sleeps, default })
}

/// Whether the call is waited for, and its argument may be a length or is missing.
fn is_length(site: &Site<'_>) -> bool {
    match site.call.arguments.as_slice() {
        [] => site.call.awaited && site.call.name != "wait",
        [only] => only.may_be_length() && (site.call.awaited || site.is_on("cy")),
        _ => false,
    }
}
