//! Where a repair's edits lead.

use steady_edit::Edit;

/// The line of the new text on which the first edit that says a length is made, from 1.
pub(super) fn line(old: &str, edits: &[Edit]) -> usize {
    let says = |edit: &&Edit| edit.text.contains(|sign: char| sign.is_ascii_digit());
    let Some(edit) = edits.iter().find(says) else { return 1 };
    let above =
        edits.iter().take_while(|other| *other != edit).map(|other| breaks(&other.text)).sum::<usize>();
    let length = edit.text.find(|sign: char| sign.is_ascii_digit()).unwrap_or_default();
    1 + above + breaks(&old[..edit.span.start]) + breaks(&edit.text[..length])
}

fn breaks(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}
