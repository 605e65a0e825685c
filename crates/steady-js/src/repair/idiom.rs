//! How a file sleeps: the way it already does, or the way its framework does.

use steady_edit::Span;

use super::layout::Layout;
use super::number::{self, Separators};
use super::outline::{Call, Outline};
use crate::{Form, Framework, Kind, Script, Unit, Wait};

/// Names by which helpers that sleep are known.
const HELPERS: [&str; 5] = ["sleep", "delay", "wait", "pause", "snooze"];
/// Modules whose functions of these names do something else.
const OTHERS: [&str; 5] = ["@testing-library", "rxjs", "lodash", "redux-saga", "xstate"];
/// What only a page of Playwright has.
const PAGE: [&str; 8] = [
    "locator",
    "goto",
    "waitForTimeout",
    "waitForSelector",
    "waitForURL",
    "getByRole",
    "getByText",
    "getByTestId",
];

/// A call that sleeps.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Idiom {
    /// What comes before the length: `sleep(`.
    before: String,
    /// What comes behind it: `)`.
    after: String,
    unit: Unit,
    /// Whether it must be awaited; commands of a queue need not.
    pub(super) is_awaited: bool,
}

impl Idiom {
    fn call(function: &str) -> Self {
        Self {
            before: format!("{function}("),
            after: ")".to_owned(),
            unit: Unit::Milliseconds,
            is_awaited: true,
        }
    }

    fn queued(function: &str) -> Self {
        Self { is_awaited: false, ..Self::call(function) }
    }

    /// The statement, without a semicolon.
    pub(super) fn written(&self, ms: u64, separators: Separators) -> String {
        let awaits = if self.is_awaited { "await " } else { "" };
        format!("{awaits}{}{}{}", self.before, number::fresh(ms, self.unit, separators), self.after)
    }
}

/// The idiom for a place: inside a function, beside a statement.
pub(super) fn idiom(
    script: &Script,
    layout: &Layout<'_>,
    statement: usize,
    function: Option<usize>,
) -> Idiom {
    let outline = layout.outline;
    let beside = &outline.statements[statement];
    let calls: Vec<&Call> = outline.calls.iter().filter(|call| beside.span.covers(call.span)).collect();
    let frameworks = script.frameworks();
    let is_async = function.is_some_and(|function| outline.functions[function].is_async);
    if frameworks.contains(&Framework::Cypress) && (!is_async || calls.iter().any(|call| call.root == "cy")) {
        return Idiom::queued("cy.wait");
    }
    if calls.iter().any(|call| call.root == "I") && !calls.iter().any(|call| call.root == "expect") {
        return Idiom { unit: Unit::Seconds, ..Idiom::queued("I.wait") };
    }
    used(script.waits(), layout, beside.span, function)
        .or_else(|| imported(outline))
        .or_else(|| of_framework(frameworks, outline, &calls, function, is_async))
        .unwrap_or_else(|| timer(layout))
}

/// The nearest sleep of the file that could stand here as well.
fn used(waits: &[Wait], layout: &Layout<'_>, near: Span, function: Option<usize>) -> Option<Idiom> {
    let outline = layout.outline;
    let fits = |wait: &&Wait| {
        wait.kind == Kind::Sleep
            && wait.awaited
            && wait.value.is_some()
            && matches!(wait.form, Form::Helper | Form::WaitForTimeout | Form::Pause | Form::DriverSleep)
    };
    let mut found: Vec<(usize, Idiom)> = waits
        .iter()
        .filter(fits)
        .filter_map(|wait| {
            let call = outline.calls.iter().find(|call| call.span == wait.call)?;
            let known = call.on.is_none() && call.root != "this" && outline.knows(&call.root, function);
            let unit = wait.value.as_ref()?.unit;
            let before = layout.slice(Span { start: call.span.start, end: call.open + 1 }).to_owned();
            let is_awaited = call.awaited;
            let idiom = Idiom { before, after: ")".to_owned(), unit, is_awaited };
            (known && call.arguments.len() == 1).then(|| (call.span.start.abs_diff(near.start), idiom))
        })
        .collect();
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().next().map(|(_, idiom)| idiom)
}

/// A helper that is imported, was not needed so far, and is not used for something else.
fn imported(outline: &Outline) -> Option<Idiom> {
    let sleeps = |name: &str| {
        let calls = outline.calls.iter().filter(|call| call.is_function && call.name == name);
        calls.into_iter().all(|call| matches!(call.arguments.as_slice(), [only] if only.may_be_length()))
    };
    let is_helper = |name: &str, module: &str| match name {
        "setTimeout" => module.ends_with("timers/promises"),
        _ => HELPERS.contains(&name) && !OTHERS.iter().any(|other| module.contains(other)) && sleeps(name),
    };
    let helper = outline.imports.iter().find(|(name, module)| is_helper(name, module));
    helper.map(|(name, _)| Idiom::call(name))
}

fn of_framework(
    frameworks: &[Framework],
    outline: &Outline,
    calls: &[&Call],
    function: Option<usize>,
    is_async: bool,
) -> Option<Idiom> {
    let has = |framework: Framework| frameworks.contains(&framework);
    let known = |name: &str| outline.knows(name, function);
    let root = |end: &str| {
        calls.iter().map(|call| &call.root).find(|root| root.to_lowercase().ends_with(end) && known(root))
    };
    if has(Framework::Playwright) {
        return page(outline, calls, function).map(|page| Idiom::call(&format!("{page}.waitForTimeout")));
    }
    if has(Framework::Selenium) {
        let driver = root("driver").or_else(|| root("browser"));
        return Some(Idiom::call(&format!("{}.sleep", driver.map_or("driver", String::as_str))));
    }
    if has(Framework::WebdriverIo) {
        return Some(Idiom::call("browser.pause"));
    }
    if has(Framework::Nightwatch) {
        let browser = root("browser").or_else(|| root("client")).map_or("browser", String::as_str);
        let pause = format!("{browser}.pause");
        return Some(if is_async { Idiom::call(&pause) } else { Idiom::queued(&pause) });
    }
    has(Framework::TestCafe).then(|| Idiom::call("t.wait"))
}

/// The page that a statement is about. An object of the project may be called a page too, so it must do what only pages
/// do.
fn page(outline: &Outline, calls: &[&Call], function: Option<usize>) -> Option<String> {
    // A method of a class of the project has the name, but knows by itself where to go.
    let is_method = |call: &Call| PAGE.contains(&call.name.as_str()) && !call.arguments.is_empty();
    let is_page = |receiver: &str| {
        let acts = |call: &Call| call.receiver == receiver && is_method(call);
        matches!(receiver, "page" | "this.page") || outline.calls.iter().any(acts)
    };
    let mut named = calls.iter().filter_map(|call| up_to_page(&call.receiver)).filter(|name| is_page(name));
    let declared = || {
        let around = std::iter::successors(function, |at| outline.functions[*at].parent);
        let declares = |at: usize| outline.functions[at].names.iter().any(|name| name == "page");
        around.into_iter().any(declares) || outline.globals.contains("page")
    };
    named.next().map(str::to_owned).or_else(|| declared().then(|| "page".to_owned()))
}

/// The front of a receiver that ends with a page: `this.page` of `this.page.keyboard`.
fn up_to_page(receiver: &str) -> Option<&str> {
    let names = receiver.split('.').scan(0, |end, name| {
        *end += name.len() + 1;
        Some((*end - 1, name))
    });
    let mut pages = names.filter(|(_, name)| name.to_lowercase().ends_with("page"));
    pages.next().map(|(end, _)| &receiver[..end])
}

/// What every JavaScript can do.
fn timer(layout: &Layout<'_>) -> Idiom {
    Idiom {
        before: format!("new Promise({} => setTimeout(resolve, ", layout.parameter("resolve")),
        after: "))".to_owned(),
        unit: Unit::Milliseconds,
        is_awaited: true,
    }
}
