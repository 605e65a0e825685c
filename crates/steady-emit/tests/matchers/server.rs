//! A server that answers each path with a prepared response, on a free loopback port.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::TcpStream;

use serde_json::Value;
use steady_model::{Base, BasePart, Encoding};
use steady_testkit::LoopbackServer;

/// The path that all answers are under.
const PATH: &str = "/moved/here";

/// What is answered: 200, these headers, this body.
#[derive(Debug, Clone)]
pub struct Answer {
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
}

impl Answer {
    pub fn json(body: &Value) -> Self {
        let headers = vec![("content-type", "application/json".to_owned())];
        Self { headers, body: body.to_string() }
    }

    /// The answer of an API at this address: it says parts of it where the answer has `@url@`, `@origin:percent@` and the like.
    pub fn at(&self, base: &Base) -> Self {
        let said = |text: &str| {
            let mut said = text.to_owned();
            for part in BasePart::ALL {
                for (name, encoding) in
                    [("", Encoding::Plain), (":percent", Encoding::Percent), (":json", Encoding::Json)]
                {
                    said = said.replace(&format!("@{part}{name}@"), &base.text(part, encoding));
                }
            }
            said
        };
        let headers = self.headers.iter().map(|(name, value)| (*name, said(value))).collect();
        Self { headers, body: said(&self.body) }
    }

    /// The answer to a request in this language, which replaces `@language@` in it.
    pub fn for_language(mut self, language: &str) -> Self {
        self.body = self.body.replace("@language@", language);
        self
    }

    pub fn text(body: &str) -> Self {
        Self { headers: vec![("content-type", "text/plain".to_owned())], body: body.to_owned() }
    }

    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// A running server; it stops when it is dropped.
#[derive(Debug)]
pub struct Server(LoopbackServer);

impl Server {
    /// Starts to answer; an unknown path gets 404.
    pub fn start(answers: BTreeMap<String, Answer>) -> io::Result<Self> {
        LoopbackServer::start(move |stream, _| respond(stream, &answers)).map(Self)
    }

    /// Its address, with a path that no suite is made at.
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.0.address())
    }
}

/// One request without a body, one answer.
fn respond(mut stream: &TcpStream, answers: &BTreeMap<String, Answer>) -> io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let mut language = String::new();
    while let Some(line) = lines.next().transpose()?.filter(|line| !line.is_empty()) {
        if let Some((_, value)) =
            line.split_once(": ").filter(|(name, _)| name.eq_ignore_ascii_case("accept-language"))
        {
            language = value.to_owned();
        }
    }
    let path = first.split(' ').nth(1).unwrap_or_default().strip_prefix(PATH).unwrap_or_default();
    let base = Base::at(&format!("http://{}{PATH}", stream.local_addr()?));
    let not_found = Answer { headers: vec![], body: String::new() };
    let (status, answer) = answers.get(path).map_or(("404 Not Found", &not_found), |found| ("200 OK", found));
    let answer = answer.at(&base).for_language(&language);
    let mut head =
        format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n", answer.body.len());
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{head}\r\n{}", answer.body).as_bytes())
}
