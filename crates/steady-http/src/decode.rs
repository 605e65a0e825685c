//! Content codings: gzip, deflate and brotli, never more than the limit.

use std::io::{self, Read};

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use http::HeaderMap;
use http::header::CONTENT_ENCODING;

/// More codings on top of each other than this are an attack, not a service.
const MAX_CODINGS: usize = 4;
/// What the brotli decoder reads at a time.
const BUFFER: usize = 4096;

/// A body after decoding.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    /// The bytes, at most as many as the limit.
    pub(crate) body: Vec<u8>,
    /// Whether there would have been more.
    pub(crate) truncated: bool,
}

/// A content coding that can be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    Gzip,
    Deflate,
    Brotli,
}

/// Undoes the codings that `headers` name, outermost first. `cut` says that the end of `body` is missing. An unknown coding
/// that was not requested leaves the body as it is.
pub(crate) fn decode(headers: &HeaderMap, body: Vec<u8>, cut: bool, limit: usize) -> Result<Decoded, String> {
    let mut decoded = Decoded { body, truncated: cut };
    let Some(codings) = codings(headers) else { return Ok(decoded) };
    if codings.len() > MAX_CODINGS {
        return Err(format!("its body is said to be encoded {} times", codings.len()));
    }
    for coding in codings.into_iter().rev() {
        decoded = undo(coding, &decoded, limit)
            .map_err(|error| format!("its body is not the {coding:?} it is said to be: {error}"))?;
    }
    Ok(decoded)
}

/// The codings in the order they were applied; `None` when one of them is unknown.
fn codings(headers: &HeaderMap) -> Option<Vec<Coding>> {
    let mut codings = Vec::new();
    for value in headers.get_all(CONTENT_ENCODING) {
        for name in value.to_str().ok()?.split(',') {
            match name.trim().to_ascii_lowercase().as_str() {
                "" | "identity" => {}
                "gzip" | "x-gzip" => codings.push(Coding::Gzip),
                "deflate" => codings.push(Coding::Deflate),
                "br" => codings.push(Coding::Brotli),
                _ => return None,
            }
        }
    }
    Some(codings)
}

fn undo(coding: Coding, encoded: &Decoded, limit: usize) -> io::Result<Decoded> {
    let bytes = encoded.body.as_slice();
    match coding {
        Coding::Gzip => read(MultiGzDecoder::new(bytes), encoded.truncated, limit),
        // Some services send the bare stream where RFC 9110 asks for a zlib one.
        Coding::Deflate if is_zlib(bytes) => read(ZlibDecoder::new(bytes), encoded.truncated, limit),
        Coding::Deflate => read(DeflateDecoder::new(bytes), encoded.truncated, limit),
        Coding::Brotli => read(brotli::Decompressor::new(bytes, BUFFER), encoded.truncated, limit),
    }
}

/// RFC 1950 section 2.2: method 8, and a header that 31 divides.
fn is_zlib(bytes: &[u8]) -> bool {
    matches!(bytes, [first, second, ..] if first & 0x0f == 8 && u16::from_be_bytes([*first, *second]) % 31 == 0)
}

/// Reads one byte more than the limit to learn whether there is more.
fn read(decoder: impl Read, cut: bool, limit: usize) -> io::Result<Decoded> {
    let mut body = Vec::new();
    let ended = decoder.take(limit as u64 + 1).read_to_end(&mut body);
    let over = body.len() > limit;
    body.truncate(limit);
    match ended {
        // What could be decoded before the cut is worth having.
        Err(error) if !cut => Err(error),
        _ => Ok(Decoded { body, truncated: cut || over }),
    }
}
