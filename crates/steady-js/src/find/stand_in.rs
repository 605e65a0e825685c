//! Where a pause is not what a test waits for: functions that stand in for a server, for slow work or for an application, and loops
//! that look again and again until something is so.

use oxc_ast::AstKind;
use oxc_ast::ast::{ArrowFunctionBody, Expression, Program, Statement, TryStatement};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use super::leave::leaves;
use super::runner::{self, TestNames};
use crate::chain::{Call, root_of};
use crate::parse::byte_span::ByteSpan as _;
use crate::promise::{after_word, has_word, is_function, is_loop};
use crate::{Form, Wait};

/// First names of what is read from a page: who returns that after a pause waits for it.
const PAGES: [&str; 12] = [
    "page",
    "frame",
    "cy",
    "screen",
    "within",
    "driver",
    "browser",
    "document",
    "container",
    "wrapper",
    "expect",
    "this",
];

/// The functions and loops whose pauses are no sleeps of a test, given the waits of their file.
pub(crate) fn stand_ins<'w>(
    program: &Program<'_>,
    waits: impl Iterator<Item = &'w Wait>,
    tests: &TestNames,
) -> Vec<steady_edit::Span> {
    let (mut sleeps, mut plain) = (Vec::new(), Vec::new());
    for wait in waits.filter(|wait| wait.kind.is_blocking()) {
        sleeps.push(wait.call);
        plain.extend((!is_of_page(wait.form)).then_some(wait.call));
    }
    [&mut sleeps, &mut plain].into_iter().for_each(|calls| calls.sort_by_key(|call| call.start));
    let text = program.source_text;
    let mut finder =
        Finder { text, tests, sleeps, plain, ancestors: Vec::new(), servers: Vec::new(), found: Vec::new() };
    finder.visit_program(program);
    finder.found
}

/// Whether a sleep is one of a page or of a browser: whoever calls it stands in for no server.
fn is_of_page(form: Form) -> bool {
    matches!(form, Form::WaitForTimeout | Form::CyWait | Form::Pause | Form::DriverSleep)
}

struct Finder<'n, 'a> {
    text: &'a str,
    tests: &'n TestNames,
    sleeps: Vec<steady_edit::Span>,
    /// Those that are no page's.
    plain: Vec<steady_edit::Span>,
    ancestors: Vec<AstKind<'a>>,
    /// The places of those that stand in for a server or are part of a component: asked once of each, as a chain of calls is long.
    servers: Vec<usize>,
    found: Vec<steady_edit::Span>,
}

impl<'a> Visit<'a> for Finder<'_, 'a> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        let is_excused = match kind {
            AstKind::WhileStatement(node) => self.looks_again(&node.test, node.span),
            AstKind::DoWhileStatement(node) => self.looks_again(&node.test, node.span),
            // So many looks at most.
            AstKind::ForStatement(node) => {
                let is_ended = |test: &Expression<'a>| self.is_ended_by(test, node.span);
                has_word(node.span.source_text(self.text), "break")
                    || leaves(&node.body)
                    || node.test.as_ref().is_some_and(is_ended)
            }
            AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => {
                self.sleeps_in(kind.span()) && (self.is_stand_in(&kind) || self.calls_itself(&kind))
            }
            AstKind::TryStatement(node) => {
                self.retry(node);
                false
            }
            _ => false,
        };
        if is_excused {
            self.found.push(kind.byte_span());
        }
        self.servers.extend(self.is_server(&kind).then_some(self.ancestors.len()));
        self.ancestors.push(kind);
    }

    fn leave_node(&mut self, _: AstKind<'a>) {
        self.ancestors.pop();
        self.servers.pop_if(|place| *place == self.ancestors.len());
    }
}

/// The call that a node is.
fn called<'b>(kind: &AstKind<'b>) -> Option<Call<'b>> {
    match kind {
        AstKind::CallExpression(node) => Call::of(node),
        _ => None,
    }
}

impl<'a> Finder<'_, 'a> {
    fn sleeps_in(&self, span: Span) -> bool {
        is_any_in(&self.sleeps, span)
    }

    /// Whether what is in here stands in for a server, or is part of a component.
    fn is_server(&self, kind: &AstKind<'a>) -> bool {
        match kind {
            AstKind::JSXElement(_) => true,
            AstKind::CallExpression(node) => {
                self.sleeps_in(node.span) && called(kind).is_some_and(|call| stands_in(&call))
            }
            _ => false,
        }
    }

    /// A loop that tries something until it works pauses between two attempts: where it failed, or behind the attempt.
    fn retry(&mut self, attempt: &TryStatement<'a>) {
        let inside = self.ancestors.iter().rev().take_while(|kind| !is_function(kind));
        let Some(around) = inside.into_iter().find(|kind| is_loop(kind)).map(GetSpan::span) else { return };
        let Some(handler) = &attempt.handler else { return };
        let is_left = attempt.block.body.iter().any(leaves);
        if is_left || self.sleeps_in(handler.span) {
            self.found.push(handler.span.byte_span());
        }
        if is_left {
            self.found.push(Span::new(attempt.span.end, around.end).byte_span());
        }
    }

    /// Whether a loop ends when something is so, and not after so many rounds alone.
    fn looks_again(&self, test: &Expression<'a>, span: Span) -> bool {
        let text = span.source_text(self.text);
        self.is_ended_by(test, span) || has_word(text, "break") || has_word(text, "return")
    }

    /// Whether what a loop asks before every round is more than how many there were: `i < 9 && !done`.
    fn is_ended_by(&self, test: &Expression<'a>, span: Span) -> bool {
        let text = span.source_text(self.text);
        let counts = |side: &Expression<'a>| match side.get_inner_expression() {
            Expression::Identifier(id) => is_counted(text, id.name.as_str()),
            Expression::UpdateExpression(_) => true,
            _ => false,
        };
        match test.get_inner_expression() {
            Expression::LogicalExpression(both) => {
                self.is_ended_by(&both.left, span) || self.is_ended_by(&both.right, span)
            }
            Expression::BinaryExpression(binary) => !counts(&binary.left) && !counts(&binary.right),
            other => !counts(other),
        }
    }

    /// Whether a function looks again by calling itself: `if (await isUp()) return; await sleep(50); return untilUp();`.
    fn calls_itself(&self, function: &AstKind<'a>) -> bool {
        let name = match (function, self.ancestors.last()) {
            (AstKind::Function(function), _) if function.id.is_some() => {
                function.id.as_ref().map(|id| id.name.to_string())
            }
            (_, Some(AstKind::VariableDeclarator(declarator))) => {
                declarator.id.get_binding_identifier().map(|id| id.name.to_string())
            }
            (_, Some(AstKind::MethodDefinition(method))) => method.key.static_name().map(Into::into),
            _ => None,
        };
        let (Some(name), Some(body)) = (name, body_of(function)) else { return false };
        let mut uses = after_word(body.source_text(self.text), &name);
        uses.any(|rest| rest.trim_start().starts_with(['(', ')', ',']))
    }

    fn is_stand_in(&self, function: &AstKind<'a>) -> bool {
        let given_to = self.ancestors.last().and_then(called);
        if given_to
            .as_ref()
            .is_some_and(|call| runner::is_test(call, self.tests) || runner::is_holder(call, self.tests))
        {
            return false;
        }
        given_to.as_ref().is_some_and(is_hook)
            || self.is_given_to_constructor()
            || matches!(function, AstKind::Function(function) if function.generator)
            || !self.servers.is_empty()
            || self.answers(function)
            || self.hands_on(function)
    }

    /// Whether a promise is resolved with a value when its timer is over: `setTimeout(() => resolve('row'), 10)`,
    /// `setTimeout(resolve, 10, 'row')`.
    fn hands_on(&self, executor: &AstKind<'a>) -> bool {
        let (true, Some(resolve)) = (self.is_executor(), first_parameter(executor)) else { return false };
        let text = executor.span().source_text(self.text);
        let mut given = after_word(text, resolve).filter_map(|rest| {
            let (given, _) = rest.strip_prefix('(')?.split_once(')')?;
            Some(given.trim())
        });
        let mut last = after_word(text, "setTimeout").filter_map(|rest| {
            let (arguments, _) = rest.strip_prefix('(')?.split_once(')')?;
            let mut arguments = arguments.split(',').map(str::trim);
            (arguments.next() == Some(resolve)).then(|| arguments.nth(1)).flatten()
        });
        let is_value = |given: &str| !matches!(given, "" | "undefined" | "null" | "true" | "void 0");
        given.any(is_value) || last.any(is_value)
    }

    /// `new Worker('queue', async () => {…})`, `new Writable({ write() {…} })`
    fn is_given_to_constructor(&self) -> bool {
        let inside = self.ancestors.iter().rev().take_while(|kind| !is_function(kind));
        let is_constructor = |kind: &AstKind<'a>| matches!(kind, AstKind::NewExpression(new) if !new.callee.is_specific_id("Promise"));
        inside.into_iter().any(is_constructor)
    }

    fn is_executor(&self) -> bool {
        matches!(self.ancestors.last(), Some(AstKind::NewExpression(new)) if new.callee.is_specific_id("Promise"))
    }

    /// Whether a function pauses and then gives back a value that has nothing to do with a page.
    fn answers(&self, function: &AstKind<'a>) -> bool {
        let statements = match function {
            AstKind::Function(function) => function.body.as_ref().map(|body| body.statements.as_slice()),
            AstKind::ArrowFunctionExpression(arrow) => match &arrow.body {
                ArrowFunctionBody::FunctionBody(body) => Some(body.statements.as_slice()),
                body => return self.is_continued_sleep(body.to_expression()),
            },
            _ => None,
        };
        match statements {
            Some([Statement::ReturnStatement(only)]) => {
                only.argument.as_ref().is_some_and(|value| self.is_continued_sleep(value))
            }
            Some([Statement::ExpressionStatement(first), last]) => {
                let is_answer = match last {
                    Statement::ReturnStatement(last) => last.argument.as_ref().is_some_and(is_data),
                    Statement::ThrowStatement(_) => true,
                    _ => false,
                };
                is_answer && is_any_in(&self.plain, first.span)
            }
            // A method in the place of another's: a double of what the application uses.
            Some([.., Statement::ExpressionStatement(pause), Statement::ReturnStatement(last)]) => {
                let is_double = self
                    .ancestors
                    .iter()
                    .rev()
                    .take(3)
                    .any(|kind| matches!(kind, AstKind::Class(class) if class.heritage.is_some() || !class.implements.is_empty()));
                is_double && is_any_in(&self.plain, pause.span) && last.argument.as_ref().is_some_and(is_data)
            }
            _ => false,
        }
    }

    /// `sleep(30).then(() => 'row')`
    fn is_continued_sleep(&self, value: &Expression<'a>) -> bool {
        let Expression::CallExpression(call) = value.get_inner_expression() else { return false };
        let receiver = call.callee.as_member_expression().map(|member| member.object().span());
        call.callee_name() == Some("then") && receiver.is_some_and(|span| is_any_in(&self.plain, span))
    }
}

fn is_any_in(sleeps: &[steady_edit::Span], span: Span) -> bool {
    let (start, end) = (span.start as usize, span.end as usize);
    let first = sleeps.partition_point(|sleep| sleep.start < start);
    sleeps[first..].iter().take_while(|sleep| sleep.start < end).any(|sleep| sleep.end <= end)
}

/// Whether a name goes up or down by steps: `i++`, `left -= 1`.
fn is_counted(text: &str, name: &str) -> bool {
    let steps = ["++", "--", "+=", "-="];
    let is_stepped = |rest: &str| steps.iter().any(|step| rest.trim_start().starts_with(step));
    after_word(text, name).any(is_stepped)
        || ["++", "--"].iter().any(|step| text.contains(&format!("{step}{name}")))
}

/// Calls whose functions stand in for a server or for slow work.
fn stands_in(call: &Call<'_>) -> bool {
    let name = call.name();
    let is_handler = || matches!(call.root(), "http" | "rest" | "app" | "server" | "router" | "nock");
    match name {
        // `queue.process(job => …)` does the work of a job.
        "route" | "intercept" | "process" | "push" | "enqueue" | "schedule" => !call.is_function(),
        // What is given to these is called again and again.
        "poll" | "toPass" | "waitUntil" | "waitFor" | "retry" | "eventually" => true,
        // What is given to these is called by what is tested, when something happens.
        "on" | "once" | "subscribe" | "addListener" | "addEventListener" => !call.is_function(),
        "fn" => matches!(call.root(), "jest" | "vi" | "mock"),
        "stub" => call.root() == "sinon",
        "get" | "post" | "put" | "patch" | "delete" | "all" | "use" | "reply" => is_handler(),
        _ => {
            name.starts_with("mockImplementation")
                || name.starts_with("mockReturnValue")
                || name.starts_with("mockResolvedValue")
                || matches!(name, "callsFake" | "returns" | "createServer" | "setupServer")
                || is_registration(call)
        }
    }
}

/// `addAction('save', async () => {…})`, `registerHandler(async () => {…})`: the function belongs to what is tested from then on.
fn is_registration(call: &Call<'_>) -> bool {
    let goes_on = |rest: &str| rest.starts_with(|sign: char| sign.is_ascii_uppercase());
    let verbs = ["add", "register", "subscribe"];
    call.arguments().last().is_some_and(super::is_function)
        && verbs.iter().any(|verb| call.name().strip_prefix(verb).is_some_and(goes_on))
}

/// What a function does.
fn body_of(function: &AstKind<'_>) -> Option<Span> {
    match function {
        AstKind::Function(function) => function.body.as_ref().map(|body| body.span),
        AstKind::ArrowFunctionExpression(arrow) => Some(arrow.body.span()),
        _ => None,
    }
}

fn first_parameter<'a>(function: &AstKind<'a>) -> Option<&'a str> {
    let parameters = match function {
        AstKind::Function(function) => &function.params,
        AstKind::ArrowFunctionExpression(arrow) => &arrow.params,
        _ => return None,
    };
    parameters.items.first()?.pattern.get_binding_identifier().map(|id| id.name.as_str())
}

/// `useEffect(…)`, `useSWR(key, …)`: what it is given belongs to a component.
fn is_hook(call: &Call<'_>) -> bool {
    let rest = call.name().strip_prefix("use");
    rest.is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_uppercase()))
}

fn is_data(value: &Expression<'_>) -> bool {
    let is_awaited = matches!(value.get_inner_expression(), Expression::AwaitExpression(_));
    !is_awaited && root_of(value).is_none_or(|root| !PAGES.contains(&root.name))
}
