//! Imports that a change leaves without a use.

use std::collections::BTreeSet;
use std::path::Path;

use oxc_ast::ast::{
    BindingPattern, Expression, IdentifierReference, ImportDeclaration, ImportDeclarationSpecifier, Program,
    VariableDeclaration,
};
use oxc_ast_visit::{Visit, walk};
use steady_edit::Span;

use crate::parse::byte_span::ByteSpan as _;
use crate::{Script, parse};

/// The changed text of a script without the imports that the change has left without a use; `None` if there are none. Imports that had
/// none before stay: they may be there for what they do.
///
/// ```
/// use std::path::Path;
/// use steady_js::{Script, repair::without_unused_imports};
///
/// let text = "import { LONG, open } from './page';\nopen(LONG);\n";
/// let script = Script::read(Path::new("a.test.js"), text)?;
/// let changed = without_unused_imports(&script, &text.replace("(LONG)", "(800)"));
/// assert_eq!(changed.as_deref(), Some("import { open } from './page';\nopen(800);\n"));
/// # Ok::<(), steady_js::ParseError>(())
/// ```
pub fn without_unused_imports(before: &Script, after: &str) -> Option<String> {
    let used = names(before.path(), before.text())?.used;
    let mut text = after.to_owned();
    while let Some(span) = next(before.path(), &text, &used) {
        text.replace_range(span.start..span.end, "");
    }
    let is_changed = text.len() < after.len();
    (is_changed && Script::read(before.path(), &text).is_ok()).then_some(text)
}

/// What to remove next, if anything.
fn next(path: &Path, text: &str, used: &BTreeSet<String>) -> Option<Span> {
    let names = names(path, text)?;
    let is_left = |local: &Local| used.contains(&local.name) && !names.used.contains(&local.name);
    names.imports.iter().find_map(|import| {
        let at = import.locals.iter().position(is_left)?;
        Some(import.without(at, text))
    })
}

/// A name that an import gives.
struct Local {
    name: String,
    span: Span,
    /// Whether it stands between braces.
    is_listed: bool,
}

/// An import, or a `require` that stands alone.
struct Import {
    span: Span,
    locals: Vec<Local>,
}

impl Import {
    /// What has to go so that it does not give one of its names.
    fn without(&self, at: usize, text: &str) -> Span {
        let local = &self.locals[at];
        let before = at.checked_sub(1).map(|before| &self.locals[before]);
        let open = |from: usize| text[from..].find('{').map_or(from, |brace| from + brace);
        let close = |from: usize| text[from..].find('}').map_or(from, |brace| from + brace + 1);
        match (before, self.locals.get(at + 1)) {
            (None, None) => line(self.span, text),
            // `all, { one }` without `all`.
            (_, Some(next)) if next.is_listed != local.is_listed => {
                Span { start: local.span.start, end: open(local.span.end) }
            }
            (_, Some(next)) => Span { start: local.span.start, end: next.span.start },
            (Some(before), None) if before.is_listed == local.is_listed => {
                Span { start: before.span.end, end: local.span.end }
            }
            (Some(before), None) => Span {
                start: before.span.end,
                end: if local.is_listed { close(local.span.end) } else { local.span.end },
            },
        }
    }
}

/// A statement with the rest of its lines, and with an empty line that would be left over.
fn line(span: Span, text: &str) -> Span {
    let before = text[..span.start].trim_end_matches([' ', '\t']);
    let rest = text[span.end..].trim_start_matches([' ', '\t']);
    let is_alone =
        (before.is_empty() || before.ends_with('\n')) && (rest.is_empty() || starts_line(rest) > 0);
    if !is_alone {
        return Span { start: span.start, end: text.len() - rest.len() };
    }
    let rest = &rest[starts_line(rest)..];
    let is_top = before.is_empty() || before.ends_with("\n\n") || before.ends_with("\n\r\n");
    let rest = if is_top { &rest[starts_line(rest)..] } else { rest };
    Span { start: before.len(), end: text.len() - rest.len() }
}

/// How long the line break is that a text starts with.
fn starts_line(text: &str) -> usize {
    ["\r\n", "\n"].into_iter().find(|end| text.starts_with(end)).map_or(0, str::len)
}

/// The names that a file imports, and those that it uses.
#[derive(Default)]
struct Names {
    imports: Vec<Import>,
    used: BTreeSet<String>,
}

fn names(path: &Path, text: &str) -> Option<Names> {
    let gather = |program: &Program<'_>| {
        let mut names = Names::default();
        names.visit_program(program);
        names
    };
    parse::with_program(path, text, gather).ok()
}

impl<'a> Visit<'a> for Names {
    fn visit_identifier_reference(&mut self, node: &IdentifierReference<'a>) {
        self.used.insert(node.name.to_string());
    }

    fn visit_import_declaration(&mut self, node: &ImportDeclaration<'a>) {
        let locals = node.specifiers.iter().flatten().map(|specifier| Local {
            name: specifier.local().name.to_string(),
            span: specifier.byte_span(),
            is_listed: matches!(specifier, ImportDeclarationSpecifier::ImportSpecifier(_)),
        });
        self.imports.push(Import { span: node.span.byte_span(), locals: locals.collect() });
    }

    fn visit_variable_declaration(&mut self, node: &VariableDeclaration<'a>) {
        self.imports.extend(required(node));
        walk::walk_variable_declaration(self, node);
    }
}

/// `const { one } = require('./file')`, if nothing else is declared there.
fn required(node: &VariableDeclaration<'_>) -> Option<Import> {
    let [only] = node.declarations.as_slice() else { return None };
    let mut value = only.init.as_ref()?.get_inner_expression();
    while let Some(member) = value.as_member_expression() {
        value = member.object().get_inner_expression();
    }
    if !matches!(value, Expression::CallExpression(call) if call.callee.is_specific_id("require")) {
        return None;
    }
    let locals = match &only.id {
        BindingPattern::BindingIdentifier(id) => {
            vec![Local { name: id.name.to_string(), span: id.span.byte_span(), is_listed: false }]
        }
        // What is left over for `...rest` would be more.
        BindingPattern::ObjectPattern(pattern) if pattern.rest.is_none() => {
            let local = |property: &oxc_ast::ast::BindingProperty<'_>| {
                let id = property.value.get_binding_identifier()?;
                Some(Local { name: id.name.to_string(), span: property.span.byte_span(), is_listed: true })
            };
            pattern.properties.iter().map(local).collect::<Option<_>>()?
        }
        _ => return None,
    };
    Some(Import { span: node.span.byte_span(), locals })
}
