//! A test file: read, and its assertions found.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steady_edit::LineIndex;

use crate::assertion::{CallSite, Found, NotFollowed, Site, SourceAssertion};
use crate::error::ParseError;
use crate::find::{Home, Shared, find};
use crate::fixtures::FixtureFile;
use crate::imported::imported_names;
use crate::language::Language;
use crate::lower;
use crate::render::supports;

/// A file of tests and what it asserts.
#[derive(Debug, Clone)]
pub struct Source {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) language: Language,
    assertions: Vec<SourceAssertion>,
    not_followed: Vec<NotFollowed>,
    pub(crate) sites: Vec<Site>,
    /// The files of fixtures that it was read with.
    pub(crate) fixtures: Vec<Arc<FixtureFile>>,
}

impl Source {
    /// Reads a file's text; the language is that of the path's extension. Nothing is read from the disk.
    pub fn read(path: impl Into<PathBuf>, text: impl Into<String>) -> Result<Self, ParseError> {
        Self::read_with(path, text, &[])
    }

    /// Reads it with the files whose fixtures its tests see, the nearest first.
    pub fn read_with(
        path: impl Into<PathBuf>,
        text: impl Into<String>,
        fixtures: &[Arc<FixtureFile>],
    ) -> Result<Self, ParseError> {
        let (path, text) = (path.into(), text.into());
        let (language, file) = lower::file(&path, &text)?;
        let lines = LineIndex::new(&text);
        let (mut assertions, mut sites) = (Vec::new(), Vec::new());
        let mut not_followed = BTreeMap::new();
        let imported = imported_names(&path, &text);
        for test in &file.tests {
            let own = Home { text: &text, lines: &lines, functions: &file.functions, fixture_file: None };
            let findings = find(test, own, Shared { files: fixtures, imported: &imported }, language);
            not_followed.extend(findings.not_followed);
            for found in findings.found {
                if merged(&found, &mut assertions, &sites) {
                    continue;
                }
                let mut assertion = SourceAssertion {
                    line: lines.line(found.span.start),
                    span: found.span,
                    test: test.name.clone(),
                    call: found.call,
                    also: Vec::new(),
                    assumed: found.assumed,
                    places: found.places,
                    held: found.held,
                    supported: false,
                };
                assertion.supported = supports(language, &found.site, &assertion);
                assertions.push(assertion);
                sites.push(found.site);
            }
        }
        let (assertions, sites) = in_order(assertions, sites);
        let (assertions, sites) = of_one_meaning(assertions, sites, &text, &mut not_followed);
        // What one test cannot follow, another may have.
        not_followed.retain(|at, _| !assertions.iter().any(|found| found.span.start == *at));
        let not_followed = not_followed.into_values().collect();
        Ok(Self { path, text, language, assertions, not_followed, sites, fixtures: fixtures.to_vec() })
    }

    /// The file it was read as.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that a request stands in.
    pub fn file_of(&self, call: &CallSite) -> &Path {
        call.fixture_file.and_then(|at| self.fixtures.get(at)).map_or(&self.path, |file| file.path())
    }

    /// The text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The assertions of its tests that lead to no response, in the order of the source.
    pub fn not_followed(&self) -> &[NotFollowed] {
        &self.not_followed
    }

    /// What its tests assert about responses, in the order of the source.
    pub fn assertions(&self) -> &[SourceAssertion] {
        &self.assertions
    }
}

/// Whether an assertion is known already, in a function that another test calls: then it speaks of one more request.
fn merged(found: &Found, assertions: &mut [SourceAssertion], sites: &[Site]) -> bool {
    let same = assertions.iter_mut().zip(sites).find(|(known, _)| known.span == found.span);
    let Some((known, site)) = same else { return false };
    if known.places == found.places && site.subject == found.site.subject {
        if known.call != found.call && !known.also.contains(&found.call) {
            known.also.push(found.call);
        }
        known.assumed |= found.assumed;
    } else {
        // It means another thing in another test.
        known.places.clear();
    }
    true
}

/// Those that say the same in every test that runs them; the others are not followed.
fn of_one_meaning(
    assertions: Vec<SourceAssertion>,
    sites: Vec<Site>,
    text: &str,
    not_followed: &mut BTreeMap<usize, NotFollowed>,
) -> (Vec<SourceAssertion>, Vec<Site>) {
    let (clear, unclear): (Vec<_>, Vec<_>) =
        assertions.into_iter().zip(sites).partition(|(assertion, _)| !assertion.places.is_empty());
    for (SourceAssertion { span, line, .. }, _) in unclear {
        let code = text[span].lines().next().unwrap_or_default().trim().to_owned();
        let reason = "it is about something else in every test that calls it";
        not_followed.insert(span.start, NotFollowed { line, code, reason });
    }
    clear.into_iter().unzip()
}

/// Assertions and their sites by where they stand.
fn in_order(assertions: Vec<SourceAssertion>, sites: Vec<Site>) -> (Vec<SourceAssertion>, Vec<Site>) {
    let mut pairs: Vec<_> = assertions.into_iter().zip(sites).collect();
    pairs.sort_by_key(|(assertion, _)| (assertion.span.start, assertion.span.end));
    pairs.into_iter().unzip()
}
