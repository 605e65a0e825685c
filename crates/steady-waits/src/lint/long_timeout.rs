//! A time limit far above what is needed, or a sleep that nobody should pay for.

use steady_script::{Form, Framework, Kind, Wait};

use super::{Context, File, Said, called};

pub(super) const SUMMARY: &str = "A time limit far above what its like ever needed keeps a broken test running; a sleep of \
                                  more than ten seconds is paid by everybody.";

/// How many times what is usual is far above it.
const FAR: u64 = 4;

/// No polling call is told off for less, in milliseconds.
const LONG_CEILING: u64 = 30_000;

/// No sleep may take longer, in milliseconds.
const LONG_SLEEP: u64 = 10_000;

pub(super) fn check(file: &File<'_>) -> Vec<Said> {
    file.script.waits().iter().filter_map(|wait| said(file, wait)).collect()
}

fn said(file: &File<'_>, wait: &Wait) -> Option<Said> {
    let ms = wait.ms()?;
    let call = called(wait);
    let (message, advice) = match wait.kind {
        Kind::Sleep if ms > LONG_SLEEP && wait.form != Form::Setting => (
            format!("`{call}` sleeps {ms} ms, whatever happens"),
            "Wait for the event with a time limit of that length: it costs nothing when the event comes early.".to_owned(),
        ),
        Kind::Ceiling if ms > LONG_CEILING => {
            let (enough, why) = needed(file, wait)?;
            if ms <= enough.saturating_mul(FAR) {
                return None;
            }
            (
                format!("`{call}` may take {ms} ms, {} times {why}", ms / enough.max(1)),
                format!("Try {} ms: `steady waits tune --shrink` finds what is needed and verifies it.", suggestion(enough)),
            )
        }
        _ => return None,
    };
    Some(Said { wait: wait.clone(), message, advice })
}

/// How long such a call needs, as far as the past, the folder or the framework tell.
fn needed(file: &File<'_>, wait: &Wait) -> Option<(u64, String)> {
    let before = file
        .context
        .longest_before(wait)
        .map(|ms| (ms, format!("the {ms} ms that such a call ever had before")));
    let usual =
        file.context.usual(wait).map(|ms| (ms, format!("the {ms} ms that such calls have in this folder")));
    let known = before.max(usual).filter(|(ms, _)| *ms > 0);
    known.or_else(|| {
        let default = file.script.frameworks().iter().copied().find(|framework| framework.has_page())?;
        let ms = Context::default_of(default)?;
        Some((ms, format!("the {ms} ms that {} gives by default", name(default))))
    })
}

/// Twice what is usual leaves room for a slow machine.
fn suggestion(enough: u64) -> u64 {
    enough.saturating_mul(2)
}

fn name(framework: Framework) -> &'static str {
    match framework {
        Framework::Playwright => "Playwright",
        Framework::Cypress => "Cypress",
        Framework::Puppeteer => "Puppeteer",
        Framework::WebdriverIo => "WebdriverIO",
        Framework::TestingLibrary => "Testing Library",
        Framework::Nightwatch => "Nightwatch",
        Framework::TestCafe => "TestCafe",
        _ => "the framework",
    }
}
