//! A recording proxy in front of a real service.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Response, StatusCode};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use steady_http::Client;
use steady_model::{Method, Payload};
use tokio::task::{JoinHandle, JoinSet};
use url::Url;

use crate::import::RecordedExchange;
use crate::server::{ListenError, listen};
use crate::state::lock;

/// How large the body of a request may be.
const LARGEST_BODY: usize = 64 << 20;
/// Headers between the client and the proxy that the service does not see.
const OWN: [&str; 7] = [
    "host",
    "connection",
    "keep-alive",
    "proxy-connection",
    "transfer-encoding",
    "content-length",
    "accept-encoding",
];

/// Passes requests on to a service and remembers the exchanges; it ends when this is dropped.
#[derive(Debug)]
pub struct Recorder {
    address: SocketAddr,
    exchanges: Arc<Mutex<Vec<RecordedExchange>>>,
    task: JoinHandle<()>,
}

impl Recorder {
    /// Listens on a loopback address and passes everything on to the client's service.
    pub async fn start(address: SocketAddr, client: Client) -> Result<Self, ListenError> {
        let listener = listen(address).await?;
        let address = listener.local_addr().map_err(|source| ListenError::Bind { address, source })?;
        let exchanges: Arc<Mutex<Vec<RecordedExchange>>> = Arc::default();
        let kept = Arc::clone(&exchanges);
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                tokio::select! {
                    Ok((stream, _)) = listener.accept() => {
                        let (client, kept) = (client.clone(), Arc::clone(&kept));
                        connections.spawn(async move {
                            let pass = service_fn(|request| pass_on(request, &client, &kept));
                            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), pass).await;
                        });
                    }
                    Some(_) = connections.join_next() => {}
                    else => {}
                }
            }
        });
        Ok(Self { address, exchanges, task })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The exchanges so far.
    pub fn exchanges(&self) -> Vec<RecordedExchange> {
        lock(&self.exchanges).clone()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass_on(
    request: Request<Incoming>,
    client: &Client,
    kept: &Mutex<Vec<RecordedExchange>>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (parts, body) = request.into_parts();
    let target = parts.uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str).to_owned();
    let Ok(method) = parts.method.as_str().parse::<Method>() else {
        return Ok(failed(StatusCode::NOT_IMPLEMENTED, "the method cannot be passed on"));
    };
    let Ok(collected) = Limited::new(body, LARGEST_BODY).collect().await else {
        return Ok(failed(StatusCode::BAD_REQUEST, "the body of the request is incomplete or too large"));
    };
    let body = collected.to_bytes();
    let headers = parts.headers.iter().filter(|(name, _)| !OWN.contains(&name.as_str()));
    let headers =
        headers.filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
    let sent = steady_model::Request {
        method,
        target: target.clone(),
        headers: headers.collect(),
        body: (!body.is_empty()).then(|| Payload::from_bytes(body.to_vec())),
    };
    let (response, _) = match client.channel().send(&sent).await {
        Ok(answered) => answered,
        Err(error) => return Ok(failed(StatusCode::BAD_GATEWAY, &error.to_string())),
    };
    let origin = Url::parse(&client.base().origin()).ok();
    let exchange = RecordedExchange {
        method: parts.method.to_string(),
        origin,
        target: format!("{}{target}", client.base().path_prefix()),
        request_body: (!body.is_empty()).then_some(body),
        status: response.status,
        headers: response.headers,
        body: Bytes::copy_from_slice(response.body.as_bytes()),
    };
    let answer = answer(&exchange);
    lock(kept).push(exchange);
    Ok(answer)
}

fn answer(exchange: &RecordedExchange) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::from(exchange.body.clone()));
    *answer.status_mut() = StatusCode::from_u16(exchange.status).unwrap_or(StatusCode::BAD_GATEWAY);
    for (name, value) in &exchange.headers {
        // The body is decoded, and its length is known.
        let own = OWN.contains(&name.as_str()) || name == "content-encoding";
        if let (false, Ok(name), Ok(value)) = (own, HeaderName::try_from(name), HeaderValue::from_str(value))
        {
            answer.headers_mut().append(name, value);
        }
    }
    answer
}

fn failed(status: StatusCode, message: &str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(format!("steady mock record: {message}\n")));
    *response.status_mut() = status;
    response
}
