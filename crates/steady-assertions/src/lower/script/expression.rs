//! Expressions of JavaScript and TypeScript.

use oxc_ast::ast::{
    Argument, ArrayExpression, ArrayExpressionElement, ArrowFunctionBody, ArrowFunctionExpression,
    CallExpression, ChainElement, ComputedMemberExpression, Expression, ObjectExpression, ObjectPropertyKind,
    PropertyKey, PropertyKind,
};
use serde_json::Value;
use steady_edit::Span;
use steady_js::ByteSpan;

use super::{Script, statement};
use crate::language::Language;
use crate::literal;
use crate::lower::{Part, lowered};
use crate::syntax::{Action, Expr, Kind, Step};

type Node<'t, 'a> = &'t Expression<'a>;

impl Script<'_> {
    pub(super) fn expr(&self, node: &Expression<'_>, depth: usize) -> Expr {
        lowered(node, depth, ByteSpan::byte_span, &|node, depth| self.part(node, depth))
    }

    fn part<'t, 'a>(&self, node: Node<'t, 'a>, depth: usize) -> Part<Node<'t, 'a>> {
        let step = self.step(node, depth);
        step.unwrap_or_else(|| Part::Whole(self.whole(node, depth).unwrap_or(Kind::Opaque)))
    }

    /// A node that is another one's value, or something taken from it.
    fn step<'t, 'a>(&self, node: Node<'t, 'a>, depth: usize) -> Option<Part<Node<'t, 'a>>> {
        Some(match node {
            Expression::ParenthesizedExpression(inner) => Part::Same(&inner.expression),
            Expression::AwaitExpression(inner) => Part::Same(&inner.argument),
            Expression::TSNonNullExpression(inner) => Part::Same(&inner.expression),
            Expression::TSAsExpression(inner) => Part::Same(&inner.expression),
            Expression::TSSatisfiesExpression(inner) => Part::Same(&inner.expression),
            Expression::StaticMemberExpression(member) => {
                self.member(&member.object, member.property.byte_span())
            }
            Expression::PrivateFieldExpression(member) => {
                self.member(&member.object, member.field.byte_span())
            }
            Expression::ComputedMemberExpression(member) => self.index(member, depth),
            Expression::CallExpression(call) => self.call(call, depth),
            // `a?.b` is `a.b` that may end early.
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => self.call(call, depth),
                ChainElement::TSNonNullExpression(inner) => Part::Same(&inner.expression),
                ChainElement::StaticMemberExpression(member) => {
                    self.member(&member.object, member.property.byte_span())
                }
                ChainElement::PrivateFieldExpression(member) => {
                    self.member(&member.object, member.field.byte_span())
                }
                ChainElement::ComputedMemberExpression(member) => self.index(member, depth),
            },
            _ => return None,
        })
    }

    fn member<'t, 'a>(&self, object: Node<'t, 'a>, name: Span) -> Part<Node<'t, 'a>> {
        let dot = after_blanks(self.text, object.byte_span().end);
        let step = Step::Member(self.text[name].to_owned());
        Part::Step(object, vec![(Span::new(dot, name.end), step)])
    }

    fn index<'t, 'a>(&self, node: &'t ComputedMemberExpression<'a>, depth: usize) -> Part<Node<'t, 'a>> {
        let step = Step::Index(self.expr(&node.expression, depth));
        let span = Span::new(node.object.byte_span().end, node.byte_span().end);
        Part::Step(&node.object, vec![(span, step)])
    }

    fn call<'t, 'a>(&self, node: &'t CallExpression<'a>, depth: usize) -> Part<Node<'t, 'a>> {
        let before =
            node.type_arguments.as_ref().map_or(node.callee.byte_span().end, |types| types.byte_span().end);
        let mut open = after_blanks(self.text, before);
        // `a?.(b)` and `a?.<T>(b)`.
        if self.text[open..].starts_with("?.") {
            open = after_blanks(self.text, open + 2);
        }
        let arguments = node.arguments.iter().map(|argument| self.argument(argument, depth)).collect();
        Part::Step(&node.callee, vec![(Span::new(open, node.byte_span().end), Step::Call(arguments))])
    }

    fn argument(&self, argument: &Argument<'_>, depth: usize) -> Expr {
        match argument.as_expression() {
            Some(expression) => self.expr(expression, depth),
            None => opaque(argument),
        }
    }

    /// A node that is something of its own.
    fn whole(&self, node: &Expression<'_>, depth: usize) -> Option<Kind> {
        let source = &self.text[node.byte_span()];
        Some(Kind::Value(match node {
            Expression::Identifier(_) | Expression::ThisExpression(_) => {
                return Some(Kind::Name(source.to_owned()));
            }
            Expression::StringLiteral(_) => Value::String(self.string(source)?),
            Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
                Value::String(self.string(source)?)
            }
            Expression::NumericLiteral(_) | Expression::BigIntLiteral(_) => literal::number(source, false)?,
            Expression::UnaryExpression(_) => literal::number(source.strip_prefix('-')?.trim(), true)?,
            Expression::BooleanLiteral(literal) => Value::Bool(literal.value),
            Expression::NullLiteral(_) => Value::Null,
            Expression::ArrayExpression(array) => return Some(Kind::List(self.items(array, depth))),
            Expression::ObjectExpression(object) => return self.fields(object, depth),
            Expression::ArrowFunctionExpression(arrow) => return Some(self.arrow(arrow, depth)),
            Expression::FunctionExpression(function) if !function.generator => {
                return Some(self.lambda(&function.params, function.body.as_ref()?, depth));
            }
            _ => return None,
        }))
    }

    fn string(&self, source: &str) -> Option<String> {
        literal::string(source, Language::JavaScript)
    }

    fn items(&self, array: &ArrayExpression<'_>, depth: usize) -> Vec<Expr> {
        let items = array.elements.iter().filter_map(|element| match element {
            ArrayExpressionElement::Elision(_) => None,
            ArrayExpressionElement::SpreadElement(spread) => Some(opaque(&**spread)),
            element => element.as_expression().map(|item| self.expr(item, depth)),
        });
        items.collect()
    }

    /// The fields of an object; none if one is computed, spread or a method.
    fn fields(&self, object: &ObjectExpression<'_>, depth: usize) -> Option<Kind> {
        let fields = object.properties.iter().map(|property| {
            let ObjectPropertyKind::ObjectProperty(property) = property else { return None };
            if property.computed || property.method || property.kind != PropertyKind::Init {
                return None;
            }
            let source = &self.text[property.key.byte_span()];
            let key = match &property.key {
                PropertyKey::StaticIdentifier(_) | PropertyKey::NumericLiteral(_) => source.to_owned(),
                PropertyKey::StringLiteral(_) => self.string(source)?,
                _ => return None,
            };
            Some((key, self.expr(&property.value, depth)))
        });
        fields.collect::<Option<Vec<_>>>().map(Kind::Map)
    }

    fn arrow(&self, arrow: &ArrowFunctionExpression<'_>, depth: usize) -> Kind {
        match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => self.lambda(&arrow.params, body, depth),
            body => {
                let value = body.to_expression();
                let parameters = self.parameters(&arrow.params);
                let body = vec![statement(value, Action::Return(self.expr(value, depth)))];
                Kind::Lambda { parameters, body, result: true }
            }
        }
    }
}

fn opaque(node: &impl ByteSpan) -> Expr {
    Expr { span: node.byte_span(), kind: Kind::Opaque }
}

/// The first byte from here on that is neither white space nor a part of a comment.
fn after_blanks(text: &str, from: usize) -> usize {
    let mut rest = &text[from..];
    loop {
        rest = rest.trim_start();
        let comment = match rest {
            line if line.starts_with("//") => line.find(['\n', '\r', '\u{2028}', '\u{2029}']),
            block if block.starts_with("/*") => block.find("*/").map(|end| end + 2),
            _ => break,
        };
        let Some(end) = comment else { break };
        rest = &rest[end..];
    }
    text.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use super::after_blanks;

    #[test]
    fn comments_are_blanks() {
        for (text, rest) in [
            ("  .a", ".a"),
            ("// .x\n  /* .y */ .a", ".a"),
            ("/**/(b)", "(b)"),
            ("/* no end", "/* no end"),
            ("", ""),
        ] {
            assert_eq!(&text[after_blanks(text, 0)..], rest);
        }
    }
}
