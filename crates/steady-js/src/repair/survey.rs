//! Walks a syntax tree and writes down its outline.

use std::collections::BTreeSet;

use oxc_ast::ast::{
    Argument as Given, ArrowFunctionBody, ArrowFunctionExpression, AwaitExpression, BindingPattern,
    CallExpression, ChainElement, Expression, Function as Tree, ImportDeclaration, ObjectPropertyKind,
    Program, ReturnStatement, Statement as Node, TemplateElement, VariableDeclarator, YieldExpression,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeFlags;
use steady_edit::Span;

use super::RepairError;
use super::outline::{Argument, Call, Function, Kind, Object, Outline, Property, Shape, Statement};
use crate::parse::byte_span::ByteSpan;
use crate::{Script, chain, parse};

/// The outline of a script.
pub(super) fn of(script: &Script) -> Result<Outline, RepairError> {
    parse::with_program(script.path(), script.text(), |program| outline(program, script.text()))
        .map_err(|error| RepairError::WouldNotParse { error })
}

fn outline(program: &Program<'_>, text: &str) -> Outline {
    let mut survey = Survey {
        text,
        outline: Outline::default(),
        awaited: BTreeSet::new(),
        bare: BTreeSet::new(),
        statement: None,
        function: None,
    };
    survey.visit_program(program);
    let mut outline = survey.outline;
    outline.comments = program.comments.iter().map(|comment| comment.span.byte_span()).collect();
    outline
}

struct Survey<'t> {
    text: &'t str,
    outline: Outline,
    /// Expressions that something waits for.
    awaited: BTreeSet<Span>,
    /// Statements that stand where braces could.
    bare: BTreeSet<Span>,
    statement: Option<usize>,
    function: Option<usize>,
}

impl<'a> Visit<'a> for Survey<'_> {
    fn visit_statement(&mut self, node: &Node<'a>) {
        if matches!(node, Node::BlockStatement(_) | Node::EmptyStatement(_)) {
            return walk::walk_statement(self, node);
        }
        self.bodies(node);
        let (span, parent) = (node.span(), self.statement);
        let is_bare = self.bare.contains(&span.byte_span());
        self.outline.statements.push(Statement {
            span: self.without_next_line(span.byte_span()),
            kind: kind(node),
            is_bare,
            parent,
            function: self.function,
        });
        self.statement = Some(self.outline.statements.len() - 1);
        walk::walk_statement(self, node);
        self.statement = parent;
    }

    fn visit_function(&mut self, node: &Tree<'a>, flags: ScopeFlags) {
        let Some(body) = &node.body else { return walk::walk_function(self, node, flags) };
        if let (Some(id), None) = (&node.id, self.function) {
            self.outline.globals.insert(id.name.to_string());
        }
        let first =
            body.directives.first().map(GetSpan::span).or_else(|| body.statements.first().map(GetSpan::span));
        let names = names(node.params.items.iter().map(|item| &item.pattern));
        let entered = self.enter(Function {
            span: node.span.byte_span(),
            is_async: node.r#async,
            is_arrow: false,
            is_unary: false,
            body: body.span.byte_span(),
            is_expression: false,
            first: first.map(|span| span.start as usize),
            names,
            parent: self.function,
        });
        walk::walk_function(self, node, flags);
        self.leave(entered);
    }

    fn visit_arrow_function_expression(&mut self, node: &ArrowFunctionExpression<'a>) {
        let (body, first) = match &node.body {
            ArrowFunctionBody::FunctionBody(body) => {
                let first = body.statements.first().map(GetSpan::span);
                (body.span, first.or_else(|| body.statements.first().map(GetSpan::span)))
            }
            body => {
                self.wait_for(body.to_expression());
                (body.span(), None)
            }
        };
        let names = names(node.params.items.iter().map(|item| &item.pattern));
        let entered = self.enter(Function {
            span: node.span.byte_span(),
            is_async: node.r#async,
            is_arrow: true,
            is_unary: matches!(node.params.items.as_slice(), [only] if only.pattern.is_binding_identifier() && only.type_annotation.is_none()),
            body: body.byte_span(),
            is_expression: !matches!(node.body, ArrowFunctionBody::FunctionBody(_)),
            first: first.map(|span| span.start as usize),
            names,
            parent: self.function,
        });
        walk::walk_arrow_function_expression(self, node);
        self.leave(entered);
    }

    fn visit_await_expression(&mut self, node: &AwaitExpression<'a>) {
        self.outline.awaits |= self.function.is_none();
        self.wait_for(&node.argument);
        walk::walk_await_expression(self, node);
    }

    fn visit_return_statement(&mut self, node: &ReturnStatement<'a>) {
        if let Some(argument) = &node.argument {
            self.wait_for(argument);
        }
        walk::walk_return_statement(self, node);
    }

    fn visit_yield_expression(&mut self, node: &YieldExpression<'a>) {
        if let Some(argument) = &node.argument {
            self.wait_for(argument);
        }
        walk::walk_yield_expression(self, node);
    }

    fn visit_import_declaration(&mut self, node: &ImportDeclaration<'a>) {
        let module = node.source.value.to_string();
        for specifier in node.specifiers.iter().flatten() {
            self.import(specifier.local().name.as_str(), &module);
        }
        self.outline.modules.insert(module);
        walk::walk_import_declaration(self, node);
    }

    fn visit_variable_declarator(&mut self, node: &VariableDeclarator<'a>) {
        let required = node.init.as_ref().and_then(required);
        for name in names([&node.id].into_iter()) {
            match &required {
                Some(module) => self.import(&name, module),
                None => match self.function {
                    Some(function) => self.outline.functions[function].names.push(name),
                    None => {
                        self.outline.globals.insert(name);
                    }
                },
            }
        }
        self.outline.modules.extend(required);
        walk::walk_variable_declarator(self, node);
    }

    fn visit_template_element(&mut self, node: &TemplateElement<'a>) {
        self.outline.texts.push(node.span.byte_span());
    }

    fn visit_call_expression(&mut self, node: &CallExpression<'a>) {
        let awaited = self.awaited.contains(&node.span.byte_span());
        if awaited {
            self.wait_for_parts(node);
        }
        walk::walk_call_expression(self, node);
        let Some(chained) = chain::Call::of(node) else { return };
        let called_on = receiver(&node.callee).map(|call| call.span.byte_span());
        let on = called_on.and_then(|span| self.outline.calls.iter().rposition(|call| call.span == span));
        self.outline.calls.push(Call {
            span: node.span.byte_span(),
            name: chained.name().to_owned(),
            name_at: chained.name_span().start as usize,
            root: chained.root().to_owned(),
            receiver: chained.receiver(),
            is_function: chained.is_function(),
            on,
            open: self.open(node),
            arguments: node.arguments.iter().map(argument).collect(),
            awaited,
            statement: self.statement,
        });
    }
}

impl Survey<'_> {
    fn enter(&mut self, function: Function) -> Option<usize> {
        self.outline.functions.push(function);
        self.function.replace(self.outline.functions.len() - 1)
    }

    fn leave(&mut self, around: Option<usize>) {
        self.function = around;
    }

    fn import(&mut self, name: &str, module: &str) {
        self.outline.imports.insert(name.to_owned(), module.to_owned());
        self.outline.globals.insert(name.to_owned());
    }

    fn wait_for(&mut self, expression: &Expression<'_>) {
        self.awaited.insert(expression.get_inner_expression().byte_span());
    }

    /// Who waits for `Promise.all([…])` waits for its items, who waits for `call.then(…)` for the call.
    fn wait_for_parts(&mut self, node: &CallExpression<'_>) {
        let Some(name) = node.callee_name() else { return };
        if matches!(name, "all" | "allSettled" | "race" | "any")
            && let Some(Given::ArrayExpression(items)) = node.arguments.first()
        {
            for item in items.elements.iter().filter_map(|item| item.as_expression()) {
                self.wait_for(item);
            }
        }
        if matches!(name, "then" | "catch" | "finally")
            && let Some(call) = receiver(&node.callee)
        {
            self.awaited.insert(call.span.byte_span());
        }
    }

    /// The span without a semicolon that begins the next line, as files without semicolons have it: `;[1].map(…)`.
    fn without_next_line(&self, span: Span) -> Span {
        let text = span.get(self.text).unwrap_or_default();
        let before = text.strip_suffix(';').unwrap_or(text);
        let end = if before[before.trim_end().len()..].contains('\n') {
            before.trim_end().len()
        } else {
            text.len()
        };
        Span { end: span.start + end, ..span }
    }

    /// Remembers the bodies that a statement has without braces.
    fn bodies(&mut self, node: &Node<'_>) {
        let bodies = match node {
            Node::IfStatement(node) => [Some(&node.consequent), node.alternate.as_ref()],
            Node::ForStatement(node) => [Some(&node.body), None],
            Node::ForInStatement(node) => [Some(&node.body), None],
            Node::ForOfStatement(node) => [Some(&node.body), None],
            Node::WhileStatement(node) => [Some(&node.body), None],
            Node::DoWhileStatement(node) => [Some(&node.body), None],
            Node::LabeledStatement(node) => [Some(&node.body), None],
            _ => [None, None],
        };
        let bare = bodies.into_iter().flatten().filter(|body| !matches!(body, Node::BlockStatement(_)));
        self.bare.extend(bare.map(ByteSpan::byte_span));
    }

    /// The opening bracket of a call's arguments.
    fn open(&self, node: &CallExpression<'_>) -> usize {
        let from =
            node.type_arguments.as_ref().map_or(node.callee.span().end, |types| types.span.end) as usize;
        let until = node.arguments.first().map_or(node.span.end, |first| first.span().start) as usize;
        // Only a comment between the name and its bracket could hold another bracket, and nobody writes one.
        self.text.get(from..until).and_then(|between| between.find('(')).map_or(from, |at| from + at)
    }
}

fn kind(node: &Node<'_>) -> Kind {
    match node {
        Node::ExpressionStatement(_) | Node::VariableDeclaration(_) | Node::DebuggerStatement(_) => {
            Kind::Simple
        }
        Node::ReturnStatement(_)
        | Node::ThrowStatement(_)
        | Node::BreakStatement(_)
        | Node::ContinueStatement(_) => Kind::Leaving,
        Node::IfStatement(_)
        | Node::ForStatement(_)
        | Node::ForInStatement(_)
        | Node::ForOfStatement(_)
        | Node::WhileStatement(_)
        | Node::DoWhileStatement(_)
        | Node::SwitchStatement(_)
        | Node::TryStatement(_)
        | Node::WithStatement(_)
        | Node::LabeledStatement(_) => Kind::Compound,
        _ => Kind::Declaration,
    }
}

fn names<'p, 'a: 'p>(patterns: impl Iterator<Item = &'p BindingPattern<'a>>) -> Vec<String> {
    patterns.flat_map(BindingPattern::get_binding_identifiers).map(|id| id.name.to_string()).collect()
}

/// The module of `require('…')`, awaited imports and members of them included.
fn required(init: &Expression<'_>) -> Option<String> {
    match init.get_inner_expression() {
        Expression::CallExpression(call) if call.callee.is_specific_id("require") => {
            match call.arguments.first()? {
                Given::StringLiteral(module) => Some(module.value.to_string()),
                _ => None,
            }
        }
        Expression::StaticMemberExpression(member) => required(&member.object),
        _ => None,
    }
}

/// The call that a method is called on.
fn receiver<'e, 'a>(callee: &'e Expression<'a>) -> Option<&'e CallExpression<'a>> {
    let mut expression = callee.get_inner_expression();
    if let Expression::CallExpression(call) = expression {
        return Some(call);
    }
    loop {
        expression = match expression.get_inner_expression() {
            Expression::CallExpression(call) => return Some(call),
            Expression::AwaitExpression(node) => &node.argument,
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => return Some(call),
                element => element.as_member_expression()?.object(),
            },
            other => other.as_member_expression()?.object(),
        };
    }
}

fn argument(given: &Given<'_>) -> Argument {
    let span = given.byte_span();
    let Some(expression) = given.as_expression() else {
        return Argument { span, shape: Shape::Spread, is_options: false };
    };
    let shape = match expression.get_inner_expression() {
        Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => Shape::Text,
        Expression::NumericLiteral(_) => Shape::Number,
        Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_) => Shape::Function,
        Expression::Identifier(_) => Shape::Names,
        Expression::ObjectExpression(object) if object.span == expression.span() => {
            let properties = object.properties.iter().map(|property| Property {
                name: match property {
                    ObjectPropertyKind::ObjectProperty(property) => {
                        property.key.static_name().map(std::borrow::Cow::into_owned)
                    }
                    ObjectPropertyKind::SpreadProperty(_) => None,
                },
                span: property.byte_span(),
            });
            Shape::Object(Object { properties: properties.collect() })
        }
        inner if chain::names_of(inner).is_some() => Shape::Names,
        _ => Shape::Other,
    };
    let name = chain::names_of(expression).and_then(|names| names.last().map(|name| name.to_lowercase()));
    let is_options = name.is_some_and(|name| name.ends_with("options") || name.ends_with("opts"));
    Argument { span, shape, is_options }
}
