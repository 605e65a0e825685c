//! JavaScript and TypeScript.

use serde_json::Value;
use steady_edit::Span;
use tree_sitter::Node;

use super::{Lower, Part, children, descendants, dot, field, forget, span_of, statement};
use crate::literal;
use crate::syntax::{Action, Expr, File, Function, Kind, Link, Names, Statement, Step, Test};

const ASSIGNMENTS: &[&str] = &["assignment_expression", "augmented_assignment_expression"];

impl Lower<'_> {
    pub(super) fn script(&self, root: Node<'_>) -> File {
        let mut file = File::default();
        for function in descendants(root, &["function_declaration"]) {
            let lambda = self.script_lambda(function, 0);
            if let (Some(name), Some(Kind::Lambda { parameters, body, .. })) =
                (field(function, "name"), lambda)
            {
                let function = Function { parameters, body, fixture: false };
                file.functions.insert(self.source(name).to_owned(), function);
            }
        }
        collect(self.block(root, 0, Self::script_statement), &Around::default(), &mut file);
        file
    }

    fn script_statement(&self, node: Node<'_>, depth: usize) -> Vec<Statement> {
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
            "lexical_declaration" | "variable_declaration" => children(node)
                .into_iter()
                .filter_map(|declarator| {
                    let names = self.script_names(field(declarator, "name")?);
                    let value = self.expr(field(declarator, "value")?, depth);
                    Some(statement(node, Action::Bind(names, value)))
                })
                .collect(),
            // Its expression may hold chained assertions, but it must stay.
            "return_statement" => match node.named_child(0) {
                Some(value) => vec![statement(node, Action::Return(self.expr(value, depth)))],
                None => Vec::new(),
            },
            "statement_block" => {
                vec![statement(node, Action::Sequence(self.block(node, depth, Self::script_statement)))]
            }
            "try_statement" => {
                let mut parts = Vec::new();
                for name in ["body", "handler", "finalizer"] {
                    let Some(child) = field(node, name) else { continue };
                    let mut inner = Vec::new();
                    for block in descendants(child, &["statement_block"]) {
                        inner.extend(self.block(block, depth, Self::script_statement));
                    }
                    let action =
                        if name == "handler" { Action::Branches(inner) } else { Action::Sequence(inner) };
                    parts.push(statement(child, action));
                }
                parts
            }
            "if_statement" => {
                let parts = ["consequence", "alternative"].into_iter().filter_map(|name| field(node, name));
                let inner = parts.flat_map(|part| self.script_statement(part, depth + 1)).collect();
                vec![statement(node, Action::Branches(inner))]
            }
            "else_clause" => match node.named_child(0) {
                Some(inner) => self.script_statement(inner, depth + 1),
                None => Vec::new(),
            },
            "function_declaration" | "class_declaration" | "import_statement" => Vec::new(),
            _ => forget(self, node, ASSIGNMENTS),
        }
    }

    fn script_names(&self, pattern: Node<'_>) -> Names {
        let name = |node: Node<'_>| self.source(node).to_owned();
        match pattern.kind() {
            "identifier" => Names::One(name(pattern)),
            "object_pattern" => {
                let fields = children(pattern).into_iter().filter_map(|part| match part.kind() {
                    "shorthand_property_identifier_pattern" => Some((name(part), name(part))),
                    "pair_pattern" => {
                        let (key, value) = (field(part, "key")?, field(part, "value")?);
                        (value.kind() == "identifier").then(|| (name(key), name(value)))
                    }
                    _ => None,
                });
                Names::Fields(fields.collect())
            }
            _ => Names::Unknown(descendants(pattern, &["identifier"]).into_iter().map(name).collect()),
        }
    }

    fn script_lambda(&self, node: Node<'_>, depth: usize) -> Option<Kind> {
        let parameters = match field(node, "parameter") {
            Some(one) => vec![one],
            None => children(field(node, "parameters")?),
        };
        let parameters = parameters
            .into_iter()
            .map(|parameter| field(parameter, "pattern").unwrap_or(parameter))
            .map(|parameter| self.source(parameter).to_owned())
            .collect();
        let body = field(node, "body")?;
        let result = body.kind() != "statement_block";
        let body = if result {
            vec![statement(body, Action::Return(self.expr(body, depth)))]
        } else {
            self.block(body, depth, Self::script_statement)
        };
        Some(Kind::Lambda { parameters, body, result })
    }
}

/// What stands around a test: the titles, and what runs before it.
#[derive(Debug, Clone, Default)]
struct Around {
    titles: String,
    setup: Vec<Statement>,
}

/// The tests among these statements, named as Jest names them: after the blocks they stand in. Functions that are values of
/// constants are functions of the file, too.
fn collect(statements: Vec<Statement>, around: &Around, file: &mut File) {
    let mut inside = around.clone();
    for statement in statements {
        let value = match statement.kind {
            Action::Bind(Names::One(name), Expr { kind: Kind::Lambda { parameters, body, .. }, .. }) => {
                file.functions.insert(name, Function { parameters, body, fixture: false });
                continue;
            }
            Action::Evaluate(value) => value,
            _ => continue,
        };
        let Kind::Chain(base, mut links) = value.kind else { continue };
        let Kind::Name(function) = &base.kind else { continue };
        let Some(Link { kind: Step::Call(arguments), .. }) = links.pop() else { continue };
        let title = arguments.first().and_then(Expr::text).map(str::to_owned);
        let Some((parameters, body)) = arguments.into_iter().find_map(|argument| match argument.kind {
            Kind::Lambda { parameters, body, .. } => Some((parameters, body)),
            _ => None,
        }) else {
            continue;
        };
        let name = title.map(|title| match inside.titles.as_str() {
            "" => title,
            outer => format!("{outer} {title}"),
        });
        match (function.as_str(), name) {
            ("beforeEach" | "beforeAll" | "before", _) => inside.setup.extend(body),
            ("describe" | "context" | "suite", Some(titles)) => {
                collect(body, &Around { titles, setup: inside.setup.clone() }, file);
            }
            ("test" | "it" | "specify", Some(name)) => {
                let (span, setup) = (statement.span, inside.setup.clone());
                file.tests.push(Test { name, span, parameters, setup, body });
            }
            _ => {}
        }
    }
}

pub(super) fn part<'t>(lower: &Lower<'_>, node: Node<'t>, depth: usize) -> Part<'t> {
    chain(lower, node, depth)
        .unwrap_or_else(|| Part::Whole(whole(lower, node, depth).unwrap_or(Kind::Opaque)))
}

fn chain<'t>(lower: &Lower<'_>, node: Node<'t>, depth: usize) -> Option<Part<'t>> {
    Some(match node.kind() {
        "parenthesized_expression"
        | "await_expression"
        | "non_null_expression"
        | "as_expression"
        | "satisfies_expression" => Part::Same(children(node).first().copied()?),
        "member_expression" => {
            let (object, name) = (field(node, "object")?, field(node, "property")?);
            let member = Step::Member(lower.source(name).to_owned());
            Part::Step(object, vec![(Span::new(dot(node, object), name.end_byte()), member)])
        }
        "subscript_expression" => {
            let (object, index) = (field(node, "object")?, field(node, "index")?);
            let step = Step::Index(lower.expr(index, depth));
            Part::Step(object, vec![(Span::new(object.end_byte(), node.end_byte()), step)])
        }
        "call_expression" => {
            let (function, arguments) = (field(node, "function")?, field(node, "arguments")?);
            (arguments.kind() == "arguments").then_some(())?;
            let call = Step::Call(lower.exprs(arguments, depth));
            Part::Step(function, vec![(span_of(arguments), call)])
        }
        _ => return None,
    })
}

fn whole(lower: &Lower<'_>, node: Node<'_>, depth: usize) -> Option<Kind> {
    let source = lower.source(node);
    Some(Kind::Value(match node.kind() {
        "identifier" | "this" | "undefined" | "shorthand_property_identifier" => {
            return Some(Kind::Name(source.to_owned()));
        }
        "string" => Value::String(literal::string(source, lower.language)?),
        "template_string" if children(node).iter().all(|part| part.kind() != "template_substitution") => {
            Value::String(literal::string(source, lower.language)?)
        }
        "number" => literal::number(source, false)?,
        "unary_expression" => literal::number(source.strip_prefix('-')?.trim(), true)?,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" => Value::Null,
        "array" => return Some(Kind::List(lower.exprs(node, depth))),
        "object" => {
            let mut fields = Vec::new();
            for part in children(node) {
                if part.kind() == "shorthand_property_identifier" {
                    fields.push((lower.source(part).to_owned(), lower.expr(part, depth)));
                    continue;
                }
                let (key, value) = (field(part, "key")?, field(part, "value")?);
                let key = match key.kind() {
                    "property_identifier" | "number" => lower.source(key).to_owned(),
                    "string" => literal::string(lower.source(key), lower.language)?,
                    _ => return None,
                };
                fields.push((key, lower.expr(value, depth)));
            }
            return Some(Kind::Map(fields));
        }
        "arrow_function" | "function_expression" => return lower.script_lambda(node, depth),
        _ => return None,
    }))
}
