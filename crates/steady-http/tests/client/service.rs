//! A service that speaks whatever bytes a test wants.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;

/// Listens on a free port, hands every connection to a function on a thread of its own, and stops when dropped.
pub struct Service {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    /// Starts to serve; `serve` gets each connection with its number, counted from zero.
    pub fn start(serve: impl Fn(usize, Connection) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let stopping = Arc::new(AtomicBool::new(false));
        let (counter, stop, serve) = (Arc::clone(&connections), Arc::clone(&stopping), Arc::new(serve));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let number = counter.fetch_add(1, Ordering::SeqCst);
                let (serve, connection) = (Arc::clone(&serve), Connection::new(stream.unwrap()));
                std::thread::spawn(move || serve(number, connection));
            }
        });
        Self { address, connections, stopping, thread: Some(thread) }
    }

    /// Answers every request on every connection with the same bytes.
    pub fn answering(answer: impl Into<Vec<u8>>) -> Self {
        let answer = answer.into();
        Self::start(
            move |_, mut connection| {
                while connection.read_request().is_some() && connection.write(&answer) {}
            },
        )
    }

    /// Answers one request on every connection with these bytes and closes it.
    pub fn answering_once(answer: impl Into<Vec<u8>>) -> Self {
        let answer = answer.into();
        Self::start(move |_, mut connection| {
            connection.read_request();
            connection.write(&answer);
        })
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many connections were made so far.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        // Wakes the listener up.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// The service's side of a connection.
pub struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    fn new(stream: TcpStream) -> Self {
        stream.set_nodelay(true).unwrap();
        Self { stream: BufReader::new(stream) }
    }

    /// Reads a request: its head in lower case, and its body. `None` when the client has closed.
    pub fn read_request(&mut self) -> Option<(String, Vec<u8>)> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.stream.read_line(&mut head).ok()? == 0 {
                return None;
            }
        }
        let head = head.to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
        self.stream.read_exact(&mut body).ok()?;
        Some((head, body))
    }

    /// Lets the kernel hold a packet back while the one before it is not acknowledged, as it does by default.
    pub fn hold_packets_back(&mut self) {
        self.stream.get_mut().set_nodelay(false).unwrap();
    }

    /// Writes bytes; whether the client still takes them.
    pub fn write(&mut self, bytes: &[u8]) -> bool {
        self.stream.get_mut().write_all(bytes).is_ok()
    }

    /// Waits until the client has closed.
    pub fn wait_for_close(&mut self) {
        while self.stream.read(&mut [0; 1024]).is_ok_and(|read| read > 0) {}
    }
}

/// A response with this status line, these header lines and this body, its length included.
pub fn response(status: &str, headers: &[&str], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut bytes = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len()).into_bytes();
    for header in headers {
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body);
    bytes
}
