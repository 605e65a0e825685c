//! A service in this process: on a free port, stopped when dropped, and it remembers what it was asked.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use bytes::Bytes;
use http_body_util::{BodyExt, Collected, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A request as the service saw it.
#[derive(Debug, Clone)]
pub struct Call {
    /// Method and target: `GET /orders?x=1`.
    pub line: String,
    /// Header names and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Call {
    /// The value of a header, or nothing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(given, _)| given == name).map_or("", |(_, value)| value)
    }
}

/// What the service answers.
#[derive(Debug, Clone)]
pub struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: String,
}

impl Answer {
    /// A status without content.
    pub fn status(status: u16) -> Self {
        Self { status, headers: vec![], body: String::new() }
    }

    /// A JSON body.
    pub fn json(status: u16, body: &str) -> Self {
        Self { body: body.to_owned(), ..Self::status(status).with("content-type", "application/json") }
    }

    /// A text body; a content type other than plain text is added.
    pub fn text(status: u16, body: &str) -> Self {
        Self { body: body.to_owned(), ..Self::status(status) }
    }

    /// Adds a header.
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

/// A running service.
pub struct Service {
    address: String,
    calls: Arc<Mutex<Vec<Call>>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    /// Answers every call by this function; the number counts the calls before it.
    pub fn start(answer: impl Fn(usize, &Call) -> Answer + Send + Sync + 'static) -> Self {
        let calls: Arc<Mutex<Vec<Call>>> = Arc::default();
        let (stop, stopped) = oneshot::channel();
        let (ready, address) = std::sync::mpsc::channel();
        let (heard, answer) = (Arc::clone(&calls), Arc::new(answer));
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                ready.send(listener.local_addr().unwrap()).unwrap();
                let serve = async {
                    loop {
                        let (stream, _) = listener.accept().await.unwrap();
                        let (heard, answer) = (Arc::clone(&heard), Arc::clone(&answer));
                        tokio::spawn(async move {
                            let service = service_fn(|request| respond(request, &heard, answer.as_ref()));
                            let connection = hyper::server::conn::http1::Builder::new();
                            // A client that goes away in the middle is its own business.
                            let _ = connection.serve_connection(TokioIo::new(stream), service).await;
                        });
                    }
                };
                tokio::select! {
                    () = serve => {}
                    _ = stopped => {}
                }
            });
        });
        let address = format!("http://{}", address.recv().unwrap());
        Self { address, calls, stop: Some(stop), thread: Some(thread) }
    }

    /// Its base URL.
    pub fn url(&self) -> &str {
        &self.address
    }

    /// What it was asked, in order.
    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    /// Method and target of what it was asked, in order.
    pub fn lines(&self) -> Vec<String> {
        self.calls().into_iter().map(|call| call.line).collect()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn respond(
    request: Request<Incoming>,
    heard: &Mutex<Vec<Call>>,
    answer: &(dyn Fn(usize, &Call) -> Answer + Send + Sync),
) -> Result<Response<Full<Bytes>>, Infallible> {
    let line = format!("{} {}", request.method(), request.uri());
    let header = |(name, value): (&hyper::header::HeaderName, &hyper::header::HeaderValue)| {
        (name.to_string(), value.to_str().unwrap_or_default().to_owned())
    };
    let headers = request.headers().iter().map(header).collect();
    let body = request.into_body().collect().await.map(Collected::to_bytes).unwrap_or_default();
    let call = Call { line, headers, body: String::from_utf8_lossy(&body).into_owned() };
    let number = {
        let mut calls = heard.lock().unwrap();
        calls.push(call.clone());
        calls.len() - 1
    };
    let Answer { status, headers, body } = answer(number, &call);
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(name, value);
    }
    Ok(response.body(Full::from(body)).unwrap())
}
