//! What values look like.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

/// Under a name that may mean other things, shorter values are no secrets.
pub(super) const OPAQUE: usize = 16;
/// Of more words a text is a sentence.
const MOST_WORDS: usize = 4;

/// Whether a text looks drawn rather than written.
pub(super) fn is_opaque(text: &str, least: usize) -> bool {
    text.len() >= least
        && text.bytes().all(|byte| byte.is_ascii_graphic())
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !is_address(text)
}

/// Whether a value was masked by the API itself, or is none.
pub(super) fn is_hidden(text: &str) -> bool {
    text.chars().all(|character| "*•xX.…- ".contains(character))
}

/// Whether a text is made of written words: `darkmode`, `Europe/Berlin`, `en-US`.
pub(super) fn is_words(text: &str) -> bool {
    text.split([' ', '-', '_', '/', '.', ',']).all(|word| {
        let written = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_code = word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_uppercase());
        is_code || word.get(1..).is_none_or(written) && word.bytes().all(|byte| byte.is_ascii_alphabetic())
    })
}

pub(super) fn is_sentence(text: &str) -> bool {
    text.split_whitespace().nth(MOST_WORDS).is_some() && !text.starts_with("-----BEGIN")
}

pub(super) fn is_address(text: &str) -> bool {
    let is_path = || text.starts_with('/') && !text.bytes().any(|byte| byte.is_ascii_digit());
    text.contains("://") || is_path()
}

/// Whether a text is a JSON web token (RFC 7519), signed or encrypted, or the beginning of one that was cut.
pub(super) fn is_jwt(text: &str, is_cut: bool) -> bool {
    let mut parts = text.split('.');
    let header = parts.next().unwrap_or_default();
    if is_cut && parts.next().is_none() {
        let whole = &header[..header.len() / 4 * 4];
        let said = URL_SAFE_NO_PAD.decode(whole).unwrap_or_default();
        return ["{\"alg\":", "{\"typ\":", "{\"kid\":"]
            .iter()
            .any(|start| said.starts_with(start.as_bytes()));
    }
    let is_complete = is_cut || parts.nth(1).is_some();
    let header = URL_SAFE_NO_PAD.decode(header).ok();
    let header = header.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    is_complete && header.is_some_and(|header| header.get("alg").is_some() || header.get("enc").is_some())
}
