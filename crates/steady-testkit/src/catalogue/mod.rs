//! A catalogue of small flaky APIs, with labels.
//!
//! [`all`] gives one API each in Rust, Python, Node and Java; [`parts`] gives the Rust one in pieces, a category each.
//! Between them they show every category of Table 3 in the study FlakyCatch comes from, its figures, and look-alikes:
//! constants that a rule on the shape of a value takes for flaky ones. What varies is listed in [`Api::flaky`],
//! with its category and with what moves it; what must keep an exact assertion, in [`Api::stable`].
//!
//! An API is started as a process by [`Api::start_command`], for use in `steady.toml`:
//!
//! ```no_run
//! for api in steady_testkit::catalogue::all() {
//!     println!("[sut]\nstart = {:?}\nready = {:?}\nreset = {:?}", api.start_command()?, api.ready(), api.reset());
//!     for label in api.flaky() {
//!         println!("# {} {} {}: {}", label.operation, label.status, label.place, label.category);
//!     }
//! }
//! # Ok::<(), steady_testkit::RunnerError>(())
//! ```
//!
//! With a mutant's name in [`MUTANT_VARIABLE`], the API is wrong in one respect: a value, a status, a relation, a format,
//! a missing field. A test suite for it should notice.

mod java;
mod label;
mod native;
mod node;
mod program;
mod python;

use label::Operation;

pub use label::{Constant, Label, Mover};
pub use native::serve;

use crate::RunnerError;

/// The environment variable that names the mutant; without it, an API behaves correctly.
pub const MUTANT_VARIABLE: &str = "CATALOGUE_MUTANT";

/// An API of the catalogue.
#[derive(Debug, Clone)]
pub struct Api {
    name: String,
    program: Program,
    flaky: Vec<Label>,
    stable: Vec<Constant>,
    mutants: Vec<&'static str>,
}

/// What an API is written in.
#[derive(Debug, Clone, Copy)]
enum Program {
    /// Rust, all parts or one.
    Native(Option<&'static str>),
    Python,
    Node,
    Java,
}

/// Every API: one in Rust, one in Python, one in Node, one in Java.
pub fn all() -> Vec<Api> {
    vec![
        Api::new(
            "rust".to_owned(),
            Program::Native(None),
            native::routes(None).map(|route| &route.operation),
        ),
        Api::new("python".to_owned(), Program::Python, python::OPERATIONS),
        Api::new("node".to_owned(), Program::Node, node::OPERATIONS),
        Api::new("java".to_owned(), Program::Java, java::OPERATIONS),
    ]
}

/// The API in Rust in pieces: one per category, and the look-alikes.
pub fn parts() -> Vec<Api> {
    let part = |(name, routes): (&'static str, &'static [native::Route])| {
        let operations = routes.iter().map(|route| &route.operation);
        Api::new(format!("rust-{name}"), Program::Native(Some(name)), operations)
    };
    native::PARTS.into_iter().map(part).collect()
}

impl Api {
    fn new(name: String, program: Program, operations: impl IntoIterator<Item = &'static Operation>) -> Self {
        let (mut flaky, mut stable, mut mutants) = (Vec::new(), Vec::new(), Vec::new());
        for operation in operations {
            flaky.extend(operation.labels());
            stable.extend(operation.constants());
            mutants.extend(operation.mutants);
        }
        Self { name, program, flaky, stable, mutants }
    }

    /// Its name: `rust`, `rust-time`, `python`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The command that starts it, in the syntax of a shell; `{port}` stands for the port. What it needs is built first, once.
    pub fn start_command(&self) -> Result<String, RunnerError> {
        match self.program {
            Program::Native(part) => program::native(part),
            Program::Python => Ok(program::python()),
            Program::Node => Ok(program::node()),
            Program::Java => program::java(),
        }
    }

    /// Where it serves its OpenAPI document.
    pub fn openapi(&self) -> &'static str {
        "/openapi.json"
    }

    /// The request that succeeds once it is ready.
    pub fn ready(&self) -> &'static str {
        "GET /health"
    }

    /// The request that makes it forget what earlier calls left.
    pub fn reset(&self) -> &'static str {
        "POST /__reset"
    }

    /// The places that vary.
    pub fn flaky(&self) -> &[Label] {
        &self.flaky
    }

    /// The places that do not, though some look as if they did.
    pub fn stable(&self) -> &[Constant] {
        &self.stable
    }

    /// What [`MUTANT_VARIABLE`] may name.
    pub fn mutants(&self) -> &[&'static str] {
        &self.mutants
    }
}
