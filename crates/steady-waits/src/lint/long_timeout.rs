//! A time limit far above what is needed, or a sleep that nobody should pay for.

use std::collections::BTreeSet;

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

const TUNE: &str = "`steady waits tune --shrink` finds what is needed and verifies it";

pub(super) fn check(file: &File<'_>) -> Vec<Said> {
    // A constant is to blame once, however often it is used.
    let mut blamed = BTreeSet::new();
    let said = file.script.waits().iter().filter_map(|wait| said(file, wait));
    said.filter(|said| said.wait.value.as_ref().is_none_or(|value| blamed.insert(value.span))).collect()
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
            let Needed { enough, why, advice } = needed(file, wait)?;
            if ms <= enough.saturating_mul(FAR) {
                return None;
            }
            (format!("`{call}` may take {ms} ms, {} times {why}", ms / enough.max(1)), advice)
        }
        _ => return None,
    };
    Some(Said { wait: wait.clone(), message, advice })
}

/// What a call needs, and who says so.
struct Needed {
    enough: u64,
    why: String,
    advice: String,
}

/// How long such a call needs, as far as the past, the folder or the framework tell.
fn needed(file: &File<'_>, wait: &Wait) -> Option<Needed> {
    let before = file.context.longest_before(wait).map(|ms| (ms, "that such a call ever had before"));
    let usual = file.context.usual(wait).map(|ms| (ms, "that such calls have in this folder"));
    if let Some((enough, who)) = before.max(usual).filter(|(ms, _)| *ms > 0) {
        let why = format!("the {enough} ms {who}");
        // Twice what is usual leaves room for a slow machine.
        let advice = format!("Try {} ms; {TUNE}.", enough.saturating_mul(2));
        return Some(Needed { enough, why, advice });
    }
    // What a setting is for is not known, so no default is either.
    let mut frameworks = file.script.frameworks().iter().copied().filter(|_| wait.form != Form::Setting);
    let default = frameworks.find(|framework| framework.has_page())?;
    let enough = Context::default_of(default, wait)?;
    let why = format!("the {enough} ms that {} gives by default", name(default));
    Some(Needed { enough, why, advice: format!("Try less; {TUNE}.") })
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
