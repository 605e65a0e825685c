//! Compares repeated responses to one request and says which parts vary, and why.
//!
//! Start with [`Comparison::of`]; it yields one [`Variation`] per differing place. Where runs agreed,
//! [`infer::suspect`] says whether a value has the shape of one that will not stay: a timestamp, a random id, an
//! object's identity. [`classify`] puts what moved a value and what its shape says together into a category.
//!
//! ```
//! use steady_flaky::{Comparison, Evidence, Step, classify, infer::Context};
//! use steady_model::{Payload, Response, rerun::Category};
//!
//! let answer = |body: &str| Response {
//!     status: 200,
//!     headers: vec![("content-type".to_owned(), "application/json".to_owned())],
//!     body: Payload::Text(body.into()),
//!     truncated: false,
//! };
//! let first = answer(r#"{"name": "Ada", "seen": "2026-03-10T12:00:00Z"}"#);
//! let again = answer(r#"{"name": "Ada", "seen": "2026-03-10T12:00:09Z"}"#);
//! let comparison = Comparison::of(&[&first, &again]);
//! let [variation] = comparison.variations.as_slice() else { panic!("one place varies") };
//! assert_eq!(variation.place.to_string(), "body:/seen");
//!
//! let now = "2026-03-10T12:00:10Z".parse()?;
//! let evidence = Evidence::of(variation, &Context::at(&variation.place, now)).moved(Step::Rerun);
//! assert_eq!(classify(variation, &evidence).category, Category::Time);
//! # Ok::<(), jiff::Error>(())
//! ```
//!
//! Everything here is a function over data, but for [`drive`], which runs the tests.

mod classify;
pub mod compare;
pub mod drive;
pub mod infer;
mod observation;
pub mod relax;

pub use classify::{Cause, Evidence, Step, SuspicionStatus, classify, suspicion_status};
pub use compare::{Comparison, Kind, Variation};
pub use infer::{Family, Strength, Suspicion};
pub use observation::Observation;
