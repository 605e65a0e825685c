//! The wait for an element, as each framework writes it.

use steady_js::{Assertion, Framework, Target};

/// What Testing Library finds elements by.
const QUERIES: [&str; 8] =
    ["Role", "Text", "LabelText", "PlaceholderText", "DisplayValue", "AltText", "Title", "TestId"];

/// An element that a test touches after a sleep.
pub(super) struct Element {
    pub(super) target: Target,
    /// What is demanded of it.
    pub(super) assertion: Option<Assertion>,
    /// The locator that its first name stands for, where that name is given after the sleep.
    pub(super) root: Option<Target>,
    /// Whether it need not be seen: it is there for a file, or is clicked by force.
    pub(super) is_forced: bool,
    /// How long the sleep before it is, where that is known.
    pub(super) slept: Option<u64>,
}

/// The condition wait for a target, if the framework has one for it.
pub(super) fn condition(framework: Framework, element: &Element, text: &str) -> Option<String> {
    let Element { target, assertion, is_forced, .. } = element;
    let assertion = assertion.as_ref();
    let slice = |span: steady_edit::Span| one_line(text.get(span.start..span.end)?);
    let locator = match target.locator {
        // Longer ones are not worth reading: something else has to be waited for.
        Some(span) => Some(without_short_limit(&from_root(slice(span)?, element, text)?, element.slept)),
        None => None,
    };
    let locator = locator.as_deref();
    let selector = target.selector.and_then(slice);
    let selector = selector.as_deref();
    // A function of the project may take anything first.
    let css =
        selector.filter(|selector| selector.starts_with(['\'', '"', '`']) && !target.method.contains("By"));
    let page = if target.receiver.is_empty() { "page" } else { target.receiver.as_str() };
    Some(match framework {
        // A frame is no element of its own.
        Framework::Playwright if target.method == "frameLocator" => return None,
        Framework::Playwright => {
            let locator =
                locator.map(str::to_owned).or_else(|| Some(format!("{page}.locator({})", selector?)))?;
            // An assertion about several elements at once fails.
            let behind = target.locator.and_then(|span| text.get(span.end..)).unwrap_or_default();
            let is_many = [".all(", ".allTextContents(", ".allInnerTexts(", ".evaluateAll("];
            let is_many = is_many.iter().any(|read| behind.trim_start().starts_with(read));
            let locator = if is_many { format!("{locator}.first()") } else { locator };
            let expected = assertion.and_then(|assertion| assertion.expected).and_then(slice);
            let demand = assertion.zip(expected).and_then(|(assertion, value)| demand(assertion, &value));
            let shown = if *is_forced { "toBeAttached()" } else { "toBeVisible()" };
            format!("await expect({locator}).{}", demand.unwrap_or_else(|| shown.to_owned()))
        }
        // Its queries wait until an element exists, and nothing more is needed here.
        Framework::Cypress if *is_forced => return None,
        // An alias may stand for anything.
        Framework::Cypress
            if selector
                .is_some_and(|selector| selector.trim_start_matches(['\'', '"', '`']).starts_with('@')) =>
        {
            return None;
        }
        Framework::Cypress => format!("{}.should('be.visible')", locator?),
        Framework::Puppeteer => format!("await {page}.waitForSelector({})", css?),
        Framework::Selenium => format!("await {page}.wait(until.elementLocated({}))", selector?),
        Framework::WebdriverIo => format!("await {}.waitForDisplayed()", locator?),
        Framework::Nightwatch => format!("{page}.waitForElementVisible({})", css?),
        Framework::TestCafe => format!("await t.expect(Selector({}).visible).ok()", css?),
        Framework::TestingLibrary => {
            let query = target
                .method
                .replacen("getBy", "findBy", 1)
                .replacen("queryBy", "findBy", 1)
                .replacen("getAllBy", "findAllBy", 1);
            // A query of the project's own may have no counterpart that waits.
            let rest = query.strip_prefix("findBy").or_else(|| query.strip_prefix("findAllBy"))?;
            if !QUERIES.contains(&rest) {
                return None;
            }
            format!("await {}", locator?.replacen(&target.method, &query, 1))
        }
        Framework::Jest | Framework::Vitest | Framework::Mocha | Framework::Node | Framework::Unknown => {
            return None;
        }
    })
}

/// Playwright's assertion that is tried again until what was read once says the same.
fn demand(assertion: &Assertion, expected: &str) -> Option<String> {
    let matcher = match (assertion.read.as_str(), assertion.matcher.as_str()) {
        ("textContent" | "innerText", "toBe" | "toEqual" | "toStrictEqual" | "toMatch") => "toHaveText",
        ("textContent" | "innerText", "toContain") => "toContainText",
        ("inputValue", "toBe" | "toEqual" | "toStrictEqual") => "toHaveValue",
        ("count", "toBe" | "toEqual" | "toStrictEqual") => "toHaveCount",
        ("isVisible", "toBe" | "toEqual" | "toStrictEqual") if expected == "true" => {
            return Some("toBeVisible()".to_owned());
        }
        ("isEnabled", "toBe" | "toEqual" | "toStrictEqual") if expected == "true" => {
            return Some("toBeEnabled()".to_owned());
        }
        ("isChecked", "toBe" | "toEqual" | "toStrictEqual") if expected == "true" => {
            return Some("toBeChecked()".to_owned());
        }
        _ => return None,
    };
    Some(format!("{matcher}({expected})"))
}

/// A locator without the time limit of its own, where that is shorter than the sleep: it would not be enough in its place.
fn without_short_limit(locator: &str, slept: Option<u64>) -> String {
    let whole = || locator.to_owned();
    let (Some(slept), Some(key)) = (slept, locator.find("timeout:")) else { return whole() };
    let after = &locator[key + "timeout:".len()..];
    let digits = after.trim_start();
    let length = digits.find(|sign: char| !sign.is_ascii_digit() && sign != '_').unwrap_or(digits.len());
    let is_short = digits[..length].replace('_', "").parse::<u64>().is_ok_and(|limit| limit < slept);
    let (before, behind) = (locator[..key].trim_end(), digits[length..].trim_start());
    if !is_short {
        return whole();
    }
    let (before, behind) =
        (before.trim_end_matches(','), behind.strip_prefix(',').unwrap_or(behind).trim_start());
    match (before.strip_suffix('{'), behind.strip_prefix('}')) {
        // Nothing else was in the options.
        (Some(before), Some(behind)) => {
            format!("{}{}", before.trim_end().trim_end_matches(','), behind.trim_start())
        }
        (Some(_), None) | (None, Some(_)) => format!("{before} {behind}"),
        (None, None) => format!("{before}, {behind}"),
    }
}

/// The longest condition that is shown.
const LONGEST: usize = 160;

/// Code on one line, if it is short enough.
fn one_line(code: &str) -> Option<String> {
    let has_comment = code.lines().any(|line| line.trim().starts_with("//") || line.contains(" // "));
    let line: String = code.lines().map(str::trim).collect();
    (line.len() <= LONGEST && !has_comment).then_some(line)
}

/// A locator with what its first name stands for: `page.locator('#list').getByRole('row')` for `list.getByRole('row')`.
fn from_root(locator: String, element: &Element, text: &str) -> Option<String> {
    let Some(root) = &element.root else { return Some(locator) };
    let span = root.locator?;
    let written = one_line(text.get(span.start..span.end)?)?;
    let rest = locator.find(['.', '[']).map_or("", |at| &locator[at..]);
    Some(format!("{written}{rest}")).filter(|whole| whole.len() <= LONGEST)
}
