//! Assertions that lead to no response, and why.

use steady_edit::Span;

use super::Finder;
use crate::assertion::NotFollowed;
use crate::syntax::{Expr, Kind, Statement};

impl Finder<'_> {
    /// Notes an assertion that led to nothing since `before`, with what it looks at to say why.
    pub(super) fn note_unless_found(&mut self, before: usize, statement: &Statement, about: &[&Expr]) {
        if self.found.len() > before {
            return;
        }
        let sides = about.iter().flat_map(|expr| match &expr.kind {
            Kind::Compare { left, right, .. } => vec![&**left, &**right],
            _ => vec![*expr],
        });
        let sides: Vec<&Expr> = sides.collect();
        let is_known = sides.iter().any(|side| self.resolve(side).is_some());
        let reason = if is_known {
            "it compares a response in a way that is not followed, or with a value that is computed"
        } else {
            "its value is not followed back to a response"
        };
        self.not_follow(statement.span, reason);
    }

    pub(super) fn not_follow(&mut self, span: Span, reason: &'static str) {
        let code = self.here.text[span].lines().next().unwrap_or_default().trim().to_owned();
        let entry = NotFollowed { line: self.here.lines.line(span.start), code, reason };
        self.not_followed.entry(span.start).or_insert(entry);
    }
}
