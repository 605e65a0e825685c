//! What else is known when a file is looked at: the waits of its folder, and of its past.

use std::collections::BTreeMap;

use steady_script::{Form, Framework, Kind, Script, Wait};

/// Fewer values of other calls say nothing about what is usual.
const ENOUGH: usize = 3;

/// Waits that can be compared: of one kind and form and, for settings, of one name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Like(Kind, Form, String);

impl Like {
    fn of(wait: &Wait) -> Self {
        let name = if wait.form == Form::Setting { wait.callee.clone() } else { String::new() };
        Self(wait.kind, wait.form, name)
    }
}

/// The times that calls of each form have in a folder, and the longest that each had in its past.
#[derive(Debug, Clone, Default)]
pub struct Context {
    here: BTreeMap<Like, Vec<u64>>,
    past: BTreeMap<Like, u64>,
}

impl Context {
    /// What these files of one folder say.
    pub fn of(scripts: &[&Script]) -> Self {
        let mut here: BTreeMap<Like, Vec<u64>> = BTreeMap::new();
        for wait in scripts.iter().flat_map(|script| script.waits()) {
            here.entry(Like::of(wait)).or_default().extend(wait.ms());
        }
        here.values_mut().for_each(|values| values.sort_unstable());
        Self { here, past: BTreeMap::new() }
    }

    /// Adds a wait that was here once.
    pub fn remember(&mut self, wait: &Wait) {
        if let Some(ms) = wait.ms() {
            let longest = self.past.entry(Like::of(wait)).or_default();
            *longest = (*longest).max(ms);
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

    /// The longest that calls of this form ever had before.
    pub fn longest_before(&self, wait: &Wait) -> Option<u64> {
        self.past.get(&Like::of(wait)).copied()
    }

    /// How long a polling call of a framework takes when it is not told.
    pub fn default_of(framework: Framework, wait: &Wait) -> Option<u64> {
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
