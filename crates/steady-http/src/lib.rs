//! The HTTP client: keep-alive channels, HTTP/1.1 and 2, TLS, bounded bodies.
