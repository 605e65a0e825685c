//! Whether a sleep is a part of a gesture: the time for which a button, a key or a finger is held down.

use steady_js::Wait;

use super::File;
use super::follow::{after, earlier};

/// A gesture has no more steps than these on either side of a sleep.
const NEAR: usize = 10;

const PRESSES: [&str; 7] =
    ["mouse.down(", "keyboard.down(", "mousedown", "pointerdown", "touchstart", "dragstart", "buttondown"];
const RELEASES: [&str; 8] =
    ["mouse.up(", "keyboard.up(", "mouseup", "pointerup", "touchend", "dragend", "buttonup", ".release("];

/// Whether something is pressed before a sleep and let go only after it.
pub(super) fn is_gesture(file: &File<'_>, wait: &Wait) -> bool {
    let Some(sleep) = file.statement(wait) else { return false };
    let has = |source: &str, calls: &[&str]| {
        let source = source.to_lowercase();
        calls.iter().any(|call| source.contains(call))
    };
    let above = earlier(file.script, sleep).filter(|last| last.span.end <= sleep.span.start).take(NEAR);
    let last = above
        .map(|last| file.slice(last.span))
        .find(|source| has(source, &PRESSES) || has(source, &RELEASES));
    let is_pressed = last.is_some_and(|source| has(source, &PRESSES) && !has(source, &RELEASES));
    is_pressed
        && after(file.script, sleep).into_iter().take(NEAR).any(|next| has(file.slice(next.span), &RELEASES))
}
