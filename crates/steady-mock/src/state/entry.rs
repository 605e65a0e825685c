//! A received request as the journal keeps it.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use jiff::Timestamp;

use crate::mapping::StubId;
use crate::matching::{Received, Scheme};

/// A received request and what it was answered.
#[derive(Debug)]
pub struct Entry {
    /// Its identity.
    pub id: StubId,
    /// When it was answered.
    pub at: Timestamp,
    /// The stub that answered; none when no stub matched.
    pub stub: Option<StubId>,
    /// The status of the answer.
    pub status: u16,
    service: (Scheme, Arc<str>, u16),
    /// Method, target, headers and body, each behind its length: one allocation, and no buffer of a connection stays alive for it.
    packed: Box<[u8]>,
}

impl Entry {
    pub(super) fn new(number: u64, received: &Received, stub: Option<StubId>, status: u16) -> Self {
        Self {
            id: StubId::of_number(number),
            at: Timestamp::now(),
            stub,
            status,
            service: (received.scheme, Arc::clone(&received.host), received.port),
            packed: pack(received),
        }
    }

    /// How much memory it takes, roughly.
    pub(super) fn size(&self) -> usize {
        self.packed.len() + size_of::<Self>()
    }

    /// The request.
    pub fn received(&self) -> Option<Received> {
        let mut parts = Parts(&self.packed);
        let method = Method::from_bytes(parts.next()?).ok()?;
        let target = parts.next()?.try_into().ok()?;
        let body = Bytes::copy_from_slice(parts.next()?);
        let mut headers = HeaderMap::new();
        while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
            headers.append(HeaderName::from_bytes(name).ok()?, HeaderValue::from_bytes(value).ok()?);
        }
        Some(Received::new(method, self.service.clone(), target, headers, body))
    }
}

fn pack(received: &Received) -> Box<[u8]> {
    let fixed = [received.method.as_str().as_bytes(), received.url().as_bytes(), &received.body];
    let headers =
        || received.headers.iter().flat_map(|(name, value)| [name.as_str().as_bytes(), value.as_bytes()]);
    let length = fixed.into_iter().chain(headers()).map(|part| part.len() + 4).sum();
    let mut packed = Vec::with_capacity(length);
    for part in fixed.into_iter().chain(headers()) {
        packed.extend_from_slice(&u32::try_from(part.len()).unwrap_or(0).to_le_bytes());
        packed.extend_from_slice(part);
    }
    packed.into_boxed_slice()
}

struct Parts<'p>(&'p [u8]);

impl<'p> Iterator for Parts<'p> {
    type Item = &'p [u8];

    fn next(&mut self) -> Option<&'p [u8]> {
        let (length, rest) = self.0.split_first_chunk()?;
        let (part, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        self.0 = rest;
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_gives_back_the_request() {
        let mut headers = HeaderMap::new();
        headers.append("x-a", HeaderValue::from_static("1"));
        headers.append("x-a", HeaderValue::from_bytes(b"\xff").unwrap());
        let service = (Scheme::Https, Arc::from("a.test"), 443);
        let body = Bytes::from_static(b"\0body");
        let received = Received::new(Method::PATCH, service, "/a?b=c".parse().unwrap(), headers, body);
        let again = Entry::new(1, &received, None, 404).received().unwrap();
        assert_eq!(again.absolute_url(), "https://a.test/a?b=c");
        assert_eq!(
            (again.method, again.headers, again.body),
            (received.method, received.headers, received.body)
        );
    }
}
