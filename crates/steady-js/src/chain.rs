//! A call and what it is called on, as a chain of names.

use oxc_ast::ast::{Argument, CallExpression, ChainElement, Expression, MemberExpression};
use oxc_span::{GetSpan, Span};

/// A name in a chain, and what it is called with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link<'a> {
    /// The name; empty for a computed one and for the call of a call's result.
    pub(crate) name: &'a str,
    pub(crate) span: Span,
    pub(crate) arguments: Option<&'a [Argument<'a>]>,
    /// Where the name or, if it is called, the call ends.
    pub(crate) end: u32,
}

/// A call, seen as the chain that leads to it: `cy.get('#a').click()` is `cy`, `get('#a')`, `click()`.
#[derive(Debug, Clone)]
pub(crate) struct Call<'a> {
    pub(crate) node: &'a CallExpression<'a>,
    /// From the root to the name that is called: never empty.
    links: Vec<Link<'a>>,
}

impl<'a> Call<'a> {
    /// `None` for the call of something that has no name, such as a function written there.
    pub(crate) fn of(node: &'a CallExpression<'a>) -> Option<Self> {
        let links = links_of_call(node);
        if links.is_empty() { None } else { Some(Self { node, links }) }
    }

    pub(crate) fn links(&self) -> &[Link<'a>] {
        &self.links
    }

    /// The function or method that is called; for the call of a result, the one that gave it.
    pub(crate) fn name(&self) -> &'a str {
        self.named().map_or("", |link| link.name)
    }

    /// Where that name stands.
    pub(crate) fn name_span(&self) -> Span {
        self.named().map_or(self.node.span, |link| link.span)
    }

    fn named(&self) -> Option<&Link<'a>> {
        self.links.iter().rev().find(|link| !link.name.is_empty())
    }

    /// The first name of the chain.
    pub(crate) fn root(&self) -> &'a str {
        self.links[0].name
    }

    /// Whether it is called by its name alone.
    pub(crate) fn is_function(&self) -> bool {
        self.links.len() == 1
    }

    /// The names before the method, up to the first that is called.
    pub(crate) fn receiver(&self) -> String {
        let before = &self.links[..self.links.len() - 1];
        let names: Vec<&str> = before
            .iter()
            .enumerate()
            .take_while(|(place, link)| *place == 0 || link.arguments.is_none())
            .map(|(_, link)| link.name)
            .filter(|name| !matches!(*name, "" | "not" | "resolves" | "rejects"))
            .collect();
        names.join(".")
    }

    /// Whether it is called on exactly these names.
    pub(crate) fn is_on(&self, names: &[&str]) -> bool {
        let before = &self.links[..self.links.len() - 1];
        before.len() == names.len()
            && before.iter().zip(names).all(|(link, name)| link.arguments.is_none() && link.name == *name)
    }

    /// Whether some name of the chain before the method is this one.
    pub(crate) fn passes(&self, wanted: impl Fn(&str) -> bool) -> bool {
        self.links[..self.links.len() - 1].iter().any(|link| wanted(link.name))
    }

    pub(crate) fn arguments(&self) -> &'a [Argument<'a>] {
        &self.node.arguments
    }

    /// An argument that is an expression.
    pub(crate) fn argument(&self, place: usize) -> Option<&'a Expression<'a>> {
        self.arguments().get(place).and_then(Argument::as_expression)
    }
}

/// The root of the chain that an expression is: `page` of `(await page.$('#a')).click()`.
pub(crate) fn root_of<'a>(expression: &'a Expression<'a>) -> Option<Link<'a>> {
    links_of(expression).first().copied()
}

/// The names that an expression is: `a.b.c` without a call in it.
pub(crate) fn names_of<'a>(expression: &'a Expression<'a>) -> Option<Vec<&'a str>> {
    let links = links_of(expression);
    let plain = links.iter().all(|link| link.arguments.is_none() && !link.name.is_empty());
    (plain && !links.is_empty()).then(|| links.iter().map(|link| link.name).collect())
}

/// The chain that an expression is, from its root; empty when the root is not a name.
pub(crate) fn links_of<'a>(expression: &'a Expression<'a>) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    follow(expression, None, &mut links);
    links.reverse();
    links
}

/// The chain that a call is, from its root; empty when the root is not a name.
pub(crate) fn links_of_call<'a>(node: &'a CallExpression<'a>) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    follow(&node.callee, Some(node), &mut links);
    links.reverse();
    links
}

/// A call that is waiting for the name it belongs to.
type Called<'a> = Option<&'a CallExpression<'a>>;

/// Adds the chain from its end to its root; nothing when the root is not a name.
fn follow<'a>(start: &'a Expression<'a>, mut call: Called<'a>, links: &mut Vec<Link<'a>>) {
    let mut expression = start;
    loop {
        expression = match expression.get_inner_expression() {
            Expression::Identifier(identifier) => {
                return links.push(link(identifier.name.as_str(), identifier.span, call));
            }
            Expression::ThisExpression(this) => return links.push(link("this", this.span, call)),
            Expression::AwaitExpression(awaited) => &awaited.argument,
            Expression::NewExpression(new) => &new.callee,
            Expression::CallExpression(inner) => called(inner, &mut call, links),
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(inner) => called(inner, &mut call, links),
                ChainElement::TSNonNullExpression(inner) => &inner.expression,
                element => match element.as_member_expression() {
                    Some(member) => member_link(member, &mut call, links),
                    None => return links.clear(),
                },
            },
            other => match other.as_member_expression() {
                Some(member) => member_link(member, &mut call, links),
                None => return links.clear(),
            },
        };
    }
}

fn link<'a>(name: &'a str, span: Span, call: Called<'a>) -> Link<'a> {
    let arguments = call.map(|call| call.arguments.as_slice());
    Link { name, span, arguments, end: call.map_or(span.end, |call| call.span.end) }
}

fn called<'a>(
    inner: &'a CallExpression<'a>,
    call: &mut Called<'a>,
    links: &mut Vec<Link<'a>>,
) -> &'a Expression<'a> {
    if call.is_some() {
        links.push(link("", inner.span, *call));
    }
    *call = Some(inner);
    &inner.callee
}

fn member_link<'a>(
    member: &'a MemberExpression<'a>,
    call: &mut Called<'a>,
    links: &mut Vec<Link<'a>>,
) -> &'a Expression<'a> {
    let (span, name) = member.static_property_info().unwrap_or((member.span(), ""));
    links.push(link(name, span, call.take()));
    member.object()
}
