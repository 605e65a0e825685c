//! Python.

use serde_json::Value;
use steady_edit::Span;
use tree_sitter::Node;

use super::{Lower, Part, children, descendants, dot, field, forget, span_of, statement};
use crate::literal;
use crate::syntax::{Action, File, Function, Kind, Names, Statement, Step, Test};

const ASSIGNMENTS: &[&str] = &["assignment", "augmented_assignment", "named_expression", "for_statement"];

impl Lower<'_> {
    pub(super) fn python(&self, root: Node<'_>) -> File {
        let mut file = File::default();
        for function in descendants(root, &["function_definition"]) {
            let (Some(name), Some(body)) = (field(function, "name"), field(function, "body")) else {
                continue;
            };
            let name = self.source(name).to_owned();
            let parameters = self.python_parameters(function);
            let body = self.block(body, 0, Self::python_statement);
            if name.starts_with("test") {
                let span = span_of(function);
                file.tests.push(Test { name, span, parameters, setup: Vec::new(), body });
                continue;
            }
            let decorated = function.parent().filter(|parent| parent.kind() == "decorated_definition");
            let outside = decorated.unwrap_or(function).parent();
            if outside.is_some_and(|outside| outside.kind() == "module") {
                let decorators = decorated.map(children).unwrap_or_default();
                let fixture = decorators
                    .iter()
                    .any(|part| part.kind() == "decorator" && self.source(*part).contains("fixture"));
                file.functions.insert(name, Function { parameters, body, fixture });
            }
        }
        file
    }

    /// The names of a function's parameters; one that takes whatever is left over has none that could be told.
    fn python_parameters(&self, function: Node<'_>) -> Vec<String> {
        let Some(parameters) = field(function, "parameters") else { return Vec::new() };
        children(parameters)
            .into_iter()
            .map(|parameter| match parameter.kind() {
                "identifier" => self.source(parameter).to_owned(),
                "list_splat_pattern" | "dictionary_splat_pattern" => String::new(),
                _ => descendants(parameter, &["identifier"])
                    .first()
                    .map(|name| self.source(*name).to_owned())
                    .unwrap_or_default(),
            })
            .collect()
    }

    fn python_statement(&self, node: Node<'_>, depth: usize) -> Vec<Statement> {
        match node.kind() {
            "return_statement" => match node.named_child(0) {
                Some(value) => vec![statement(node, Action::Return(self.expr(value, depth)))],
                None => Vec::new(),
            },
            "expression_statement" => {
                let Some(inner) = node.named_child(0) else { return Vec::new() };
                // A fixture of pytest gives the test its value this way.
                if inner.kind() == "yield" {
                    let value = inner.named_child(0).map(|value| Action::Return(self.expr(value, depth)));
                    return value.map(|action| statement(node, action)).into_iter().collect();
                }
                let targets = field(inner, "left").filter(|_| inner.kind() == "assignment");
                let action = match (targets, field(inner, "right")) {
                    (Some(left), Some(right)) if matches!(left.kind(), "identifier" | "attribute") => {
                        Action::Bind(Names::One(self.source(left).to_owned()), self.expr(right, depth))
                    }
                    (Some(_), _) => return forget(self, node, ASSIGNMENTS),
                    _ if inner.kind() == "augmented_assignment" => return forget(self, node, ASSIGNMENTS),
                    _ => Action::Evaluate(self.expr(inner, depth)),
                };
                vec![statement(node, action)]
            }
            "assert_statement" => match node.named_child(0) {
                Some(condition) => vec![statement(node, Action::Assert(self.expr(condition, depth)))],
                None => Vec::new(),
            },
            "with_statement" => {
                let mut parts = Vec::new();
                for item in descendants(node, &["as_pattern", "block"]) {
                    let (Some(value), Some(alias)) = (item.named_child(0), field(item, "alias")) else {
                        continue;
                    };
                    let names = Names::One(self.source(alias).to_owned());
                    parts.push(statement(item, Action::Bind(names, self.expr(value, depth))));
                }
                parts.extend(self.python_sequence(node, depth));
                parts
            }
            "try_statement" => {
                let mut parts = self.python_sequence(node, depth);
                for clause in children(node) {
                    let inner = self.python_blocks(clause, depth);
                    match clause.kind() {
                        "except_clause" => parts.push(statement(clause, Action::Branches(inner))),
                        "else_clause" | "finally_clause" => {
                            parts.push(statement(clause, Action::Sequence(inner)));
                        }
                        _ => {}
                    }
                }
                parts
            }
            "if_statement" => {
                let inner = self.python_blocks(node, depth);
                vec![statement(node, Action::Branches(inner))]
            }
            "function_definition" | "class_definition" | "decorated_definition" => Vec::new(),
            _ => forget(self, node, ASSIGNMENTS),
        }
    }

    /// The body of a statement that has one block.
    fn python_sequence(&self, node: Node<'_>, depth: usize) -> Vec<Statement> {
        let Some(body) = field(node, "body") else { return Vec::new() };
        vec![statement(body, Action::Sequence(self.block(body, depth, Self::python_statement)))]
    }

    /// The statements of the outermost blocks below a node.
    fn python_blocks(&self, node: Node<'_>, depth: usize) -> Vec<Statement> {
        let mut inner = Vec::new();
        for block in descendants(node, &["block"]) {
            inner.extend(self.block(block, depth, Self::python_statement));
        }
        inner
    }
}

pub(super) fn part<'t>(lower: &Lower<'_>, node: Node<'t>, depth: usize) -> Part<Node<'t>> {
    chain(lower, node, depth)
        .unwrap_or_else(|| Part::Whole(whole(lower, node, depth).unwrap_or(Kind::Opaque)))
}

fn chain<'t>(lower: &Lower<'_>, node: Node<'t>, depth: usize) -> Option<Part<Node<'t>>> {
    Some(match node.kind() {
        "parenthesized_expression" | "await" => Part::Same(children(node).first().copied()?),
        "attribute" => {
            let (object, name) = (field(node, "object")?, field(node, "attribute")?);
            let member = Step::Member(lower.source(name).to_owned());
            Part::Step(object, vec![(Span::new(dot(node, object), name.end_byte()), member)])
        }
        "call" => {
            let (function, arguments) = (field(node, "function")?, field(node, "arguments")?);
            let call = Step::Call(lower.exprs(arguments, depth));
            Part::Step(function, vec![(span_of(arguments), call)])
        }
        "subscript" => {
            let value = field(node, "value")?;
            let [_, index] = children(node)[..] else { return None };
            let step = Step::Index(lower.expr(index, depth));
            Part::Step(value, vec![(Span::new(value.end_byte(), node.end_byte()), step)])
        }
        _ => return None,
    })
}

fn whole(lower: &Lower<'_>, node: Node<'_>, depth: usize) -> Option<Kind> {
    let source = lower.source(node);
    Some(Kind::Value(match node.kind() {
        "identifier" => return Some(Kind::Name(source.to_owned())),
        "string" => Value::String(literal::string(source, lower.language)?),
        "concatenated_string" => {
            let parts =
                children(node).into_iter().map(|part| literal::string(lower.source(part), lower.language));
            Value::String(parts.collect::<Option<String>>()?)
        }
        "integer" | "float" => literal::number(source, false)?,
        "unary_operator" => literal::number(source.strip_prefix('-')?.trim(), true)?,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "none" => Value::Null,
        "list" => return Some(Kind::List(lower.exprs(node, depth))),
        "dictionary" => {
            let mut fields = Vec::new();
            for pair in children(node) {
                let (key, value) = (field(pair, "key")?, field(pair, "value")?);
                let key = literal::string(lower.source(key), lower.language)?;
                fields.push((key, lower.expr(value, depth)));
            }
            return Some(Kind::Map(fields));
        }
        // A part that is left out, or a list within a list, makes the items another list's.
        "list_comprehension" => {
            let (element, clauses) = (field(node, "body")?, children(node));
            let [_, clause] = clauses[..] else { return None };
            let (item, list) = (field(clause, "left")?, field(clause, "right")?);
            (clause.kind() == "for_in_clause" && item.kind() == "identifier").then_some(())?;
            return Some(Kind::Each {
                item: lower.source(item).to_owned(),
                element: Box::new(lower.expr(element, depth)),
                list: Box::new(lower.expr(list, depth)),
            });
        }
        "comparison_operator" => {
            let [left, right] = children(node)[..] else { return None };
            let operator = lower.text[left.end_byte()..right.start_byte()].split_whitespace();
            return Some(Kind::Compare {
                operator: operator.collect::<Vec<_>>().join(" "),
                left: Box::new(lower.expr(left, depth)),
                right: Box::new(lower.expr(right, depth)),
            });
        }
        _ => return None,
    }))
}
