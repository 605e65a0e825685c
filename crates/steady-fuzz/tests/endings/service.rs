//! A small shop of items that hangs, waits, refuses or dies as a test says. One thread per connection.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The document of the API.
pub const DOCUMENT: &str = r#"{"openapi": "3.0.3", "info": {"title": "Items", "version": "1"}, "paths": {
  "/items": {
    "get": {"responses": {"200": {"description": "all"}}},
    "post": {"requestBody": {"required": true, "content": {"application/json": {"schema":
               {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}}},
             "responses": {"201": {"description": "one"}, "400": {"description": "no"}}}},
  "/items/{id}": {"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
    "get": {"responses": {"200": {"description": "one"}, "404": {"description": "none"}}},
    "delete": {"responses": {"204": {"description": "gone"}, "404": {"description": "none"}}}},
  "/health": {"get": {"responses": {"200": {"description": "fine"}}}}
}}"#;

/// The document of its scheduler.
pub const SCHEDULER: &str = r#"{"openapi": "3.0.3", "info": {"title": "Scheduler", "version": "1"}, "paths": {
  "/scheduler/stop": {"get": {"responses": {"204": {"description": "stopped"}}}},
  "/scheduler/run": {"get": {"responses": {"204": {"description": "runs"}}}},
  "/scheduler/pause": {"get": {"responses": {"204": {"description": "paused"}}}},
  "/scheduler/resume": {"get": {"responses": {"204": {"description": "runs"}}}},
  "/scheduler/status": {"get": {"responses": {"200": {"description": "how it is"}}}}
}}"#;

/// What happens to a request.
#[derive(Debug, Clone, Copy)]
pub enum Fate {
    /// It is answered.
    Answer,
    /// It is answered later.
    Delay(Duration),
    /// It is never answered.
    Hang,
    /// 429 with a minute to wait.
    Later,
    /// Nothing listens from now on.
    Die,
}

/// A running API.
pub struct Service {
    address: SocketAddr,
    shared: Arc<Shared>,
}

/// What happens to a request, by the number of requests before it and its first line.
type Decision = dyn Fn(usize, &str) -> Fate + Send + Sync;

struct Shared {
    fate: Box<Decision>,
    requests: AtomicUsize,
    ended: AtomicBool,
    items: Mutex<(u64, BTreeMap<u64, String>)>,
    scheduler: Mutex<&'static str>,
}

impl Service {
    /// Serves on this port, 0 for a free one; `fate` gets the number of requests before a request, and its first line.
    pub fn start(port: u16, fate: impl Fn(usize, &str) -> Fate + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            fate: Box::new(fate),
            requests: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            items: Mutex::default(),
            scheduler: Mutex::new("RUNNING"),
        });
        let known = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if known.ended.load(Ordering::SeqCst) {
                    break;
                }
                let known = Arc::clone(&known);
                let Ok(stream) = stream else { continue };
                std::thread::spawn(move || known.serve(stream, address));
            }
        });
        Self { address, shared }
    }

    /// Its base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Requests so far.
    pub fn requests(&self) -> usize {
        self.shared.requests.load(Ordering::SeqCst)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.shared.end(self.address);
    }
}

impl Shared {
    fn end(&self, address: SocketAddr) {
        self.ended.store(true, Ordering::SeqCst);
        // Wakes the listener, which sees that it is over.
        let _ = TcpStream::connect(address);
    }

    fn serve(&self, stream: TcpStream, address: SocketAddr) -> Option<()> {
        let mut writer = stream.try_clone().ok()?;
        let mut reader = BufReader::new(stream);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
            let mut length = 0;
            loop {
                let mut header = String::new();
                reader.read_line(&mut header).ok().filter(|read| *read > 0)?;
                if header.trim().is_empty() {
                    break;
                }
                if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().ok()?;
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).ok()?;
            let number = self.requests.fetch_add(1, Ordering::SeqCst);
            let answer = match (self.fate)(number, line.trim()) {
                Fate::Answer => self.answer(&line, &body),
                Fate::Delay(time) => {
                    std::thread::sleep(time);
                    self.answer(&line, &body)
                }
                Fate::Later => response(429, "retry-after: 60\r\n", "{}"),
                Fate::Hang => loop {
                    std::thread::park();
                },
                Fate::Die => {
                    self.end(address);
                    return None;
                }
            };
            if self.ended.load(Ordering::SeqCst) {
                return None;
            }
            writer.write_all(answer.as_bytes()).ok()?;
        }
    }

    fn answer(&self, line: &str, body: &[u8]) -> String {
        let mut words = line.split(' ');
        let (method, path) = (words.next().unwrap(), words.next().unwrap());
        if let ("GET", Some(verb)) = (method, path.strip_prefix("/scheduler/")) {
            return self.schedule(verb);
        }
        let (last, items) = &mut *self.items.lock().unwrap();
        let show = |id: u64, name: &str| format!(r#"{{"id":{id},"name":{}}}"#, serde_json::json!(name));
        let id = path.strip_prefix("/items/").map(str::parse::<u64>);
        match (method, path, id) {
            ("GET", "/health", _) => response(200, "", r#"{"status":"fine"}"#),
            ("POST", "/login", _) => response(200, "", r#"{"token":"a1b2c3d4"}"#),
            ("GET", "/items", _) => {
                let shown: Vec<String> = items.iter().map(|(id, name)| show(*id, name)).collect();
                response(200, "", &format!("[{}]", shown.join(",")))
            }
            ("POST", "/items", _) => {
                let sent: Result<serde_json::Value, _> = serde_json::from_slice(body);
                match sent.ok().as_ref().and_then(|sent| sent["name"].as_str()) {
                    Some(name) => {
                        *last += 1;
                        items.insert(*last, name.to_owned());
                        response(201, "", &show(*last, name))
                    }
                    None => response(400, "", r#"{"error":"name"}"#),
                }
            }
            ("GET", _, Some(Ok(id))) if items.contains_key(&id) => response(200, "", &show(id, &items[&id])),
            ("DELETE", _, Some(Ok(id))) if items.remove(&id).is_some() => response(204, "", ""),
            ("GET" | "DELETE", _, Some(_)) => response(404, "", r#"{"error":"none"}"#),
            ("GET", "/", _) => response(404, "", "{}"),
            _ => response(405, "allow: GET, POST, DELETE\r\n", ""),
        }
    }
}

impl Shared {
    /// A scheduler that can be paused and resumed; once stopped it does not run again.
    fn schedule(&self, verb: &str) -> String {
        let mut state = self.scheduler.lock().unwrap();
        let next = match verb {
            "status" => return response(200, "", &format!(r#"{{"state":"{state}"}}"#)),
            _ if *state == "STOPPED" => return response(500, "", r#"{"error":"it was stopped"}"#),
            "run" | "resume" => "RUNNING",
            "pause" => "PAUSED",
            "stop" => "STOPPED",
            _ => return response(404, "", "{}"),
        };
        *state = next;
        response(204, "", "")
    }
}

fn response(status: u16, headers: &str, body: &str) -> String {
    let kind = if body.is_empty() { "" } else { "content-type: application/json\r\n" };
    format!("HTTP/1.1 {status} X\r\n{kind}{headers}content-length: {}\r\n\r\n{body}", body.len())
}
