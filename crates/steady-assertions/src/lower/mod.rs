//! From a language's syntax tree to what the languages have in common.

mod java;
mod kotlin;
mod python;
mod script;

use std::path::Path;

use steady_edit::Span;
use tree_sitter::Node;

use crate::error::{LARGEST, ParseError};
use crate::language::Language;
use crate::parse::parse;
use crate::syntax::{Action, Block, Expr, File, Kind, Link, Names, Statement, Step};

/// How deep expressions and blocks are followed; what lies deeper is opaque.
const DEEPEST: usize = 100;

/// The tests of a file, and the functions they may call.
pub(crate) fn file(path: &Path, text: &str) -> Result<(Language, File), ParseError> {
    let owned = || path.to_owned();
    let Some(language) = Language::of(path) else { return Err(ParseError::Language { path: owned() }) };
    if text.len() > LARGEST {
        return Err(ParseError::TooLarge { path: owned(), bytes: text.len() });
    }
    let tests_only = |tests| File { tests, ..File::default() };
    let tree = |grammar: tree_sitter::Language| parse(path, text, &grammar);
    let file = match language {
        Language::Java => {
            let lower = Lower { text, language, part: java::part };
            tests_only(lower.java(tree(tree_sitter_java::LANGUAGE.into())?.root_node()))
        }
        Language::Kotlin => {
            let lower = Lower { text, language, part: kotlin::part };
            tests_only(lower.kotlin(tree(tree_sitter_kotlin_ng::LANGUAGE.into())?.root_node()))
        }
        Language::Python => {
            let lower = Lower { text, language, part: python::part };
            lower.python(tree(tree_sitter_python::LANGUAGE.into())?.root_node())
        }
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            script::file(path, text).map_err(|error| ParseError::of_script(path, error))?
        }
    };
    Ok((language, file))
}

/// What an expression's node is, one level deep.
enum Part<N> {
    /// The same value in another guise: in parentheses, awaited, cast.
    Same(N),
    /// A step taken from the value of another node.
    Step(N, Vec<(Span, Step)>),
    /// Something of its own.
    Whole(Kind),
}

/// The expression that a node is, whatever parser it comes from.
fn lowered<N: Copy>(
    node: N,
    depth: usize,
    span_of: impl Fn(N) -> Span,
    part: &impl Fn(N, usize) -> Part<N>,
) -> Expr {
    let span = span_of(node);
    if depth > DEEPEST {
        return Expr { span, kind: Kind::Opaque };
    }
    let mut links = Vec::new();
    let (mut node, mut upto) = (node, span);
    let base = loop {
        match part(node, depth + 1) {
            Part::Same(inner) => node = inner,
            Part::Step(object, steps) => {
                // Of several steps in one node, only the last reaches to the node's end.
                let last = steps.len().saturating_sub(1);
                for (at, (span, kind)) in steps.into_iter().enumerate().rev() {
                    let upto = if at == last { upto } else { Span::new(upto.start, span.end) };
                    links.push(Link { span, upto, kind });
                }
                node = object;
                upto = span_of(object);
            }
            Part::Whole(kind) => break Expr { span: upto, kind },
        }
    };
    if links.is_empty() {
        return Expr { span, kind: base.kind };
    }
    links.reverse();
    Expr { span, kind: Kind::Chain(Box::new(base), links) }
}

#[derive(Clone, Copy)]
struct Lower<'s> {
    text: &'s str,
    language: Language,
    part: for<'t> fn(&Lower<'_>, Node<'t>, usize) -> Part<Node<'t>>,
}

impl<'s> Lower<'s> {
    fn source(&self, node: Node<'_>) -> &'s str {
        &self.text[span_of(node)]
    }

    fn expr(&self, node: Node<'_>, depth: usize) -> Expr {
        lowered(node, depth, span_of, &|node, depth| (self.part)(self, node, depth))
    }

    fn exprs(&self, list: Node<'_>, depth: usize) -> Vec<Expr> {
        children(list).into_iter().map(|node| self.expr(node, depth)).collect()
    }

    /// The statements of a block, each lowered by `statement`.
    fn block(
        &self,
        block: Node<'_>,
        depth: usize,
        statement: fn(&Self, Node<'_>, usize) -> Vec<Statement>,
    ) -> Vec<Statement> {
        if depth > DEEPEST {
            return Vec::new();
        }
        let nodes = children(block);
        let place = Block { start: block.start_byte(), statements: nodes.len() };
        let mut statements: Vec<_> =
            nodes.into_iter().flat_map(|node| statement(self, node, depth + 1)).collect();
        for statement in &mut statements {
            statement.block = Some(place);
        }
        statements
    }
}

/// The named children of a node but for comments.
fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
}

/// The outermost nodes of these kinds below a node.
fn descendants<'t>(root: Node<'t>, kinds: &[&str]) -> Vec<Node<'t>> {
    walk(root, kinds, false)
}

/// The nodes of these kinds at or below a node, without recursion; `into` looks inside of those found, too.
fn walk<'t>(root: Node<'t>, kinds: &[&str], into: bool) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        let wanted = kinds.contains(&node.kind());
        if wanted {
            found.push(node);
        }
        if (into || !wanted) && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// Where the dot before a member stands.
fn dot(node: Node<'_>, object: Node<'_>) -> usize {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .find(|child| {
            child.start_byte() >= object.end_byte()
                && matches!(child.kind(), "." | "?." | "optional_chain" | "::")
        })
        .map_or(object.end_byte(), |child| child.start_byte())
}

/// A statement of which nothing is known but the names that may have a new value after it.
fn forget(lower: &Lower<'_>, node: Node<'_>, assignments: &[&str]) -> Vec<Statement> {
    let asserts = walk(node, &["assert_statement", "expression_statement"], false);
    let asserts: Vec<Span> = asserts
        .into_iter()
        .filter(|inner| is_assertion(lower.source(*inner)))
        .map(|inner| span_of(inner))
        .collect();
    let names = walk(node, assignments, true)
        .into_iter()
        .filter_map(|assignment| assignment.child_by_field_name("left").or_else(|| assignment.named_child(0)))
        .flat_map(|left| names_in(lower.source(left)))
        .collect();
    let nothing = Expr { span: span_of(node), kind: Kind::Opaque };
    let mut forgotten = vec![statement(node, Action::Bind(Names::Unknown(names), nothing))];
    if !asserts.is_empty() {
        forgotten.push(statement(node, Action::Repeated(asserts)));
    }
    forgotten
}

/// The names that the left side of an assignment gives a value to.
fn names_in(left: &str) -> impl Iterator<Item = String> {
    left.split(',').map(|name| name.trim().to_owned())
}

/// Whether a statement asserts something, by how it begins.
fn is_assertion(source: &str) -> bool {
    ["assert ", "assert(", "self.assert", "expect(", "await expect("]
        .iter()
        .any(|start| source.starts_with(start))
}

/// The bytes of a node.
fn span_of(node: Node<'_>) -> Span {
    node.byte_range().into()
}

fn statement(node: Node<'_>, kind: Action) -> Statement {
    Statement { span: span_of(node), block: None, kind }
}

fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}
