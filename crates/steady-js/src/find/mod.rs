//! Finds the waits among the calls of a file.
//!
//! A file per family of waits, each with one function `find` that looks at one call and says what it is, or nothing. They
//! are asked in order and the first that knows the call decides; [`option`] comes last and takes any call that is given
//! `{ timeout }`. [`setting`] then lists the times that have a name and were not met as a part of a call.

mod around;
mod helper;
mod leave;
mod limit;
mod option;
mod poll;
mod runner;
mod setting;
mod sleep;
mod stand_in;
mod timer;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, Expression};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use crate::chain::Call;
use crate::facts::Facts;
use crate::facts::reach::roots;
use crate::facts::value::Told;
use crate::parse::byte_span::ByteSpan as _;
use crate::promise::{around_promise, is_raced};
use crate::{Form, Kind, Unit, Value, Wait};

pub(crate) use around::{Titles, is_async};
pub(crate) use runner::TestNames;
pub(crate) use stand_in::stand_ins;

/// What a family says of a call.
struct Found {
    kind: Kind,
    form: Form,
    told: Told,
    unit: Unit,
    /// Whether the call makes nothing that could be awaited.
    is_free: bool,
    /// Whether it is known to sleep by more than its name.
    is_sure: bool,
}

impl Found {
    fn new(kind: Kind, form: Form, told: Told) -> Self {
        Self { kind, form, told, unit: Unit::Milliseconds, is_free: false, is_sure: false }
    }

    fn counting(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }

    fn sure(self) -> Self {
        Self { is_sure: true, ..self }
    }

    fn free(self) -> Self {
        Self { is_free: true, ..self }
    }
}

/// A call in its place.
struct Site<'s, 'a> {
    call: &'s Call<'a>,
    facts: &'s Facts<'a>,
    ancestors: &'s [AstKind<'a>],
    titles: &'s Titles<'s>,
}

impl<'a> Site<'_, 'a> {
    /// The option `timeout` among the arguments.
    fn option(&self) -> Told {
        self.facts.told_by_arguments(self.call.arguments(), &|key| key == "timeout")
    }

    /// The argument at a place, if it is a time or a name that may stand for one.
    fn length(&self, place: usize) -> Told {
        match self.call.argument(place) {
            Some(argument) if may_be_number(argument) => self.facts.told(Some(argument)),
            _ => Told::Nothing,
        }
    }
}

/// Whether an expression is not plainly something else than a number.
fn may_be_number(expression: &Expression<'_>) -> bool {
    matches!(
        expression.get_inner_expression(),
        Expression::NumericLiteral(_)
            | Expression::Identifier(_)
            | Expression::BinaryExpression(_)
            | Expression::ConditionalExpression(_)
            | Expression::LogicalExpression(_)
            | Expression::CallExpression(_)
            | Expression::StaticMemberExpression(_)
            | Expression::UnaryExpression(_)
    )
}

fn is_function(argument: &Argument<'_>) -> bool {
    let function = argument.as_expression().map(Expression::get_inner_expression);
    matches!(function, Some(Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)))
}

/// What is found in a file, in the order of its text.
pub(crate) struct Everything<'a> {
    pub(crate) waits: Vec<Wait>,
    /// Those that are told something which only a run knows.
    pub(crate) unread: Vec<Wait>,
    /// How long helpers take that are not told, by where their call starts, in milliseconds.
    pub(crate) untold: BTreeMap<usize, u64>,
    /// The names that may say how long calls wait.
    pub(crate) names: BTreeSet<&'a str>,
}

/// Finds the waits of a file.
pub(crate) fn waits<'a>(program: &oxc_ast::ast::Program<'a>, facts: &Facts<'a>) -> Everything<'a> {
    let mut finder = Finder {
        facts,
        ancestors: Vec::new(),
        titles: Titles::new(&facts.tests),
        waits: Vec::new(),
        unread: Vec::new(),
        untold: BTreeMap::new(),
        settings: Vec::new(),
        compared: Vec::new(),
        names: BTreeSet::new(),
    };
    finder.visit_program(program);
    let Finder { mut waits, unread, untold, settings, compared, names, .. } = finder;
    setting::add(facts, &settings, &compared, &mut waits);
    waits.sort_by_key(|wait| (wait.call.start, wait.call.end));
    Everything { waits, unread, untold, names: facts.reached(names) }
}

struct Finder<'s, 'a> {
    facts: &'s Facts<'a>,
    ancestors: Vec<AstKind<'a>>,
    titles: Titles<'s>,
    waits: Vec<Wait>,
    unread: Vec<Wait>,
    untold: BTreeMap<usize, u64>,
    settings: Vec<setting::Named<'a>>,
    /// Arguments that are compared with something: no times of the test.
    compared: Vec<Span>,
    names: BTreeSet<&'a str>,
}

impl<'a> Visit<'a> for Finder<'_, 'a> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        match kind {
            AstKind::CallExpression(node) => {
                if let Some(call) = Call::of(node) {
                    self.call(&call);
                }
            }
            AstKind::AssignmentExpression(assignment) => {
                self.waits.extend(limit::assigned(assignment, self.facts, &self.titles));
            }
            AstKind::ObjectProperty(property) => {
                self.settings.extend(setting::Named::property(property, &self.titles));
            }
            _ => {}
        }
        self.titles.enter(&kind);
        self.ancestors.push(kind);
    }

    fn leave_node(&mut self, kind: AstKind<'a>) {
        self.titles.leave(&kind);
        self.ancestors.pop();
    }
}

impl<'a> Finder<'_, 'a> {
    fn call(&mut self, call: &Call<'a>) {
        if option::is_comparison(call.name()) {
            self.compared.extend(call.arguments().iter().map(GetSpan::span));
            return;
        }
        let site = Site { call, facts: self.facts, ancestors: &self.ancestors, titles: &self.titles };
        let families = [limit::find, timer::find, sleep::find, helper::find, poll::find, option::find];
        let Some(mut found) = families.iter().find_map(|find| find(&site)) else { return };
        let outside = match found.form {
            Form::TimerPromise => around_promise(&self.ancestors).unwrap_or_default(),
            _ => &self.ancestors,
        };
        if found.kind == Kind::Sleep && is_raced(outside) {
            found.kind = Kind::PollTimeout;
        }
        // Also where a time is read: in `50 * SCALE` it is only a part.
        let telling = call.arguments().iter().skip(usize::from(names_element_first(call, found.kind)));
        self.names.extend(telling.filter_map(Argument::as_expression).flat_map(roots));
        match &found.told {
            Told::Nothing => {
                let helper = self.facts.helper(call).filter(|_| found.form == Form::Helper);
                let takes = helper.and_then(|helper| helper.takes);
                self.untold.extend(takes.map(|ms| (call.node.span.start as usize, ms)));
                self.waits.push(made(&site, &found, None));
            }
            Told::Time(reading) => {
                let value = self.facts.value(reading, found.unit);
                self.waits.extend(value.map(|value| made(&site, &found, Some(value))));
            }
            // A function that is only called as a sleep would be may be something else.
            Told::Unreadable
                if found.form == Form::Helper && !found.is_sure && self.facts.helper(call).is_none() => {}
            Told::Unreadable => self.unread.push(made(&site, &found, None)),
        }
    }
}

/// Whether a call is told first what it waits for: names of elements are imported often, and say nothing of times.
fn names_element_first(call: &Call<'_>, kind: Kind) -> bool {
    const FINDING: [&str; 8] =
        ["get", "contains", "find", "visit", "goto", "locator", "waitForSelector", "$"];
    let name = call.name();
    kind == Kind::PollTimeout
        && (call.arguments().len() > 1
            || FINDING.contains(&name)
            || name.starts_with("findBy")
            || name.starts_with("findAllBy"))
}

fn made(site: &Site<'_, '_>, found: &Found, value: Option<Value>) -> Wait {
    let Site { call, facts, ancestors, titles } = site;
    let at = call.name_span().start as usize;
    let awaited = match found.form {
        Form::TimerPromise => around::promise_is_awaited(ancestors),
        _ => around::is_awaited(ancestors, call.node.span),
    };
    Wait {
        kind: found.kind,
        form: found.form,
        callee: call.name().to_owned(),
        receiver: call.receiver(),
        value,
        call: call.node.span.byte_span(),
        line: facts.lines.line(at),
        column: facts.lines.column_utf16(facts.text, at),
        awaited: found.is_free || awaited,
        words: words::of(call, found.kind),
        test: titles.innermost(),
    }
}
