//! Lines of a rewritten text, and what they were before.

use steady_edit::Edit;

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
    fn lines_after_an_edit_are_found_again() {
        let old = "a\nb\nc\nd\n";
        let edits = [Edit::new(2..3, "x\ny\nz")];
        let new = "a\nx\ny\nz\nc\nd\n";
        let lines: Vec<usize> = (1..=6).map(|line| original(line, old, new, &edits)).collect();
        assert_eq!(lines, [1, 2, 2, 2, 3, 4]);
        assert_eq!(original(2, old, old, &[]), 2);
    }

    #[test]
    fn several_edits_shift_what_follows_each_of_them() {
        let old = "a\nb\nc\nd\ne\n";
        // The second line becomes two, the fourth goes.
        let edits = [Edit::new(2..3, "x\ny"), Edit::new(6..8, "")];
        let new = "a\nx\ny\nc\ne\n";
        let lines: Vec<usize> = (1..=5).map(|line| original(line, old, new, &edits)).collect();
        assert_eq!(lines, [1, 2, 2, 3, 5]);
    }

    #[test]
    fn lines_outside_of_the_text_stay_inside_of_the_old_one() {
        assert_eq!(original(0, "a\nb\n", "a\nb\n", &[]), 1);
        assert_eq!(original(99, "a\nb\n", "a\nb\n", &[]), 3);
        let all_gone = [Edit::new(0..4, "")];
        assert_eq!(original(1, "a\nb\n", "", &all_gone), 3);
    }
}
