//! Whether a sleep guards a check that holds too early without it.

use steady_js::{Check, Framework, Kind, Script, Statement, Wait};

use super::follow::{acts, after, earlier, reads};

/// A check that would pass at once, and prove nothing, if the sleep before it were only taken away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    /// It demands that something is not so, at this line.
    Absent(usize),
    /// It demands that something is as it was before the sleep, at this line.
    Unchanged(usize),
}

/// Ways of comparing that hold when nothing has changed.
const SAME: [&str; 21] = [
    "toBe",
    "toEqual",
    "toStrictEqual",
    "toHaveCount",
    "toHaveText",
    "toHaveValue",
    "toHaveLength",
    "toHaveURL",
    "toHaveAttribute",
    "toHaveBeenCalledTimes",
    "toBeCloseTo",
    "toBeLessThanOrEqual",
    "toBeGreaterThanOrEqual",
    "equal",
    "equals",
    "eql",
    "eq",
    "strictEqual",
    "deepEqual",
    "deepStrictEqual",
    "have.length",
];

/// Calls that give an element its value.
const GIVING: [&str; 9] = [
    "fill",
    "type",
    "typeText",
    "pressSequentially",
    "setValue",
    "addValue",
    "select",
    "selectOption",
    "sendKeys",
];

/// Words of names that stand for how something was.
const EARLIER: [&str; 10] =
    ["before", "initial", "previous", "prev", "old", "original", "orig", "baseline", "prior", "starting"];
/// Words of names that stand for what must not be there.
const UNWANTED: [&str; 8] = [
    "unexpected",
    "unwanted",
    "forbidden",
    "absent",
    "excluded",
    "disallowed",
    "unauthorized",
    "nonexistent",
];

/// The check that a sleep guards, if it is one of these.
pub(super) fn guard(script: &Script, wait: &Wait) -> Option<Guard> {
    let sleep = script.statement_around(wait.call)?;
    let text = script.text();
    let mut declared: Vec<&str> = Vec::new();
    for next in after(script, sleep) {
        // What comes behind another sleep is guarded by that one.
        if next.span.start > sleep.span.start && sleeps(script, next) {
            return None;
        }
        if next.checks.iter().any(|check| check.asserts_absence && !disappears(script, sleep, check))
            || names_unwanted(next, text)
        {
            return Some(Guard::Absent(next.line));
        }
        let is_own = next.function == sleep.function;
        if next.checks.iter().any(|check| is_unchanged(script, sleep, check, is_own.then_some(&declared))) {
            return Some(Guard::Unchanged(next.line));
        }
        if next.checks.iter().any(|check| is_there_already(script, sleep, next, check))
            || (!next.checks.is_empty() && says_still(script, next))
        {
            return Some(Guard::Unchanged(next.line));
        }
        declared.extend(next.declares.iter().map(String::as_str));
        let source = text.get(next.span.start..next.span.end).unwrap_or_default();
        let is_awaited = source.starts_with("await ") && next.call.is_none();
        if next.span.start > sleep.span.start && (acts(next, text) || is_awaited) {
            return None;
        }
    }
    None
}

/// Whether a negative assertion comes next, or one that something is as it was. A shorter sleep would let such a test pass too
/// early: it proves less.
pub fn precedes_negative_assertion(script: &Script, wait: &Wait) -> bool {
    guard(script, wait).is_some()
}

/// Whether a statement is a sleep.
fn sleeps(script: &Script, statement: &Statement) -> bool {
    let waits = script.waits().iter().chain(script.unread_waits());
    let mut inside = waits.filter(|wait| {
        wait.kind == Kind::Sleep
            && wait.awaited
            && statement.span.start <= wait.call.start
            && wait.call.end <= statement.span.end
    });
    inside.any(|wait| script.statement_around(wait.call).is_some_and(|around| around.span == statement.span))
}

/// Ways of demanding that an element is there.
pub(super) const PRESENT: [&str; 8] = [
    "be.visible",
    "exist",
    "be.exist",
    "toBeAttached",
    "toBeInTheDocument",
    "toBeVisible",
    "toBeTruthy",
    "toBeDefined",
];

/// Whether a check only demands that an element is there with which the test did something right before the sleep: it holds at once,
/// and shows that the element stays.
fn is_there_already(script: &Script, sleep: &Statement, next: &Statement, check: &Check) -> bool {
    let name = |one: &Statement| {
        let target = one.target.as_ref()?;
        let span = target.locator.or(target.selector)?;
        script.text().get(span.start..span.end).map(bare)
    };
    let wanted = name(next).filter(|_| PRESENT.contains(&check.matcher.as_str()) && !check.negated);
    let above = earlier(script, sleep).filter(|last| last.span.end <= sleep.span.start);
    let mut near = above.take_while(|last| !navigates(last)).take(1);
    wanted.is_some()
        && near.any(|last| GIVING.contains(&last.call.as_deref().unwrap_or_default()) && name(last) == wanted)
}

/// Words of comments that say that something does not change.
const STILL: [&str; 8] =
    ["still", "remain", "remains", "stay", "stays", "unchanged", "unaffected", "preserved"];

/// Whether the comment above a check says so.
fn says_still(script: &Script, next: &Statement) -> bool {
    let comment = super::comment_above(script, next.line).unwrap_or_default();
    // What goes on meanwhile is something else.
    !comment.contains("though")
        && !comment.contains("while")
        && words(&comment).any(|word| STILL.contains(&word.as_str()))
}

/// Whether a statement leads to another page, where nothing is there yet.
pub(super) fn navigates(statement: &Statement) -> bool {
    matches!(
        statement.call.as_deref(),
        Some("goto" | "visit" | "reload" | "goBack" | "goForward" | "url" | "navigateTo" | "open")
    )
}

/// Whether a statement looks at something that its own names call unwanted.
fn names_unwanted(statement: &Statement, text: &str) -> bool {
    let touches = statement.target.is_some() || !statement.checks.is_empty();
    let source = text.get(statement.span.start..statement.span.end).unwrap_or_default();
    touches && words(source).any(|word| UNWANTED.contains(&word.as_str()) || word == "notexpected")
}

/// Whether a check holds when nothing happened since a time before the sleep: it compares with what was read then, or was made then.
///
/// `declared` are the names that are given after the sleep; `None` in a function of its own, whose parameters are new, too.
fn is_unchanged(script: &Script, sleep: &Statement, check: &Check, declared: Option<&Vec<&str>>) -> bool {
    let slice = |span: steady_edit::Span| script.text().get(span.start..span.end);
    let same_check = || declared.is_some_and(|declared| is_repeated(script, sleep, check, declared));
    if check.negated || !SAME.contains(&check.matcher.as_str()) {
        return same_check();
    }
    let Some(expected) = check.expected.and_then(slice) else { return same_check() };
    if was_given(script, sleep, check, expected) {
        return true;
    }
    let name = expected.split(|sign: char| !is_part(sign)).next().unwrap_or_default();
    let is_name = name.starts_with(|sign: char| sign.is_alphabetic() || sign == '_' || sign == '$');
    // `before + 1` is another value.
    let is_alone = expected.chars().all(|sign| is_part(sign) || matches!(sign, '.' | '!' | '?' | '[' | ']'));
    if !is_name || !is_alone {
        return same_check();
    }
    let is_earlier = words(name).any(|word| EARLIER.contains(&word.as_str()));
    let declared = earlier(script, sleep).find(|last| last.declares.iter().any(|declared| declared == name));
    // Read from the page, or as what is compared now is read.
    let is_read = declared.is_some_and(|last| {
        let source = slice(last.span).unwrap_or_default();
        let subject = check.subject.and_then(slice).map(bare);
        reads(last)
            || (last.has_await && last.target.is_some())
            || source.trim_end_matches(';').ends_with(".length")
            || subject.is_some_and(|subject| subject.len() > 3 && bare(source).ends_with(&subject))
    });
    is_earlier || is_read || same_check()
}

/// Whether the test itself gave the element this value before: it has it already, whatever the step between does.
fn was_given(script: &Script, sleep: &Statement, check: &Check, expected: &str) -> bool {
    let slice = |span: steady_edit::Span| script.text().get(span.start..span.end).unwrap_or_default();
    let subject = check.subject.map(|subject| bare(slice(subject))).unwrap_or_default();
    let is_text = expected.len() > 2 && expected.starts_with(['\'', '"', '`']);
    let gives = |last: &Statement| {
        let place = last.target.as_ref().and_then(|target| target.locator.or(target.selector));
        let place = place.map(|place| bare(slice(place))).filter(|place| !place.is_empty());
        last.call.as_deref().is_some_and(|call| GIVING.contains(&call))
            && place.is_some_and(|place| subject.contains(&place))
            && slice(last.span).contains(expected)
    };
    is_text && earlier(script, sleep).filter(|last| last.span.end <= sleep.span.start).any(gives)
}

/// Whether the last that was checked of the same thing before the sleep is the same: then the check shows that it stays.
fn is_repeated(script: &Script, sleep: &Statement, check: &Check, declared: &[&str]) -> bool {
    let text = |span: Option<steady_edit::Span>| {
        span.and_then(|span| script.text().get(span.start..span.end)).map(bare)
    };
    let subject = subject_of(script, check);
    let is_new =
        subject.as_deref().is_some_and(|subject| words_of(subject).any(|word| declared.contains(&word)));
    let on_page = earlier(script, sleep).take_while(|last| !navigates(last));
    let mut last = on_page.flat_map(|last| last.checks.iter().rev());
    // What was demanded last of it counts, be it the contrary.
    let is_kin = |last: &Check| {
        last.matcher == check.matcher
            || last.asserts_absence != check.asserts_absence
            || last.negated != check.negated
    };
    let last = last.find(|last| subject.is_some() && subject_of(script, last) == subject && is_kin(last));
    // A chain may demand more behind it.
    let whole = |check: &Check| match check.subject {
        Some(_) => text(Some(check.span)),
        None => text(script.statement_around(check.span).map(|statement| statement.span)),
    };
    !is_new && last.is_some_and(|last| whole(last) == whole(check))
}

/// What a check is about; of `cy.get('#a').should('be.visible')` what is before the demand.
fn subject_of(script: &Script, check: &Check) -> Option<String> {
    let text = |span: steady_edit::Span| script.text().get(span.start..span.end);
    match check.subject {
        Some(subject) => text(subject).map(bare),
        None => text(check.span)?.split_once(".should(").map(|(subject, _)| bare(subject)),
    }
}

/// Whether a check waits until something is gone that was there before the sleep: it cannot hold too early.
fn disappears(script: &Script, sleep: &Statement, check: &Check) -> bool {
    let text = |span: Option<steady_edit::Span>| {
        span.and_then(|span| script.text().get(span.start..span.end)).map(bare)
    };
    let waits = matches!(
        check.matcher.as_str(),
        "toBeHidden" | "toBeVisible" | "toHaveCount" | "toBeAttached" | "toHaveAttribute"
    );
    let is_playwright = script.frameworks().contains(&Framework::Playwright);
    let subject = text(check.subject).filter(|subject| !subject.contains("count("));
    let mut last = earlier(script, sleep).flat_map(|last| last.checks.iter().rev());
    let last = last.find(|last| subject.is_some() && text(last.subject) == subject);
    let was_there = |last: &Check| {
        let is_shown = matches!(
            last.matcher.as_str(),
            "toBeVisible"
                | "toBeAttached"
                | "toHaveCount"
                | "toHaveText"
                | "toContainText"
                | "toHaveAttribute"
        );
        // An attribute is gone only from what it was.
        let is_other = check.matcher != "toHaveAttribute" || last.matcher == check.matcher;
        !last.asserts_absence && !last.negated && is_shown && is_other
    };
    // What no page shows is read again and again until it is so: `expect(sockets.size).toBe(0)` after `toBe(2)`.
    let has_page = script.frameworks().iter().any(|framework| framework.has_page());
    let was_other = |last: &Check| {
        !has_page && last.matcher == check.matcher && !last.asserts_absence && !last.negated && !check.negated
    };
    last.is_some_and(|last| (waits && is_playwright && was_there(last)) || was_other(last))
}

/// The names in code.
pub(super) fn words_of(code: &str) -> impl Iterator<Item = &str> {
    code.split(|sign: char| !is_part(sign)).filter(|word| !word.is_empty())
}

/// Code without what does not change what it says: white space, `await`, the semicolon at its end, commas before a bracket, and the
/// kind of its quotes.
pub(super) fn bare(code: &str) -> String {
    let code = code.trim().trim_end_matches(';');
    let bare: String = code.split_whitespace().filter(|word| *word != "await").collect();
    bare.replace("(await", "(").replace(",)", ")").replace(",}", "}").replace('"', "'")
}

fn is_part(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_' || sign == '$'
}

/// The words of names in code, in small letters: `unexpected` and `user` of `unexpectedUser`.
pub(super) fn words(code: &str) -> impl Iterator<Item = String> {
    let mut words = Vec::new();
    for name in code.split(|sign: char| !sign.is_alphanumeric()) {
        let mut word = String::new();
        let mut was_lower = false;
        for sign in name.chars() {
            if sign.is_uppercase() && was_lower {
                words.push(std::mem::take(&mut word));
            }
            was_lower = sign.is_lowercase();
            word.extend(sign.to_lowercase());
        }
        words.push(word);
    }
    words.into_iter().filter(|word| !word.is_empty())
}
