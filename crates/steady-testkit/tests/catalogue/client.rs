//! The smallest HTTP client that does: one connection per request, over when the server closes it.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// An answer.
#[derive(Debug, Clone)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Lower-case names and values.
    pub headers: Vec<(String, String)>,
    /// JSON, or a text as a string.
    pub body: Value,
}

/// Sends a request and reads its answer.
pub fn ask(port: u16, method: &str, target: &str, body: Option<&Value>) -> io::Result<Response> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let body = body.map(Value::to_string).unwrap_or_default();
    write!(
        stream,
        "{method} {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut received = Vec::new();
    stream.read_to_end(&mut received)?;
    parse(&String::from_utf8_lossy(&received)).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))
}

fn parse(received: &str) -> Option<Response> {
    let (head, body) = received.split_once("\r\n\r\n")?;
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = if chunked { joined(body)? } else { body.to_owned() };
    let body = serde_json::from_str(&body).unwrap_or(Value::from(body));
    Some(Response { status, headers, body })
}

/// Chunks as one text. Sizes count bytes.
fn joined(mut chunks: &str) -> Option<String> {
    let mut body = String::new();
    loop {
        let (size, rest) = chunks.split_once("\r\n")?;
        let size = usize::from_str_radix(size, 16).ok()?;
        if size == 0 {
            return Some(body);
        }
        body += rest.get(..size)?;
        chunks = rest.get(size + 2..)?;
    }
}
