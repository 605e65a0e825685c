//! Finds what test code asserts of HTTP responses, and rewrites single assertions in place.
//!
//! [`Source::read`] parses a file of tests and lists its assertions about responses: where each stands, which request it
//! belongs to and what it says, in the words of [`steady_model`]. [`Source::rewrite`] replaces some of them by weaker ones or
//! turns them into comments, in the idiom of their framework and without touching another byte; `steady-edit` shows and writes the
//! result. No test is run here.
//!
//! The frameworks are RestAssured with JUnit (Java, Kotlin), `requests` with pytest or unittest (Python), and Jest with
//! SuperAgent, SuperTest, axios or fetch (JavaScript, TypeScript). Each language is lowered to one small syntax, in which the
//! assertions are looked for; so a framework costs a file to find its assertions and a file to write them.
//!
//! ```
//! use steady_model::{Assertion, JsonType, Matcher};
//! use steady_assertions::{Change, Source};
//!
//! let text = "def test_order():\n    r = requests.get(url)\n    assert r.json()[\"id\"] == 3\n";
//! let source = Source::read("test_order.py", text)?;
//! let found = &source.assertions()[0];
//! assert_eq!((found.test.as_str(), found.line, found.call.first_line), ("test_order", 3, 2));
//! assert_eq!(found.places[0].place.to_string(), "body:/id");
//!
//! let relaxed = Assertion::new(found.places[0].place.clone(), Matcher::Type(JsonType::Integer))
//!     .noted(Some("differs in every run".to_owned()));
//! let rewritten = source.rewrite(&[(0, Change::Relax(vec![relaxed]))])?;
//! assert!(rewritten.text.ends_with("    # differs in every run\n    assert isinstance(r.json()[\"id\"], int)\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assertion;
mod error;
mod find;
mod fixtures;
mod imported;
mod imports;
mod language;
mod layout;
mod literal;
mod lower;
mod parse;
mod plan;
mod pointer;
mod render;
mod rewrite;
mod source;
mod syntax;

pub use assertion::{CallSite, HeldBody, NotFollowed, SourceAssertion};
pub use error::{LARGEST, ParseError};
pub use fixtures::FixtureFile;
pub use imported::{ImportedName, imported_names};
pub use language::Language;
pub use rewrite::{Change, RewriteError, Rewritten};
pub use source::Source;
