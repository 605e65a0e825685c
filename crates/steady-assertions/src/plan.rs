//! What a change comes to: lines in the place of an assertion, or edits inside of it.

use std::collections::{BTreeMap, BTreeSet};

use steady_edit::Edit;
use steady_model::{Assertion, Matcher, Place, TimeFormat};

use crate::assertion::{Form, Site, SourceAssertion, part};
use crate::imports;
use crate::language::Language;
use crate::layout::{Item, Layout, comment};
use crate::pointer;
use crate::render::{Anything, Context, Rendered, in_literal, render, with_clock};
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
        Change::Relax(replacements) => {
            let replacements = &with_clock(replacements, |new| target.context(new));
            if let Some(plan) = target.expected_body(replacements)? {
                return Ok(plan);
            }
            if let Some(plan) = target.with_name(replacements)? {
                return Ok(plan);
            }
            match target.amend(replacements)? {
                Some(plan) => Ok(plan),
                None => target.replace(replacements),
            }
        }
    }
}

/// Where the lines of a plan go.
pub(crate) fn place(source: &Source, layout: &Layout<'_>, index: usize, plan: Plan) -> Vec<Edit> {
    let span = source.assertions()[index].span;
    match plan.action {
        Action::Replace(items) if source.sites[index].form.is_chained() => layout.link(span, &items),
        Action::Replace(items) => layout.statement(span, &items),
        Action::Amend { mut edits, before, after } => {
            edits.extend(layout.around(span, &before, &after));
            edits
        }
    }
}

/// Gives every block of Python that lost all its statements one again: what its last assertion looks at has to be there still.
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
            && let Some(last) = indices.last()
            && let Some(Plan { action: Action::Replace(items), .. }) = plans.get_mut(last)
        {
            items.push(Item::Code(source.sites[*last].subject.clone()));
        }
    }
}

/// Leaves out what an earlier change of the same block says already, word for word.
pub(crate) fn drop_repeated(source: &Source, plans: &mut BTreeMap<usize, Plan>) {
    let mut said: BTreeSet<(Block, Vec<String>)> = BTreeSet::new();
    for (&index, plan) in plans.iter_mut() {
        let Action::Replace(items) = &mut plan.action else { continue };
        let code: Vec<String> = items.iter().filter_map(Item::code).map(str::to_owned).collect();
        let Some(block) = source.sites[index].block.filter(|_| !code.is_empty()) else { continue };
        if !said.insert((block, code)) {
            items.clear();
        }
    }
}

/// An assertion that is changed.
#[derive(Clone, Copy)]
struct Target<'s> {
    source: &'s Source,
    assertion: &'s SourceAssertion,
    site: &'s Site,
}

impl Target<'_> {
    fn disable(&self, note: &str) -> Plan {
        let mut items = vec![comment(note, self.source.language)];
        items.extend(self.commented());
        // The request that the assertion makes is still made: what comes later may rest on it.
        if let (true, Some(request)) = (self.site.once && self.site.block.is_some(), &self.site.request) {
            let subject = &self.site.subject;
            let code = match self.source.language {
                Language::Python if subject.starts_with("await ") => format!("await {request}"),
                Language::Python => request.clone(),
                _ if self.source.text[self.assertion.span].contains("await ") => {
                    format!("await {request}")
                }
                _ => request.clone(),
            };
            items.extend(self.code(vec![code]));
        }
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

    /// The same change of an assertion whose subject has a name: what can be had only once is kept in a variable first.
    fn with_name(&self, replacements: &[Assertion]) -> Result<Option<Plan>, RewriteError> {
        let language = self.source.language;
        let Place::Body(pointer) = &self.site.place else { return Ok(None) };
        // Jest compares a number with the clock in two statements.
        let is_time = |new: &Assertion| match new.matcher {
            Matcher::Recent(format) => language != Language::Python && format != TimeFormat::Date,
            _ => false,
        };
        let whole = self.site.literal.is_some() || replacements.len() > 1 || replacements.iter().any(is_time);
        if !self.site.once
            || self.site.block.is_none()
            || language.is_jvm()
            || !whole
            || self.site.each.is_some()
        {
            return Ok(None);
        }
        let name = self.free_name();
        let subject = &self.site.subject;
        let bound = match language {
            Language::Python => format!("{name} = {subject}"),
            _ => format!("const {name} = {subject}"),
        };
        let site = Site {
            subject: name.clone(),
            known: BTreeMap::from([(pointer.clone(), name.clone())]),
            once: false,
            ..self.site.clone()
        };
        let named = Target { site: &site, ..*self };
        let plan = match named.amend(replacements)? {
            Some(plan) => plan,
            None => named.replace(replacements)?,
        };
        let (mut before, mut edits, after) = match plan.action {
            Action::Amend { before, edits, after } => (before, edits, after),
            Action::Replace(items) => {
                let items = self.code(vec![bound]).chain(items).collect();
                return Ok(Some(Plan { action: Action::Replace(items), imports: plan.imports }));
            }
        };
        let span = self.assertion.span;
        let text = &self.source.text[span];
        let Some(at) = text.find(subject.as_str()).map(|at| span.start + at) else { return Ok(None) };
        // `await` in front of what is read goes with it.
        let waits = self.source.text[..at].ends_with("await ");
        let start = if waits { at - "await ".len() } else { at };
        let bound = if waits { bound.replacen("= ", "= await ", 1) } else { bound };
        before.splice(0..0, self.code(vec![bound]));
        edits.push(Edit::new(start..at + subject.len(), name));
        edits.sort_by_key(|edit| edit.span.start);
        Ok(Some(Plan { action: Action::Amend { edits, before, after }, imports: plan.imports }))
    }

    /// A name that nothing around the assertion has.
    fn free_name(&self) -> String {
        let scope = &self.source.text[self.site.scope];
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let taken = |name: &str| {
            scope.match_indices(name).any(|(at, _)| {
                !scope[..at].ends_with(is_word) && !scope[at + name.len()..].starts_with(is_word)
            })
        };
        let numbered = (2..).map(|number| format!("body_{number}"));
        let names = ["body", "answer"].map(str::to_owned).into_iter().chain(numbered);
        names.into_iter().find(|name| !taken(name)).unwrap_or_default()
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
            let part = part(literal, &replacement.place, &self.site.place, self.site.each.as_deref());
            // What is said besides of the same value stands in a statement of its own.
            let part = part.filter(|part| edits.iter().all(|edit: &Edit| edit.span != part.span));
            let besides = match part {
                Some(part) => {
                    let inner = in_literal(&self.context(replacement), replacement)
                        .ok_or_else(|| self.unsupported(replacement))?;
                    edits.push(Edit { span: part.span, text: inner.value });
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
        edits.sort_by_key(|edit| edit.span.start);
        Ok(Some(Plan { action: Action::Amend { edits, before, after }, imports }))
    }

    /// A call of SuperTest that compares the whole body: the status stays, and a function compares the body field by field.
    fn expected_body(&self, replacements: &[Assertion]) -> Result<Option<Plan>, RewriteError> {
        let Some(literal) = self.site.literal.as_ref().filter(|_| self.site.form == Form::Expected) else {
            return Ok(None);
        };
        let root = "res.body".to_owned();
        let site = Site {
            form: Form::Expect,
            subject: root.clone(),
            known: BTreeMap::from([(String::new(), root)]),
            ..self.site.clone()
        };
        let named = Target { site: &site, ..*self };
        let (of_status, of_body): (Vec<Assertion>, Vec<Assertion>) =
            replacements.iter().cloned().partition(|new| new.place == Place::Status);
        let mut items = Vec::new();
        let mut imports = BTreeSet::new();
        match (of_status.as_slice(), &self.site.status) {
            ([], Some(status)) => items.push(Item::Code(format!(".expect({status})"))),
            (changed, _) => {
                for status in changed {
                    let rendered = self.render(status)?;
                    items.extend(self.note(status));
                    items.extend(rendered.code.into_iter().map(Item::Code));
                }
            }
        }
        let mut statements = Vec::new();
        match named.amend(&of_body)? {
            Some(Plan { action: Action::Amend { edits, before, after }, imports: needed }) => {
                items.extend(before);
                let mut object = self.source.text[literal.span].to_owned();
                for edit in edits.iter().rev() {
                    let at = edit.span.start - literal.span.start..edit.span.end - literal.span.start;
                    object.replace_range(at, &edit.text);
                }
                statements.push(format!("expect(res.body).toEqual({object})"));
                statements.extend(after.iter().filter_map(Item::code).map(str::to_owned));
                imports.extend(needed);
            }
            _ => {
                for replacement in &of_body {
                    items.extend(self.note(replacement));
                    let rendered = named.render(replacement)?;
                    statements.extend(rendered.code);
                    imports.extend(rendered.imports);
                }
            }
        }
        if !statements.is_empty() {
            items.push(Item::Code(format!(".expect((res) => {{ {}; }})", statements.join("; "))));
        }
        Ok(Some(Plan { action: Action::Replace(items), imports }))
    }

    fn context(&self, replacement: &Assertion) -> Context<'_> {
        let language = self.source.language;
        let is_free = |module: &&str| imports::is_free(&self.source.text, module);
        let clock = language != Language::Python || ["datetime", "time"].iter().all(is_free);
        let context = Context::new(language, self.site, self.assertion, &replacement.place).with_clock(clock);
        match language {
            Language::Python => context.with_anything(Anything::of(&self.source.text)),
            _ => context,
        }
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
        let ends = self.source.text[self.assertion.span].ends_with(';');
        code.into_iter().map(move |code| Item::Code(if ends { format!("{code};") } else { code }))
    }

    /// The assertion itself as a comment.
    fn commented(&self) -> Vec<Item> {
        Layout::new(&self.source.text, self.source.language).commented(self.assertion.span)
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
