//! The HTTP client every request of steady goes through.
//!
//! A [`Client`] knows one API: its [`BaseUrl`], its [`ClientOptions`] and its TLS set-up. A [`Channel`] is one
//! keep-alive connection of that client; [`Channel::send`] turns a [`steady_model::Request`] into a
//! [`steady_model::Response`]. The service at the other end is not trusted: time, head and body are bounded, and
//! whatever it does wrong is a [`TransportError`] that says what and where. [`get`] fetches one text document,
//! such as an OpenAPI document, by its full address.
//!
//! ```no_run
//! use steady_http::{BaseUrl, Client, ClientOptions};
//! use steady_model::{Method, Request};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let base: BaseUrl = "http://127.0.0.1:8080/v1".parse()?;
//! let mut channel = Client::new(base, ClientOptions::default())?.channel();
//! let request = Request { method: Method::Get, target: "/orders?limit=3".into(), headers: vec![], body: None };
//! let (response, elapsed) = channel.send(&request).await?;
//! assert_eq!(response.status, 200);
//! # Ok(())
//! # }
//! ```

mod accept_any;
mod base_url;
mod channel;
mod client;
mod connect;
mod deadline;
mod decode;
mod encode;
mod error;
mod fetch;
mod options;
mod receive;
mod tls;
mod wire;

pub use accept_any::AcceptAnyCertificate;
pub use base_url::{BaseUrl, ParseBaseUrlError};
pub use channel::Channel;
pub use client::{Client, ClientError};
pub use error::{RequestPart, TransportError};
pub use fetch::{Fetched, GetError, Redirects, get};
pub use options::{ClientOptions, HttpVersion};
