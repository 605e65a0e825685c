//! HTTPS with a self-signed certificate.

use std::sync::Arc;

use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use steady_http::{ClientOptions, HttpVersion, TransportError};
use steady_model::{Method, Payload};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::{channel_with, request};

/// Serves HTTPS on the test's runtime with a self-signed certificate; answers with the version of HTTP it was asked in.
async fn serve(protocols: &[&str]) -> String {
    let certified = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(certified.signing_key.serialize_der()).unwrap();
    let certificate = CertificateDer::from(certified.cert.der().to_vec());
    let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(stream) = acceptor.accept(stream).await else { return };
                let answer = service_fn(crate::http2::answer_with_version);
                let builder = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
                drop(builder.serve_connection(TokioIo::new(stream), answer).await);
            });
        }
    });
    url
}

async fn version_spoken(protocols: &[&str], version: HttpVersion) -> Payload {
    let options = ClientOptions { insecure: true, version, ..ClientOptions::default() };
    let url = serve(protocols).await;
    channel_with(&url, options).send(&request(Method::Get, "/")).await.unwrap().0.body
}

#[tokio::test]
async fn a_self_signed_certificate_is_refused() {
    let url = serve(&["http/1.1"]).await;
    // A machine without root certificates cannot even build the client, which refuses just as well.
    let Ok(client) = steady_http::Client::new(url.parse().unwrap(), ClientOptions::default()) else { return };
    let error = client.channel().send(&request(Method::Get, "/")).await.unwrap_err();
    assert!(matches!(error, TransportError::Tls { .. }), "{error:?}");
    assert_eq!(error.to_string(), format!("TLS with {url} failed"));
}

#[tokio::test]
async fn a_self_signed_certificate_is_accepted_when_any_will_do() {
    assert_eq!(version_spoken(&["http/1.1"], HttpVersion::Auto).await, Payload::Text("HTTP/1.1".into()));
}

#[tokio::test]
async fn alpn_chooses_http_2_where_both_speak_it() {
    let both = ["h2", "http/1.1"];
    assert_eq!(version_spoken(&both, HttpVersion::Auto).await, Payload::Text("HTTP/2.0".into()));
    assert_eq!(version_spoken(&both, HttpVersion::Http2).await, Payload::Text("HTTP/2.0".into()));
    assert_eq!(version_spoken(&both, HttpVersion::Http1).await, Payload::Text("HTTP/1.1".into()));
}

#[tokio::test]
async fn a_service_without_alpn_is_spoken_to_in_http_1() {
    assert_eq!(version_spoken(&[], HttpVersion::Auto).await, Payload::Text("HTTP/1.1".into()));
}

#[tokio::test]
async fn a_service_that_does_not_speak_tls_is_a_tls_error() {
    let service = crate::service::Service::start(|_, mut connection| {
        connection.write(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        connection.wait_for_close();
    });
    let url = service.url().replace("http:", "https:");
    let options = ClientOptions { insecure: true, ..ClientOptions::default() };
    let outcome = channel_with(&url, options).send(&request(Method::Get, "/")).await;
    assert!(matches!(outcome, Err(TransportError::Tls { .. })), "{outcome:?}");
}
