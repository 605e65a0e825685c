//! What each framework has for waiting, in a sentence.

use steady_js::{Framework, Kind, Statement, Wait};

use super::File;
use super::follow::{acts, follows};
use super::product_timer::ProductTimer;

/// What a framework has for waiting when nothing says for what.
pub(super) fn in_general(framework: Framework, file: &File<'_>, wait: &Wait) -> String {
    let has_fake_clock = file.has_fake_clock(wait);
    if !has_fake_clock && wait.kind != Kind::Timer && !drives_page(framework) && is_before_a_step(file, wait)
    {
        return UNCLEAR.to_owned();
    }
    let said = match framework {
        Framework::Playwright => {
            "Wait for what the sleep stands for: `await expect(locator).toBeVisible()`, `page.waitForResponse(url)` (started before the step), or `await expect.poll(() => value).toBe(expected)`."
        }
        Framework::Cypress => {
            "Wait for the request or the element: `cy.intercept(url).as('data')` and `cy.wait('@data')`, or an assertion such as `.should('be.visible')`, which retries."
        }
        Framework::Puppeteer => {
            "Wait for what the sleep stands for: `await page.waitForSelector(selector)`, `page.waitForResponse(url)` (started before the step) or `await page.waitForFunction(() => …)`."
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
        Framework::Vitest if file.asks_api => {
            "Ask the API again until it answers as expected: `await vi.waitFor(async () => expect(…))`; or await the job that the sleep stands for, where the test can reach it."
        }
        Framework::Jest | Framework::Mocha | Framework::Node | Framework::Unknown
            if file.asks_api && wait.kind != Kind::Timer =>
        {
            "Ask the API again until it answers as expected, with a time limit; or await the job that the sleep stands for, where the test can reach it."
        }
        Framework::Vitest => {
            "Await the promise or the event that the sleep stands for, or `await vi.waitFor(() => expect(…))`; if a timer is tested, use `vi.useFakeTimers()`."
        }
        Framework::Jest => {
            "Await the promise or the event that the sleep stands for; where there is none, ask again until it is so, with a time limit; if a timer is tested, use `jest.useFakeTimers()`."
        }
        _ if wait.kind == Kind::Timer => {
            "Await the promise or the event that the callback depends on, and call it from there."
        }
        _ => {
            "Await the promise or the event that the sleep stands for; where there is none, ask again until it is so, with a time limit."
        }
    };
    said.to_owned()
}

/// Whether a framework drives a page from outside; Testing Library renders what it tests.
fn drives_page(framework: Framework) -> bool {
    framework.has_page() && framework != Framework::TestingLibrary
}

/// Whether the next statement does something instead of looking at what the sleep brought.
fn is_before_a_step(file: &File<'_>, wait: &Wait) -> bool {
    let changes = |next: &Statement| {
        let source = file.slice(next.span);
        [".post(", ".put(", ".patch(", ".delete("].iter().any(|verb| source.contains(verb))
    };
    let next = follows(file.script, wait).filter(|next| next.checks.is_empty());
    next.is_some_and(|next| acts(next, file.script.text()) || changes(next))
}

/// What to wait for before a step, in frameworks whose steps wait for their own element.
pub(super) fn sign_of_the_step_before(framework: Framework) -> Option<&'static str> {
    match framework {
        Framework::Playwright => Some(
            "The next line waits for its element by itself, so the sleep stands for something else: wait for what the step before brings about, such as `page.waitForResponse(url)` (started before the step) or `await expect(locator).toHaveText(text)`.",
        ),
        Framework::Cypress => Some(
            "The next line waits for its element by itself, so the sleep stands for something else: wait for what the step before brings about, such as `cy.wait('@data')` or `cy.get(selector).should('contain', text)`.",
        ),
        _ => None,
    }
}

/// What to do about a sleep in the chain of a step, in Cypress.
pub(super) const REST_OF_CHAIN: &str = "The rest of the chain waits for its element by itself, so the sleep stands for something else: wait for what the step before brings about, such as `cy.wait('@data')` or `cy.get(selector).should('contain', text)`, and leave the sleep out of the chain.";

/// What to do where a function of the project pauses beside what it does.
pub(super) fn in_function(wait: &Wait) -> String {
    format!(
        "`{}` does more than to pause: let it wait for what it brings about, then no call needs to give it a time.",
        wait.callee
    )
}

/// What to do where the next step does something, and nothing shows what it needs.
pub(super) const UNCLEAR: &str = "The code does not show what the sleep waits for: await what the step before starts (its promise, an event, or a state that is asked for until it is so, with a time limit), then go on.";

/// What to wait for before a check that something is not so, or stays as it is.
pub(super) fn before_a_check(framework: Framework, file: &File<'_>, wait: &Wait) -> String {
    let has_fake_clock = file.has_fake_clock(wait);
    let said = match framework {
        Framework::Playwright => {
            "First wait for a sign that the step before is over, such as `page.waitForResponse(url)` (started before the step) or another element that it shows; then check."
        }
        Framework::Cypress => {
            "First wait for a sign that the step before is over, such as `cy.wait('@data')` or another element that it shows; then check."
        }
        Framework::Puppeteer => {
            "First wait for a sign that the step before is over, such as `page.waitForResponse(url)` (started before the step); then check."
        }
        Framework::TestingLibrary => {
            "First wait for a sign that the step before is over, such as `await screen.findByText(text)` of something that it shows; or use fake timers and move the clock past the time in which it would happen. Then check."
        }
        Framework::Vitest | Framework::Jest if has_fake_clock => {
            "Move the fake clock past the time in which it would happen; then check."
        }
        Framework::Vitest | Framework::Jest if file.asks_api => {
            "First await a sign that the step before is over, such as a message or a record that comes after it; then check."
        }
        Framework::Vitest | Framework::Jest => {
            "First await a sign that the step before is over; or use fake timers and move the clock past the time in which it would happen. Then check."
        }
        _ => "First wait for a sign that the step before is over; then check.",
    };
    said.to_owned()
}

/// What to do where a sleep outlasts a timer of what is tested.
pub(super) fn past_the_timer(framework: Framework, file: &File<'_>, timer: ProductTimer) -> String {
    let why = match timer {
        ProductTimer::Given { ms, line } => {
            format!(
                "The sleep outlasts a timer of what is tested (line {line}: {ms} ms), so it is not only to be deleted."
            )
        }
        ProductTimer::Setting { line } => {
            format!(
                "The sleep outlasts a timer of what is tested (line {line} uses the same time), so it is not only to be deleted."
            )
        }
        ProductTimer::Measured { line } => {
            return format!(
                "Line {line} compares with the time that the sleep takes: it is what the test measures, and has to stay, unless the test can set the times by itself."
            );
        }
        ProductTimer::Named => {
            "The sleep outlasts a timer or an animation of what is tested, so it is not only to be deleted."
                .to_owned()
        }
    };
    let how = match framework {
        Framework::Playwright => {
            "Wait for what its end shows and was not so before, or move the page's clock past it: `await page.clock.install()` before it is opened, then `await page.clock.runFor(ms)`."
        }
        Framework::Cypress => {
            "Wait for what its end shows and was not so before, or move the page's clock past it: `cy.clock()` before it is opened, then `cy.tick(ms)`."
        }
        Framework::Vitest => {
            "Move a fake clock past it: `vi.useFakeTimers()`, then `await vi.advanceTimersByTimeAsync(ms)`; where it runs in another process, give it a time that the test need not wait for."
        }
        Framework::Jest => {
            "Move a fake clock past it: `jest.useFakeTimers()`, then `await jest.advanceTimersByTimeAsync(ms)`; where it runs in another process, give it a time that the test need not wait for."
        }
        Framework::Node => {
            "Move a fake clock past it: `mock.timers.enable()`, then `mock.timers.tick(ms)`; where it runs in another process, give it a time that the test need not wait for."
        }
        Framework::TestingLibrary => {
            "Use fake timers and move the clock past it, or wait for what its end shows and was not so before."
        }
        _ if file.touches_page => "Wait for what its end shows and was not so before.",
        _ => "Move a fake clock past it, or give the timer a time that the test need not wait for.",
    };
    format!("{why} {how}")
}

/// What to do where a sleep is the time in which a test counts.
pub(super) fn observation_window(framework: Framework, line: usize) -> String {
    let clock = match framework {
        Framework::Vitest | Framework::Jest | Framework::Node | Framework::TestingLibrary => {
            ", move a fake clock past that interval,"
        }
        _ => "",
    };
    format!(
        "Line {line} counts what happened until then, and a wait that ends at the first time would miss what comes too often: the sleep has to stay. Give it the interval in which what is tested could do it again{clock} or write `// steady-ignore-next-line fixed-sleep -- reason` above it."
    )
}

/// What to do where a picture is taken once.
pub(super) fn retried_picture(line: usize) -> String {
    format!(
        "Line {line} compares one picture: with `await expect(locator).toHaveScreenshot(name)` Playwright takes pictures until two are alike, and compares then."
    )
}

/// What to do where a sleep only makes two times differ.
pub(super) fn set_the_clock(framework: Framework) -> String {
    let how = match framework {
        Framework::Vitest => "`vi.setSystemTime(date)` between the steps",
        Framework::Jest => "`jest.setSystemTime(date)` between the steps",
        Framework::Node => "`mock.timers.setTime(ms)` between the steps",
        Framework::Playwright => "`await page.clock.setFixedTime(date)` between the steps",
        Framework::Cypress => "`cy.clock()` and `cy.tick(ms)` between the steps",
        _ => "a clock that the test sets between the steps",
    };
    format!(
        "The sleep only makes two times differ. Set them instead: {how}, or give the records the times that the test needs."
    )
}
