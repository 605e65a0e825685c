//! Encrypted connections to PostgreSQL, as `sslmode` says.

use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use steady_http::AcceptAnyCertificate;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::StoreError;

/// Which servers are trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Any, without encryption.
    Never,
    /// Any, encrypted if the server supports it.
    Optional,
    /// Any, encrypted.
    Anyone,
    /// Servers with a certificate from the system's authorities, or from those in the file.
    Certified { roots: Option<PathBuf> },
}

impl Trust {
    /// Removes `sslmode` and `sslrootcert` from an address; the rest is for the driver, which supports fewer modes.
    pub(super) fn take_from(url: &str) -> Result<(String, Self), StoreError> {
        // A password may hold a question mark.
        let after_login = url.rfind('@').unwrap_or(0);
        let Some(question) = url[after_login..].find('?').map(|at| at + after_login) else {
            return Ok((url.to_owned(), Self::Optional));
        };
        let (mut mode, mut roots, mut rest) = ("prefer", None, Vec::new());
        for option in url[question + 1..].split('&') {
            match option.split_once('=') {
                Some(("sslmode", value)) => mode = value,
                Some(("sslrootcert", value)) if value != "system" => roots = Some(PathBuf::from(value)),
                Some(("sslrootcert", _)) => roots = None,
                _ => rest.push(option),
            }
        }
        let trust = match mode {
            "disable" => Self::Never,
            "prefer" => Self::Optional,
            "require" => Self::Anyone,
            "verify-full" => Self::Certified { roots },
            _ => {
                let detail = "sslmode is none of disable, prefer, require, verify-full".to_owned();
                return Err(StoreError::Address { detail });
            }
        };
        let separator = if rest.is_empty() { "" } else { "?" };
        Ok((format!("{}{separator}{}", &url[..question], rest.join("&")), trust))
    }
}

/// Makes encrypted streams.
#[derive(Clone)]
pub(super) struct Tls(TlsConnector);

impl Tls {
    pub(super) fn new(trust: &Trust) -> Result<Self, String> {
        let provider = Arc::new(crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?;
        let config = match trust {
            Trust::Certified { roots } => builder.with_root_certificates(authorities(roots.as_ref())?),
            Trust::Never | Trust::Optional | Trust::Anyone => builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(AcceptAnyCertificate::new(provider))),
        };
        Ok(Self(TlsConnector::from(Arc::new(config.with_no_client_auth()))))
    }
}

fn authorities(file: Option<&PathBuf>) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    let Some(file) = file else {
        // A system store often holds a few certificates that cannot be parsed; the others count.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        return if roots.is_empty() {
            Err("this machine trusts no certificates".to_owned())
        } else {
            Ok(roots)
        };
    };
    let unreadable =
        |error: &dyn std::fmt::Display| format!("certificates in {} cannot be read: {error}", file.display());
    for certificate in CertificateDer::pem_file_iter(file).map_err(|error| unreadable(&error))? {
        let certificate = certificate.map_err(|error| unreadable(&error))?;
        roots.add(certificate).map_err(|error| unreadable(&error))?;
    }
    if roots.is_empty() { Err(format!("{} holds no certificate", file.display())) } else { Ok(roots) }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Tls {
    type Stream = Encrypted<S>;
    type TlsConnect = Handshake;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> io::Result<Handshake> {
        let server = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        Ok(Handshake { connector: self.0.clone(), server })
    }
}

/// A handshake about to begin.
pub(super) struct Handshake {
    connector: TlsConnector,
    server: ServerName<'static>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for Handshake {
    type Stream = Encrypted<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move { self.connector.connect(self.server, stream).await.map(Encrypted) })
    }
}

/// An encrypted stream.
pub(super) struct Encrypted<S>(tokio_rustls::client::TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
