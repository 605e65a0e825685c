//! Lines of a rewritten text, and what they were before.

use steady_assertions::Edit;

/// The line of the old text that a line of the new one comes from, both counted from 1.
pub(super) fn original(line: usize, old: &str, new: &str, edits: &[Edit]) -> usize {
    let at = new.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    let mut shift = 0_isize;
    for edit in edits {
        let start = edit.span.start.saturating_add_signed(shift);
        if at < start {
            break;
        }
        if at < start + edit.text.len() {
            return line_at(old, edit.span.start);
        }
        shift += edit.text.len() as isize - edit.span.len() as isize;
    }
    line_at(old, at.saturating_add_signed(-shift))
}

fn line_at(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_behind_an_edit_are_found_again() {
        let old = "a\nb\nc\nd\n";
        let edits = [Edit { span: 2..3, text: "x\ny\nz".to_owned() }];
        let new = "a\nx\ny\nz\nc\nd\n";
        let lines: Vec<usize> = (1..=6).map(|line| original(line, old, new, &edits)).collect();
        assert_eq!(lines, [1, 2, 2, 2, 3, 4]);
        assert_eq!(original(2, old, old, &[]), 2);
    }
}
