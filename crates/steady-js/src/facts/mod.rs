//! What is known of a file before its waits are looked for: constants, imports, helpers and what it exports.

pub(crate) mod exports;
pub(crate) mod helper;
pub(crate) mod reach;
pub(crate) mod value;

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentTarget, BindingPattern, Expression, FormalParameter, ImportDeclaration,
    ImportDeclarationSpecifier, ModuleExportName, ObjectPropertyKind, VariableDeclarator,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};
use steady_edit::LineIndex;

use crate::chain::{Call, names_of};
use crate::facts::helper::{Helper, KnownHelpers};
use crate::find::TestNames;
use crate::framework::Framework;

/// A name that a file gives to a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Constant<'a> {
    pub(crate) name: &'a str,
    pub(crate) name_span: Span,
    /// The whole declaration, without `const`.
    pub(crate) span: Span,
    pub(crate) value: &'a Expression<'a>,
    /// Where the name is known.
    pub(crate) scope: Span,
}

/// A name that comes from another file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Import<'a> {
    pub(crate) source: &'a str,
    /// What the other file calls it: `default`, or `*` for all of it.
    pub(crate) name: &'a str,
}

/// What is known of a file.
#[derive(Debug, Default)]
pub(crate) struct Facts<'a> {
    pub(crate) text: &'a str,
    pub(crate) lines: LineIndex,
    pub(crate) constants: BTreeMap<&'a str, Vec<Constant<'a>>>,
    pub(crate) imports: BTreeMap<&'a str, Import<'a>>,
    /// Everything imported or required.
    pub(crate) sources: BTreeSet<&'a str>,
    /// First names of calls: `cy`, `page`, `jest`.
    pub(crate) roots: BTreeSet<&'a str>,
    pub(crate) helpers: Vec<Helper>,
    pub(crate) known: KnownHelpers,
    pub(crate) frameworks: Vec<Framework>,
    /// What the file calls a test.
    pub(crate) tests: TestNames,
    /// Names that are assigned to after they were declared.
    assigned: BTreeSet<&'a str>,
    /// Names that are something else than an import of that name, and where.
    own: BTreeMap<&'a str, Vec<Span>>,
}

impl<'a> Facts<'a> {
    /// Reads them from a file.
    pub(crate) fn of(program: &oxc_ast::ast::Program<'a>, text: &'a str, known: &KnownHelpers) -> Self {
        let facts = Self { text, lines: LineIndex::new(text), known: known.clone(), ..Self::default() };
        let mut gather =
            Gather { facts, ancestors: Vec::new(), helpers: Vec::new(), exported: BTreeSet::new() };
        gather.visit_program(program);
        let Gather { mut facts, helpers, exported, .. } = gather;
        for (mut helper, default) in helpers {
            helper.exported |= exported.contains(helper.name.as_str());
            helper.default = default
                .and_then(|default| facts.read(default))
                .and_then(|read| facts.value(&read, helper.unit));
            helper.takes = match (&helper.default, helper.parameter, default) {
                (Some(known), ..) => Some(known.ms),
                // A timer that is told no time.
                (None, None, None) => Some(0),
                _ => None,
            };
            facts.helpers.push(helper);
        }
        facts.frameworks = Framework::all(&facts);
        facts
    }

    /// What a name stands for at a place, if it always stands for that.
    pub(crate) fn constant(&self, name: &str, at: Span) -> Option<Constant<'a>> {
        if self.assigned.contains(name) {
            return None;
        }
        let seen = self.constants.get(name)?.iter().filter(|constant| constant.scope.contains_inclusive(at));
        seen.min_by_key(|constant| constant.scope.size()).copied()
    }

    /// Whether an imported name means something else at a place: a parameter, or a name that is declared there.
    pub(crate) fn is_hidden(&self, name: &str, at: Span) -> bool {
        self.own.get(name).into_iter().flatten().any(|scope| scope.contains_inclusive(at))
    }

    /// The helper that a call of this name at this place is.
    pub(crate) fn helper(&self, call: &Call<'_>) -> Option<&Helper> {
        let is_it = |helper: &&Helper| helper.name == call.name() && helper.is_method != call.is_function();
        let own = self.helpers.iter().find(is_it);
        own.or_else(|| {
            let import = self.imports.get(call.root())?;
            let wanted =
                if call.is_function() && import.name != "default" { import.name } else { call.name() };
            self.known.get(wanted)
        })
    }
}

/// Walks a file once, knowing what is around each node.
struct Gather<'a> {
    facts: Facts<'a>,
    ancestors: Vec<AstKind<'a>>,
    /// Helpers and their defaults, which can be read when all constants are known.
    helpers: Vec<(Helper, Option<&'a Expression<'a>>)>,
    exported: BTreeSet<&'a str>,
}

impl<'a> Visit<'a> for Gather<'a> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        match kind {
            AstKind::VariableDeclarator(declarator) => self.declare(declarator),
            AstKind::FormalParameter(parameter) => self.parameter(parameter),
            AstKind::PropertyDefinition(property) => {
                if let (Some(name), Some(value)) = (property.key.static_name(), &property.value)
                    && let std::borrow::Cow::Borrowed(name) = name
                {
                    self.constant(name, property.key.span(), property.span, value);
                }
            }
            AstKind::AssignmentExpression(assignment) => self.assign(&assignment.left, &assignment.right),
            AstKind::ImportDeclaration(import) => self.import(import),
            AstKind::ExportDeclaration(export) => {
                if let Some(id) = export.declaration.id() {
                    self.exported.insert(id.name.as_str());
                }
                if let oxc_ast::ast::Declaration::VariableDeclaration(declaration) = &export.declaration {
                    let names =
                        declaration.declarations.iter().filter_map(|one| one.id.get_binding_identifier());
                    self.exported.extend(names.map(|id| id.name.as_str()));
                }
            }
            AstKind::ExportSpecifier(specifier) => {
                if let ModuleExportName::IdentifierReference(local) = &specifier.local {
                    self.exported.insert(local.name.as_str());
                }
            }
            AstKind::CallExpression(node) => {
                if let Some(call) = Call::of(node) {
                    self.facts.roots.insert(call.root());
                    if call.is_function() && call.root() == "require" {
                        self.facts.sources.extend(call.argument(0).and_then(text_of));
                    }
                    self.helpers.extend(helper::made_by(&call, &self.ancestors, self.facts.text));
                }
            }
            _ => {}
        }
        self.ancestors.push(kind);
    }

    fn leave_node(&mut self, _: AstKind<'a>) {
        self.ancestors.pop();
    }
}

impl<'a> Gather<'a> {
    fn scope(&self) -> Span {
        let is_scope = |kind: &&AstKind<'a>| {
            matches!(
                kind,
                AstKind::Program(_)
                    | AstKind::Function(_)
                    | AstKind::ArrowFunctionExpression(_)
                    | AstKind::BlockStatement(_)
                    | AstKind::Class(_)
                    | AstKind::ForStatement(_)
            )
        };
        self.ancestors.iter().rev().find(is_scope).map(GetSpan::span).unwrap_or_default()
    }

    fn constant(&mut self, name: &'a str, name_span: Span, span: Span, value: &'a Expression<'a>) {
        let scope = self.scope();
        self.facts.constants.entry(name).or_default().push(Constant { name, name_span, span, value, scope });
    }

    fn declare(&mut self, declarator: &'a VariableDeclarator<'a>) {
        let required = declarator.init.as_ref().and_then(required);
        if required.is_none() {
            self.own(&declarator.id);
        }
        let Some(init) = &declarator.init else { return };
        match &declarator.id {
            BindingPattern::BindingIdentifier(id) => {
                let name = id.name.as_str();
                self.constant(name, id.span, declarator.span, init);
                self.facts.tests.declare(name, init);
                if let Some(source) = required {
                    self.facts.imports.insert(name, Import { source, name: "*" });
                }
                if helper::is_promisified_timer(init) {
                    self.helpers.push((Helper::timer(name, declarator.span), None));
                }
            }
            BindingPattern::ObjectPattern(pattern) => {
                let Some(source) = required else { return };
                for property in &pattern.properties {
                    if let (Some(std::borrow::Cow::Borrowed(name)), Some(local)) =
                        (property.key.static_name(), property.value.get_binding_identifier())
                    {
                        self.facts.imports.insert(local.name.as_str(), Import { source, name });
                    }
                }
            }
            _ => {}
        }
    }

    fn own(&mut self, pattern: &'a BindingPattern<'a>) {
        let scope = self.scope();
        for id in pattern.get_binding_identifiers() {
            self.facts.own.entry(id.name.as_str()).or_default().push(scope);
        }
    }

    fn parameter(&mut self, parameter: &'a FormalParameter<'a>) {
        self.own(&parameter.pattern);
        if let (Some(id), Some(value)) = (parameter.pattern.get_binding_identifier(), &parameter.initializer)
        {
            self.constant(id.name.as_str(), id.span, parameter.span, value);
        }
    }

    /// `name = …` makes a name worthless as a constant; `exports.name = …` and `module.exports = { … }` export.
    fn assign(&mut self, target: &'a AssignmentTarget<'a>, value: &'a Expression<'a>) {
        match target {
            AssignmentTarget::AssignmentTargetIdentifier(id) => {
                self.facts.assigned.insert(id.name.as_str());
            }
            AssignmentTarget::StaticMemberExpression(member) => {
                let holder = names_of(&member.object).unwrap_or_default();
                let name = member.property.name.as_str();
                if matches!(holder.as_slice(), ["exports"] | ["module", "exports"]) {
                    self.exported.insert(name);
                } else if holder == ["module"] && name == "exports" {
                    self.export_all(value);
                }
            }
            _ => {}
        }
    }

    fn export_all(&mut self, value: &'a Expression<'a>) {
        match value {
            Expression::Identifier(id) => {
                self.exported.insert(id.name.as_str());
            }
            Expression::ObjectExpression(object) => {
                for property in object.properties.iter().filter_map(ObjectPropertyKind::as_property) {
                    if let Some(std::borrow::Cow::Borrowed(name)) = property.key.static_name() {
                        self.exported.insert(name);
                    }
                }
            }
            _ => {}
        }
    }

    fn import(&mut self, import: &'a ImportDeclaration<'a>) {
        let source = import.source.value.as_str();
        self.facts.sources.insert(source);
        for specifier in import.specifiers.iter().flatten() {
            let name = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => one.imported.name().as_str(),
                ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => "default",
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => "*",
            };
            let local = specifier.local().name.as_str();
            self.facts.tests.import(local, name);
            self.facts.imports.insert(local, Import { source, name });
        }
    }
}

/// The file that `require('…')` names, also through `.name` behind it.
fn required<'a>(expression: &'a Expression<'a>) -> Option<&'a str> {
    match expression.get_inner_expression() {
        Expression::CallExpression(call) if call.callee.is_specific_id("require") => {
            call.arguments.first().and_then(|argument| argument.as_expression()).and_then(text_of)
        }
        other => other.as_member_expression().and_then(|member| required(member.object())),
    }
}

/// The text that an expression is.
pub(crate) fn text_of<'a>(expression: &'a Expression<'a>) -> Option<&'a str> {
    match expression.get_inner_expression() {
        Expression::StringLiteral(literal) => Some(literal.value.as_str()),
        Expression::TemplateLiteral(template) => template.single_quasi().map(|text| text.as_str()),
        _ => None,
    }
}
