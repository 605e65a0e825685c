//! What runs after a sleep.

use steady_js::{Script, Statement, Wait};

/// No more statements are looked at than this: what is further away has little to do with a sleep.
const MOST: usize = 40;

/// Methods that look at a page without waiting for what they look for.
const READS: [&str; 31] = [
    "all",
    "allInnerTexts",
    "allTextContents",
    "boundingBox",
    "content",
    "count",
    "evaluate",
    "evaluateAll",
    "getAttribute",
    "getText",
    "getValue",
    "innerHTML",
    "innerText",
    "inputValue",
    "isChecked",
    "isDisabled",
    "isDisplayed",
    "isEditable",
    "isEnabled",
    "isExisting",
    "isHidden",
    "isPresent",
    "isVisible",
    "querySelector",
    "querySelectorAll",
    "screenshot",
    "textContent",
    "title",
    "url",
    "$",
    "$$",
];

/// Those that answer at once whether something is so: who asks for it may expect either.
const STATES: [&str; 13] = [
    "boundingBox",
    "count",
    "isChecked",
    "isDisabled",
    "isDisplayed",
    "isEditable",
    "isEnabled",
    "isExisting",
    "isHidden",
    "isPresent",
    "isVisible",
    "$",
    "$$",
];

/// The statement behind that of a sleep.
pub(super) fn follows<'s>(script: &'s Script, wait: &Wait) -> Option<&'s Statement> {
    following(script, script.statement_around(wait.call)?).next()
}

/// The statements behind a sleep, in the same block; those of a block that stands there for itself are among them, and where the
/// sleep is in such a block, those behind it.
pub(super) fn following<'s>(script: &'s Script, sleep: &'s Statement) -> impl Iterator<Item = &'s Statement> {
    let all = script.statements();
    let behind = &all[all.partition_point(|next| next.span.start < sleep.span.end)..];
    let is_bare = is_bare(script, sleep);
    let is_inside = move |next: &Statement| next.span.start < sleep.block.end;
    let is_around = |next: &Statement| {
        next.block.start <= sleep.block.start
            && sleep.block.end <= next.block.end
            && next.parent == sleep.parent
    };
    let in_reach = behind
        .iter()
        .take_while(move |next| is_inside(next) || (is_bare && next.span.start < sleep.function.end));
    in_reach
        .filter(move |next| is_inside(next) || is_around(next))
        .filter(|next| next.depth == sleep.depth && next.function == sleep.function)
}

/// Whether a statement is in a block that stands for itself, and belongs to no `if`, loop or function.
fn is_bare(script: &Script, statement: &Statement) -> bool {
    let text = script.text();
    let is_block = text.get(statement.block.start..).is_some_and(|block| block.starts_with('{'));
    let before = text.get(..statement.block.start).unwrap_or_default().trim_end();
    is_block && before.ends_with([';', '{', '}'])
}

/// The statements before a sleep, in the same block, the last first.
pub(super) fn before<'s>(script: &'s Script, sleep: &'s Statement) -> impl Iterator<Item = &'s Statement> {
    let all = script.statements();
    let above = &all[..all.partition_point(|next| next.span.start < sleep.span.start)];
    let in_block = above.iter().rev().take_while(|last| last.span.start >= sleep.block.start);
    in_block.filter(|last| last.depth == sleep.depth && last.function == sleep.function)
}

/// All that runs after a sleep in its test, in order: the rest of its block with what is inside, then what comes after the blocks
/// around it. A loop around it begins again.
pub(super) fn after<'s>(script: &'s Script, sleep: &'s Statement) -> Vec<&'s Statement> {
    let all = script.statements();
    let between = |start: usize, end: usize| {
        let first = all.partition_point(|next| next.span.start < start);
        all[first..].iter().take_while(move |next| next.span.start < end)
    };
    let mut found = Vec::new();
    let mut at = sleep;
    while found.len() < MOST {
        found.extend(between(at.span.end, at.block.end));
        let Some(parent) = at.parent.and_then(|parent| all.get(parent)) else { break };
        let is_same_test = sleep.test.is_some() && parent.test == sleep.test;
        if parent.function != sleep.function && !is_same_test {
            break;
        }
        if parent.is_loop {
            found.extend(
                between(at.block.start, at.span.start).filter(|next| next.span.start > parent.span.start),
            );
        }
        at = parent;
    }
    found.truncate(MOST);
    found
}

/// All that runs before a sleep in its test, as far as its text says.
pub(super) fn earlier<'s>(script: &'s Script, sleep: &'s Statement) -> impl Iterator<Item = &'s Statement> {
    let all = script.statements();
    let above = &all[..all.partition_point(|next| next.span.start < sleep.span.start)];
    above.iter().rev().take_while(|last| match &sleep.test {
        Some(test) => last.test.as_ref() == Some(test),
        None => last.span.start >= sleep.function.start,
    })
}

/// Whether a statement only looks at something, without waiting for it.
pub(super) fn reads(statement: &Statement) -> bool {
    statement.call.as_deref().is_some_and(|call| READS.contains(&call) || call.starts_with("queryBy"))
}

/// Whether it asks for something that may be so or not.
pub(super) fn asks(statement: &Statement) -> bool {
    statement.call.as_deref().is_some_and(|call| STATES.contains(&call) || call.starts_with("queryBy"))
}

/// Whether it does something to the page: what comes behind it is no longer what a sleep before it waits for.
pub(super) fn acts(statement: &Statement, text: &str) -> bool {
    let Some(call) = &statement.call else { return false };
    let root = statement.root.as_deref().unwrap_or_default();
    let is_check = !statement.checks.is_empty()
        || ["expect", "assert", "verify", "check", "should", "ensure", "waitFor"]
            .iter()
            .any(|verb| call.starts_with(verb));
    let is_fired = matches!(root, "fireEvent" | "userEvent" | "user");
    let is_queued = root == "cy";
    // A function that is given one may check in it: `test.step('…', async () => {…})`.
    let source = text.get(statement.span.start..statement.span.end).unwrap_or_default();
    // What is asked for and kept is looked at behind it: `const room = await load(id)`.
    let is_kept = !statement.declares.is_empty() || source.contains(" = await ");
    let is_plain = statement.target.is_some() || !(source.contains("=>") || source.contains("function"));
    !is_check
        && !is_kept
        && !reads(statement)
        && ((statement.has_await && is_plain) || is_fired || (is_queued && is_plain))
}
