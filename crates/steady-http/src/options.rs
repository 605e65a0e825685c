//! How a client behaves.

use std::time::Duration;

/// Which version of HTTP is spoken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HttpVersion {
    /// What the service prefers over TLS (ALPN), HTTP/1.1 in clear text.
    #[default]
    Auto,
    /// Only HTTP/1.1.
    Http1,
    /// Only HTTP/2; in clear text with prior knowledge.
    Http2,
}

/// The limits and the appearance of a client.
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// How long an exchange may take, from the call to the last byte of the answer.
    pub timeout: Duration,
    /// How long a connection may take to stand, TLS included.
    pub connect_timeout: Duration,
    /// How many bytes of a body are kept, on the wire and decoded; the rest is cut.
    pub max_body: usize,
    /// Whether any certificate is accepted, self-signed ones included.
    pub insecure: bool,
    /// Which version of HTTP is spoken.
    pub version: HttpVersion,
    /// The `user-agent` of requests that bring none.
    pub user_agent: String,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            connect_timeout: Duration::from_secs(10),
            max_body: 4 << 20,
            insecure: false,
            version: HttpVersion::Auto,
            user_agent: concat!("steady/", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}
