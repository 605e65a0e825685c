//! WebDriver: `driver.wait(condition, ms)` of Selenium, `waitForElementVisible(selector, ms)` of Nightwatch, and the
//! options of WebdriverIO and TestCafe.

use super::{Place, Shape, Site, Slot, Strength, timeout};
use crate::Framework;

/// WebdriverIO's waits on an element.
const ELEMENT: [&str; 5] =
    ["waitForDisplayed", "waitForExist", "waitForEnabled", "waitForClickable", "waitForStable"];

/// WebdriverIO's assertions that retry, with how many arguments come before their options.
const ASSERTIONS: [(&str, usize); 9] = [
    ("toBeDisplayed", 0),
    ("toBeExisting", 0),
    ("toExist", 0),
    ("toBeClickable", 0),
    ("toBeEnabled", 0),
    ("toHaveText", 1),
    ("toHaveValue", 1),
    ("toHaveUrl", 1),
    ("toHaveTitle", 1),
];

pub(super) fn slot(site: &Site<'_>) -> Option<Slot> {
    let call = site.call;
    let name = call.name.as_str();
    let is_condition = matches!(site.shape(0), Some(Shape::Other | Shape::Function | Shape::Names));
    let place = match name {
        "wait" if !call.is_function && call.on.is_none() && is_condition => Place::Argument { at: 1 },
        "waitUntil" if !call.is_function && call.root != "vi" => timeout(1),
        _ if ELEMENT.contains(&name) => timeout(0),
        _ if is_nightwatch(name) => Place::Argument { at: 1 },
        _ if site.is_on("t") && site.outline.before(call).any(|(_, before)| before.name == "expect") => {
            timeout(site.before_options())
        }
        _ if site.is_on("expect") && call.awaited && site.uses(Framework::WebdriverIo) => {
            let (_, at) = ASSERTIONS.iter().find(|(assertion, _)| *assertion == name)?;
            Place::Option { at: *at, key: "wait", fill: "{}" }
        }
        _ => return None,
    };
    // Selenium waits for ever, Nightwatch and WebdriverIO for five seconds, and TestCafe for three.
    let default = match name {
        "wait" => None,
        _ if site.is_on("t") || site.is_on("expect") => Some(3_000),
        _ => Some(5_000),
    };
    Some(Slot { place, strength: Strength::Waits, default })
}

fn is_nightwatch(name: &str) -> bool {
    matches!(
        name,
        "waitForElementVisible"
            | "waitForElementPresent"
            | "waitForElementNotVisible"
            | "waitForElementNotPresent"
    )
}
