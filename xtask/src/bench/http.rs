//! Single requests of the benchmark itself, outside anything measured.

use std::time::Duration;

use anyhow::{Context, Result};
use steady_http::{BaseUrl, Client, ClientOptions};
use steady_model::{Method, Payload, Request, Response};

/// Sends one request over a connection of its own.
pub fn send(
    origin: &str,
    method: Method,
    target: &str,
    headers: Vec<(String, String)>,
    body: Option<String>,
) -> Result<Response> {
    let base: BaseUrl = origin.parse()?;
    let options = ClientOptions { timeout: Duration::from_secs(20), ..ClientOptions::default() };
    let request = Request {
        method,
        target: target.to_owned(),
        headers,
        body: body.map(|text| Payload::Text(text.into())),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("could not start the HTTP client")?;
    runtime.block_on(async {
        let mut channel = Client::new(base, options)?.channel();
        let (response, _) = channel.send(&request).await?;
        Ok(response)
    })
}

/// Sends one GET.
pub fn get(origin: &str, target: &str, headers: Vec<(String, String)>) -> Result<Response> {
    send(origin, Method::Get, target, headers, None)
}
