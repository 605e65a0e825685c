//! Kotlin.

use serde_json::Value;
use steady_edit::Span;
use tree_sitter::Node;

use super::{Lower, Part, children, descendants, dot, field, forget, span_of, statement};
use crate::literal;
use crate::syntax::{Action, Expr, Kind, Names, Statement, Step, Test};

const ASSIGNMENTS: &[&str] = &["assignment"];

impl Lower<'_> {
    pub(super) fn kotlin(&self, root: Node<'_>) -> Vec<Test> {
        let functions = descendants(root, &["function_declaration"]);
        functions.into_iter().filter_map(|function| self.kotlin_test(function)).collect()
    }

    fn kotlin_test(&self, function: Node<'_>) -> Option<Test> {
        let name = self.kotlin_name(field(function, "name")?);
        let parts = children(function);
        let annotated = parts
            .iter()
            .filter(|child| child.kind() == "modifiers")
            .flat_map(|modifiers| descendants(*modifiers, &["user_type"]))
            .any(|annotation| self.source(annotation).ends_with("Test"));
        (annotated || name.starts_with("test")).then_some(())?;
        let body = parts.into_iter().find(|child| child.kind() == "function_body")?.named_child(0)?;
        let body = match body.kind() {
            "block" => self.block(body, 0, Self::kotlin_statement),
            _ => vec![statement(body, Action::Evaluate(self.expr(body, 0)))],
        };
        Some(Test { name, span: span_of(function), parameters: Vec::new(), setup: Vec::new(), body })
    }

    /// A name without the backticks around it.
    fn kotlin_name(&self, node: Node<'_>) -> String {
        self.source(node).trim_matches('`').to_owned()
    }

    fn kotlin_statement(&self, node: Node<'_>, depth: usize) -> Vec<Statement> {
        match node.kind() {
            "property_declaration" => {
                let parts = children(node);
                let names: Vec<_> = parts
                    .iter()
                    .filter(|part| part.kind().ends_with("variable_declaration"))
                    .flat_map(|part| descendants(*part, &["identifier", "user_type"]))
                    .filter(|part| part.kind() == "identifier")
                    .map(|name| self.kotlin_name(name))
                    .collect();
                let Some(value) = parts.last().filter(|part| !part.kind().ends_with("variable_declaration"))
                else {
                    return Vec::new();
                };
                let names = match <[String; 1]>::try_from(names) {
                    Ok([name]) => Names::One(name),
                    Err(names) => Names::Unknown(names),
                };
                vec![statement(node, Action::Bind(names, self.expr(*value, depth)))]
            }
            "assignment" => match (field(node, "left"), field(node, "right")) {
                (Some(left), Some(right)) => {
                    let names = Names::One(self.kotlin_name(left));
                    vec![statement(node, Action::Bind(names, self.expr(right, depth)))]
                }
                _ => Vec::new(),
            },
            "block" => {
                vec![statement(node, Action::Sequence(self.block(node, depth, Self::kotlin_statement)))]
            }
            "try_expression" => {
                let mut parts = Vec::new();
                for child in children(node) {
                    let mut inner = Vec::new();
                    for block in descendants(child, &["block"]) {
                        inner.extend(self.block(block, depth, Self::kotlin_statement));
                    }
                    let branch = child.kind() == "catch_block";
                    let action = if branch { Action::Branches(inner) } else { Action::Sequence(inner) };
                    parts.push(statement(child, action));
                }
                parts
            }
            "if_expression" => {
                let parts = children(node)
                    .into_iter()
                    .filter(|part| matches!(part.kind(), "block" | "if_expression"));
                let inner = parts.flat_map(|part| self.kotlin_statement(part, depth + 1)).collect();
                vec![statement(node, Action::Branches(inner))]
            }
            "call_expression" | "navigation_expression" | "binary_expression" => {
                vec![statement(node, Action::Evaluate(self.expr(node, depth)))]
            }
            _ => forget(self, node, ASSIGNMENTS),
        }
    }

    fn kotlin_arguments(&self, node: Node<'_>, depth: usize) -> Vec<Expr> {
        if node.kind() != "value_arguments" {
            return vec![Expr { span: span_of(node), kind: Kind::Opaque }];
        }
        let arguments = children(node).into_iter().filter_map(|argument| children(argument).pop());
        arguments.map(|argument| self.expr(argument, depth)).collect()
    }
}

pub(super) fn part<'t>(lower: &Lower<'_>, node: Node<'t>, depth: usize) -> Part<Node<'t>> {
    chain(lower, node, depth).unwrap_or_else(|| Part::Whole(whole(lower, node)))
}

fn chain<'t>(lower: &Lower<'_>, node: Node<'t>, depth: usize) -> Option<Part<Node<'t>>> {
    Some(match node.kind() {
        "parenthesized_expression" | "as_expression" => Part::Same(node.named_child(0)?),
        "unary_expression" if lower.source(node).ends_with("!!") => Part::Same(node.named_child(0)?),
        "call_expression" => {
            let callee = node.named_child(0)?;
            let arguments = children(node).pop().filter(|last| last.id() != callee.id())?;
            let call = Step::Call(lower.kotlin_arguments(arguments, depth));
            Part::Step(callee, vec![(span_of(arguments), call)])
        }
        "navigation_expression" => {
            let (object, name) = (node.named_child(0)?, children(node).pop()?);
            (name.id() != object.id()).then_some(())?;
            let member = Step::Member(lower.kotlin_name(name));
            Part::Step(object, vec![(Span::new(dot(node, object), name.end_byte()), member)])
        }
        // The grammar reads `path<String>("id")` as two comparisons.
        "binary_expression" => {
            let (left, right) = (field(node, "left")?, field(node, "right")?);
            let callee = field(left, "left").filter(|_| left.kind() == "binary_expression")?;
            let after = field(left, "right")?;
            let opens = lower.text[callee.end_byte()..after.start_byte()].trim() == "<";
            let closes = lower.text[left.end_byte()..right.start_byte()].trim() == ">";
            (opens && closes && right.kind() == "parenthesized_expression").then_some(())?;
            let argument = lower.expr(right.named_child(0)?, depth);
            Part::Step(
                callee,
                vec![(Span::new(callee.end_byte(), right.end_byte()), Step::Call(vec![argument]))],
            )
        }
        _ => return None,
    })
}

fn whole(lower: &Lower<'_>, node: Node<'_>) -> Kind {
    let source = lower.source(node);
    let value = match node.kind() {
        "identifier" | "this_expression" => match source {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null" => Some(Value::Null),
            _ => return Kind::Name(lower.kotlin_name(node)),
        },
        "string_literal" | "multiline_string_literal" => {
            literal::string(source, lower.language).map(Value::String)
        }
        "number_literal" | "float_literal" => literal::number(source, false),
        "unary_expression" => {
            source.strip_prefix('-').and_then(|digits| literal::number(digits.trim(), true))
        }
        _ => None,
    };
    value.map_or(Kind::Opaque, Kind::Value)
}
