//! Playwright and Puppeteer: waits and actions of a page, a frame or a locator, and assertions that retry.

use super::{Place, Shape, Site, Slot, Strength, timeout};
use crate::Framework;

/// How long a page waits and acts: Playwright's actions have the time that the test has.
const PAGE: u64 = 30_000;
/// How long an assertion is retried.
const ASSERTION: u64 = 5_000;
/// How long Vitest polls.
const POLL: u64 = 1_000;

/// Waits of a page, with how many arguments come before their options.
const WAITS: [(&str, usize); 20] = [
    ("waitForSelector", 1),
    ("waitForXPath", 1),
    ("waitForURL", 1),
    ("waitForResponse", 1),
    ("waitForRequest", 1),
    ("waitForEvent", 1),
    ("waitForElementState", 1),
    ("waitForTarget", 1),
    ("waitForFrame", 1),
    ("waitForNavigation", 0),
    ("waitForNetworkIdle", 0),
    ("waitForFileChooser", 0),
    ("waitForFunction", 2),
    ("waitForLoadState", 1),
    ("goto", 1),
    ("setContent", 1),
    ("reload", 0),
    ("goBack", 0),
    ("goForward", 0),
    ("waitFor", 0),
];

/// Actions and readings of Playwright that wait for their element, with how many arguments a locator's has before its
/// options; a page's has the selector before them.
const ACTIONS: [(&str, usize); 29] = [
    ("click", 0),
    ("dblclick", 0),
    ("tap", 0),
    ("hover", 0),
    ("focus", 0),
    ("blur", 0),
    ("check", 0),
    ("uncheck", 0),
    ("clear", 0),
    ("fill", 1),
    ("type", 1),
    ("press", 1),
    ("pressSequentially", 1),
    ("setChecked", 1),
    ("selectOption", 1),
    ("selectText", 0),
    ("setInputFiles", 1),
    ("getAttribute", 1),
    ("dragTo", 1),
    ("dragAndDrop", 1),
    ("textContent", 0),
    ("innerText", 0),
    ("innerHTML", 0),
    ("inputValue", 0),
    ("isChecked", 0),
    ("isEnabled", 0),
    ("isDisabled", 0),
    ("isEditable", 0),
    ("scrollIntoViewIfNeeded", 0),
];

/// Assertions of Playwright, with how many arguments come before their options.
const ASSERTIONS: [(&str, usize); 30] = [
    ("toBeAttached", 0),
    ("toBeChecked", 0),
    ("toBeDisabled", 0),
    ("toBeEditable", 0),
    ("toBeEmpty", 0),
    ("toBeEnabled", 0),
    ("toBeFocused", 0),
    ("toBeHidden", 0),
    ("toBeInViewport", 0),
    ("toBeVisible", 0),
    ("toContainText", 1),
    ("toContainClass", 1),
    ("toHaveAccessibleDescription", 1),
    ("toHaveAccessibleErrorMessage", 1),
    ("toHaveAccessibleName", 1),
    ("toHaveAttribute", 2),
    ("toHaveClass", 1),
    ("toHaveCount", 1),
    ("toHaveCSS", 2),
    ("toHaveId", 1),
    ("toHaveJSProperty", 2),
    ("toHaveRole", 1),
    ("toHaveText", 1),
    ("toHaveTitle", 1),
    ("toHaveURL", 1),
    ("toHaveValue", 1),
    ("toHaveValues", 1),
    ("toHaveScreenshot", 0),
    ("toMatchAriaSnapshot", 1),
    ("toPass", 0),
];

pub(super) fn slot(site: &Site<'_>) -> Option<Slot> {
    let call = site.call;
    if call.is_function {
        return None;
    }
    if call.root == "expect" {
        let default = match (call.name.as_str(), site.uses(Framework::Playwright)) {
            ("toPass", _) => None,
            (_, true) => Some(ASSERTION),
            (_, false) => Some(POLL),
        };
        return Some(Slot { place: assertion(site)?, strength: Strength::Waits, default });
    }
    if let Some((name, at)) = WAITS.iter().find(|(name, _)| *name == call.name) {
        return Some(Slot::new(wait(site, name, *at)?, Strength::Waits, PAGE));
    }
    let (_, at) = ACTIONS.iter().find(|(name, _)| *name == call.name)?;
    if is_device(site) || is_page_object(site, *at) || site.count() < *at {
        return None;
    }
    let is_playwright = site.uses(Framework::Playwright) && !site.uses(Framework::Puppeteer);
    // What is clicked without being awaited is an element of the document.
    (is_playwright && call.awaited)
        .then(|| Slot::new(timeout(at + usize::from(takes_selector(site, *at))), Strength::Acts, PAGE))
}

fn wait(site: &Site<'_>, name: &str, at: usize) -> Option<Place> {
    match name {
        // Puppeteer's takes the options before the function's arguments.
        "waitForFunction" if site.uses(Framework::Puppeteer) => Some(timeout(1)),
        "waitForFunction" => Some(Place::Option { at, key: "timeout", fill: "undefined" }),
        "waitForLoadState" => Some(Place::Option { at, key: "timeout", fill: "'load'" }),
        // An old `page.waitFor` takes what to wait for first.
        "waitFor" if matches!(site.shape(0), Some(Shape::Text | Shape::Function)) => Some(timeout(1)),
        "waitFor" if matches!(site.shape(0), None | Some(Shape::Object(_))) => Some(timeout(0)),
        "waitFor" => None,
        // Others have such methods too; only a page's wait.
        "reload" | "goBack" | "goForward" | "setContent" if !is_on_page(site) => None,
        // A class of the project that knows by itself what to wait for.
        _ if site.count() < at => None,
        _ => Some(timeout(at)),
    }
}

/// `page.keyboard.press('a')`: keys and buttons are there at once.
fn is_device(site: &Site<'_>) -> bool {
    matches!(site.call.receiver.rsplit('.').next(), Some("keyboard" | "mouse" | "touchscreen"))
}

/// `loginPage.clear()`: a class of the project that has a method of this name.
fn is_page_object(site: &Site<'_>, at: usize) -> bool {
    site.call.on.is_none() && site.call.receiver.ends_with("Page") && site.before_options() <= at
}

/// Whether an action is given a selector first, as a page's is.
fn takes_selector(site: &Site<'_>, at: usize) -> bool {
    site.call.on.is_none() && (is_on_page(site) || site.before_options() > at)
}

fn is_on_page(site: &Site<'_>) -> bool {
    matches!(site.call.receiver.rsplit('.').next(), Some("page" | "frame" | "popup" | "tab"))
}

/// `expect.poll(…, { timeout })`, `expect.element(…, { timeout })`, and the matchers of Playwright.
fn assertion(site: &Site<'_>) -> Option<Place> {
    let call = site.call;
    let name = call.name.as_str();
    if matches!(name, "poll" | "element") && call.receiver == "expect" {
        return Some(timeout(1));
    }
    let is_polled =
        site.outline.before(call).any(|(_, before)| matches!(before.name.as_str(), "poll" | "element"));
    if is_polled || !call.awaited || !(site.uses(Framework::Playwright) || name == "toPass") {
        return None;
    }
    let (_, at) = ASSERTIONS.iter().find(|(assertion, _)| *assertion == name)?;
    let at = match (name, site.shape(0)) {
        ("toHaveScreenshot", Some(Shape::Text)) => 1,
        // Without a value, it is the attribute alone that is asked for.
        ("toHaveAttribute", _) if site.count() == 1 => 1,
        _ => *at,
    };
    Some(timeout(at))
}
