//! The client against small services in this process, each of which does one thing, right or wrong.
#![allow(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

mod bodies;
mod get;
mod hostile;
mod http2;
mod keep_alive;
mod requests;
mod service;
mod stalls;
mod tls;

use steady_http::{Channel, Client, ClientOptions};
use steady_model::{Method, Request};

/// A channel to `url` with default options.
fn channel(url: &str) -> Channel {
    channel_with(url, ClientOptions::default())
}

/// A channel to `url`.
fn channel_with(url: &str, options: ClientOptions) -> Channel {
    Client::new(url.parse().unwrap(), options).unwrap().channel()
}

/// A request without headers and body.
fn request(method: Method, target: &str) -> Request {
    Request { method, target: target.to_owned(), headers: Vec::new(), body: None }
}
