//! Replays the tests of a suite: binds variables, checks assertions, explains differences.
//!
//! A test is replayed in small steps, each a plain function: [`bind`] turns a request template into a request,
//! [`capture`] takes a variable out of a response, [`check`] holds one assertion against it and explains the
//! [`Mismatch`]. [`run_test`] does these steps over the wire, [`run_suite`] does it for every test of a suite.
//!
//! ```
//! use steady_model::{Assertion, Matcher, Payload, Place, Response};
//! use steady_suite::{Variables, check};
//!
//! let response = Response { status: 404, headers: vec![], body: Payload::default(), truncated: false };
//! let assertion = Assertion::new(Place::Status, Matcher::Equals(200.into()));
//! let mismatch = check(&assertion, &response, &response.document(), &Variables::default()).unwrap_err();
//! assert_eq!(mismatch.to_string(), "status: expected 200, got 404");
//! ```

mod bind;
mod capture;
mod check;
mod diff;
mod environment;
mod equality;
mod failure;
mod fill;
mod multipart;
mod run;
mod session;
mod variables;

pub use bind::{BindError, bind};
pub use capture::capture;
pub use check::{Mismatch, check, look_up, moment, read_jwt, reference, relation_holds};
pub use environment::{Environment, ProcessEnvironment, look_up_secrets, needed_environment};
pub use equality::{same_items, same_value};
pub use failure::Failure;
pub use run::{CallOutcome, RunOptions, TestError, TestFinished, TestOutcome, run_suite, run_test};
pub use session::{Credentials, Opening, SessionError, Sessions};
pub use variables::{Variables, fresh};
