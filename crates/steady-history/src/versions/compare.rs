//! Matches the kept lines of two versions of a file.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};

use crate::versions::lines::small;
use crate::versions::similarity::{ALIKE, similarity, words};
use crate::versions::version::Version;

/// In a hunk with more pairs than this, a line is compared only with lines at about the same height.
const PAIRS: usize = 10_000;
/// The distance, in lines.
const REACH: usize = 30;
/// This many equal lines after the last difference are compared too: a hunk slides down as long as its lines stay equal.
const SLIDE: usize = 16;

/// Where a kept line comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    /// A kept line with the same text, by its index among them.
    Same(u32),
    /// A line with another text, by its index in the file.
    Changed(u32),
    /// It is new.
    Added,
}

/// The match between two versions.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// Where each kept line of the new version comes from.
    pub(crate) links: Vec<Link>,
    /// Kept lines of the old version without a kept line in the new one: removed, or changed into a line that is not kept.
    pub(crate) lost: Vec<(u32, Option<u32>)>,
}

/// Compares two versions.
pub(crate) fn compare(old: Version<'_>, new: Version<'_>) -> Comparison {
    let mut work =
        Work { old, new, links: vec![Link::Added; new.kept.len()], old_partner: vec![None; old.kept.len()] };
    let hunks = hunks(&old, &new);
    work.unchanged(&hunks);
    for hunk in &hunks {
        work.changed(hunk);
    }
    work.moved();
    work.finish()
}

/// The hunks that differ. Most lines are equal; skipping them at both ends saves most of the time.
fn hunks(old: &Version<'_>, new: &Version<'_>) -> Vec<Hunk> {
    let above = old.common_start(new);
    let below = old.common_end(new).min(old.len().min(new.len()) - above).saturating_sub(SLIDE);
    let mut input = InternedInput::default();
    input.update_before(old.hashes(above..old.len() - below));
    input.update_after(new.hashes(above..new.len() - below));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let above = small(above);
    let moved = |lines: Range<u32>| lines.start + above..lines.end + above;
    diff.hunks().map(|hunk| Hunk { before: moved(hunk.before), after: moved(hunk.after) }).collect()
}

struct Work<'a> {
    old: Version<'a>,
    new: Version<'a>,
    links: Vec<Link>,
    /// The partner found so far for each kept line of the old version.
    old_partner: Vec<Option<u32>>,
}

impl Work<'_> {
    fn pair(&mut self, old: u32, new: u32) {
        let same = self.old.hash(old) == self.new.hash(new);
        let before = self.old.ordinal(old);
        if let Some(ordinal) = self.new.ordinal(new) {
            self.links[ordinal as usize] = match before {
                Some(before) if same => Link::Same(before),
                _ => Link::Changed(old),
            };
        }
        if let Some(before) = before {
            self.old_partner[before as usize] = Some(new);
        }
    }

    /// Lines outside the hunks.
    fn unchanged(&mut self, hunks: &[Hunk]) {
        let mut next = hunks.iter().peekable();
        let mut last = &Hunk::default();
        for &line in self.new.kept {
            while let Some(hunk) = next.next_if(|hunk| hunk.after.end <= line) {
                last = hunk;
            }
            if next.peek().is_none_or(|hunk| line < hunk.after.start) {
                self.pair(line - last.after.end + last.before.end, line);
            }
        }
    }

    /// Matches the lines that a hunk replaced, the most similar pairs first.
    fn changed(&mut self, hunk: &Hunk) {
        let (before, after) = (hunk.before.clone(), hunk.after.clone());
        if before.is_empty() || after.is_empty() || !(self.old.keeps(&before) || self.new.keeps(&after)) {
            return;
        }
        let is_kept = |kept: &[u32], line| kept.binary_search(&line).is_ok();
        let old = before.map(|line| (line, is_kept(self.old.kept, line), words(self.old.line(line))));
        let new = after.map(|line| (line, is_kept(self.new.kept, line), words(self.new.line(line))));
        let (old, new) = (old.collect::<Vec<_>>(), new.collect::<Vec<_>>());
        let wide = old.len() * new.len() > PAIRS;
        let mut pairs = Vec::new();
        for (row, (old_line, old_kept, old_words)) in old.iter().enumerate() {
            let level = row * new.len() / old.len();
            for (column, (new_line, new_kept, new_words)) in new.iter().enumerate() {
                let off = level.abs_diff(column);
                if !(*old_kept || *new_kept) || (wide && off > REACH) {
                    continue;
                }
                let alike = similarity(old_words, new_words);
                if alike >= ALIKE {
                    pairs.push((alike, off, *old_line, *new_line));
                }
            }
        }
        pairs.sort_by(|one, two| two.0.total_cmp(&one.0).then_with(|| one.1.cmp(&two.1)));
        let (mut old_taken, mut new_taken) = (BTreeSet::new(), BTreeSet::new());
        for (_, _, old_line, new_line) in pairs {
            if !old_taken.contains(&old_line) && new_taken.insert(new_line) {
                old_taken.insert(old_line);
                self.pair(old_line, new_line);
            }
        }
    }

    /// Matches lines that moved from one hunk to another unchanged.
    fn moved(&mut self) {
        let mut left: BTreeMap<u64, VecDeque<u32>> = BTreeMap::new();
        for (&line, _) in self.old.kept.iter().zip(&self.old_partner).filter(|(_, partner)| partner.is_none())
        {
            left.entry(self.old.hash(line)).or_default().push_back(line);
        }
        for ordinal in 0..self.links.len() {
            let line = self.new.kept[ordinal];
            if self.links[ordinal] == Link::Added
                && let Some(old) = left.get_mut(&self.new.hash(line)).and_then(VecDeque::pop_front)
            {
                self.pair(old, line);
            }
        }
    }

    fn finish(self) -> Comparison {
        let is_lost = |(_, new): &(u32, Option<u32>)| new.is_none_or(|new| self.new.ordinal(new).is_none());
        let partners = self.old.kept.iter().copied().zip(self.old_partner.iter().copied());
        let lost = partners.filter(is_lost).collect();
        Comparison { links: self.links, lost }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Link::{Added, Changed, Same};
    use super::*;
    use crate::versions::cutter::Cutter;

    fn compared(old: &str, new: &str) -> Comparison {
        let mut cutter = Cutter::default();
        let mut cut = |text: &str| {
            cutter.cut(Path::new("a.ts"), text.into(), |line| line.contains(|c: char| c.is_ascii_digit()))
        };
        let (old, new) = (cut(old), cut(new));
        compare(old.version(&cutter.lines), new.version(&cutter.lines))
    }

    #[test]
    fn a_changed_number_is_the_same_line() {
        let result = compared("a\nsleep(5)\nb\nsleep(5)\n", "a\nsleep(5)\nx\nb\nsleep(50)\n");
        assert_eq!(result.links, [Same(0), Changed(3)]);
        assert_eq!(result.lost, []);
    }

    #[test]
    fn an_option_that_came_or_went_is_a_change_of_its_line() {
        let (without, with) = ("await waitFor(() => done);\n", "await waitFor(() => done, 500);\n");
        assert_eq!(compared(without, with).links, [Changed(0)]);
        assert_eq!(compared(with, without), Comparison { links: vec![], lost: vec![(0, Some(0))] });
    }

    #[test]
    fn a_line_of_another_kind_is_new_and_the_old_one_lost() {
        let result = compared("await sleep(500)\n", "expect(total).toBe(3)\n");
        assert_eq!(result, Comparison { links: vec![Added], lost: vec![(0, None)] });
    }

    #[test]
    fn lines_in_a_hunk_go_to_the_most_alike_and_then_the_nearest() {
        let result =
            compared("wait(a, 1)\nwait(b, 2)\nwait(c, 3)\n", "wait(c, 30)\nwait(a, 10)\nwait(b, 20)\n");
        assert_eq!(result.links, [Changed(2), Changed(0), Changed(1)]);
        let result = compared("sleep(1)\nsleep(2)\n", "sleep(10)\nsleep(20)\n");
        assert_eq!(result.links, [Changed(0), Changed(1)]);
    }

    #[test]
    fn a_line_that_was_moved_is_the_same() {
        let result = compared("sleep(7)\na\nb\nc\nd\n", "a\nb\nc\nd\nsleep(7)\n");
        assert_eq!(result, Comparison { links: vec![Same(0)], lost: vec![] });
    }

    #[test]
    fn large_rewritten_files_are_compared_line_by_line_nearby() {
        let file = |factor: usize| {
            (0..3000).map(|line| format!("step{line}({})\n", line * factor)).collect::<String>()
        };
        let result = compared(&file(1), &file(7));
        assert_eq!(result.links[0], Same(0));
        assert_eq!(result.links[2999], Changed(2999));
    }
}
