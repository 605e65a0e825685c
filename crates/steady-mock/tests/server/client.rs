//! A server with stubs, and a client of it.

use std::net::SocketAddr;

use serde_json::Value;
use steady_http::{Channel, Client, ClientOptions, HttpVersion};
use steady_mock::{MockOptions, Mocks};
use steady_model::{Method, Payload, Request, Response};

/// A server that listens on a free port of 127.0.0.1.
pub struct Server {
    pub mocks: Mocks,
    pub address: SocketAddr,
}

impl Server {
    pub async fn with(mappings: &[Value]) -> Self {
        let mocks = Mocks::new(MockOptions::default()).unwrap();
        for mapping in mappings {
            mocks.state().stubs.add(serde_json::from_value(mapping.clone()).unwrap()).unwrap();
        }
        let address = mocks.listen("127.0.0.1:0".parse().unwrap()).await.unwrap();
        Self { mocks, address }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn channel(&self) -> Channel {
        channel(&self.url(), HttpVersion::Auto)
    }

    pub async fn get(&self, target: &str) -> Response {
        self.send(Method::Get, target, None).await
    }

    pub async fn send(&self, method: Method, target: &str, body: Option<&Value>) -> Response {
        send(&mut self.channel(), method, target, body).await
    }
}

/// A channel that trusts everybody.
pub fn channel(url: &str, version: HttpVersion) -> Channel {
    let options = ClientOptions { insecure: true, version, ..ClientOptions::default() };
    Client::new(url.parse().unwrap(), options).unwrap().channel()
}

pub async fn send(channel: &mut Channel, method: Method, target: &str, body: Option<&Value>) -> Response {
    let body = body.map(|body| Payload::Text(body.to_string().into()));
    let request = Request { method, target: target.to_owned(), headers: Vec::new(), body };
    channel.send(&request).await.unwrap().0
}

pub fn text(response: &Response) -> String {
    String::from_utf8_lossy(response.body.as_bytes()).into_owned()
}

pub fn json(response: &Response) -> Value {
    serde_json::from_slice(response.body.as_bytes())
        .unwrap_or_else(|error| panic!("{error}: {}", text(response)))
}

pub fn header<'r>(response: &'r Response, name: &str) -> Vec<&'r str> {
    response.headers.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str()).collect()
}
