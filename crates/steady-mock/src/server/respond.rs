//! One request and its answer.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::uri::PathAndQuery;
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::Request;
use hyper::body::{Body as _, Incoming};

use super::AnswerBody;
use super::connection::Door;
use super::fault::{FaultRequested, PendingFault};
use crate::admin;
use crate::answer::wait;
use crate::matching::{Received, Scheme, explain, near_misses};
use crate::stub::Stub;

/// How large the body of a request may be.
const LARGEST_BODY: usize = 64 << 20;

pub(super) async fn respond(
    request: Request<Incoming>,
    scheme: Scheme,
    door: &Door,
    fault: &PendingFault,
) -> Result<Response<AnswerBody>, FaultRequested> {
    let received = match receive(request, scheme, door).await {
        Ok(received) => received,
        Err(response) => return Ok(*response),
    };
    if received.path().starts_with(admin::PREFIX) {
        return Ok(admin::answer(&door.state, &received));
    }
    if !door.serves_stubs {
        return Ok(text(StatusCode::NOT_FOUND, "Only the admin API below /__admin is served here.\n"));
    }
    let state = &door.state;
    let Some(stub) = state.answering(&received) else {
        state.journal.add(&received, None, 404);
        let index = state.stubs.index();
        let nearest = near_misses(index.stubs(), &received, 1);
        return Ok(text(StatusCode::NOT_FOUND, &explain(&received, nearest.first())));
    };
    state.journal.add(&received, Some(stub.id), stub.answer.status.as_u16());
    let definition = &stub.mapping.response;
    let everywhere = state.fixed_delay();
    let waits = everywhere.is_some()
        || definition.fixed_delay_milliseconds.is_some()
        || definition.delay_distribution.is_some();
    if waits {
        let wait = wait(definition, everywhere, &mut state.random());
        if wait > Duration::ZERO {
            tokio::time::sleep(wait).await;
        }
    }
    match definition.fault {
        Some(wanted) => Err(fault.request(wanted)),
        None => Ok(answered(&stub, &received, door)),
    }
}

fn answered(stub: &Arc<Stub>, received: &Received, door: &Door) -> Response<AnswerBody> {
    let rendered = stub.answer.render(&stub.mapping, received, || door.state.random());
    let body = match stub.mapping.response.chunked_dribble_delay {
        Some(dribble) => AnswerBody::dribble(&rendered.body, dribble),
        None => AnswerBody::whole(rendered.body),
    };
    let mut response = Response::new(body);
    *response.status_mut() = stub.answer.status;
    *response.headers_mut() = rendered.headers;
    if let Some(reason) = &stub.answer.reason {
        response.extensions_mut().insert(reason.clone());
    }
    response
}

/// Reads a request; a body that is too large is refused, and so is one that breaks off.
async fn receive(
    request: Request<Incoming>,
    scheme: Scheme,
    door: &Door,
) -> Result<Received, Box<Response<AnswerBody>>> {
    let (parts, body) = request.into_parts();
    let body = if body.is_end_stream() {
        Bytes::new()
    } else {
        let collected = Limited::new(body, LARGEST_BODY).collect().await;
        collected.map_err(|error| Box::new(refused(error.as_ref())))?.to_bytes()
    };
    let (host, port) = match &door.service {
        Some((host, port)) => (Arc::clone(host), *port),
        None => named_host(&parts.uri, parts.headers.get(header::HOST), scheme, door),
    };
    let target = parts.uri.into_parts().path_and_query.unwrap_or_else(|| PathAndQuery::from_static("/"));
    Ok(Received::new(parts.method, (scheme, host, port), target, parts.headers, body))
}

fn refused(error: &(dyn std::error::Error + 'static)) -> Response<AnswerBody> {
    if error.is::<LengthLimitError>() {
        return text(StatusCode::PAYLOAD_TOO_LARGE, "The body of the request is too large.\n");
    }
    text(StatusCode::BAD_REQUEST, "The body of the request is incomplete.\n")
}

/// The host and port the client had in mind.
fn named_host(uri: &http::Uri, header: Option<&HeaderValue>, scheme: Scheme, door: &Door) -> (Arc<str>, u16) {
    let given = match uri.authority() {
        Some(authority) => Some(authority.as_str()),
        None => header.and_then(|value| value.to_str().ok()),
    };
    let Some(given) = given else { return (Arc::clone(&door.own.0), door.own.1) };
    let (host, port) =
        match given.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit())) {
            Some((host, port)) => (host, port.parse().unwrap_or(door.own.1)),
            None => (given, scheme.default_port()),
        };
    // Most requests name the address they came to.
    if host == &*door.own.0 { (Arc::clone(&door.own.0), port) } else { (host.into(), port) }
}

fn text(status: StatusCode, text: &str) -> Response<AnswerBody> {
    let mut response = Response::new(AnswerBody::whole(text.to_owned()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    response
}
