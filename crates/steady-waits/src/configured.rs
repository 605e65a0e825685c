//! How long calls may poll, as the configurations of Cypress and Playwright say.
//!
//! A configuration is a program, so only plain numbers are read from it; a time that is computed is known to be set, and not how
//! long it is.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::files::LARGEST;

const CYPRESS: [&str; 6] = [
    "cypress.config.ts",
    "cypress.config.js",
    "cypress.config.mjs",
    "cypress.config.cjs",
    "cypress.config.mts",
    "cypress.json",
];
const PLAYWRIGHT: [&str; 4] =
    ["playwright.config.ts", "playwright.config.js", "playwright.config.mjs", "playwright.config.mts"];

/// No folder is looked for further up.
const HIGHEST: usize = 12;

/// What a configuration says of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// This many milliseconds.
    Ms(u64),
    /// Something that only a run knows.
    Computed,
}

/// The times of the configurations that hold for some files.
#[derive(Debug, Clone, Default)]
pub struct Configured {
    /// By the folder of the configuration, and the name of the time.
    times: BTreeMap<PathBuf, BTreeMap<&'static str, Time>>,
}

/// The times that are read, by name, and where they stand.
static TIMES: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let known = [
        ("defaultCommandTimeout", r#"\bdefaultCommandTimeout["']?\s*:\s*([^,}\n]+)"#),
        ("pageLoadTimeout", r#"\bpageLoadTimeout["']?\s*:\s*([^,}\n]+)"#),
        ("responseTimeout", r#"\bresponseTimeout["']?\s*:\s*([^,}\n]+)"#),
        ("expect", r"\bexpect\s*:\s*\{[^}]*?\btimeout\s*:\s*([^,}\n]+)"),
    ];
    known.into_iter().filter_map(|(name, pattern)| Some((name, Regex::new(pattern).ok()?))).collect()
});

impl Configured {
    /// Reads the configurations in the folders above some files.
    pub fn above<'p>(files: impl IntoIterator<Item = &'p Path>) -> Self {
        let mut configured = Self::default();
        for file in files {
            for folder in file.ancestors().skip(1).take(HIGHEST) {
                if configured.times.contains_key(folder) {
                    break;
                }
                let times = read(folder);
                configured.times.insert(folder.to_owned(), times);
            }
        }
        configured
    }

    /// What the nearest configuration above a file says of a time.
    pub fn time(&self, file: &Path, name: &str) -> Option<Time> {
        let folders = file.ancestors().skip(1).take(HIGHEST);
        folders.filter_map(|folder| self.times.get(folder)).find_map(|times| times.get(name).copied())
    }
}

fn read(folder: &Path) -> BTreeMap<&'static str, Time> {
    let mut times = BTreeMap::new();
    for name in CYPRESS.iter().chain(&PLAYWRIGHT) {
        let path = folder.join(name);
        let is_readable = fs::metadata(&path).is_ok_and(|data| data.is_file() && data.len() <= LARGEST);
        if let (true, Ok(text)) = (is_readable, fs::read_to_string(&path)) {
            times.extend(times_in(&text));
        }
    }
    times
}

fn times_in(text: &str) -> BTreeMap<&'static str, Time> {
    let found = TIMES.iter().filter_map(|(name, pattern)| {
        let said = pattern.captures(text)?.get(1)?.as_str().trim().replace('_', "");
        Some((*name, said.parse().map_or(Time::Computed, Time::Ms)))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_are_read_and_others_are_known_to_be_set() {
        let cypress = "export default defineConfig({\n  defaultCommandTimeout: 10_000,\n  e2e: { pageLoadTimeout: slow * 2 },\n})";
        let times = times_in(cypress);
        assert_eq!(times.get("defaultCommandTimeout"), Some(&Time::Ms(10_000)));
        assert_eq!(times.get("pageLoadTimeout"), Some(&Time::Computed));
        assert_eq!(times.get("responseTimeout"), None);
        let playwright =
            "export default { timeout: 60000, expect: {\n  toHaveScreenshot: 1, timeout: 15000 } }";
        assert_eq!(times_in(playwright).get("expect"), Some(&Time::Ms(15_000)));
    }

    #[test]
    fn the_nearest_configuration_above_a_file_holds() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("app/e2e");
        fs::create_dir_all(&inner).expect("folders");
        fs::write(folder.path().join("cypress.json"), "{ \"defaultCommandTimeout\": 9000 }").expect("a file");
        fs::write(folder.path().join("app/cypress.config.ts"), "({ defaultCommandTimeout: 20000 })")
            .expect("a file");
        let (near, far) = (inner.join("a.cy.ts"), folder.path().join("b.cy.ts"));
        let configured = Configured::above([near.as_path(), far.as_path()]);
        assert_eq!(configured.time(&near, "defaultCommandTimeout"), Some(Time::Ms(20_000)));
        assert_eq!(configured.time(&far, "defaultCommandTimeout"), Some(Time::Ms(9_000)));
    }
}
