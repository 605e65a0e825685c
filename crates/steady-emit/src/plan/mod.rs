//! The view of a suite that all emitters share.
//!
//! A [`Plan`] is the suite with everything resolved that does not depend on a language: tests in files by group,
//! each a list of [`Step`]s; variables with names that are legal everywhere; templates with their pieces; clean-up
//! calls at the place where everything they need is known. What can be wrong with a suite is found here, so the
//! languages only have to write.

mod condition;
mod error;
mod file;
mod identity;
mod name;
mod request;
mod scope;
mod step;

pub(crate) use condition::{Bounds, Condition, Varying, format_name};
pub use error::EmitError;
pub(crate) use file::TestFile;
pub(crate) use identity::Identity;
pub(crate) use name::Name;
pub(crate) use request::{Content, Filling, Json, Piece, Request, Setting, Template};
pub(crate) use scope::Variable;
pub(crate) use step::{Step, Test};

use steady_model::Suite;

use name::UniqueNames;

/// A suite, ready to be written in any language.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    /// The API's title.
    pub(crate) title: &'a str,
    /// The base URL when nothing else is said, without a slash at the end.
    pub(crate) url: &'a str,
    /// Who calls are made as.
    pub(crate) identities: Vec<Identity<'a>>,
    /// The tests, in the suite's order.
    pub(crate) tests: Vec<Test<'a>>,
}

impl<'a> Plan<'a> {
    /// Resolves a suite.
    pub(crate) fn of(suite: &'a Suite) -> Result<Self, EmitError> {
        let mut names = UniqueNames::default();
        let identities = suite
            .identities
            .iter()
            .map(|identity| Identity::of(identity, &mut names))
            .collect::<Result<Vec<_>, _>>()?;
        let mut names = UniqueNames::default();
        let tests = suite
            .tests
            .iter()
            .map(|test| Test::of(test, names.claim(Name::of(&test.name)), suite))
            .collect::<Result<Vec<_>, _>>()?;
        let url = suite.api.url.trim_end_matches('/');
        Ok(Self { title: &suite.api.title, url, identities, tests })
    }

    /// The environment variables the tests look up, each once, in order of use. What an identity needs that makes no call is not
    /// among them.
    pub(crate) fn environment(&self) -> Vec<&'a str> {
        let makes_calls = |who: &&Identity<'a>| {
            let requests = self.tests.iter().flat_map(|test| &test.steps).filter_map(|step| match step {
                Step::Send(request) | Step::Cleanup(request) => Some(request),
                Step::Fresh { .. } | Step::Capture { .. } | Step::Check { .. } => None,
            });
            requests.into_iter().any(|request| request.identity == Some(who.key))
        };
        let identities = self.identities.iter().filter(makes_calls).flat_map(Identity::templates);
        let steps = self.tests.iter().flat_map(|test| &test.steps).flat_map(Step::templates);
        let mut names = Vec::new();
        for piece in identities.chain(steps).flat_map(Template::pieces) {
            if let Piece::Environment(name, _) = piece
                && !names.contains(name)
            {
                names.push(name);
            }
        }
        names
    }
}
