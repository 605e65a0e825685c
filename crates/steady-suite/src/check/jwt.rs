//! JSON web tokens, by their claims.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value};
use steady_model::Jwt;

use crate::diff::brief;
use crate::same_value;

/// What was expected of a token that does not match.
pub(super) fn differs(expected: &Jwt, token: Option<&str>) -> Option<String> {
    let Some((header, claims)) = token.and_then(read) else { return Some("a JSON web token".to_owned()) };
    let missing = |part: &Map<String, Value>, actual: &Map<String, Value>| {
        let differs = |(name, value): &(&String, &Value)| {
            !actual.get(*name).is_some_and(|other| same_value(value, other))
        };
        part.iter().find(differs).map(|(name, value)| format!("{name}: {}", brief(value)))
    };
    missing(&expected.header, &header)
        .map(|field| format!("a JSON web token whose header has {field}"))
        .or_else(|| {
            missing(&expected.claims, &claims).map(|claim| format!("a JSON web token that claims {claim}"))
        })
}

/// The header and the claims of a JSON web token.
pub fn read(token: &str) -> Option<(Map<String, Value>, Map<String, Value>)> {
    let mut parts = token.split('.');
    let mut object = || serde_json::from_slice(&URL_SAFE_NO_PAD.decode(parts.next()?).ok()?).ok();
    let (header, claims) = (object()?, object()?);
    URL_SAFE_NO_PAD.decode(parts.next()?).ok()?;
    parts.next().is_none().then_some((header, claims))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn token(header: &Value, claims: &Value) -> String {
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        format!("{}.{}.{}", part(header), part(claims), URL_SAFE_NO_PAD.encode([1, 2, 3]))
    }

    #[test]
    fn fields_that_are_asked_for_must_be_there_and_equal() {
        let fields = |value: Value| value.as_object().cloned().unwrap_or_default();
        let expected = Jwt {
            header: fields(json!({"alg": "HS256"})),
            claims: fields(json!({"sub": "ada", "level": 3})),
        };
        let good =
            token(&json!({"alg": "HS256", "typ": "JWT"}), &json!({"sub": "ada", "level": 3.0, "iat": 17}));
        assert_eq!(differs(&expected, Some(&good)), None);
        let other = token(&json!({"alg": "HS256"}), &json!({"sub": "bob", "level": 3}));
        assert_eq!(
            differs(&expected, Some(&other)).as_deref(),
            Some("a JSON web token that claims sub: \"ada\"")
        );
        let none = token(&json!({"alg": "none"}), &json!({"sub": "ada", "level": 3}));
        assert_eq!(
            differs(&expected, Some(&none)).as_deref(),
            Some("a JSON web token whose header has alg: \"HS256\"")
        );
    }

    #[test]
    fn what_is_no_token_is_none() {
        let good = token(&json!({}), &json!({}));
        assert_eq!(differs(&Jwt::default(), Some(&good)), None);
        for text in ["", "a.b.c", "e30.e30", "e30.e30.x.y", "e30.W10.AAAA", &format!("{good}.")] {
            assert_eq!(differs(&Jwt::default(), Some(text)).as_deref(), Some("a JSON web token"), "{text}");
        }
        assert_eq!(differs(&Jwt::default(), None).as_deref(), Some("a JSON web token"));
    }
}
