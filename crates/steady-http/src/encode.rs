//! Turns a request into its form on the wire.

use bytes::{BufMut as _, Bytes, BytesMut};
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::uri::{PathAndQuery, Scheme, Uri};
use http_body_util::Full;
use steady_model::{Method, Request};

use crate::client::Shared;
use crate::{RequestPart, TransportError};

const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("gzip, br, deflate");
/// A service that translates its messages would otherwise answer in the language of its machine.
const ACCEPT_LANGUAGE: HeaderValue = HeaderValue::from_static("en");
const ANYTHING: HeaderValue = HeaderValue::from_static("*/*");
const ZERO: HeaderValue = HeaderValue::from_static("0");

/// How the target is written: HTTP/2 wants scheme and authority with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Path and query, as in HTTP/1.1.
    Origin,
    /// The whole URL, as in HTTP/2.
    Absolute,
}

/// Builds the request to send. `Content-Length` and `Transfer-Encoding` are set by the connection: those of
/// the request are dropped, since wrong ones would corrupt every later exchange.
pub(crate) fn encode(
    request: &Request,
    shared: &Shared,
    form: Form,
) -> Result<http::Request<Full<Bytes>>, TransportError> {
    let body = request.body.as_ref().map(|body| Bytes::copy_from_slice(body.as_bytes())).unwrap_or_default();
    let headers = headers(request, shared, form, body.is_empty())?;
    let mut encoded = http::Request::new(Full::new(body));
    *encoded.method_mut() = method(request.method);
    *encoded.uri_mut() = uri(&request.target, shared, form)?;
    *encoded.headers_mut() = headers;
    Ok(encoded)
}

fn method(method: Method) -> http::Method {
    match method {
        Method::Get => http::Method::GET,
        Method::Put => http::Method::PUT,
        Method::Post => http::Method::POST,
        Method::Delete => http::Method::DELETE,
        Method::Options => http::Method::OPTIONS,
        Method::Head => http::Method::HEAD,
        Method::Patch => http::Method::PATCH,
        Method::Trace => http::Method::TRACE,
    }
}

fn uri(target: &str, shared: &Shared, form: Form) -> Result<Uri, TransportError> {
    let invalid = || TransportError::InvalidRequest { part: RequestPart::Target, text: target.to_owned() };
    // The `http` crate would drop a fragment silently.
    if !target.starts_with('/') || target.contains('#') {
        return Err(invalid());
    }
    let prefix = shared.base.path_prefix();
    let mut path = BytesMut::with_capacity(prefix.len() + target.len());
    path.put_slice(prefix.as_bytes());
    path.put_slice(target.as_bytes());
    let path = PathAndQuery::from_maybe_shared(path.freeze()).map_err(|_| invalid())?;
    match form {
        Form::Origin => Ok(Uri::from(path)),
        Form::Absolute => {
            let scheme = if shared.base.is_https() { Scheme::HTTPS } else { Scheme::HTTP };
            let mut parts = http::uri::Parts::default();
            parts.scheme = Some(scheme);
            parts.authority = Some(shared.authority.clone());
            parts.path_and_query = Some(path);
            Uri::from_parts(parts).map_err(|_| invalid())
        }
    }
}

fn headers(
    request: &Request,
    shared: &Shared,
    form: Form,
    no_body: bool,
) -> Result<HeaderMap, TransportError> {
    let has =
        |name: HeaderName| request.headers.iter().any(|(key, _)| key.eq_ignore_ascii_case(name.as_str()));
    let mut headers = HeaderMap::with_capacity(request.headers.len() + 6);
    if form == Form::Origin && !has(header::HOST) {
        headers.insert(header::HOST, shared.host.clone());
    }
    if !has(header::USER_AGENT) {
        headers.insert(header::USER_AGENT, shared.user_agent.clone());
    }
    if !has(header::ACCEPT) {
        headers.insert(header::ACCEPT, ANYTHING);
    }
    if !has(header::ACCEPT_ENCODING) {
        headers.insert(header::ACCEPT_ENCODING, ACCEPT_ENCODING);
    }
    if !has(header::ACCEPT_LANGUAGE) {
        headers.insert(header::ACCEPT_LANGUAGE, ACCEPT_LANGUAGE);
    }
    for (name, value) in &request.headers {
        let invalid = |part| TransportError::InvalidRequest { part, text: name.clone() };
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid(RequestPart::HeaderName))?;
        let value =
            HeaderValue::from_bytes(value.as_bytes()).map_err(|_| invalid(RequestPart::HeaderValue))?;
        if key != header::CONTENT_LENGTH && key != header::TRANSFER_ENCODING {
            headers.append(key, value);
        }
    }
    // RFC 9110 section 8.6: a method that expects content says so when there is none.
    if no_body && matches!(request.method, Method::Post | Method::Put | Method::Patch) {
        headers.insert(header::CONTENT_LENGTH, ZERO);
    }
    Ok(headers)
}
