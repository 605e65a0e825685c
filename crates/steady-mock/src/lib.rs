//! The mock server: answers in the place of the services an API calls.
//!
//! [`Mocks`] gives every service a loopback address of its own, where HTTP/1.1, HTTP/2 and TLS are served on one port, and answers from
//! stubs. A stub is a [`Mapping`](mapping::Mapping) in WireMock's JSON: [`mapping`] reads and writes it, [`matching`] finds the one that
//! answers a request, [`State`] holds stubs, scenarios and the journal of requests. The admin API has WireMock's paths.
//! What no stub matches is answered 404, with the nearest stub shown field by field.
//!
//! ```
//! use steady_mock::mapping::{Mapping, RequestPattern, ResponseDefinition};
//! use steady_mock::{MockOptions, Mocks};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let mocks = Mocks::new(MockOptions::default())?;
//! let hello = ResponseDefinition::json(200, serde_json::json!({"temperature": 21}));
//! mocks.state().stubs.add(Mapping::new(RequestPattern::to("GET", "/v1/current"), hello))?;
//! let address = mocks.service("weather.partner.test", 8900).await?;
//! assert!(address.ip().is_loopback());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod admin;
mod answer;
mod folder;
pub mod import;
pub mod mapping;
pub mod matching;
mod mocks;
mod record;
mod server;
mod state;
mod stub;
mod trust;

pub use address::Addresses;
pub use answer::{AnswerError, ParseTemplateError};
pub use folder::MappingFolder;
pub use mocks::{MockOptions, Mocks};
pub use record::Recorder;
pub use server::ListenError;
pub use state::{Entry, Journal, JournalLimits, ScenarioState, Scenarios, State, Stubs, UnknownScenario};
pub use stub::Stub;
pub use trust::{Authority, STORE_PASSWORD, TrustError};
