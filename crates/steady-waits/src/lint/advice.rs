//! What to write instead of a sleep, in the idiom of the file's framework.

use steady_edit::Span;
use steady_js::{Check, Form, Framework, Kind, Statement, Target, Wait};

use super::answered::is_answered_before;
use super::condition::{Element, condition};
use super::cypress::is_retried_query;
use super::follow::{acts, after, asks, before, earlier, following, follows};
use super::guard::{Guard, PRESENT, bare, guard, navigates};
use super::product_timer::product_timer;
use super::setting::arguments_of;
use super::timestamps::separates_times;
use super::waiting::polls;
use super::window::window;
use super::{File, wording};

/// Statements further behind a sleep say nothing about what it waits for.
const FURTHEST: usize = 3;

/// Statements before a sleep that say what is there already.
const NEAR: usize = 5;

/// The same in the blocks around it, as long as the page is the same.
const FAR: usize = 12;

/// A sleep for longer is not only deleted where nobody knows for how long the next line polls, in milliseconds.
const LONG: u64 = 2_000;

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

/// Calls that wait for an element by themselves.
const WAITING: [&str; 7] = [
    "waitFor",
    "waitForSelector",
    "waitForDisplayed",
    "waitForExist",
    "waitForClickable",
    "waitForElementVisible",
    "waitForElementPresent",
];

/// What to do about a sleep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Advice {
    /// For people.
    pub(super) text: String,
    /// Whether the sleep can go without anything in its place.
    pub(super) deletes: bool,
}

impl Advice {
    fn of(text: String) -> Self {
        Self { text, deletes: false }
    }
}

/// What to write instead of a sleep: nothing, where the next line waits by itself; a wait for the element that comes next; or what
/// the framework has for such cases.
pub(super) fn instead_of(file: &File<'_>, wait: &Wait) -> Advice {
    let framework = framework(file, wait);
    let in_general = || Advice::of(wording::in_general(framework, file, wait));
    // A function that is told more than a time does more than to pause.
    if wait.form == Form::Helper && arguments_of(file.slice(wait.call)).len() > 1 {
        return Advice::of(wording::in_function(wait));
    }
    if is_answered_before(file, wait) {
        return Advice {
            text: "Delete it: all that is checked after it was answered before.".to_owned(),
            deletes: true,
        };
    }
    if let Some(guard) = guard(file.script, wait) {
        return Advice::of(guarded(guard, framework, file, wait));
    }
    if separates_times(file, wait) {
        return Advice::of(wording::set_the_clock(framework));
    }
    if let Some(timer) = product_timer(file, wait) {
        return Advice::of(wording::past_the_timer(framework, file, timer));
    }
    if let Some(line) = window(file, wait) {
        return Advice::of(wording::observation_window(framework, line));
    }
    if let (Some(sleep), Some(next)) = (file.statement(wait), follows(file.script, wait))
        && polls(file, sleep, next)
    {
        return deletion(file, wait, next, framework, "the next line waits by itself");
    }
    if let Some(line) = pictured(file, wait, framework) {
        return Advice::of(wording::retried_picture(line));
    }
    if let Some(next) = follows(file.script, wait)
        && let Some(why) = is_retried(file, next, framework)
    {
        return deletion(file, wait, next, framework, why);
    }
    let Some(next) = next_element(file, wait, framework) else { return in_general() };
    let Next { element, statement } = next;
    if statement.is_none() && framework == Framework::Cypress {
        return Advice::of(wording::REST_OF_CHAIN.to_owned());
    }
    if let Some(statement) = statement {
        if let Some(why) = waits_by_itself(file, statement, &element.target, framework) {
            return deletion(file, wait, statement, framework, why);
        }
        // Whether it is so may be what the test asks: then waiting for it decides the answer.
        let is_optional = file.slice(statement.span).contains(".catch(");
        if is_optional || (asks(statement) && element.assertion.is_none()) {
            return in_general();
        }
        // A step waits for its own element, unless it is forced, so waiting for that element first changes nothing.
        let is_forced = file.slice(statement.span).contains("force: true");
        // In Cypress also a forced one waits until its element exists.
        if acts(statement, file.script.text())
            && (!is_forced || framework == Framework::Cypress)
            && let Some(sign) = wording::sign_of_the_step_before(framework)
        {
            return Advice::of(sign.to_owned());
        }
    }
    let Some(condition) = condition(framework, &element, file.script.text()) else { return in_general() };
    // What is clicked next may have been there all the time.
    if framework == Framework::TestingLibrary && statement.is_some_and(|next| acts(next, file.script.text()))
    {
        return Advice::of(format!(
            "If the element of the next line comes late, `{condition}` waits for it; else the code does not show what the sleep waits for: if it is a timer, use fake timers."
        ));
    }
    let sleep = file.statement(wait);
    let is_there = |near: &Statement| bare(file.slice(near.span)) == bare(&condition);
    if let Some(sleep) = sleep {
        if let Some(same) = following(file.script, sleep).take(FURTHEST).find(|near| is_there(near)) {
            return deletion(file, wait, same, framework, "waits for that by itself");
        }
        if touched_before(file, sleep, &element.target) {
            return in_general();
        }
    }
    Advice::of(format!("Wait for what the next line needs: `{condition}`."))
}

/// The line after a sleep, before the next step, that compares one picture: Playwright has an assertion that takes several.
fn pictured(file: &File<'_>, wait: &Wait, framework: Framework) -> Option<usize> {
    let sleep = file.statement(wait).filter(|_| framework == Framework::Playwright)?;
    let mut near = following(file.script, sleep).take(FURTHEST + 2);
    let near = near.by_ref().take_while(|next| !acts(next, file.script.text()) && !file.sleeps_in(next.span));
    let is_picture = |check: &Check| {
        let is_taken = check.subject.is_some_and(|subject| file.slice(subject).contains(".screenshot("));
        is_taken && check.matcher == "toMatchSnapshot"
    };
    near.into_iter().find(|next| next.checks.iter().any(is_picture)).map(|next| next.line)
}

/// Whether an element is touched right before a sleep, too: then it is there, and waiting for it changes nothing.
fn touched_before(file: &File<'_>, sleep: &Statement, target: &Target) -> bool {
    let name = |target: &Target| target.locator.or(target.selector).map(|span| bare(file.slice(span)));
    let wanted = name(target);
    let touches = |last: &Statement| {
        let subjects =
            last.checks.iter().filter_map(|check| check.subject).map(|span| bare(file.slice(span)));
        let touched =
            last.target.as_ref().and_then(name).or_else(|| last.root.clone()).filter(|_| last.has_await);
        touched.into_iter().chain(subjects).any(|one| Some(one) == wanted)
    };
    let is_before = |last: &&Statement| last.span.end <= sleep.span.start;
    let near = earlier(file.script, sleep).filter(is_before);
    let mut on_page = near.take_while(|last| !navigates(last)).take(FAR);
    wanted.is_some() && (before(file.script, sleep).take(NEAR).any(touches) || on_page.any(touches))
}

/// What is said where a check would hold too early.
fn guarded(guard: Guard, framework: Framework, file: &File<'_>, wait: &Wait) -> String {
    let why = match guard {
        Guard::Absent(line) => format!(
            "Line {line} checks that something is not there or does not happen, which may hold too early: do not only delete the sleep."
        ),
        Guard::Unchanged(line) => format!(
            "Line {line} checks that something stays as it was, which may hold at once: do not only delete the sleep."
        ),
    };
    format!("{why} {}", wording::before_a_check(framework, file, wait))
}

/// Why an assertion needs no sleep before it: it is tried again until it holds.
fn is_retried(file: &File<'_>, next: &Statement, framework: Framework) -> Option<&'static str> {
    let is_polled = |check: &Check| {
        let source = file.slice(check.span);
        source.starts_with("expect.poll(") || check.matcher == "toPass"
    };
    if framework == Framework::Cypress && is_retried_query(file, next) {
        return Some("waits for that by itself");
    }
    let is_retried = framework == Framework::Playwright
        && next.has_await
        && next.checks.iter().any(|check| looks_again(file, check) || is_polled(check));
    is_retried.then_some("the assertion after it waits by itself")
}

/// Whether Playwright tries a check again until it holds.
fn looks_again(file: &File<'_>, check: &Check) -> bool {
    // A negative assertion is asked about only if what it is about was there before: see the guard.
    let is_sure = !check.negated || check.asserts_absence;
    // What is read once and compared is not tried again: `expect(await row.textContent()).toBe('x')`.
    let is_element =
        check.subject.is_some_and(|subject| !file.slice(subject).trim_start().starts_with("await"));
    is_sure && is_element && RETRIED.contains(&check.matcher.as_str())
}

/// Why the next line needs no sleep before it.
fn waits_by_itself(
    file: &File<'_>,
    next: &Statement,
    target: &Target,
    framework: Framework,
) -> Option<&'static str> {
    let call = next.call.as_deref().unwrap_or_default();
    let is_found = target.method.starts_with("findBy") || target.method.starts_with("findAllBy");
    let is_waiting = WAITING.contains(&call) || target.method == "waitForSelector" || is_found;
    is_retried(file, next, framework)
        .or_else(|| (next.has_await && is_waiting).then_some("the next line waits by itself"))
}

/// Whether a statement waits for an element by itself, whatever its framework.
pub(super) fn is_waiting(file: &File<'_>, statement: &Statement) -> bool {
    let is_call = statement.call.as_deref().is_some_and(|call| WAITING.contains(&call));
    statement.has_await && (is_call || is_retried(file, statement, Framework::Playwright).is_some())
}

/// The line of a check behind the next one that looks once, before the next step: it may need the sleep.
fn looks_once(file: &File<'_>, wait: &Wait, next: &Statement, framework: Framework) -> Option<usize> {
    let sleep = file.statement(wait)?;
    let behind = after(file.script, sleep).into_iter().filter(|one| one.span.start >= next.span.end);
    let near = behind.take_while(|one| !acts(one, file.script.text()) && !file.sleeps_in(one.span));
    let is_tried_again = |one: &Statement| {
        (one.has_await || framework == Framework::Cypress)
            && (is_retried(file, one, framework).is_some()
                || one
                    .call
                    .as_deref()
                    .is_some_and(|call| call.starts_with("waitFor") || call.starts_with("find")))
    };
    let mut once = near.filter(|one| !one.checks.is_empty() && !is_tried_again(one));
    once.next().map(|one| one.line)
}

/// Takes a sleep away, where the line that polls has time enough.
fn deletion(file: &File<'_>, wait: &Wait, next: &Statement, framework: Framework, why: &str) -> Advice {
    let inside = |polling: &&Wait| {
        polling.kind == Kind::PollTimeout
            && next.span.start <= polling.call.start
            && polling.call.end <= next.span.end
    };
    let polling = file.waits().find(inside);
    let default = |polling: &Wait| file.context.default_of(file.path, framework, polling);
    let allowed = polling.and_then(|polling| polling.ms().or_else(|| default(polling)));
    if let Some(line) = looks_once(file, wait, next, framework) {
        return Advice::of(format!(
            "Line {} waits by itself, and line {line} looks only once: let that line wait, too, then the sleep can go.",
            next.line
        ));
    }
    let is_presence = next.checks.iter().all(|check| PRESENT.contains(&check.matcher.as_str()));
    match (file.script.length_of(wait), allowed) {
        // Who waits so long for something that is there most often waits for something else.
        (Some(slept), _) if slept >= LONG && is_presence && !next.checks.is_empty() => Advice::of(format!(
            "Line {} waits for its element by itself. Delete the sleep if that element comes with the step before; if it is there already, wait for something that is not.",
            next.line
        )),
        // The time of the sleep is taken from what the line had to become true.
        (Some(slept), Some(allowed)) if slept.saturating_mul(2) > allowed => Advice::of(format!(
            "Give line {} the time instead: it polls, for {allowed} ms at most; with `timeout: {}` it may take as long as both do now.",
            next.line,
            slept.saturating_add(allowed)
        )),
        // Nobody knows whether it polls for as long as both do now.
        (Some(slept), None) if slept > LONG && polling.is_some() => {
            Advice::of(format!("Give line {} the time instead: it polls.", next.line))
        }
        _ if why.starts_with("waits") => {
            Advice { text: format!("Delete it: line {} {why}.", next.line), deletes: true }
        }
        _ => Advice { text: format!("Delete it: {why}."), deletes: true },
    }
}

/// The framework that the sleep belongs to: that of its call, the one that drives a page, or the runner where no page is touched.
pub(super) fn framework(file: &File<'_>, wait: &Wait) -> Framework {
    let all = file.script.frameworks();
    let on_page = wait.form == Form::WaitForTimeout || file.touches_page;
    let is_fit = |framework: &Framework| framework.has_page() == on_page;
    match wait.receiver.split('.').next() {
        Some("cy") => Framework::Cypress,
        // Its commands have other names in functions of the project.
        _ if !all.iter().any(|one| one.has_page()) && file.path.iter().any(|part| part == "cypress") => {
            Framework::Cypress
        }
        Some("t") if all.contains(&Framework::TestCafe) => Framework::TestCafe,
        _ => match all.iter().copied().find(is_fit) {
            Some(fit) => fit,
            // The fixtures of a project often hide where its pages come from.
            None if wait.form == Form::WaitForTimeout => Framework::Playwright,
            None => all.first().copied().unwrap_or(Framework::Unknown),
        },
    }
}

/// What comes after a sleep, and the statement that touches it unless it is the sleep's own.
struct Next<'f> {
    element: Element,
    statement: Option<&'f Statement>,
}

/// The element that one of the next statements touches. What does something else to the page, or may, ends the search: the element
/// comes after that.
fn next_element<'f>(file: &'f File<'_>, wait: &Wait, framework: Framework) -> Option<Next<'f>> {
    let sleep = file.statement(wait)?;
    let rest_of_chain =
        sleep.target.clone().filter(|target| target.selector.is_some_and(|span| span.start > wait.call.end));
    if let Some(target) = rest_of_chain {
        return Some(Next {
            element: Element {
                target,
                assertion: None,
                root: None,
                is_forced: false,
                slept: file.script.length_of(wait),
            },
            statement: None,
        });
    }
    let does = |next: &Statement| match framework {
        Framework::Cypress => next.root.is_some(),
        _ => next.has_await,
    };
    // Locators are looked up when something is done with them: `const row = page.locator('tr')` touches nothing yet.
    let is_lazy = matches!(framework, Framework::Playwright | Framework::WebdriverIo | Framework::TestCafe);
    let mut names: Vec<(&str, &Target)> = Vec::new();
    for next in following(file.script, sleep).take(FURTHEST + 2) {
        // What is done in a branch or a loop comes before what is behind it.
        if next.target.is_none() && acts_inside(file, next) {
            return None;
        }
        if let (true, false, [name], Some(target)) =
            (is_lazy, next.has_await, next.declares.as_slice(), &next.target)
        {
            names.push((name, target));
            continue;
        }
        let root = meant_by_name(file, next, &names).cloned();
        // `expect(row).toBeVisible()` has no element but the one that the name stands for.
        let target = next.target.clone().or_else(|| root.clone());
        let Some(target) = target else {
            if does(next) && !file.sleeps_in(next.span) {
                return None;
            }
            continue;
        };
        let root = root.filter(|root| *root != target);
        let assertion = next.assertion.clone().or_else(|| asserted_later(file, sleep, next));
        let is_forced = is_forced(file.slice(next.span));
        let element = Element { target, assertion, root, is_forced, slept: file.script.length_of(wait) };
        return Some(Next { element, statement: Some(next) });
    }
    None
}

/// Whether something is done to the page inside a statement: in an `if`, in a loop.
fn acts_inside(file: &File<'_>, statement: &Statement) -> bool {
    let all = file.script.statements();
    let first = all.partition_point(|inner| inner.span.start <= statement.span.start);
    let inside = all[first..].iter().take_while(|inner| inner.span.start < statement.span.end);
    inside.into_iter().any(|inner| inner.function == statement.function && acts(inner, file.script.text()))
}

/// The locator that a statement's first name stands for, where the name was given after the sleep.
fn meant_by_name<'n>(file: &File<'_>, next: &Statement, names: &[(&str, &'n Target)]) -> Option<&'n Target> {
    let is_meant = |name: &str| {
        let subject = next.checks.iter().find_map(|check| check.subject);
        next.root.as_deref() == Some(name)
            || subject.is_some_and(|subject| file.slice(subject).trim() == name)
    };
    let (_, target) = names.iter().rev().find(|(name, _)| is_meant(name))?;
    Some(*target).filter(|_| next.has_await)
}

/// What is demanded later of what a statement reads: `const text = await row.textContent(); expect(text).toBe('x')`.
fn asserted_later(file: &File<'_>, sleep: &Statement, read: &Statement) -> Option<steady_js::Assertion> {
    let [name] = read.declares.as_slice() else { return None };
    let behind = following(file.script, sleep).skip_while(|next| next.span.start <= read.span.start);
    let mut near = behind.take(FURTHEST);
    near.find_map(|next| {
        let check = next
            .checks
            .iter()
            .find(|check| check.subject.is_some_and(|subject| file.slice(subject) == name))?;
        let assertion = next.assertion.clone().filter(|_| !check.negated)?;
        Some(steady_js::Assertion { read: read.call.clone().unwrap_or_default(), ..assertion })
    })
}

/// Whether a statement works with what need not be seen.
fn is_forced(source: &str) -> bool {
    let source: String = source.split_whitespace().collect();
    source.contains("force:true")
        || [".setInputFiles(", ".attachFile(", ".selectFile(", ".dispatchEvent("]
            .iter()
            .any(|call| source.contains(call))
}

/// The statement that can go with a sleep: one that does nothing but sleep.
pub(super) fn deletable(file: &File<'_>, wait: &Wait) -> Option<Span> {
    let statement = file.statement(wait).filter(|statement| !statement.is_unbraced)?;
    let source = file.slice(statement.span).trim();
    let is_awaited = source.starts_with("await ") && wait.awaited;
    let is_queued = wait.form == Form::CyWait;
    let inner = bare(source);
    let call = bare(file.slice(wait.call));
    let is_alone = inner == call
        || (wait.form == Form::TimerPromise
            && inner.starts_with("newPromise(")
            && statement.checks.is_empty()
            && follows(file.script, wait).is_some());
    let is_safe = is_alone && !acts_too(file, statement, wait) && !is_explained(file, statement);
    ((is_awaited || is_queued) && wait.ms().is_some() && is_safe).then_some(statement.span)
}

/// Whether a comment stands beside a statement or above it: somebody had a reason, which only a person can weigh.
fn is_explained(file: &File<'_>, statement: &Statement) -> bool {
    let text = file.script.text();
    let behind = text[statement.span.end..].lines().next().unwrap_or_default();
    let line = text[..statement.span.start].rfind('\n').unwrap_or(0);
    let above = text[..line].lines().next_back().unwrap_or_default().trim();
    behind.contains("//") || behind.contains("/*") || above.starts_with("//") || above.ends_with("*/")
}

/// Whether a statement does more than to sleep.
fn acts_too(file: &File<'_>, statement: &Statement, wait: &Wait) -> bool {
    let is_other = |other: &Wait| {
        other.call != wait.call
            && statement.span.start <= other.call.start
            && other.call.end <= statement.span.end
    };
    file.waits().any(is_other) || (statement.target.is_some() && acts(statement, file.script.text()))
}
