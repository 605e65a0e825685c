//! JSON web tokens: the claims that were the same every time.

use steady_model::{Jwt, Matcher};
use steady_suite::read_jwt;

use super::site::Site;
use crate::infer::Family;

/// Claims that are of one token only (RFC 7519 section 4.1, OpenID Connect Core section 2), however often they agreed.
const OWN: [&str; 8] = ["iat", "exp", "nbf", "jti", "auth_time", "nonce", "sid", "at_hash"];

pub(super) fn form(site: &Site<'_>, _: &[Family]) -> Option<Vec<Matcher>> {
    common(&site.texts()?).map(|jwt| vec![Matcher::Jwt(jwt)])
}

/// What some tokens have in common; nothing when one of them is none.
pub(super) fn common(tokens: &[&str]) -> Option<Jwt> {
    let mut tokens = tokens.iter().map(|token| read_jwt(token)).collect::<Option<Vec<_>>>()?.into_iter();
    let (mut header, mut claims) = tokens.next()?;
    for (other_header, other_claims) in tokens {
        header.retain(|name, value| other_header.get(name) == Some(value));
        claims.retain(|name, value| other_claims.get(name) == Some(value));
    }
    claims.retain(|name, _| !OWN.contains(&name.as_str()));
    Some(Jwt { header, claims })
}
