//! The value a matcher looks at.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde_json::Value;

use super::Received;

/// A value of a request, or that it has none.
pub(super) struct Subject<'r> {
    bytes: Option<&'r [u8]>,
    /// Where the value as JSON is kept between matchers; only a body's is worth it.
    json: Option<&'r OnceCell<Option<Value>>>,
}

impl<'r> Subject<'r> {
    /// A header, a parameter, a cookie.
    pub(super) fn text(text: &'r str) -> Self {
        Self { bytes: Some(text.as_bytes()), json: None }
    }

    /// No value.
    pub(super) fn missing() -> Self {
        Self { bytes: None, json: None }
    }

    /// The body; an empty one is none.
    pub(super) fn body(received: &'r Received) -> Self {
        let bytes = (!received.body.is_empty()).then_some(received.body.as_ref());
        Self { bytes, json: Some(&received.json) }
    }

    pub(super) fn bytes(&self) -> Option<&'r [u8]> {
        self.bytes
    }

    pub(super) fn as_text(&self) -> Option<Cow<'r, str>> {
        self.bytes.map(String::from_utf8_lossy)
    }

    /// Calls `look` with the value as JSON, if it is.
    pub(super) fn with_json(&self, look: impl FnOnce(&Value) -> bool) -> bool {
        let Some(bytes) = self.bytes else { return false };
        let parse = || serde_json::from_slice(bytes).ok();
        match self.json {
            Some(kept) => kept.get_or_init(parse).as_ref().is_some_and(look),
            None => parse().as_ref().is_some_and(look),
        }
    }
}
