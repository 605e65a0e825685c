//! Measures how many requests a second bare channels make: `keepalive URL PATH SECONDS CONNECTIONS`.
//!
//! Everything runs on one thread, so the figure is what one core of the client can do at most.

use std::error::Error;
use std::time::{Duration, Instant};

use steady_http::{BaseUrl, Client, ClientOptions, TransportError};
use steady_model::{Method, Request};
use tokio::task::JoinSet;

#[expect(clippy::print_stdout, reason = "the figure is this program's output")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let [url, path, seconds, connections] = arguments.as_slice() else {
        return Err("usage: keepalive URL PATH SECONDS CONNECTIONS".into());
    };
    let client = Client::new(url.parse::<BaseUrl>()?, ClientOptions::default())?;
    let (seconds, connections): (f64, usize) = (seconds.parse()?, connections.parse()?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let start = Instant::now();
    let end = start + Duration::from_secs_f64(seconds);
    let requests = runtime.block_on(async {
        let mut loops = JoinSet::new();
        for _ in 0..connections {
            loops.spawn(repeat(client.clone(), path.clone(), end));
        }
        let mut requests = 0;
        while let Some(count) = loops.join_next().await {
            requests += count??;
        }
        Ok::<u64, Box<dyn Error>>(requests)
    })?;
    println!("{:.0}", requests as f64 / start.elapsed().as_secs_f64());
    Ok(())
}

/// Sends the same request over one channel until the end; the count of answers.
async fn repeat(client: Client, target: String, end: Instant) -> Result<u64, TransportError> {
    let mut channel = client.channel();
    let request = Request { method: Method::Get, target, headers: Vec::new(), body: None };
    let mut requests = 0;
    while Instant::now() < end {
        channel.send(&request).await?;
        requests += 1;
    }
    Ok(requests)
}
