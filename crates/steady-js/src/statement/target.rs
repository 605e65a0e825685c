//! The element of a page that a statement touches.

use oxc_ast::ast::{Argument, Expression};
use steady_edit::Span;

use crate::chain::{Link, links_of};
use crate::parse::byte_span::ByteSpan;

/// Arguments in arguments are looked into this far: `fireEvent.click(within(list).getByText('x'))`.
const DEEPEST: usize = 3;

/// An element of a page, by the expression that finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// What the page, the driver or the query is called: `page`, `cy`, `screen`; empty for a bare `getByText`.
    pub receiver: String,
    /// The method that is given the selector: `locator`, `getByRole`, `click`, `findElement`, `get`.
    pub method: String,
    /// The expression that finds it, such as `page.locator('#a')`; `None` when an action takes the selector, as `page.click('#a')`.
    pub locator: Option<Span>,
    /// The selector: the method's first argument.
    pub selector: Option<Span>,
}

impl Target {
    pub(crate) fn of(expression: &Expression<'_>, text: &str) -> Option<Self> {
        locate(expression, text, DEEPEST)
    }
}

fn locate(start: &Expression<'_>, text: &str, left: usize) -> Option<Target> {
    let left = left.checked_sub(1)?;
    let expression = match start.get_inner_expression() {
        Expression::AssignmentExpression(assignment) => &assignment.right,
        other => other,
    };
    let links = links_of(expression);
    if let Some(place) =
        links.iter().rposition(|link| link.arguments.is_some() && is_locating(link.name, links[0].name))
    {
        return located(&links, place, text);
    }
    let inner = links.iter().filter_map(|link| link.arguments).flatten().filter_map(Argument::as_expression);
    let within =
        || inner.filter(|argument| is_chain(argument)).find_map(|argument| locate(argument, text, left));
    acted_on(&links).or_else(within).or_else(|| named(start, &links))
}

/// The target of a chain that locates at a place, with what narrows it down behind.
fn located(links: &[Link<'_>], place: usize, text: &str) -> Option<Target> {
    let narrowed = links[place + 1..].iter().take_while(|link| is_narrowing(link.name)).count();
    let span = Span { start: links[0].span.start as usize, end: links[place + narrowed].end as usize };
    let source = span.get(text)?;
    // `(await list).locator('a')`: the chain starts inside of a bracket.
    let is_whole = source.matches('(').count() == source.matches(')').count();
    is_whole.then(|| Target {
        receiver: if place == 0 { String::new() } else { links[0].name.to_owned() },
        method: links[place].name.to_owned(),
        locator: Some(span),
        selector: first_argument(&links[place]),
    })
}

/// The target of `page.click('#a')` and `t.typeText('#a', 'x')`.
fn acted_on(links: &[Link<'_>]) -> Option<Target> {
    let [root, between @ .., action] = links else { return None };
    // Keys and clicks of the page as a whole touch no element in particular.
    if between.iter().any(|link| matches!(link.name, "keyboard" | "mouse" | "touchscreen")) {
        return None;
    }
    let text = action.arguments?.first()?;
    let is_text = matches!(text, Argument::StringLiteral(_) | Argument::TemplateLiteral(_));
    let takes_selector = matches!(
        action.name,
        "click"
            | "dblclick"
            | "tap"
            | "fill"
            | "type"
            | "press"
            | "check"
            | "uncheck"
            | "hover"
            | "focus"
            | "selectOption"
            | "select"
            | "typeText"
            | "setValue"
            | "textContent"
            | "innerText"
            | "isVisible"
            | "waitForSelector"
            | "doubleClick"
    );
    let is_page = matches!(root.name, "page" | "frame" | "popup" | "t" | "browser" | "client" | "this" | "I");
    (is_text && takes_selector && is_page && root.arguments.is_none()).then(|| Target {
        receiver: root.name.to_owned(),
        method: action.name.to_owned(),
        locator: None,
        selector: first_argument(action),
    })
}

/// The target of `await button.click()`: a locator that has a name.
fn named(expression: &Expression<'_>, links: &[Link<'_>]) -> Option<Target> {
    let [root, action] = links else { return None };
    let is_awaited = matches!(expression.get_inner_expression(), Expression::AwaitExpression(_));
    let is_action = matches!(
        action.name,
        "click"
            | "dblclick"
            | "fill"
            | "check"
            | "uncheck"
            | "hover"
            | "selectOption"
            | "textContent"
            | "innerText"
    );
    let is_element = !matches!(
        root.name,
        "page"
            | "frame"
            | "popup"
            | "t"
            | "browser"
            | "client"
            | "driver"
            | "this"
            | "I"
            | "cy"
            | "user"
            | "userEvent"
    );
    (is_awaited && is_action && is_element && root.arguments.is_none() && action.arguments.is_some()).then(
        || Target {
            receiver: root.name.to_owned(),
            method: action.name.to_owned(),
            locator: Some(root.span.byte_span()),
            selector: None,
        },
    )
}

fn first_argument(link: &Link<'_>) -> Option<Span> {
    link.arguments?.first().map(ByteSpan::byte_span)
}

fn is_chain(expression: &Expression<'_>) -> bool {
    let inner = expression.get_inner_expression();
    inner.is_member_expression()
        || matches!(inner, Expression::CallExpression(_) | Expression::AwaitExpression(_))
}

/// Methods that find an element. `get` and `contains` are those of Cypress alone.
fn is_locating(name: &str, root: &str) -> bool {
    if is_of_records(name) {
        return false;
    }
    let by = |prefix: &str| name.starts_with(prefix);
    matches!(
        name,
        "locator"
            | "frameLocator"
            | "$"
            | "$$"
            | "findElement"
            | "findElements"
            | "Selector"
            | "querySelector"
    ) || (root == "cy" && matches!(name, "get" | "contains"))
        || by("getBy")
        || by("getAllBy")
        || by("queryBy")
        || by("findBy")
        || by("findAllBy")
}

/// Methods that look up a record rather than an element: `findById`, `findByPk`.
pub(crate) fn is_of_records(name: &str) -> bool {
    ["findById", "findByID", "findByPk", "getById", "getByID"].iter().any(|prefix| name.starts_with(prefix))
}

/// Methods that choose among the elements that were found.
fn is_narrowing(name: &str) -> bool {
    matches!(name, "first" | "last" | "nth" | "filter" | "eq" | "find")
}
