//! JavaScript and TypeScript, from the syntax tree of `steady-js`.

mod collect;
mod expression;
mod forget;

use std::path::Path;

use oxc_ast::ast::{
    self, BindingPattern, Expression, FormalParameters, FunctionBody, FunctionType, IfStatement, TryStatement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::operator::AssignmentOperator;
use oxc_syntax::scope::ScopeFlags;
use steady_edit::Span;
use steady_js::{ByteSpan, ParseError, with_program};

use super::DEEPEST;
use crate::syntax::{Action, Block, File, Function, Kind, Names, Statement};
use collect::{Around, collect};

/// The tests and functions of a file.
pub(super) fn file(path: &Path, text: &str) -> Result<File, ParseError> {
    with_program(path, text, |program| {
        let script = Script { text };
        let mut functions = Functions { script, file: File::default() };
        functions.visit_program(program);
        let mut file = functions.file;
        let list = List::new(program.byte_span(), program.directives.len(), &program.body);
        collect(script.block(&list, 0), &Around::default(), &mut file);
        file
    })
}

#[derive(Clone, Copy)]
struct Script<'s> {
    text: &'s str,
}

/// The functions of a file that are declared; those inside of others are theirs.
struct Functions<'s> {
    script: Script<'s>,
    file: File,
}

impl<'a> Visit<'a> for Functions<'_> {
    fn visit_function(&mut self, function: &ast::Function<'a>, flags: ScopeFlags) {
        if !is_plain_declaration(function) {
            return walk::walk_function(self, function, flags);
        }
        let (Some(id), Some(body)) = (&function.id, &function.body) else { return };
        let parameters = self.script.parameters(&function.params);
        let function = Function { parameters, body: self.script.body(body, 0), fixture: false };
        self.file.functions.insert(id.name.to_string(), function);
    }
}

fn is_plain_declaration(function: &ast::Function<'_>) -> bool {
    function.r#type == FunctionType::FunctionDeclaration && !function.generator
}

/// The statements of a block, a function or a file.
struct List<'t, 'a> {
    place: Block,
    statements: &'t [ast::Statement<'a>],
}

impl<'t, 'a> List<'t, 'a> {
    /// Directives (`'use strict'`) are statements that the parser lists apart.
    fn new(span: Span, directives: usize, statements: &'t [ast::Statement<'a>]) -> Self {
        Self { place: Block { start: span.start, statements: directives + statements.len() }, statements }
    }

    fn of_block(block: &'t ast::BlockStatement<'a>) -> Self {
        Self::new(block.byte_span(), 0, &block.body)
    }
}

impl Script<'_> {
    fn source(&self, node: &impl ByteSpan) -> String {
        self.text[node.byte_span()].to_owned()
    }

    fn block(&self, list: &List<'_, '_>, depth: usize) -> Vec<Statement> {
        if depth > DEEPEST {
            return Vec::new();
        }
        let mut statements: Vec<_> =
            list.statements.iter().flat_map(|statement| self.statement(statement, depth + 1)).collect();
        for statement in &mut statements {
            statement.block = Some(list.place);
        }
        statements
    }

    fn body(&self, body: &FunctionBody<'_>, depth: usize) -> Vec<Statement> {
        self.block(&List::new(body.byte_span(), body.directives.len(), &body.statements), depth)
    }

    fn statement(&self, node: &ast::Statement<'_>, depth: usize) -> Vec<Statement> {
        let made = |action| vec![statement(node, action)];
        match node {
            ast::Statement::ExpressionStatement(inner) => made(match &inner.expression {
                Expression::AssignmentExpression(assignment)
                    if assignment.operator == AssignmentOperator::Assign =>
                {
                    let name = self.source(&assignment.left);
                    Action::Bind(Names::One(name), self.expr(&assignment.right, depth))
                }
                expression => Action::Evaluate(self.expr(expression, depth)),
            }),
            ast::Statement::VariableDeclaration(declaration) => {
                let bound = declaration.declarations.iter().filter_map(|declarator| {
                    let value = self.expr(declarator.init.as_ref()?, depth);
                    Some(statement(node, Action::Bind(self.names(&declarator.id), value)))
                });
                bound.collect()
            }
            // Its expression may hold chained assertions, but it must stay.
            ast::Statement::ReturnStatement(inner) => match &inner.argument {
                Some(value) => made(Action::Return(self.expr(value, depth))),
                None => Vec::new(),
            },
            ast::Statement::BlockStatement(block) => {
                made(Action::Sequence(self.block(&List::of_block(block), depth)))
            }
            ast::Statement::TryStatement(inner) => self.tried(inner, depth),
            ast::Statement::IfStatement(inner) => made(Action::Branches(self.branches(inner, depth))),
            ast::Statement::FunctionDeclaration(function) if is_plain_declaration(function) => Vec::new(),
            ast::Statement::ClassDeclaration(class) if !class.r#abstract => Vec::new(),
            ast::Statement::ImportDeclaration(_) => Vec::new(),
            _ => forget::forget(self.text, node),
        }
    }

    fn tried(&self, node: &TryStatement<'_>, depth: usize) -> Vec<Statement> {
        let inner = |block| self.block(&List::of_block(block), depth);
        let mut parts = vec![statement(&*node.block, Action::Sequence(inner(&node.block)))];
        parts.extend(
            node.handler.as_deref().map(|handler| statement(handler, Action::Branches(inner(&handler.body)))),
        );
        parts.extend(node.finalizer.as_deref().map(|last| statement(last, Action::Sequence(inner(last)))));
        parts
    }

    /// What an `if` does, with all that follows its `else`s.
    fn branches(&self, node: &IfStatement<'_>, depth: usize) -> Vec<Statement> {
        if depth > DEEPEST {
            return Vec::new();
        }
        let parts = [Some(&node.consequent), node.alternate.as_ref()];
        parts.into_iter().flatten().flat_map(|part| self.statement(part, depth + 1)).collect()
    }

    fn names(&self, pattern: &BindingPattern<'_>) -> Names {
        match pattern {
            BindingPattern::BindingIdentifier(id) => Names::One(id.name.to_string()),
            BindingPattern::ObjectPattern(object) => {
                let fields = object.properties.iter().filter_map(|part| match &part.value {
                    BindingPattern::BindingIdentifier(id) => {
                        Some((self.source(&part.key), id.name.to_string()))
                    }
                    _ => None,
                });
                Names::Fields(fields.collect())
            }
            _ => {
                let names = pattern.get_binding_identifiers();
                Names::Unknown(names.iter().map(|id| id.name.to_string()).collect())
            }
        }
    }

    /// The parameters of a function as they are written, without types and defaults.
    fn parameters(&self, parameters: &FormalParameters<'_>) -> Vec<String> {
        let items = parameters.items.iter().map(|parameter| self.source(&parameter.pattern));
        items.chain(parameters.rest.iter().map(|rest| self.source(&rest.rest))).collect()
    }

    /// A function with a body of statements.
    fn lambda(&self, parameters: &FormalParameters<'_>, body: &FunctionBody<'_>, depth: usize) -> Kind {
        Kind::Lambda { parameters: self.parameters(parameters), body: self.body(body, depth), result: false }
    }
}

fn statement(node: &impl ByteSpan, kind: Action) -> Statement {
    Statement { span: node.byte_span(), block: None, kind }
}
