//! TLS: which certificates are trusted and which protocols are offered.

use std::sync::Arc;

use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::{self, CryptoProvider};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::{AcceptAnyCertificate, ClientError, ClientOptions, HttpVersion};

/// The protocol name of HTTP/2 in ALPN.
pub(crate) const H2: &[u8] = b"h2";
const HTTP_1_1: &[u8] = b"http/1.1";

/// The one place that chooses the cryptography.
fn provider() -> Arc<CryptoProvider> {
    Arc::new(crypto::ring::default_provider())
}

/// Sets TLS up as the options say; reads the system's root certificates unless any certificate will do.
pub(crate) fn connector(options: &ClientOptions) -> Result<TlsConnector, ClientError> {
    let provider = provider();
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(ClientError::Tls)?;
    let mut config = if options.insecure {
        builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AcceptAnyCertificate::new(provider)))
            .with_no_client_auth()
    } else {
        builder.with_root_certificates(native_roots()?).with_no_client_auth()
    };
    config.alpn_protocols = match options.version {
        HttpVersion::Auto => vec![H2.to_vec(), HTTP_1_1.to_vec()],
        HttpVersion::Http1 => vec![HTTP_1_1.to_vec()],
        HttpVersion::Http2 => vec![H2.to_vec()],
    };
    Ok(TlsConnector::from(Arc::new(config)))
}

fn native_roots() -> Result<RootCertStore, ClientError> {
    let mut roots = RootCertStore::empty();
    // A system store often holds a few certificates that cannot be parsed; the others count.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() { Err(ClientError::NoRootCertificates) } else { Ok(roots) }
}
