//! A time limit far above what is needed.

use std::collections::BTreeSet;

use steady_js::{Form, Framework, Kind, Wait};

use super::{Before, File, Said, called};

pub(super) const SUMMARY: &str =
    "A time limit far above what its like ever needed keeps a broken test running.";

/// How many times what is usual is far above it.
const FAR: u64 = 4;

/// No polling call is told off for less, in milliseconds.
const LONG_POLL: u64 = 30_000;

/// No time limit is told off for less, when its past is known.
const LONG_LIMIT: u64 = 10_000;

/// What a shorter limit is worth, and what it may break.
const MEASURE: &str = "A shorter limit says sooner that something is broken; measure how long the call takes on the slowest machine before you lower it.";

/// How much of a commit's name is told.
const ABBREVIATED: usize = 10;

/// Whether what a wait was in the past would tell if it is too long.
pub fn is_worth_a_look(wait: &Wait) -> bool {
    matches!(wait.kind, Kind::PollTimeout | Kind::TestTimeout) && wait.ms() > Some(LONG_LIMIT)
}

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
        Kind::PollTimeout | Kind::TestTimeout if let Some(said) = raised(file, wait, ms) => said,
        Kind::PollTimeout if ms > LONG_POLL => {
            let Needed { enough, why } = needed(file, wait)?;
            if ms <= enough.saturating_mul(FAR) {
                return None;
            }
            (format!("`{call}` may take {ms} ms, {} times {why}", ms / enough.max(1)), MEASURE.to_owned())
        }
        _ => return None,
    };
    Some(Said::of(wait, message, advice))
}

/// A limit that was raised at once to many times what it was. One that was raised in steps has shown that each was too short.
fn raised(file: &File<'_>, wait: &Wait, ms: u64) -> Option<(String, String)> {
    let Before { ms: old, until, commit } = file.context.before(file.path, wait)?;
    let is_far = is_worth_a_look(wait) && *old > 0 && ms > old.saturating_mul(FAR);
    let commit: String = commit.chars().take(ABBREVIATED).collect();
    is_far.then(|| {
        (
            format!(
                "`{}` may take {ms} ms, {} times the {old} ms that this line had until {until} ({commit})",
                called(wait),
                ms / old
            ),
            format!("Nothing between the two was tried. {MEASURE}"),
        )
    })
}

/// What a call needs, and who says so.
struct Needed {
    enough: u64,
    why: String,
}

/// How long such a call needs, as far as the folder or the framework tell.
fn needed(file: &File<'_>, wait: &Wait) -> Option<Needed> {
    // What a setting is for is not known; whoever wrote down why a limit is long has thought about it.
    if wait.form == Form::Setting || file.comments_at(wait).next().is_some() {
        return None;
    }
    if let Some(enough) = file.context.usual(wait).filter(|ms| *ms > 0) {
        let why = format!("the {enough} ms that nine of ten such calls have here");
        return Some(Needed { enough, why });
    }
    let mut frameworks = file.script.frameworks().iter().copied();
    let default = frameworks.find(|framework| framework.has_page())?;
    let enough = file.context.default_of(file.path, default, wait)?;
    let why = format!("the {enough} ms that {} gives by default", name(default));
    Some(Needed { enough, why })
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
