//! Where a login's token is, and how later calls show it.

use steady_model::{LoginUse, Place};

use super::wfc::{ExtractFrom, SendIn, TokenHandling};

/// How the token is used; the error says what is missing.
pub(super) fn token_use(token: &TokenHandling) -> Result<LoginUse, &'static str> {
    let body = |pointer: &str| {
        Place::Body(if pointer.is_empty() || pointer.starts_with('/') {
            pointer.to_owned()
        } else {
            format!("/{pointer}")
        })
    };
    let header = |name: &str| Place::Header(name.to_ascii_lowercase());
    let place = match (token.extract_from, &token.extract_selector) {
        (Some(ExtractFrom::Header), Some(name)) => header(name),
        (Some(ExtractFrom::Body) | None, Some(pointer)) => body(pointer),
        (_, None) => match (&token.extract_from_field, &token.extract_from_header) {
            (Some(pointer), _) => body(pointer),
            (None, Some(name)) => header(name),
            (None, None) => return Err("the `token` does not say where it is in the login's response"),
        },
    };
    let name = token.send_name.as_ref().or(token.http_header_name.as_ref());
    let name = name.ok_or("the `token` does not say under which name it is sent")?;
    let template = token.send_template.clone().unwrap_or_else(|| {
        let (prefix, postfix) = (token.header_prefix.as_deref(), token.header_postfix.as_deref());
        format!("{}{{token}}{}", prefix.unwrap_or_default(), postfix.unwrap_or_default())
    });
    match token.send_in.unwrap_or(SendIn::Header) {
        SendIn::Header => Ok(LoginUse::Header { token: place, name: name.to_ascii_lowercase(), template }),
        SendIn::Query if template == "{token}" => Ok(LoginUse::Query { token: place, name: name.clone() }),
        SendIn::Query => Err("the `token` is sent in the query, where a `sendTemplate` cannot be used"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_token_fields_are_read_too() {
        let token = TokenHandling {
            extract_from: Some(ExtractFrom::Header),
            extract_selector: Some("X-Auth-Token".into()),
            send_in: Some(SendIn::Query),
            send_name: Some("key".into()),
            ..TokenHandling::default()
        };
        let place = Place::Header("x-auth-token".into());
        assert_eq!(token_use(&token), Ok(LoginUse::Query { token: place, name: "key".into() }));
    }
}
