//! The shop as a server: a socket, a thread, a runtime.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use crate::answer::{Answer, Refusal};
use crate::call::ShopRequest;
use crate::routes;
use crate::store::Store;
use crate::volatile::Volatile;

/// The most bytes a request body may have.
const MAX_BODY: usize = 64 << 10;

/// A running shop. It listens on loopback only, and stops when dropped.
#[derive(Debug)]
pub struct Shop {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Shop {
    /// Starts a shop on a free port.
    pub fn start() -> io::Result<Self> {
        Self::start_on(0)
    }

    /// Starts a shop on this port; 0 means any free one.
    pub fn start_on(port: u16) -> io::Result<Self> {
        Self::serve(port, Volatile::unrepeated_seed())
    }

    /// Starts a shop on a free port that answers the same calls with the same values as any other of this seed, times aside.
    pub fn seeded(seed: u64) -> io::Result<Self> {
        Self::serve(0, seed)
    }

    fn serve(port: u16, seed: u64) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = {
            let _inside = runtime.enter();
            TcpListener::from_std(listener)?
        };
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new().name("shop".to_owned()).spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    () = accept(listener, seed) => {}
                    _ = stopped => {}
                }
            });
        })?;
        Ok(Self { address, stop: Some(stop), thread: Some(thread) })
    }

    /// The one account there is; the OpenAPI document gives both as examples.
    pub const USER: &'static str = "demo";
    /// The account's password.
    pub const PASSWORD: &'static str = "demo-password";

    /// The base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where the OpenAPI document is.
    pub fn openapi_url(&self) -> String {
        format!("{}/openapi.json", self.url())
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // It fails only when the thread has ended already.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn accept(listener: TcpListener, seed: u64) {
    let store = Arc::new(Mutex::new(Store::new(seed)));
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(serve(stream, Arc::clone(&store)));
            }
            // Out of file descriptors, most likely: others will be given back.
            Err(_) => tokio::time::sleep(std::time::Duration::from_millis(10)).await,
        }
    }
}

async fn serve(stream: TcpStream, store: Arc<Mutex<Store>>) {
    // Without it every second small answer waits for the client's delayed acknowledgement.
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| answer(request, &store));
    // A client that breaks the protocol does not affect the others.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

async fn answer(request: Request<Incoming>, store: &Mutex<Store>) -> Result<Answer, Infallible> {
    let (head, body) = request.into_parts();
    let body = read(body).await;
    let mut store = store.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(match body {
        Some(body) => routes::answer(&mut store, &ShopRequest::new(head, body)),
        None => {
            let refusal =
                Refusal::bad_request(format!("the body is incomplete or larger than {MAX_BODY} bytes"));
            refusal.into_answer(&mut store.volatile)
        }
    })
}

/// Reads a body to its end, because a client may not listen before; `None` when it is too large to keep.
async fn read(mut body: Incoming) -> Option<Bytes> {
    let mut kept = BytesMut::new();
    let mut fits = true;
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame.ok()?.into_data() {
            fits &= kept.len() + data.len() <= MAX_BODY;
            if fits {
                kept.extend_from_slice(&data);
            }
        }
    }
    fits.then(|| kept.freeze())
}
