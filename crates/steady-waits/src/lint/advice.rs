//! What to write instead of a sleep, in the idiom of the file's framework.

use steady_script::{Assertion, Form, Framework, Kind, Script, Statement, Target, Wait};

use super::File;

/// Statements further behind a sleep say nothing about what it waits for.
const FURTHEST: usize = 3;

/// Assertions of Playwright that are tried again until they hold.
const RETRIED: [&str; 15] = [
    "toBeAttached",
    "toBeChecked",
    "toBeDisabled",
    "toBeEnabled",
    "toBeFocused",
    "toBeHidden",
    "toBeVisible",
    "toContainText",
    "toHaveAttribute",
    "toHaveClass",
    "toHaveCount",
    "toHaveText",
    "toHaveTitle",
    "toHaveURL",
    "toHaveValue",
];

/// What Testing Library finds elements by.
const QUERIES: [&str; 8] =
    ["Role", "Text", "LabelText", "PlaceholderText", "DisplayValue", "AltText", "Title", "TestId"];

/// What to write instead of a sleep: a wait for the element that comes next, or what the framework has for such cases.
pub(super) fn instead_of(file: &File<'_>, wait: &Wait) -> String {
    let framework = framework(file, wait);
    let in_general = || in_general(framework, file, wait);
    let follows = follows(file.script, wait);
    let touched = touched_next(file, wait, framework);
    let next = touched.as_ref().and_then(|(_, next)| *next);
    if follows.into_iter().chain(next).any(|next| next.denies) {
        let why = "The next line demands that something is not so, which may hold too early: wait first for what comes with it.";
        return format!("{why} {}", in_general());
    }
    let Some((target, next)) = touched else { return in_general() };
    let assertion = next.and_then(|next| next.assertion.as_ref());
    let is_retried = |assertion: &Assertion| RETRIED.contains(&assertion.matcher.as_str());
    if framework == Framework::Playwright && assertion.is_some_and(is_retried) {
        return "Delete it: the assertion after it waits by itself.".to_owned();
    }
    if next.is_some_and(|next| next.has_await && waits(&target)) {
        return "Delete it: the next line waits by itself.".to_owned();
    }
    match condition(framework, &target, assertion, file.script.text()) {
        Some(condition) => format!("Wait for what the next line needs: `{condition}`."),
        None => in_general(),
    }
}

/// Whether the method that finds an element waits for it.
fn waits(target: &Target) -> bool {
    target.method == "waitForSelector"
        || target.method.starts_with("findBy")
        || target.method.starts_with("findAllBy")
}

/// The framework that the sleep belongs to: that of its call, the one that drives a page, or the runner where no page is touched.
fn framework(file: &File<'_>, wait: &Wait) -> Framework {
    let all = file.script.frameworks();
    let on_page = wait.form == Form::WaitForTimeout || file.touches_page;
    let is_fit = |framework: &Framework| framework.has_page() == on_page;
    match wait.receiver.split('.').next() {
        Some("cy") => Framework::Cypress,
        Some("t") if all.contains(&Framework::TestCafe) => Framework::TestCafe,
        _ => match all.iter().copied().find(is_fit) {
            Some(fit) => fit,
            // The fixtures of a project often hide where its pages come from.
            None if wait.form == Form::WaitForTimeout => Framework::Playwright,
            None => all.first().copied().unwrap_or(Framework::Unknown),
        },
    }
}

/// The element that one of the next statements touches, and that statement unless it is the sleep's own. What does something else to
/// the page, or may, ends the search: the element comes after that.
fn touched_next<'f>(
    file: &'f File<'_>,
    wait: &Wait,
    framework: Framework,
) -> Option<(Target, Option<&'f Statement>)> {
    let sleep = file.statement(wait)?;
    let rest_of_chain =
        sleep.target.clone().filter(|target| target.selector.is_some_and(|span| span.start > wait.call.end));
    if let Some(target) = rest_of_chain {
        return Some((target, None));
    }
    let next = following(file.script, sleep).take(FURTHEST);
    let acts = |next: &Statement| match framework {
        Framework::Cypress => next.root.is_some(),
        _ => next.has_await,
    };
    let mut seen =
        next.skip_while(|next| next.target.is_none() && (!acts(next) || file.sleeps_in(next.span)));
    seen.next().and_then(|next| Some((next.target.clone()?, Some(next))))
}

/// The statement behind that of a sleep.
fn follows<'s>(script: &'s Script, wait: &Wait) -> Option<&'s Statement> {
    following(script, script.statement_around(wait.call)?).next()
}

/// Whether what comes next demands that something is not so, or false. A shorter sleep would let such a test pass too early: it proves
/// less.
pub fn is_before_denial(script: &Script, wait: &Wait) -> bool {
    let is_false = |assertion: &Assertion| {
        let expected = assertion.expected.and_then(|span| script.text().get(span.start..span.end));
        assertion.matcher == "toBeFalsy"
            || (matches!(assertion.matcher.as_str(), "toBe" | "toEqual" | "toStrictEqual")
                && expected.is_some_and(|expected| expected.trim() == "false"))
    };
    follows(script, wait).is_some_and(|next| next.denies || next.assertion.as_ref().is_some_and(is_false))
}

/// The statements behind a sleep, in the same block.
fn following<'s>(script: &'s Script, sleep: &'s Statement) -> impl Iterator<Item = &'s Statement> {
    let all = script.statements();
    let behind = &all[all.partition_point(|next| next.span.start < sleep.span.end)..];
    let in_block = behind.iter().take_while(|next| next.span.start < sleep.block.end);
    in_block.filter(|next| next.block == sleep.block && next.depth == sleep.depth)
}

/// The condition wait for a target, if the framework has one for it.
fn condition(
    framework: Framework,
    target: &Target,
    assertion: Option<&Assertion>,
    text: &str,
) -> Option<String> {
    let slice =
        |span: steady_script::Span| text.get(span.start..span.end).filter(|slice| !slice.contains('\n'));
    let locator = target.locator.and_then(slice);
    let selector = target.selector.and_then(slice);
    // A function of the project may take anything first.
    let css =
        selector.filter(|selector| selector.starts_with(['\'', '"', '`']) && !target.method.contains("By"));
    let page = if target.receiver.is_empty() { "page" } else { target.receiver.as_str() };
    Some(match framework {
        Framework::Playwright => {
            let locator =
                locator.map(str::to_owned).or_else(|| Some(format!("{page}.locator({})", selector?)))?;
            // An assertion about several elements at once fails.
            let behind = target.locator.and_then(|span| text.get(span.end..)).unwrap_or_default();
            let is_many = [".all(", ".allTextContents(", ".allInnerTexts(", ".evaluateAll("];
            let is_many = is_many.iter().any(|read| behind.trim_start().starts_with(read));
            let locator = if is_many { format!("{locator}.first()") } else { locator };
            let expected = assertion.and_then(|assertion| assertion.expected).and_then(slice);
            let demand = assertion.zip(expected).and_then(|(assertion, value)| demand(assertion, value));
            format!("await expect({locator}).{}", demand.unwrap_or_else(|| "toBeVisible()".to_owned()))
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
        _ => return None,
    };
    Some(format!("{matcher}({expected})"))
}

/// What a framework has for waiting when nothing says for what.
fn in_general(framework: Framework, file: &File<'_>, wait: &Wait) -> String {
    let has_fake_clock = file.has_fake_clock;
    let said = match framework {
        Framework::Playwright => {
            "Wait for what the sleep stands for: `await expect(locator).toBeVisible()`, `await page.waitForResponse(url)`, or `await expect.poll(() => value).toBe(expected)`."
        }
        Framework::Cypress => {
            "Wait for the request or the element: `cy.intercept(url).as('data')` and `cy.wait('@data')`, or an assertion such as `.should('be.visible')`, which retries."
        }
        Framework::Puppeteer => {
            "Wait for what the sleep stands for: `await page.waitForSelector(selector)`, `await page.waitForResponse(url)` or `await page.waitForFunction(() => …)`."
        }
        Framework::Selenium => {
            "Wait for a condition: `await driver.wait(until.elementLocated(By.css(selector)), ms)`."
        }
        Framework::WebdriverIo => {
            "Wait for a condition: `await $(selector).waitForDisplayed()` or `await browser.waitUntil(async () => …)`."
        }
        Framework::Nightwatch => "Wait for a condition: `browser.waitForElementVisible(selector)`.",
        Framework::TestCafe => {
            "Selectors and assertions retry by themselves: `await t.expect(Selector(selector).visible).ok()`."
        }
        Framework::TestingLibrary => {
            "Wait for what the test expects: `await screen.findByText(text)` or `await waitFor(() => expect(…))`."
        }
        Framework::Vitest if has_fake_clock => {
            "Move the fake clock instead: `await vi.advanceTimersByTimeAsync(ms)`."
        }
        Framework::Jest if has_fake_clock => {
            "Move the fake clock instead: `await jest.advanceTimersByTimeAsync(ms)`."
        }
        Framework::Vitest => {
            "Await the promise or the event that the sleep stands for, or `await vi.waitFor(() => expect(…))`; if a timer is tested, use `vi.useFakeTimers()`."
        }
        Framework::Jest => {
            "Await the promise or the event that the sleep stands for; if a timer is tested, use `jest.useFakeTimers()`."
        }
        _ if wait.kind == Kind::Timer => {
            "Await the promise or the event that the callback depends on, and call it from there."
        }
        _ => {
            "Await the promise or the event that the sleep stands for, such as `await once(emitter, 'ready')`."
        }
    };
    said.to_owned()
}
