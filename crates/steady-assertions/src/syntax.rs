//! What the languages have in common: tests made of statements, and expressions that are mostly chains.
//!
//! Every language is lowered to this before anything is looked for. What has no part in reaching into a response
//! is [`Kind::Opaque`]; a long chain is a list and not a tree, so its length never becomes depth.

use std::collections::BTreeMap;

use serde_json::Value;
use steady_edit::Span;

/// What a file holds: its tests, and the functions they may call.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub tests: Vec<Test>,
    pub functions: BTreeMap<String, Function>,
}

/// A test and its statements.
#[derive(Debug)]
pub(crate) struct Test {
    pub name: String,
    pub span: Span,
    /// What the runner gives it: fixtures, or the values of a table.
    pub parameters: Vec<String>,
    /// What runs before it: the bodies of `beforeAll` and `beforeEach` around it, the outermost first.
    pub setup: Vec<Statement>,
    pub body: Vec<Statement>,
}

/// A function of the file's own.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub parameters: Vec<String>,
    pub body: Vec<Statement>,
    /// Whether it is a fixture of pytest: tests get its value by naming it as a parameter.
    pub fixture: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Statement {
    /// With its terminator.
    pub span: Span,
    /// The block it stands in; none where another statement could not take its place.
    pub block: Option<Block>,
    pub kind: Action,
}

/// The block a statement stands in: where it begins, and how many statements it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Block {
    pub start: usize,
    pub statements: usize,
}

#[derive(Debug, Clone)]
pub(crate) enum Action {
    /// Gives names a new value.
    Bind(Names, Expr),
    /// Evaluates an expression.
    Evaluate(Expr),
    /// Python's `assert`.
    Assert(Expr),
    /// Ends a function with a value.
    Return(Expr),
    /// Assertions that may run any number of times, in a loop; what they are about cannot be told.
    Repeated(Vec<Span>),
    /// Statements that follow each other, such as the body of a `try`.
    Sequence(Vec<Statement>),
    /// Statements of which some run: the branches of an `if`.
    Branches(Vec<Statement>),
}

/// What a binding gives a value to.
#[derive(Debug, Clone)]
pub(crate) enum Names {
    One(String),
    /// Fields taken apart: the field and its new name.
    Fields(Vec<(String, String)>),
    /// Names whose value cannot be told.
    Unknown(Vec<String>),
}

#[derive(Debug, Clone)]
pub(crate) struct Expr {
    pub span: Span,
    pub kind: Kind,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Name(String),
    /// A literal.
    Value(Value),
    List(Vec<Expr>),
    /// An object literal with constant keys.
    Map(Vec<(String, Expr)>),
    /// An expression and what is taken from it, step by step.
    Chain(Box<Expr>, Vec<Link>),
    Compare {
        operator: String,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `[element for item in list]`
    Each {
        item: String,
        element: Box<Expr>,
        list: Box<Expr>,
    },
    Lambda {
        parameters: Vec<String>,
        body: Vec<Statement>,
        /// Whether the body is one expression, which is the result.
        result: bool,
    },
    Opaque,
}

/// One step of a chain.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    /// The step itself, from its dot or bracket.
    pub span: Span,
    /// The whole expression up to and with this step.
    pub upto: Span,
    pub kind: Step,
}

#[derive(Debug, Clone)]
pub(crate) enum Step {
    Member(String),
    Index(Expr),
    Call(Vec<Expr>),
}

impl Expr {
    /// The constant it is, if it is one throughout.
    pub fn constant(&self) -> Option<Value> {
        match &self.kind {
            Kind::Value(value) => Some(value.clone()),
            Kind::List(items) => items.iter().map(Self::constant).collect(),
            Kind::Map(fields) => fields
                .iter()
                .map(|(name, value)| Some((name.clone(), value.constant()?)))
                .collect::<Option<serde_json::Map<_, _>>>()
                .map(Value::Object),
            _ => None,
        }
    }

    /// The text it is, if it is a text literal.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Value(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    /// The function and arguments of a plain call such as `equalTo(3)`; of `a.b(c)` it is `b`.
    pub fn call(&self) -> Option<(&str, &[Self])> {
        let Kind::Chain(base, links) = &self.kind else { return None };
        match links.as_slice() {
            [Link { kind: Step::Call(arguments), .. }] => match &base.kind {
                Kind::Name(name) => Some((name, arguments)),
                _ => None,
            },
            [.., Link { kind: Step::Member(name), .. }, Link { kind: Step::Call(arguments), .. }] => {
                Some((name, arguments))
            }
            _ => None,
        }
    }
}

/// The method call that begins at this link: its name and arguments.
pub(crate) fn method(links: &[Link], at: usize) -> Option<(&str, &[Expr])> {
    match links.get(at..at + 2)? {
        [Link { kind: Step::Member(name), .. }, Link { kind: Step::Call(arguments), .. }] => {
            Some((name, arguments))
        }
        _ => None,
    }
}
