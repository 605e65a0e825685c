//! What else is known when a file is looked at: the waits of its folder, and of its past.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use steady_history::{Past, versions_in};
use steady_js::{Form, Framework, Kind, Script, Wait};

use crate::configured::{Configured, Time};
use crate::locate::fragment::fragment;

/// Fewer values of other calls say nothing about what is usual.
const ENOUGH: usize = 3;

/// Waits that can be compared: of one kind and form, and of one name. A command of the shell needs other times than an element.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Like(Kind, Form, String);

impl Like {
    fn of(wait: &Wait) -> Self {
        Self(wait.kind, wait.form, wait.callee.clone())
    }
}

/// What a line said before its value was raised to what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Before {
    /// The value it had, in milliseconds.
    pub ms: u64,
    /// The year and month it was raised in: `2023-04`.
    pub until: String,
    /// The commit that raised it.
    pub commit: String,
}

/// The times that calls of each form have in a folder, and what their lines said before.
#[derive(Debug, Clone, Default)]
pub struct Context {
    here: BTreeMap<Like, Vec<u64>>,
    before: BTreeMap<(PathBuf, usize), Before>,
    configured: Configured,
}

impl Context {
    /// What these files of one folder say.
    pub fn of(scripts: &[&Script]) -> Self {
        let mut here: BTreeMap<Like, Vec<u64>> = BTreeMap::new();
        for wait in scripts.iter().flat_map(|script| script.waits()) {
            here.entry(Like::of(wait)).or_default().extend(wait.ms());
        }
        here.values_mut().for_each(|values| values.sort_unstable());
        Self { here, before: BTreeMap::new(), configured: Configured::default() }
    }

    /// The same, with what the configurations of the runners say.
    #[must_use]
    pub fn configured(self, configured: Configured) -> Self {
        Self { configured, ..self }
    }

    /// Learns what the lines of a file said in the past; `name` is what the past calls the file.
    pub fn learn(&mut self, path: &Path, script: &Script, past: &Past, name: &Path) {
        let versions = versions_in(past, name, script.text());
        for value in script.waits().iter().filter_map(|wait| wait.value.as_ref()) {
            let earlier = versions.get(&value.line).into_iter().flatten();
            let known = earlier.filter_map(|version| Some((fragment(&version.text)?.ms, version)));
            // The newest that differs: older ones were not enough either.
            let Some((ms, version)) = known.into_iter().find(|(ms, _)| *ms != value.ms) else { continue };
            let until = Timestamp::from_second(version.time).unwrap_or_default();
            let until = until.strftime("%Y-%m").to_string();
            let before = Before { ms, until, commit: version.commit.clone() };
            self.before.insert((path.to_owned(), value.line), before);
        }
    }

    /// What nine of ten other calls of this form get along with, if there are enough of them.
    pub fn usual(&self, wait: &Wait) -> Option<u64> {
        let mut others = self.here.get(&Like::of(wait)).cloned().unwrap_or_default();
        if let Some(itself) = wait.ms().and_then(|ms| others.binary_search(&ms).ok()) {
            others.remove(itself);
        }
        // The smallest value that at least nine tenths do not exceed.
        (others.len() >= ENOUGH).then(|| others[(others.len() * 9).div_ceil(10) - 1])
    }

    /// What the line of a wait's value said before, if that is known.
    pub fn before(&self, path: &Path, wait: &Wait) -> Option<&Before> {
        self.before.get(&(path.to_owned(), wait.value.as_ref()?.line))
    }

    /// How long a polling call of a framework takes in a file when it is not told: as its configuration says, or by default.
    pub fn default_of(&self, path: &Path, framework: Framework, wait: &Wait) -> Option<u64> {
        let name = match (framework, wait.callee.as_str()) {
            (Framework::Playwright, _) if wait.receiver == "expect" => "expect",
            (Framework::Cypress, "visit") => "pageLoadTimeout",
            (Framework::Cypress, "wait" | "request") => "responseTimeout",
            (Framework::Cypress, _) => "defaultCommandTimeout",
            _ => "",
        };
        match self.configured.time(path, name) {
            Some(Time::Ms(ms)) => Some(ms),
            Some(Time::Computed) => None,
            None => Self::built_in(framework, wait),
        }
    }

    /// How long it takes when nothing is configured, either.
    fn built_in(framework: Framework, wait: &Wait) -> Option<u64> {
        match framework {
            Framework::Playwright if wait.receiver == "expect" => Some(5_000),
            Framework::Cypress if wait.callee == "visit" => Some(60_000),
            Framework::Cypress if matches!(wait.callee.as_str(), "wait" | "request") => Some(30_000),
            Framework::Cypress => Some(4_000),
            // An action of Playwright takes as long as its test may.
            Framework::Playwright | Framework::Puppeteer => Some(30_000),
            Framework::TestingLibrary => Some(1_000),
            Framework::WebdriverIo | Framework::Nightwatch => Some(5_000),
            Framework::TestCafe => Some(10_000),
            Framework::Selenium
            | Framework::Jest
            | Framework::Vitest
            | Framework::Mocha
            | Framework::Node
            | Framework::Unknown => None,
        }
    }
}
