//! One connection: plain or TLS, HTTP/1.1 or HTTP/2.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use super::fault::{PendingFault, Socket};
use super::respond::respond;
use crate::matching::Scheme;
use crate::state::State;

/// What a listener stands for.
pub(crate) struct Door {
    pub(crate) state: Arc<State>,
    /// The service's host and port; the `host` header decides when there is none.
    pub(crate) service: Option<(Arc<str>, u16)>,
    /// The address it listens on.
    pub(crate) own: (Arc<str>, u16),
    pub(crate) tls: Option<TlsAcceptor>,
    /// Whether stubs are served, beside the admin API.
    pub(crate) serves_stubs: bool,
}

/// What a connection begins with.
enum Opening {
    Tls,
    Http1,
    Http2,
    Foreign,
}

/// The first byte of a TLS handshake.
const HANDSHAKE: u8 = 0x16;
/// How many milliseconds the rest of an opening may take.
const PATIENCE: usize = 2000;
/// How HTTP/2 begins, as far as no method does.
const HTTP2: &[u8] = b"PRI ";

/// Serves a connection to its end.
pub(super) async fn serve(stream: TcpStream, door: Arc<Door>) {
    let _ = stream.set_nodelay(true);
    match opening(&stream).await {
        Ok(Opening::Http1) => http_1(stream, Scheme::Http, door).await,
        Ok(Opening::Http2) => http_2(stream, Scheme::Http, door).await,
        Ok(Opening::Tls) => {
            let Some(acceptor) = door.tls.clone() else { return };
            let Ok(stream) = acceptor.accept(stream).await else { return };
            if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
                http_2(stream, Scheme::Https, door).await;
            } else {
                http_1(stream, Scheme::Https, door).await;
            }
        }
        Ok(Opening::Foreign) => {
            let (host, port) = door.service.as_ref().unwrap_or(&door.own);
            door.state.note_foreign(host, *port);
        }
        // The client closed before it said anything.
        Err(_) => {}
    }
}

async fn opening(stream: &TcpStream) -> io::Result<Opening> {
    let mut first = [0; HTTP2.len()];
    for _ in 0..PATIENCE {
        let seen = stream.peek(&mut first).await?;
        match &first[..seen] {
            [] => return Err(io::ErrorKind::UnexpectedEof.into()),
            [HANDSHAKE, ..] => return Ok(Opening::Tls),
            HTTP2 => return Ok(Opening::Http2),
            // The rest of the word is on its way; what lies there cannot be waited for again.
            start if HTTP2.starts_with(start) => tokio::time::sleep(Duration::from_millis(1)).await,
            [letter, ..] if letter.is_ascii_alphabetic() => return Ok(Opening::Http1),
            _ => return Ok(Opening::Foreign),
        }
    }
    // Half a word and no more: the reader of HTTP/1.1 finds out whether the client has closed.
    Ok(Opening::Http1)
}

async fn http_1<S: AsyncRead + AsyncWrite + Socket + Unpin>(stream: S, scheme: Scheme, door: Arc<Door>) {
    let fault = PendingFault::default();
    let service = service_fn(|request| Box::pin(respond(request, scheme, &door, &fault)));
    let mut connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let _ = poll_fn(|context| connection.poll_without_shutdown(context)).await;
    let mut stream = connection.into_parts().io.into_inner();
    fault.happen(&mut stream).await;
}

async fn http_2<S: AsyncRead + AsyncWrite + Unpin>(stream: S, scheme: Scheme, door: Arc<Door>) {
    // A fault ends the stream it was asked for on; others of the connection go on.
    let fault = Arc::new(PendingFault::default());
    let service = service_fn(move |request| {
        let (door, fault) = (Arc::clone(&door), Arc::clone(&fault));
        async move { respond(request, scheme, &door, &fault).await }
    });
    let connection =
        http2::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service);
    let _ = connection.await;
}
