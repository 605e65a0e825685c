//! Rewrites single assertions and nothing else.

use std::collections::BTreeMap;

use steady_edit::{Edit, EditError, Span, apply, moved};
use steady_model::{Assertion, MatcherName, Place};

use crate::error::ParseError;
use crate::imports;
use crate::layout::Layout;
use crate::plan::{drop_repeated, fill_blocks, place, plan};
use crate::source::Source;

/// What becomes of an assertion.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// These are asserted in its stead, each with its note as a comment above it. Of an object or array that is compared whole,
    /// the places not mentioned stay as they are.
    Relax(Vec<Assertion>),
    /// It becomes a comment below this note.
    Disable {
        /// What was seen, such as `Flaky value of field id: 3 vs. 7`.
        note: String,
    },
}

/// A source with some assertions rewritten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// The new text.
    pub text: String,
    /// What was changed, by span of the old text, in order.
    pub edits: Vec<Edit>,
}

/// An assertion that could not be rewritten; nothing is.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RewriteError {
    /// There is no such assertion, or two changes of it.
    #[error("assertion {index} does not exist or is changed twice")]
    Index {
        /// The index given.
        index: usize,
    },
    /// The code at this line has no way to say it.
    #[error("line {line}: cannot assert {matcher} of {place} here; disable the assertion instead")]
    Unsupported {
        /// The line of the assertion.
        line: usize,
        /// The place to be asserted.
        place: Place,
        /// The matcher's name.
        matcher: MatcherName,
    },
    /// Two changes want the same bytes.
    #[error("the changes overlap")]
    Overlap(#[source] EditError),
    /// The new text does not parse.
    #[error("the rewritten file would not parse")]
    Broken(#[source] ParseError),
    /// The new text asserts something else in what was not to be changed.
    #[error("line {line}: rewriting would change this assertion, too")]
    Disturbed {
        /// The line of the assertion in the source.
        line: usize,
    },
}

impl Source {
    /// Makes changes to assertions, given by their index in [`Source::assertions`]. The result is parsed again, and has
    /// the other assertions as they were.
    pub fn rewrite(&self, changes: &[(usize, Change)]) -> Result<Rewritten, RewriteError> {
        let mut changed = BTreeMap::new();
        for (index, change) in changes {
            if *index >= self.sites.len() || changed.insert(*index, change).is_some() {
                return Err(RewriteError::Index { index: *index });
            }
        }
        let mut plans = BTreeMap::new();
        for (&index, change) in &changed {
            plans.insert(index, plan(self, index, change)?);
        }
        drop_repeated(self, &mut plans);
        fill_blocks(self, &mut plans);
        let layout = Layout::new(&self.text, self.language);
        let needed = plans.values().flat_map(|plan| plan.imports.iter().copied()).collect();
        let mut edits: Vec<Edit> =
            plans.into_iter().flat_map(|(index, plan)| place(self, &layout, index, plan)).collect();
        edits.extend(imports::missing(&self.text, self.language, &needed, layout.eol()));
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let text = apply(&self.text, &edits).map_err(RewriteError::Overlap)?;
        let rewritten = Self::read_with(&self.path, text, &self.fixtures).map_err(RewriteError::Broken)?;
        self.undisturbed(&rewritten, &changed, &edits)?;
        Ok(Rewritten { text: rewritten.text, edits })
    }

    /// Whether the new source has the assertions that were not changed, in their order.
    fn undisturbed(
        &self,
        rewritten: &Self,
        changed: &BTreeMap<usize, &Change>,
        edits: &[Edit],
    ) -> Result<(), RewriteError> {
        let regions: Vec<Span> =
            changed.keys().map(|&index| moved(self.assertions()[index].span, edits)).collect();
        let outside = |span: Span| !regions.iter().any(|region| region.overlaps(span));
        let mut others = rewritten.assertions().iter().filter(|assertion| outside(assertion.span));
        for (index, old) in self.assertions().iter().enumerate() {
            if changed.contains_key(&index) {
                continue;
            }
            let same = others.next().is_some_and(|new| {
                new.test == old.test
                    && new.places == old.places
                    && rewritten.text[new.span] == self.text[old.span]
            });
            if !same {
                return Err(RewriteError::Disturbed { line: old.line });
            }
        }
        match (others.next(), changed.keys().next()) {
            (Some(_), Some(&index)) => Err(RewriteError::Disturbed { line: self.assertions()[index].line }),
            _ => Ok(()),
        }
    }
}
