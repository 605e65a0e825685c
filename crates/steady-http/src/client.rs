//! What all connections to one API share.

use std::sync::{Arc, OnceLock};

use http::HeaderValue;
use http::uri::Authority;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls;

use crate::{BaseUrl, Channel, ClientOptions, tls};

/// A client of one API. Clones share everything; connections belong to its [`Channel`]s.
#[derive(Debug, Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

/// The parts of a request that are the same every time, checked and converted once.
pub(crate) struct Shared {
    pub(crate) base: BaseUrl,
    pub(crate) options: ClientOptions,
    pub(crate) authority: Authority,
    pub(crate) host: HeaderValue,
    pub(crate) user_agent: HeaderValue,
    pub(crate) tls: Option<TlsConnector>,
    /// The last request on the connection that held an unrequested response.
    pub(crate) unrequested: OnceLock<String>,
}

/// The client cannot be set up.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the variants document their fields")]
pub enum ClientError {
    /// The user agent holds a control character.
    #[error("user agent {text:?} cannot stand in a header; use printable characters only")]
    InvalidUserAgent { text: String },
    /// The host cannot be written into a `host` header.
    #[error("host `{text}` cannot be used in a request")]
    InvalidHost { text: String },
    /// The system has no trusted certificates, so none could be checked.
    #[error(
        "no trusted root certificates found on this system; install ca-certificates or accept any certificate"
    )]
    NoRootCertificates,
    /// TLS could not be set up.
    #[error("TLS could not be set up")]
    Tls(#[source] rustls::Error),
}

impl Client {
    /// A client for the API under `base`. Nothing is connected yet.
    pub fn new(base: BaseUrl, options: ClientOptions) -> Result<Self, ClientError> {
        let invalid_host = || ClientError::InvalidHost { text: base.authority().to_owned() };
        let authority = Authority::try_from(base.authority()).map_err(|_| invalid_host())?;
        let host = HeaderValue::from_str(base.authority()).map_err(|_| invalid_host())?;
        let user_agent = HeaderValue::from_str(&options.user_agent)
            .map_err(|_| ClientError::InvalidUserAgent { text: options.user_agent.clone() })?;
        let tls = if base.is_https() { Some(tls::connector(&options)?) } else { None };
        Ok(Self {
            shared: Arc::new(Shared {
                base,
                options,
                authority,
                host,
                user_agent,
                tls,
                unrequested: OnceLock::new(),
            }),
        })
    }

    /// The address of the API.
    pub fn base(&self) -> &BaseUrl {
        &self.shared.base
    }

    /// The last request on the first connection that held a response no request had asked for, if there was one.
    ///
    /// From then on every connection serves one exchange, and answers are right. An earlier answer may belong to an
    /// earlier request: results that were not seen again since are unreliable.
    pub fn unrequested(&self) -> Option<&str> {
        self.shared.unrequested.get().map(String::as_str)
    }

    /// A new connection, opened by its first request.
    pub fn channel(&self) -> Channel {
        Channel::new(Arc::clone(&self.shared))
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared")
            .field("base", &self.base)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
