//! Functions of a project that resolve after a timer.

use std::collections::BTreeMap;

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, ArrowFunctionBody, BindingPattern, Expression, FormalParameters, Statement};
use oxc_syntax::operator::BinaryOperator;
use steady_edit::Span;

use crate::chain::{Call, names_of};
use crate::parse::byte_span::ByteSpan as _;
use crate::promise::{Ends, around_promise, ends, is_function, is_raced, is_repeated};
use crate::{Script, Unit, Value};

/// A function that resolves after a timer: `const sleep = ms => new Promise(done => setTimeout(done, ms))`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Helper {
    /// Its name.
    pub name: String,
    /// The whole function in its file.
    pub span: Span,
    /// Which argument says how long; `None`: it always takes as long.
    pub parameter: Option<usize>,
    /// What that argument counts.
    pub unit: Unit,
    /// How long it takes when a call does not say; its span is one of the file that has the helper.
    pub default: Option<Value>,
    /// The same in milliseconds, also for other files, where there is nothing that could be changed.
    pub takes: Option<u64>,
    /// Whether other files can call it.
    pub exported: bool,
    /// Whether it is called on something: a method, or a property of an object.
    pub is_method: bool,
    /// Whether it does nothing but pause.
    pub is_alone: bool,
    /// Whether its pause is a command that a framework queues, so that nothing can be awaited.
    pub is_queued: bool,
}

impl Helper {
    /// A promise of `setTimeout` itself.
    pub(crate) fn timer(name: &str, span: oxc_span::Span) -> Self {
        Self {
            name: name.to_owned(),
            span: span.byte_span(),
            parameter: Some(0),
            unit: Unit::Milliseconds,
            default: None,
            takes: None,
            exported: false,
            is_method: false,
            is_alone: true,
            is_queued: false,
        }
    }
}

/// What is known of other files when one is read: the helpers that the files of a project export, by name, and the times that the
/// file's own imports stand for.
#[derive(Debug, Clone, Default)]
pub struct KnownHelpers {
    helpers: BTreeMap<String, Helper>,
    times: BTreeMap<String, BTreeMap<String, f64>>,
}

impl KnownHelpers {
    /// Collects what these files export.
    pub fn collect(scripts: &[&Script]) -> Self {
        Self::of(scripts.iter().flat_map(|script| script.helpers()))
    }

    /// Those of some helpers that are exported.
    pub fn of<'a>(helpers: impl IntoIterator<Item = &'a Helper>) -> Self {
        let exported = helpers.into_iter().filter(|helper| helper.exported);
        // A call in another file that names no time holds no value that could be changed there.
        let helpers = exported
            .map(|helper| (helper.name.clone(), Helper { default: None, ..helper.clone() }))
            .collect();
        Self { helpers, times: BTreeMap::new() }
    }

    /// Adds the times that a source, as the file writes it, exports.
    #[must_use]
    pub fn with_times(mut self, source: &str, times: BTreeMap<String, f64>) -> Self {
        self.times.insert(source.to_owned(), times);
        self
    }

    /// The helper of that name.
    pub fn get(&self, name: &str) -> Option<&Helper> {
        self.helpers.get(name)
    }

    /// The times that a source exports, if they are known.
    pub fn times(&self, source: &str) -> Option<&BTreeMap<String, f64>> {
        self.times.get(source)
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.helpers.is_empty() && self.times.is_empty()
    }
}

/// Calls that pause for the number they are given; the place of a call among its ancestors tells whether a function is made of it.
const PAUSES: [&str; 8] =
    ["setTimeout", "waitForTimeout", "pause", "sleep", "delay", "wait", "snooze", "waitFor"];

/// The helper whose function this call makes, if it is the pause in one, and the expression that is its default.
pub(crate) fn made_by<'a>(
    call: &Call<'a>,
    ancestors: &[AstKind<'a>],
    text: &str,
) -> Option<(Helper, Option<&'a Expression<'a>>)> {
    if !PAUSES.contains(&call.name()) {
        return None;
    }
    let (outside, length) = match call.name() {
        // One that ends a wait for an event pauses for nothing.
        "setTimeout" if ends(call, ancestors, text) != Ends::Resolved => return None,
        "setTimeout" => (around_promise(ancestors)?, call.argument(1)),
        _ => (ancestors, call.argument(0)),
    };
    // A pause between two looks, or one that ends a race, is not how long the function takes.
    if is_repeated(outside) || is_raced(outside) {
        return None;
    }
    let place = outside.iter().rposition(is_function)?;
    let (parameters, is_alone) = shape(&outside[place])?;
    let (name, is_method, exported) = name_of(&outside[..place], &outside[place])?;
    let span = outside[place].byte_span();
    let given = length.and_then(|length| parameter(length, parameters));
    let (parameter, unit, default) = match given {
        Some((place, unit)) => {
            let default = parameters.items[place].initializer.as_deref();
            (Some(place), unit, default)
        }
        // A function that always pauses as long is a helper only if it does nothing else, and says so.
        None if is_alone && call.name() == "setTimeout" && says_pause(&name) && !is_method => {
            (None, Unit::Milliseconds, length)
        }
        None => return None,
    };
    let is_queued = matches!(call.root(), "cy" | "I");
    // `cy.get(selector).click().wait(ms)` does something, too, and so does what a pause is only the beginning of.
    let links = call.links();
    let is_first = links[..links.len() - 1].iter().all(|link| link.arguments.is_none());
    let is_last = !matches!(ancestors.last(), Some(AstKind::StaticMemberExpression(_)));
    let is_alone = is_alone && is_first && is_last;
    let helper = Helper {
        name,
        span,
        parameter,
        unit,
        default: None,
        takes: None,
        exported,
        is_method,
        is_alone,
        is_queued,
    };
    Some((helper, default))
}

/// `promisify(setTimeout)`
pub(crate) fn is_promisified_timer(expression: &Expression<'_>) -> bool {
    let Expression::CallExpression(call) = expression.get_inner_expression() else { return false };
    call.callee_name() == Some("promisify")
        && matches!(call.arguments.first(), Some(Argument::Identifier(id)) if id.name == "setTimeout")
}

/// A function's parameters, and whether it is one statement or expression long.
fn shape<'a>(kind: &AstKind<'a>) -> Option<(&'a FormalParameters<'a>, bool)> {
    match kind {
        AstKind::Function(function) => {
            let body = function.body.as_ref()?;
            Some((&function.params, is_one(&body.statements)))
        }
        AstKind::ArrowFunctionExpression(arrow) => {
            let is_one = match &arrow.body {
                ArrowFunctionBody::FunctionBody(body) => is_one(&body.statements),
                _ => true,
            };
            Some((&arrow.params, is_one))
        }
        _ => None,
    }
}

fn is_one(statements: &[Statement<'_>]) -> bool {
    matches!(statements, [Statement::ReturnStatement(_) | Statement::ExpressionStatement(_)])
}

/// Which parameter a length is: `ms`, or `seconds * 1000`.
fn parameter(length: &Expression<'_>, parameters: &FormalParameters<'_>) -> Option<(usize, Unit)> {
    let (name, unit) = match length.get_inner_expression() {
        Expression::Identifier(id) => (id.name.as_str(), Unit::Milliseconds),
        Expression::BinaryExpression(product) if product.operator == BinaryOperator::Multiplication => {
            match (product.left.get_inner_expression(), product.right.get_inner_expression()) {
                (Expression::Identifier(id), Expression::NumericLiteral(factor))
                | (Expression::NumericLiteral(factor), Expression::Identifier(id))
                    if factor.value == 1000.0 =>
                {
                    (id.name.as_str(), Unit::Seconds)
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    let is_it =
        |pattern: &BindingPattern<'_>| pattern.get_binding_identifier().is_some_and(|id| id.name == name);
    let place = parameters.items.iter().position(|item| is_it(&item.pattern))?;
    Some((place, unit))
}

/// Whether a name says that nothing but time passes.
fn says_pause(name: &str) -> bool {
    let name = name.to_lowercase();
    let stems = [
        "wait", "sleep", "delay", "pause", "tick", "flush", "settle", "nap", "idle", "timeout", "rest",
        "async",
    ];
    stems.iter().any(|stem| name.contains(stem))
}

/// What a function is called, whether it is a method, and whether the place it stands in exports it.
fn name_of(above: &[AstKind<'_>], function: &AstKind<'_>) -> Option<(String, bool, bool)> {
    if let AstKind::Function(function) = function
        && let Some(id) = &function.id
    {
        return Some((id.name.to_string(), false, false));
    }
    let method = |name: std::borrow::Cow<'_, str>| (name.into_owned(), true, true);
    match above.last()? {
        AstKind::VariableDeclarator(declarator) => {
            declarator.id.get_binding_identifier().map(|id| (id.name.to_string(), false, false))
        }
        AstKind::ObjectProperty(property) => property.key.static_name().map(method),
        AstKind::MethodDefinition(definition) => definition.key.static_name().map(method),
        AstKind::PropertyDefinition(property) => property.key.static_name().map(method),
        AstKind::AssignmentExpression(assignment) => {
            let member = assignment.left.as_member_expression()?;
            let is_exports = names_of(member.object()).is_some_and(|names| names.contains(&"exports"));
            member.static_property_name().map(|name| (name.to_owned(), !is_exports, is_exports))
        }
        _ => None,
    }
}
