//! Writes suites as test code that a person would keep.
//!
//! [`emit`] turns a [`Suite`] into the files of one [`Emitter`]: tests, a few support files, a project file where
//! the runner needs one, and a `README.md` with the command that runs them. It is a plain function over data; the
//! caller decides where the files go.
//!
//! The suite is first resolved into a plan, the one view all emitters share: every variable has a readable name,
//! every request its pieces, every test its steps in order. A language then defines how a step is written.
//!
//! Emitters of a family (`python`, `javascript`, `jvm`) are one type over a small trait, `Framework` or `Syntax`, with the
//! differences. A new framework of a known language is one implementation of that trait, beside its siblings; a
//! new language implements `Language` and `Statements`. Either is then named in `steady_model::Emitter` and in
//! `language::of`.
//!
//! ```
//! use steady_emit::{Emitter, emit};
//! use steady_model::Suite;
//!
//! let suite: Suite = serde_json::from_str(
//!     r#"{"version": 1, "api": {"title": "Shop", "url": "http://127.0.0.1:8080"}, "seed": 1, "tests": [{
//!         "name": "get_orders_returns_200", "group": "successes", "about": "GET /orders answers 200.",
//!         "calls": [{
//!             "operation": "GET /orders",
//!             "request": {"method": "GET", "target": "/orders"},
//!             "expect": [{"where": "status", "is": {"equals": 200}}]}]}]}"#,
//! )?;
//! let files = emit(&suite, Emitter::Pytest)?;
//! let tests = files.iter().find(|file| file.path == "test_successes.py").unwrap();
//! assert!(tests.text.contains("def test_get_orders_returns_200(api):"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod hurl;
mod javascript;
mod jvm;
mod language;
mod layout;
mod plan;
mod prose;
mod python;

use steady_model::Suite;

pub use plan::EmitError;
pub use steady_model::{Emitter, UnknownEmitter};

/// A file of test code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmittedFile {
    /// Where it goes, relative to `tests/<emitter>/`, with `/` between folders.
    pub path: String,
    /// What is in it.
    pub text: String,
}

impl EmittedFile {
    pub(crate) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }
}

/// Writes `suite` as test code for `emitter`. The same suite always gives the same files.
pub fn emit(suite: &Suite, emitter: Emitter) -> Result<Vec<EmittedFile>, EmitError> {
    let plan = plan::Plan::of(suite)?;
    Ok(language::write(language::of(emitter), &plan))
}
