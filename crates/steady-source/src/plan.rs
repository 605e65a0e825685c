//! What a change comes to: lines in the place of an assertion, or edits inside of it.

use std::collections::{BTreeMap, BTreeSet};

use steady_model::{Assertion, Place};

use crate::assertion::{Form, Site, SourceAssertion, part};
use crate::edit::Edit;
use crate::language::Language;
use crate::layout::{Item, Layout, comment};
use crate::pointer;
use crate::render::{Context, Rendered, in_literal, render};
use crate::rewrite::{Change, RewriteError};
use crate::source::Source;
use crate::syntax::Block;

/// What one change comes to, and what it needs imported.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    action: Action,
    pub imports: BTreeSet<&'static str>,
}

#[derive(Debug)]
enum Action {
    /// These lines take the assertion's place.
    Replace(Vec<Item>),
    /// The assertion stays, with parts replaced and lines around it.
    Amend { edits: Vec<Edit>, before: Vec<Item>, after: Vec<Item> },
}

impl Default for Action {
    fn default() -> Self {
        Self::Replace(Vec::new())
    }
}

/// What a change of the assertion with this index comes to.
pub(crate) fn plan(source: &Source, index: usize, change: &Change) -> Result<Plan, RewriteError> {
    let target = Target { source, assertion: &source.assertions()[index], site: &source.sites[index] };
    match change {
        Change::Disable { note } => Ok(target.disable(note)),
        Change::Relax(replacements) => match target.amend(replacements)? {
            Some(plan) => Ok(plan),
            None => target.replace(replacements),
        },
    }
}

/// Where the lines of a plan go.
pub(crate) fn place(source: &Source, layout: &Layout<'_>, index: usize, plan: Plan) -> Vec<Edit> {
    let span = &source.assertions()[index].span;
    match plan.action {
        Action::Replace(items) if source.sites[index].form.is_chained() => layout.link(span, &items),
        Action::Replace(items) => layout.statement(span, &items),
        Action::Amend { mut edits, before, after } => {
            edits.extend(layout.around(span, &before, &after));
            edits
        }
    }
}

/// Gives every block that lost all its statements one that does nothing, which Python wants.
pub(crate) fn fill_blocks(source: &Source, plans: &mut BTreeMap<usize, Plan>) {
    if source.language != Language::Python {
        return;
    }
    let mut emptied: BTreeMap<Block, Vec<usize>> = BTreeMap::new();
    for (&index, plan) in plans.iter() {
        if let (Action::Replace(items), Some(block)) = (&plan.action, source.sites[index].block)
            && !has_code(items)
        {
            emptied.entry(block).or_default().push(index);
        }
    }
    for (block, indices) in emptied {
        if indices.len() == block.statements
            && let Some(Plan { action: Action::Replace(items), .. }) =
                indices.last().and_then(|last| plans.get_mut(last))
        {
            items.push(Item::Code("pass".to_owned()));
        }
    }
}

/// An assertion that is changed.
struct Target<'s> {
    source: &'s Source,
    assertion: &'s SourceAssertion,
    site: &'s Site,
}

impl Target<'_> {
    fn disable(&self, note: &str) -> Plan {
        let mut items = vec![comment(note, self.source.language)];
        items.extend(self.commented());
        Plan { action: Action::Replace(items), imports: BTreeSet::new() }
    }

    /// Replaces the assertion as a whole.
    fn replace(&self, replacements: &[Assertion]) -> Result<Plan, RewriteError> {
        let (mut items, mut imports) = (Vec::new(), BTreeSet::new());
        for replacement in replacements {
            let rendered = self.render(replacement)?;
            // What is read in the assertion itself cannot be read in a second one.
            if self.site.once && !rendered.code.is_empty() && has_code(&items) {
                return Err(self.unsupported(replacement));
            }
            items.extend(self.note(replacement));
            items.extend(self.code(rendered.code));
            imports.extend(rendered.imports);
        }
        if !has_code(&items) {
            items.extend(self.commented());
        }
        Ok(Plan { action: Action::Replace(items), imports })
    }

    /// Replaces parts of the literal that the assertion compares with; none when it has none, or none of it stays.
    fn amend(&self, replacements: &[Assertion]) -> Result<Option<Plan>, RewriteError> {
        let Some(literal) = &self.site.literal else { return Ok(None) };
        let changed: Vec<_> = replacements
            .iter()
            .filter(|new| !self.assertion.places.iter().any(|old| same(old, new)))
            .collect();
        if changed.iter().any(|replacement| replacement.place == self.site.place) {
            return Ok(None);
        }
        let (mut edits, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
        let mut imports = BTreeSet::new();
        for replacement in &changed {
            if changed.iter().any(|outer| inside(&replacement.place, &outer.place)) {
                continue;
            }
            before.extend(self.note(replacement));
            let besides = match part(literal, &replacement.place, &self.site.place) {
                Some(part) => {
                    let inner = in_literal(&self.context(replacement), replacement)
                        .ok_or_else(|| self.unsupported(replacement))?;
                    edits.push(Edit { span: part.span.clone(), text: inner.value });
                    inner.besides
                }
                None => self.render(replacement)?,
            };
            if self.site.once && !besides.code.is_empty() {
                return Err(self.unsupported(replacement));
            }
            after.extend(self.code(besides.code));
            imports.extend(besides.imports);
        }
        Ok(Some(Plan { action: Action::Amend { edits, before, after }, imports }))
    }

    fn context(&self, replacement: &Assertion) -> Context<'_> {
        Context::new(self.source.language, self.site, self.assertion, &replacement.place)
    }

    fn render(&self, replacement: &Assertion) -> Result<Rendered, RewriteError> {
        render(&self.context(replacement), replacement).ok_or_else(|| self.unsupported(replacement))
    }

    fn unsupported(&self, replacement: &Assertion) -> RewriteError {
        RewriteError::Unsupported {
            line: self.assertion.line,
            place: replacement.place.clone(),
            matcher: replacement.matcher.name(),
        }
    }

    fn note(&self, replacement: &Assertion) -> Option<Item> {
        replacement.note.as_ref().map(|note| comment(note, self.source.language))
    }

    /// Statements with the terminator that the replaced one has.
    fn code(&self, code: Vec<String>) -> impl Iterator<Item = Item> + use<> {
        let ends = self.source.text[self.assertion.span.clone()].ends_with(';');
        code.into_iter().map(move |code| Item::Code(if ends { format!("{code};") } else { code }))
    }

    /// The assertion itself as a comment.
    fn commented(&self) -> Vec<Item> {
        Layout::new(&self.source.text, self.source.language).commented(&self.assertion.span)
    }
}

impl Form {
    /// Whether it is a call of a chain rather than a statement.
    fn is_chained(self) -> bool {
        matches!(self, Self::Chained { .. } | Self::Expected)
    }
}

fn has_code(items: &[Item]) -> bool {
    items.iter().any(|item| matches!(item, Item::Code(_)))
}

fn same(old: &Assertion, new: &Assertion) -> bool {
    old.place == new.place && old.matcher == new.matcher
}

/// Whether a place lies in another.
fn inside(place: &Place, outer: &Place) -> bool {
    match (place, outer) {
        (Place::Body(inner), Place::Body(outer)) => inner != outer && pointer::below(inner, outer).is_some(),
        _ => false,
    }
}
