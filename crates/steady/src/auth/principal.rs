//! Which account a credential belongs to: the run must not change it.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::Value;

/// Claims of a JSON Web Token that name the account (RFC 7519 section 4.1.2 and OpenID Connect Core section 5.1).
const CLAIMS: [&str; 6] = ["sub", "preferred_username", "username", "user_name", "email", "name"];

/// The names of the account that a header's value authenticates.
pub(super) fn principals_of_header(name: &str, value: &str) -> Vec<String> {
    let (scheme, credential) = value.split_once(' ').unwrap_or(("", value));
    match scheme.to_ascii_lowercase().as_str() {
        "basic" if name.ends_with("authorization") => user_of_basic(credential.trim()).into_iter().collect(),
        _ => claims_of_token(credential.trim()),
    }
}

fn user_of_basic(credential: &str) -> Option<String> {
    let decoded = String::from_utf8(STANDARD.decode(credential).ok()?).ok()?;
    let (user, _) = decoded.split_once(':')?;
    (!user.is_empty()).then(|| user.to_owned())
}

fn claims_of_token(token: &str) -> Vec<String> {
    let claims = || -> Option<Value> {
        let payload = token.split('.').nth(1)?;
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload.trim_end_matches('=')).ok()?).ok()
    };
    let Some(claims) = claims() else { return Vec::new() };
    let named = CLAIMS.iter().filter_map(|claim| claims.get(claim));
    let mut names: Vec<String> = named
        .filter_map(|value| match value {
            Value::String(name) => Some(name.clone()),
            Value::Number(id) => Some(id.to_string()),
            _ => None,
        })
        .collect();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_account_is_read_from_basic_credentials_and_tokens() {
        let jwt = format!("Bearer e30.{}.c2ln", URL_SAFE_NO_PAD.encode(r#"{"sub":"42","email":"a@b.test"}"#));
        let cases = [
            ("authorization", "Basic YWxpY2U6cGE6c3M=", vec!["alice"]),
            ("authorization", jwt.as_str(), vec!["42", "a@b.test"]),
            ("authorization", "Bearer opaque", vec![]),
            ("x-api-key", "abc.def", vec![]),
        ];
        for (name, value, expected) in cases {
            assert_eq!(principals_of_header(name, value), expected, "{value}");
        }
    }
}
