//! Hurl files, one per test.
//!
//! Hurl has no language for helpers. What it cannot express is approximated: arrays and objects are
//! compared value by value, logins and clean-up calls are entries of the file, and `run.sh` makes the values that are
//! new in every run. The emitted `README.md` says so.

mod assert;
mod body;
mod entry;
mod quote;
mod script;
mod varying;

use crate::EmittedFile;
use crate::language::{Language, comment, readme};
use crate::plan::{Identity, Plan, Step, Test, TestFile};
use crate::prose::one_line;
use entry::Entry;

/// Writes Hurl files.
#[derive(Debug)]
pub(crate) struct Hurl;

impl Language for Hurl {
    fn path(&self, file: &TestFile<'_, '_>) -> String {
        let name = file.tests.first().map(|test| test.name.snake()).unwrap_or_default();
        // Cookies are only kept where a login depends on them: see `run.sh`.
        let keeps_cookies = file.tests.iter().any(|test| keeps_cookies(test, file.plan));
        let suffix = if keeps_cookies { ".cookies" } else { "" };
        format!("{}/{name}{suffix}.hurl", file.group_name())
    }

    fn header(&self, file: &TestFile<'_, '_>, _tests: &str) -> String {
        format!("# {}. {}\n", one_line(file.plan.title), file.summary())
    }

    fn test(&self, test: &Test<'_>, plan: &Plan<'_>) -> String {
        let mut entries: Vec<Entry<'_, '_>> = Vec::new();
        for who in identities(test, plan) {
            entries.extend(Entry::all(&who.login, plan, Some(who)));
        }
        entries.extend(Entry::all(&test.steps, plan, None));
        let targets: Vec<String> = entries.iter().flat_map(Entry::variables_in_urls).collect();
        let mut out = comment(test.about, "#");
        for (index, entry) in entries.iter().enumerate() {
            let options =
                if index == 0 { script::fresh_options(test, plan, &targets) } else { String::new() };
            out.push_str(&format!("\n{}", entry.text(&targets, &options)));
        }
        out
    }

    fn companions(&self, plan: &Plan<'_>) -> Vec<EmittedFile> {
        let readme = readme(include_str!("../../support/hurl/README.md"), plan);
        vec![readme, EmittedFile::new("run.sh", script::run(plan))]
    }

    fn room(&self) -> usize {
        1
    }
}

/// The identities of a test's calls, each once.
fn identities<'p, 'a>(test: &Test<'a>, plan: &'p Plan<'a>) -> Vec<&'p Identity<'a>> {
    let calls = |key: &str| {
        test.steps.iter().any(|step| match step {
            Step::Send(request) | Step::Cleanup(request) => request.identity == Some(key),
            _ => false,
        })
    };
    plan.identities.iter().filter(|who| calls(who.key)).collect()
}

fn keeps_cookies(test: &Test<'_>, plan: &Plan<'_>) -> bool {
    identities(test, plan).iter().any(|who| who.cookies)
}
