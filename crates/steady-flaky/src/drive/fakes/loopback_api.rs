//! An API on a port of the loopback interface that answers by a script.
//!
//! It stops with the runtime of its test. `steady_testkit::Fixture` cannot take its place: its answers do not depend on how often
//! it was started, and it neither moves to another port nor leaves a request without an answer.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// A request, and what came before it.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub path: String,
    /// How often the API was started again before.
    pub starts: u32,
}

/// What comes back.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// A JSON body, with status 200.
    Json(Value),
    /// The connection ends without an answer.
    Close,
    /// Nothing, and the connection stays open.
    Silence,
}

type Script = dyn Fn(Asked) -> Reply + Send + Sync;

/// The API.
pub(crate) struct LoopbackApi {
    url: String,
    served: Arc<Served>,
}

struct Served {
    script: Box<Script>,
    starts: AtomicU32,
    requests: AtomicU32,
}

impl fmt::Debug for LoopbackApi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LoopbackApi").field(&self.url).finish()
    }
}

impl LoopbackApi {
    /// Answers every request by a script, for as long as the runtime runs.
    pub fn serve(script: impl Fn(Asked) -> Reply + Send + Sync + 'static) -> Self {
        Self::serve_at(free_port(), script)
    }

    /// The same at a port that is listened at already.
    pub fn serve_at(listener: TcpListener, script: impl Fn(Asked) -> Reply + Send + Sync + 'static) -> Self {
        let (starts, requests) = (AtomicU32::new(0), AtomicU32::new(0));
        let served = Arc::new(Served { script: Box::new(script), starts, requests });
        Self { url: listen(listener, &served), served }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// How many requests it got.
    pub fn requests(&self) -> u32 {
        self.served.requests.load(Ordering::SeqCst)
    }

    /// It was started again.
    pub fn count_start(&self) {
        self.served.starts.fetch_add(1, Ordering::SeqCst);
    }

    pub fn move_to_another_port(&mut self) {
        self.url = listen(free_port(), &self.served);
    }
}

fn free_port() -> TcpListener {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("a socket that does not block");
    TcpListener::from_std(listener).expect("a runtime")
}

/// Serves every connection; the address.
fn listen(listener: TcpListener, served: &Arc<Served>) -> String {
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let served = Arc::clone(served);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let served = Arc::clone(&served);
            // A client that goes away ends its connection, and nothing else.
            tokio::spawn(async move { drop(answer(stream, &served).await) });
        }
    });
    url
}

/// Answers the requests of a connection; none of them may have a body.
async fn answer(stream: TcpStream, served: &Served) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut first = String::new();
        if stream.read_line(&mut first).await? == 0 {
            return Ok(());
        }
        let mut header = String::new();
        while header != "\r\n" {
            header.clear();
            if stream.read_line(&mut header).await? == 0 {
                return Ok(());
            }
        }
        let asked = Asked {
            path: first.split(' ').nth(1).unwrap_or_default().to_owned(),
            starts: served.starts.load(Ordering::SeqCst),
        };
        served.requests.fetch_add(1, Ordering::SeqCst);
        match (served.script)(asked) {
            Reply::Json(body) => {
                let body = body.to_string();
                let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length";
                stream.write_all(format!("{head}: {}\r\n\r\n{body}", body.len()).as_bytes()).await?;
            }
            Reply::Close => return Ok(()),
            Reply::Silence => std::future::pending::<()>().await,
        }
    }
}
