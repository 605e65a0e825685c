//! What the benchmark of the mock server sends its load to: `load_target stubs N` serves N stubs, `load_target bare` is hyper and one
//! answer. Prints its port and ends when standard input closes.

use std::convert::Infallible;
use std::error::Error;
use std::io::Read as _;

use bytes::Bytes;
use http_body_util::Full;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::json;
use steady_mock::{MockOptions, Mocks};
use tokio::net::TcpListener;

const BODY: &str = r#"{"message":"hello"}"#;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mocks = Mocks::new(MockOptions::default())?;
    let address = match arguments.as_slice() {
        ["bare"] => bare().await?,
        ["stubs", count] => {
            for number in 0..count.parse()? {
                let stub = json!({
                    "request": {"method": "GET", "urlPath": format!("/stub/{number}")},
                    "response": {"status": 200, "headers": {"Content-Type": "application/json"}, "body": BODY},
                });
                mocks.state().stubs.add(serde_json::from_value(stub)?)?;
            }
            mocks.listen("127.0.0.1:0".parse()?).await?
        }
        _ => return Err("usage: load_target bare | stubs N".into()),
    };
    #[expect(clippy::print_stdout, reason = "the port is what the benchmark waits for")]
    {
        println!("{}", address.port());
    }
    tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new())).await??;
    Ok(())
}

/// The least a server can do with hyper.
async fn bare() -> Result<std::net::SocketAddr, Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let _ = stream.set_nodelay(true);
            tokio::spawn(async move {
                let answer = service_fn(|_| async {
                    let mut response = hyper::Response::new(Full::new(Bytes::from_static(BODY.as_bytes())));
                    let kind = hyper::header::HeaderValue::from_static("application/json");
                    response.headers_mut().insert(hyper::header::CONTENT_TYPE, kind);
                    Ok::<_, Infallible>(response)
                });
                let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
            });
        }
    });
    Ok(address)
}
