//! What running tests of a suite takes.

use std::cell::{Cell, RefCell};

use steady_http::{BaseUrl, Client, ClientOptions};
use steady_suite::{ProcessEnvironment, Sessions};
use tokio::net::TcpSocket;

use crate::drive::limit::Limit;
use crate::drive::run_once::RunContext;

/// A context for tests without identities or secrets.
pub(crate) fn context(url: &str, limit: Limit) -> RunContext<'static> {
    let base: BaseUrl = url.parse().expect("an address");
    let options = ClientOptions::default();
    RunContext {
        client: RefCell::new(Client::new(base, options.clone()).expect("a client")),
        sessions: RefCell::new(Sessions::new([], options.clone())),
        options,
        identities: Vec::new(),
        environment: &ProcessEnvironment,
        rate: None,
        seed: 0,
        limit,
        revivals: Cell::new(0),
    }
}

/// A port that refuses connections, and its address: it is taken and not listened at, so no other program can answer there.
pub(crate) fn refused_port() -> (TcpSocket, String) {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
    let url = format!("http://{}", socket.local_addr().expect("an address"));
    (socket, url)
}
