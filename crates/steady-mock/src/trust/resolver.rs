//! Chooses the certificate of a connection.

use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{Error, ServerConfig};

use super::Authority;

/// The name the client asks for, or the one the service is known by.
#[derive(Debug)]
struct ByName {
    authority: Arc<Authority>,
    otherwise: String,
}

impl ResolvesServerCert for ByName {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.authority.leaf(hello.server_name().unwrap_or(&self.otherwise)).ok()
    }
}

/// Accepts TLS for a service; clients that name no host get a certificate for `otherwise`.
pub(crate) fn acceptor(authority: &Arc<Authority>, otherwise: String) -> Result<TlsAcceptor, Error> {
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(ByName { authority: Arc::clone(authority), otherwise }));
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
