//! The statements of a file: what stands on a line, and what is around it.

pub(crate) mod assertion;
pub(crate) mod check;
pub(crate) mod target;

use oxc_ast::AstKind;
use oxc_ast::ast::{self, Argument, Expression};
use oxc_ast_visit::{Visit, walk};
use steady_edit::{LineIndex, Span};

use crate::chain::{links_of, root_of};
use crate::find::{TestNames, Titles, is_async};
use crate::parse::byte_span::ByteSpan;
use crate::promise::is_function;
use crate::statement::assertion::Assertion;
use crate::statement::check::Check;
use crate::statement::target::Target;

/// A statement in its place. Blocks are none; what stands in them is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// All of it, with its semicolon if it has one.
    pub span: Span,
    /// The line it starts on, from 1.
    pub line: usize,
    /// The line it ends on.
    pub last_line: usize,
    /// The white space before the first thing on its first line.
    pub indentation: String,
    /// Whether the innermost function around it is `async`.
    pub in_async: bool,
    /// The first name of what it calls: `page` of `await page.click('#a')` and of `expect(page.locator('#a')).toBeVisible()`.
    pub root: Option<String>,
    /// The element that it touches first.
    pub target: Option<Target>,
    /// What it demands, if it is an `expect(…)`.
    pub assertion: Option<Assertion>,
    /// Everything it checks, also in the functions that it is given, without what other statements in these check.
    pub checks: Vec<Check>,
    /// The last function or method that it calls: `click` of `await page.locator('#a').click()`.
    pub call: Option<String>,
    /// The names that it declares.
    pub declares: Vec<String>,
    /// Whether it is a loop.
    pub is_loop: bool,
    /// The innermost function around it, or the file.
    pub function: Span,
    /// Whether it contains an `await` of the same function.
    pub has_await: bool,
    /// The title of the test around it.
    pub test: Option<String>,
    /// Whether it is what an `if` or a loop does, without braces around it.
    pub is_unbraced: bool,
    /// How many statements are around it.
    pub depth: usize,
    /// The innermost of them, by its place among the statements of the file.
    pub parent: Option<usize>,
    /// The block, function body or file that lists it.
    pub block: Span,
}

/// The statements of a file in the order of their text.
pub(crate) fn statements(
    program: &ast::Program<'_>,
    text: &str,
    lines: &LineIndex,
    tests: &TestNames,
) -> Vec<Statement> {
    let mut collect = Collect {
        text,
        lines,
        ancestors: Vec::new(),
        titles: Titles::new(tests),
        open: Vec::new(),
        functions: 0,
        statements: Vec::new(),
    };
    collect.visit_program(program);
    collect.statements
}

/// The innermost statement that starts on or covers a line; of several on the line, the first.
pub(crate) fn at(statements: &[Statement], line: usize) -> Option<&Statement> {
    let covering =
        statements.iter().filter(|statement| (statement.line..=statement.last_line).contains(&line));
    covering.min_by_key(|statement| (std::cmp::Reverse(statement.depth), statement.span.start))
}

/// The innermost statement around something.
pub(crate) fn around(statements: &[Statement], span: Span) -> Option<&Statement> {
    // What starts last before it is in it, or in one that is around it.
    let mut place = statements.partition_point(|statement| statement.span.start <= span.start).checked_sub(1);
    while let Some(statement) = place.map(|place| &statements[place]) {
        if span.end <= statement.span.end {
            return Some(statement);
        }
        place = statement.parent;
    }
    None
}

struct Collect<'s, 'a> {
    text: &'s str,
    lines: &'s LineIndex,
    ancestors: Vec<AstKind<'a>>,
    titles: Titles<'s>,
    /// The statements around this place, and how many functions were around each.
    open: Vec<(usize, usize)>,
    functions: usize,
    statements: Vec<Statement>,
}

impl<'a> Visit<'a> for Collect<'_, 'a> {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        if is_function(&kind) {
            self.functions += 1;
        }
        if let AstKind::AwaitExpression(_) = kind {
            let functions = self.functions;
            for (index, _) in self.open.iter().filter(|(_, around)| *around == functions) {
                self.statements[*index].has_await = true;
            }
        }
        if let AstKind::CallExpression(node) = kind
            && let (Some((innermost, _)), Some(check)) = (self.open.last(), Check::of_call(node))
        {
            self.statements[*innermost].checks.push(check);
        }
        self.titles.enter(&kind);
        self.ancestors.push(kind);
    }

    fn leave_node(&mut self, kind: AstKind<'a>) {
        self.titles.leave(&kind);
        if is_function(&kind) {
            self.functions -= 1;
        }
        self.ancestors.pop();
    }

    fn visit_statement(&mut self, statement: &ast::Statement<'a>) {
        if let ast::Statement::BlockStatement(_) | ast::Statement::EmptyStatement(_) = statement {
            return walk::walk_statement(self, statement);
        }
        let made = self.statement(statement);
        self.open.push((self.statements.len(), self.functions));
        self.statements.push(made);
        walk::walk_statement(self, statement);
        self.open.pop();
    }
}

impl Statement {
    /// Whether it is a negative assertion: `expect(row).toHaveCount(0)`, `cy.get('#row').should('not.exist')`.
    pub fn asserts_absence(&self) -> bool {
        self.checks.iter().any(|check| check.asserts_absence)
    }
}

impl<'a> Collect<'_, 'a> {
    fn function(&self) -> Span {
        let function = self.ancestors.iter().rev().find(|kind| is_function(kind));
        function
            .or(self.ancestors.first())
            .map_or(Span { start: 0, end: self.text.len() }, ByteSpan::byte_span)
    }

    fn statement(&self, statement: &ast::Statement<'a>) -> Statement {
        let span = statement.byte_span();
        let line = self.lines.line(span.start);
        let start = self.lines.span(self.text, line).map_or(span.start, |line| line.start);
        let parent = self.ancestors.last();
        Statement {
            span,
            line,
            last_line: self.lines.line(span.end.saturating_sub(1).max(span.start)),
            indentation: self.text[start..].chars().take_while(|sign| matches!(sign, ' ' | '\t')).collect(),
            in_async: is_async(&self.ancestors),
            root: expression_of(statement).and_then(root),
            target: expression_of(statement).and_then(|expression| Target::of(expression, self.text)),
            assertion: expression_of(statement).and_then(Assertion::of),
            checks: expression_of(statement).and_then(Check::of_property).into_iter().collect(),
            call: expression_of(statement).and_then(last_call),
            declares: declared(statement),
            is_loop: matches!(
                statement,
                ast::Statement::ForStatement(_)
                    | ast::Statement::ForInStatement(_)
                    | ast::Statement::ForOfStatement(_)
                    | ast::Statement::WhileStatement(_)
                    | ast::Statement::DoWhileStatement(_)
            ),
            function: self.function(),
            has_await: false,
            test: self.titles.innermost(),
            is_unbraced: matches!(
                parent,
                Some(
                    AstKind::IfStatement(_)
                        | AstKind::WhileStatement(_)
                        | AstKind::DoWhileStatement(_)
                        | AstKind::ForStatement(_)
                        | AstKind::ForInStatement(_)
                        | AstKind::ForOfStatement(_)
                        | AstKind::LabeledStatement(_)
                        | AstKind::WithStatement(_)
                )
            ),
            depth: self.open.len(),
            parent: self.open.last().map(|(place, _)| *place),
            block: parent.map_or(span, ByteSpan::byte_span),
        }
    }
}

/// What a statement computes.
fn expression_of<'s, 'a>(statement: &'s ast::Statement<'a>) -> Option<&'s Expression<'a>> {
    match statement {
        ast::Statement::ExpressionStatement(statement) => Some(&statement.expression),
        ast::Statement::ReturnStatement(statement) => statement.argument.as_ref(),
        ast::Statement::VariableDeclaration(declaration) => declaration.declarations.first()?.init.as_ref(),
        _ => None,
    }
}

/// The names that a statement declares.
fn declared(statement: &ast::Statement<'_>) -> Vec<String> {
    let ast::Statement::VariableDeclaration(declaration) = statement else { return Vec::new() };
    let patterns = declaration.declarations.iter().flat_map(|one| one.id.get_binding_identifiers());
    patterns.map(|id| id.name.to_string()).collect()
}

/// The last name of the chain that an expression is, if it is called.
fn last_call(expression: &Expression<'_>) -> Option<String> {
    let expression = match expression.get_inner_expression() {
        Expression::AssignmentExpression(assignment) => &assignment.right,
        other => other,
    };
    let links = links_of(expression);
    let called = links.iter().rev().find(|link| link.arguments.is_some() && !link.name.is_empty())?;
    Some(called.name.to_owned())
}

/// The first name of a chain; of an assertion, that of what it is about.
fn root(expression: &Expression<'_>) -> Option<String> {
    let expression = match expression.get_inner_expression() {
        Expression::AssignmentExpression(assignment) => &assignment.right,
        other => other,
    };
    let link = root_of(expression)?;
    let subject = match link.name {
        "expect" | "within" | "assert" => {
            link.arguments.and_then(|arguments| arguments.first()).and_then(Argument::as_expression)
        }
        _ => None,
    };
    subject.and_then(root_of).map(|inner| inner.name.to_owned()).or_else(|| Some(link.name.to_owned()))
}
