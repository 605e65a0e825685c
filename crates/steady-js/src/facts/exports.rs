//! The times that a file gives to others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentTarget, Declaration, Expression, ImportOrExportKind, ObjectExpression, ObjectPropertyKind,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use crate::chain::names_of;
use crate::facts::Facts;
use crate::facts::reach::roots;
use crate::{KnownHelpers, ParseError, parse};

/// Objects in objects are looked into this far.
const DEEPEST: usize = 4;

/// What a file gives to others, as far as it is known to be a number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Exports {
    /// The numbers, by name; those of an object as `object.name`, those of a default export as `default.name`.
    pub times: BTreeMap<String, f64>,
    /// The files and packages that it takes names from, as they are written: `./times`.
    pub sources: BTreeSet<String>,
}

impl Exports {
    /// Reads what a file exports; the times of its own sources may be known.
    ///
    /// # Errors
    ///
    /// As [`Script::read`](crate::Script::read).
    pub fn read(path: &Path, text: &str, known: &KnownHelpers) -> Result<Self, ParseError> {
        parse::with_program(path, text, |program| {
            let facts = Facts::of(program, program.source_text, known);
            let mut gather = Gather { known, named: Vec::new(), exports: Self::default() };
            gather.visit_program(program);
            let Gather { named, exports: Self { mut times, mut sources }, .. } = gather;
            let names = named.iter().flat_map(|(_, value)| roots(value)).collect();
            sources.extend(facts.origins(&facts.reached(names)));
            for (name, value) in named {
                add(&facts, &mut times, name, value, DEEPEST);
            }
            Self { times, sources }
        })
    }
}

/// Adds a number, or the numbers of an object.
fn add<'a>(
    facts: &Facts<'a>,
    times: &mut BTreeMap<String, f64>,
    name: String,
    value: &'a Expression<'a>,
    left: usize,
) {
    let Some(left) = left.checked_sub(1) else { return };
    if let Some(read) = facts.read(value) {
        times.insert(name, read.number);
    } else if let Some(object) = facts.object_of(value) {
        // What comes later counts.
        for property in &object.properties {
            match property {
                ObjectPropertyKind::SpreadProperty(spread) => {
                    add(facts, times, name.clone(), &spread.argument, left);
                }
                ObjectPropertyKind::ObjectProperty(property) => {
                    if let Some(key) = property.key.static_name() {
                        add(facts, times, format!("{name}.{key}"), &property.value, left);
                    }
                }
            }
        }
    } else if let Some(names) = names_of(value) {
        let passed = facts.imported_below(&names, value.span());
        times.extend(passed.into_iter().map(|(key, number)| (format!("{name}.{key}"), number)));
    }
}

fn properties<'a>(object: &'a ObjectExpression<'a>) -> impl Iterator<Item = (String, &'a Expression<'a>)> {
    let properties = object.properties.iter().filter_map(ObjectPropertyKind::as_property);
    properties.filter_map(|property| Some((property.key.static_name()?.into_owned(), &property.value)))
}

/// Walks a file for what it exports.
struct Gather<'k, 'a> {
    known: &'k KnownHelpers,
    named: Vec<(String, &'a Expression<'a>)>,
    exports: Exports,
}

impl<'a> Visit<'a> for Gather<'_, 'a> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        match kind {
            AstKind::ExportDeclaration(export) => {
                let Declaration::VariableDeclaration(declaration) = &export.declaration else { return };
                let values = declaration.declarations.iter().filter_map(|one| {
                    Some((one.id.get_binding_identifier()?.name.to_string(), one.init.as_ref()?))
                });
                self.named.extend(values);
            }
            AstKind::ExportDefaultDeclaration(export) => {
                self.named
                    .extend(export.declaration.as_expression().map(|value| ("default".to_owned(), value)));
            }
            AstKind::ExportFromDeclaration(export) if export.export_kind == ImportOrExportKind::Value => {
                let source = export.source.value.as_str();
                self.take(source);
                for specifier in &export.specifiers {
                    let (local, exported) = (specifier.local.name(), specifier.exported.name());
                    self.pass(source, Some(local.as_str()), exported.as_str());
                }
            }
            AstKind::ExportAllDeclaration(export) => {
                let source = export.source.value.as_str();
                self.take(source);
                let exported = export.exported.as_ref().map(|name| name.name().to_string());
                self.pass(source, None, &exported.unwrap_or_default());
            }
            AstKind::AssignmentExpression(assignment) => {
                let AssignmentTarget::StaticMemberExpression(member) = &assignment.left else { return };
                let holder = names_of(&member.object).unwrap_or_default();
                let name = member.property.name.as_str();
                match (holder.as_slice(), &assignment.right) {
                    (["exports"] | ["module", "exports"], value) => {
                        self.named.push((name.to_owned(), value));
                    }
                    (["module"], Expression::ObjectExpression(object)) if name == "exports" => {
                        self.named.extend(properties(object));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

impl Gather<'_, '_> {
    fn take(&mut self, source: &str) {
        self.exports.sources.insert(source.to_owned());
    }

    /// Passes on one name of another file, or all of them, below a name if one is given.
    fn pass(&mut self, source: &str, name: Option<&str>, exported: &str) {
        for (known, number) in self.known.times(source).into_iter().flatten() {
            let (first, rest) =
                known.split_once('.').map_or((known.as_str(), ""), |(first, rest)| (first, rest));
            let named = match name {
                Some(name) if first == name && rest.is_empty() => exported.to_owned(),
                Some(name) if first == name => format!("{exported}.{rest}"),
                None if first != "default" && exported.is_empty() => known.clone(),
                None if first != "default" => format!("{exported}.{known}"),
                _ => continue,
            };
            self.exports.times.insert(named, *number);
        }
    }
}

impl Facts<'_> {
    /// The time that an imported name is.
    pub(crate) fn imported(&self, names: &[&str], at: Span) -> Option<f64> {
        let (times, places) = self.known_below(names, at)?;
        places.iter().find_map(|place| times.get(place)).copied()
    }

    /// The times of an imported object, by their keys.
    pub(crate) fn imported_below(&self, names: &[&str], at: Span) -> BTreeMap<String, f64> {
        let Some((times, places)) = self.known_below(names, at) else { return BTreeMap::new() };
        let below = |place: &String| {
            let key = |name: &String| match place.as_str() {
                "" => Some(name.clone()),
                place => name.strip_prefix(place)?.strip_prefix('.').map(str::to_owned),
            };
            times.iter().filter_map(|(name, number)| Some((key(name)?, *number))).collect::<BTreeMap<_, _>>()
        };
        places.iter().map(below).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The times of the file that names come from, and what they are called there: the first that is there counts.
    fn known_below(&self, names: &[&str], at: Span) -> Option<(&BTreeMap<String, f64>, Vec<String>)> {
        let [local, members @ ..] = names else { return None };
        let import = self.imports.get(local).filter(|_| !self.is_hidden(local, at))?;
        let times = self.known.times(import.source)?;
        let firsts: &[&str] = match import.name {
            "*" => &["", "default"],
            // CommonJS knows no default: it is all of the file.
            "default" => &["default", ""],
            name => &[name],
        };
        let place = |first: &&str| {
            let parts = Some(*first).filter(|first| !first.is_empty()).into_iter();
            parts.chain(members.iter().copied()).collect::<Vec<_>>().join(".")
        };
        Some((times, firsts.iter().map(place).collect()))
    }
}
