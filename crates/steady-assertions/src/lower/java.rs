//! Java.

use serde_json::Value;
use steady_edit::Span;
use tree_sitter::Node;

use super::{Lower, Part, children, descendants, dot, field, forget, span_of, statement};
use crate::literal;
use crate::syntax::{Action, Kind, Names, Statement, Step, Test};

const ASSIGNMENTS: &[&str] = &["assignment_expression"];

impl Lower<'_> {
    pub(super) fn java(&self, root: Node<'_>) -> Vec<Test> {
        let methods = descendants(root, &["method_declaration"]);
        methods.into_iter().filter_map(|method| self.java_test(method)).collect()
    }

    fn java_test(&self, method: Node<'_>) -> Option<Test> {
        let name = self.source(field(method, "name")?).to_owned();
        let annotated = children(method)
            .into_iter()
            .filter(|child| child.kind() == "modifiers")
            .flat_map(children)
            .filter_map(|annotation| field(annotation, "name"))
            .any(|annotation| self.source(annotation).ends_with("Test"));
        (annotated || name.starts_with("test")).then_some(())?;
        let body = self.block(field(method, "body")?, 0, Self::java_statement);
        Some(Test { name, span: span_of(method), parameters: Vec::new(), setup: Vec::new(), body })
    }

    fn java_statement(&self, node: Node<'_>, depth: usize) -> Vec<Statement> {
        match node.kind() {
            "expression_statement" => {
                let Some(inner) = node.named_child(0) else { return Vec::new() };
                let target = field(inner, "left").filter(|_| inner.kind() == "assignment_expression");
                let action = match (target, field(inner, "right")) {
                    (Some(left), Some(right)) => {
                        Action::Bind(Names::One(self.source(left).to_owned()), self.expr(right, depth))
                    }
                    _ => Action::Evaluate(self.expr(inner, depth)),
                };
                vec![statement(node, action)]
            }
            "local_variable_declaration" => children(node)
                .into_iter()
                .filter(|child| child.kind() == "variable_declarator")
                .filter_map(|declarator| {
                    let name = self.source(field(declarator, "name")?).to_owned();
                    let value = self.expr(field(declarator, "value")?, depth);
                    Some(statement(node, Action::Bind(Names::One(name), value)))
                })
                .collect(),
            "block" => vec![statement(node, Action::Sequence(self.block(node, depth, Self::java_statement)))],
            "try_statement" | "try_with_resources_statement" | "synchronized_statement" => {
                let mut parts = Vec::new();
                for child in children(node) {
                    let mut inner = Vec::new();
                    for block in descendants(child, &["block"]) {
                        inner.extend(self.block(block, depth, Self::java_statement));
                    }
                    let branch = child.kind() == "catch_clause";
                    let action = if branch { Action::Branches(inner) } else { Action::Sequence(inner) };
                    parts.push(statement(child, action));
                }
                parts
            }
            "if_statement" => {
                let parts = ["consequence", "alternative"].into_iter().filter_map(|name| field(node, name));
                let inner = parts.flat_map(|part| self.java_statement(part, depth + 1)).collect();
                vec![statement(node, Action::Branches(inner))]
            }
            _ => forget(self, node, ASSIGNMENTS),
        }
    }
}

pub(super) fn part<'t>(lower: &Lower<'_>, node: Node<'t>, depth: usize) -> Part<Node<'t>> {
    chain(lower, node, depth).unwrap_or_else(|| Part::Whole(whole(lower, node)))
}

fn chain<'t>(lower: &Lower<'_>, node: Node<'t>, depth: usize) -> Option<Part<Node<'t>>> {
    Some(match node.kind() {
        "parenthesized_expression" => Part::Same(node.named_child(0)?),
        "cast_expression" => Part::Same(field(node, "value")?),
        "method_invocation" => {
            let (name, arguments) = (field(node, "name")?, field(node, "arguments")?);
            let call = (span_of(arguments), Step::Call(lower.exprs(arguments, depth)));
            match field(node, "object") {
                None => Part::Step(name, vec![call]),
                Some(object) => {
                    let member = Step::Member(lower.source(name).to_owned());
                    Part::Step(object, vec![(Span::new(dot(node, object), name.end_byte()), member), call])
                }
            }
        }
        "field_access" => {
            let (object, name) = (field(node, "object")?, field(node, "field")?);
            let member = Step::Member(lower.source(name).to_owned());
            Part::Step(object, vec![(Span::new(dot(node, object), name.end_byte()), member)])
        }
        _ => return None,
    })
}

fn whole(lower: &Lower<'_>, node: Node<'_>) -> Kind {
    let source = lower.source(node);
    let value = match node.kind() {
        "identifier" | "this" => return Kind::Name(source.to_owned()),
        "string_literal" => literal::string(source, lower.language).map(Value::String),
        "decimal_integer_literal" | "decimal_floating_point_literal" => literal::number(source, false),
        "unary_expression" => {
            source.strip_prefix('-').and_then(|digits| literal::number(digits.trim(), true))
        }
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        "null_literal" => Some(Value::Null),
        _ => None,
    };
    value.map_or(Kind::Opaque, Kind::Value)
}
