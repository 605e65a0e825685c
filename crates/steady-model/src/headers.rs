//! Which headers speak of the API, and which of the transport.

/// Headers of the connection and of caches on the way (RFC 9110, RFC 9111, RFC 9112): they say nothing about the API
/// and are never asserted.
pub const TRANSPORT_HEADERS: [&str; 16] = [
    "age",
    "alt-svc",
    "connection",
    "content-encoding",
    "content-length",
    "date",
    "keep-alive",
    "nel",
    "proxy-connection",
    "report-to",
    "server-timing",
    "te",
    "trailer",
    "transfer-encoding",
    "via",
    "x-cache",
];

/// Headers that name one request or say how long it took: new for each by design, and never asserted.
pub const TRACING_HEADERS: [&str; 13] = [
    "cf-ray",
    "request-id",
    "traceparent",
    "tracestate",
    "x-amzn-requestid",
    "x-amzn-trace-id",
    "x-b3-spanid",
    "x-b3-traceid",
    "x-correlation-id",
    "x-request-id",
    "x-response-time",
    "x-runtime",
    "x-trace-id",
];

/// Sets of names for browsers and caches (RFC 9110, Fetch): their order means nothing, and often
/// changes with each start of the API. Never asserted.
pub const SET_HEADERS: [&str; 4] =
    ["access-control-allow-headers", "access-control-allow-methods", "access-control-expose-headers", "vary"];

/// Whether a header, by its lower-case name, is compared and may be asserted.
pub fn is_asserted(name: &str) -> bool {
    ![&TRANSPORT_HEADERS[..], &TRACING_HEADERS, &SET_HEADERS].iter().any(|names| names.contains(&name))
}
