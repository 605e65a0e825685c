//! What a repair needs to know of a file: its calls, statements and functions, as spans.

use std::collections::{BTreeMap, BTreeSet};

use steady_edit::Span;

/// The parts of a file, each list in the order in which the parts end or, for statements and functions, begin.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) calls: Vec<Call>,
    pub(super) statements: Vec<Statement>,
    pub(super) functions: Vec<Function>,
    pub(super) comments: Vec<Span>,
    /// The texts of templates.
    pub(super) texts: Vec<Span>,
    /// The module that each imported or required name comes from.
    pub(super) imports: BTreeMap<String, String>,
    /// Every module that is imported or required.
    pub(super) modules: BTreeSet<String>,
    /// Whether the file awaits something outside of all functions.
    pub(super) awaits: bool,
    /// Names that the whole file knows.
    pub(super) globals: BTreeSet<String>,
}

/// A call.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) span: Span,
    /// The function or method.
    pub(super) name: String,
    /// The first byte of the name.
    pub(super) name_at: usize,
    /// The first name of the chain: `cy`, `page`, `this`, or the function itself.
    pub(super) root: String,
    /// The names before the method, up to the first that is called: `this.page`.
    pub(super) receiver: String,
    /// Whether it is called by its name alone.
    pub(super) is_function: bool,
    /// The call whose result the method is called on.
    pub(super) on: Option<usize>,
    /// The opening bracket of the arguments.
    pub(super) open: usize,
    pub(super) arguments: Vec<Argument>,
    /// Whether something waits for it: `await`, `return`, `yield`, the body of an arrow, or a list that is waited for.
    pub(super) awaited: bool,
    /// The innermost statement around it.
    pub(super) statement: Option<usize>,
}

/// An argument of a call.
#[derive(Debug)]
pub(super) struct Argument {
    pub(super) span: Span,
    pub(super) shape: Shape,
    /// Whether its name says that it holds options: `clickOptions`.
    pub(super) is_options: bool,
}

/// What an argument is.
#[derive(Debug)]
pub(super) enum Shape {
    /// A text or a template.
    Text,
    Number,
    /// A function, which is one of the outline's.
    Function,
    /// An object that is written out.
    Object(Object),
    /// Names: `options`, `this.options`.
    Names,
    /// A spread, `...all`: how many arguments it is nobody knows.
    Spread,
    Other,
}

/// An object that is written out.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) properties: Vec<Property>,
}

/// A property of an object; a spread has no name.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: Option<String>,
    pub(super) span: Span,
}

/// A statement.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) span: Span,
    pub(super) kind: Kind,
    /// Whether it is the body of an `if`, `else` or loop without braces.
    pub(super) is_bare: bool,
    /// The statement around it.
    pub(super) parent: Option<usize>,
    pub(super) function: Option<usize>,
}

/// What a statement is, as far as it matters where a wait may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An expression or a declaration of variables: a wait may follow it.
    Simple,
    /// `return`, `throw`, `break`, `continue`: nothing after it runs.
    Leaving,
    /// It holds statements: what stands in its head runs before them.
    Compound,
    /// A function, a class, an import, a type: nothing runs.
    Declaration,
}

/// A function.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) span: Span,
    pub(super) is_async: bool,
    pub(super) is_arrow: bool,
    /// Whether its only parameter is a name.
    pub(super) is_unary: bool,
    /// The braces and what is between them, or the expression that an arrow leads to.
    pub(super) body: Span,
    /// Whether the body is an expression.
    pub(super) is_expression: bool,
    /// The first byte of the first statement in the body.
    pub(super) first: Option<usize>,
    /// Names of its parameters and of the variables declared in it.
    pub(super) names: Vec<String>,
    /// The function around it.
    pub(super) parent: Option<usize>,
}

impl Outline {
    /// The calls that a chain passes through before this one, the nearest first.
    pub(super) fn before<'a>(&'a self, call: &'a Call) -> impl Iterator<Item = (usize, &'a Call)> {
        std::iter::successors(call.on, |at| self.calls[*at].on).map(|at| (at, &self.calls[at]))
    }

    /// Whether a name is known in a function: it or one around it declares the name, the file does, or nothing does and
    /// the runner provides it.
    pub(super) fn knows(&self, name: &str, function: Option<usize>) -> bool {
        let around = std::iter::successors(function, |at| self.functions[*at].parent);
        let declares = |function: &Function| function.names.iter().any(|declared| declared == name);
        self.globals.contains(name)
            || around.into_iter().any(|at| declares(&self.functions[at]))
            || !self.functions.iter().any(declares)
    }

    /// The calls that are given the functions around a statement, the innermost first: `waitFor(() => { … })`.
    pub(super) fn callers(&self, statement: usize) -> impl Iterator<Item = usize> {
        let around =
            std::iter::successors(self.statements[statement].function, |at| self.functions[*at].parent);
        around.filter_map(|function| {
            let span = self.functions[function].span;
            let given = |call: &Call| call.arguments.iter().any(|argument| argument.span == span);
            let caller = self.calls.iter().position(given)?;
            // The assertion that is given a function is not the call that polls it: `expect(() => …).toPass()`.
            let next = |call: &Call| call.on == Some(caller) && self.calls[caller].name == "expect";
            Some(self.calls.iter().position(next).unwrap_or(caller))
        })
    }

    /// The innermost statement around a span.
    pub(super) fn statement_around(&self, span: Span) -> Option<usize> {
        self.statements.iter().rposition(|statement| statement.span.covers(span))
    }

    /// Whether a byte is in a comment.
    pub(super) fn is_comment(&self, byte: usize) -> bool {
        self.comments.iter().any(|comment| comment.contains(byte))
    }

    /// Whether a module of this name, or below it, is imported.
    pub(super) fn uses(&self, module: &str) -> bool {
        self.modules
            .iter()
            .any(|used| used == module || used.strip_prefix(module).is_some_and(|rest| rest.starts_with('/')))
    }
}

impl Argument {
    /// Whether it could be a length.
    pub(super) fn may_be_length(&self) -> bool {
        matches!(self.shape, Shape::Number | Shape::Names)
    }

    /// Whether it is written out as an object.
    pub(super) fn object(&self) -> Option<&Object> {
        match &self.shape {
            Shape::Object(object) => Some(object),
            _ => None,
        }
    }
}
