//! Serves the routes over HTTP on the loopback interface.

use std::collections::BTreeSet;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::json;
use tokio::net::TcpListener;

use super::answer::{Answer, Body, RouteRequest};
use super::document::document;
use super::route::Route;
use super::state::Store;
use super::world::World;
use crate::catalogue::MUTANT_VARIABLE;

/// Larger than any body the routes take.
const LONGEST_BODY: usize = 1 << 20;

/// Serves one part of the catalogue, or all of it, until the process ends.
pub fn serve(port: u16, part: Option<&str>) -> io::Result<()> {
    let routes: Vec<&'static Route> = super::routes(part).collect();
    if routes.is_empty() {
        let parts = super::PARTS.map(|(name, _)| name).join(", ");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("no such part; there are {parts}")));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port))).await?;
        let world = World::new(port, std::env::var(MUTANT_VARIABLE).ok());
        let server = Arc::new(Server { routes, world: Mutex::new(world) });
        loop {
            let (stream, _) = listener.accept().await?;
            // Small answers wait 40 ms for nothing otherwise.
            stream.set_nodelay(true)?;
            let server = Arc::clone(&server);
            tokio::spawn(async move {
                let service = service_fn(|request| respond(request, &server));
                // A client may close its connection whenever it likes.
                let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
            });
        }
    })
}

struct Server {
    routes: Vec<&'static Route>,
    world: Mutex<World>,
}

async fn respond(
    request: Request<Incoming>,
    server: &Server,
) -> Result<Response<Full<Bytes>>, hyper::http::Error> {
    let (head, body) = request.into_parts();
    let (method, path) = (head.method.as_str(), head.uri.path());
    let answer = match Limited::new(body, LONGEST_BODY).collect().await {
        Err(_) => Answer::json(413, json!({"error": "the body is too long or broken off"})),
        Ok(body) => server.answer(method, path, head.uri.query().unwrap_or_default(), &body.to_bytes()),
    };
    let mut response = Response::builder().status(answer.status);
    for (name, value) in answer.headers {
        response = response.header(name, value);
    }
    match answer.body {
        Body::None => response.body(Full::default()),
        Body::Json(body) => {
            response.header("content-type", "application/json").body(Full::from(body.to_string()))
        }
        Body::Text(text) => {
            response.header("content-type", "text/plain; charset=utf-8").body(Full::from(text))
        }
    }
}

impl Server {
    fn answer(&self, method: &str, path: &str, query: &str, body: &[u8]) -> Answer {
        let mut world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        match (method, path) {
            ("GET", "/health") => return Answer::ok(json!({"status": "up"})),
            ("GET", "/openapi.json") => return Answer::ok(document(&self.routes)),
            ("POST", "/__reset") => {
                world.store = Store::default();
                return Answer::empty();
            }
            _ => {}
        }
        for route in &self.routes {
            if let Some(in_path) = route.matches(method, path) {
                let in_query = url::form_urlencoded::parse(query.as_bytes()).into_owned();
                let call = RouteRequest {
                    parameters: in_query.chain(in_path).collect(),
                    body: serde_json::from_slice(body).unwrap_or_default(),
                };
                return (route.answer)(&mut world, &call);
            }
        }
        let methods = self.routes.iter().map(|route| route.target().0);
        let allowed: BTreeSet<&str> = methods.filter(|method| self.has(method, path)).collect();
        if allowed.is_empty() {
            return Answer::json(404, json!({"error": "no such route"}));
        }
        let allowed: Vec<&str> = allowed.into_iter().collect();
        Answer::json(405, json!({"error": "method not allowed"})).with("allow", allowed.join(", "))
    }
    fn has(&self, method: &str, path: &str) -> bool {
        self.routes.iter().any(|route| route.matches(method, path).is_some())
    }
}
