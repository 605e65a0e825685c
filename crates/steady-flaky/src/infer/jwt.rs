//! JSON web tokens: signed (RFC 7519 in RFC 7515's compact form) and encrypted (RFC 7516).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value};
use steady_model::rerun::Category;

use super::context::by_distance;
use super::engine::{Candidate, Judgement, Rule};
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::Jwt, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str =
    r"eyJ[0-9A-Za-z_-]+\.[0-9A-Za-z_-]*\.[0-9A-Za-z_-]*(?:\.[0-9A-Za-z_-]*\.[0-9A-Za-z_-]*)?";

/// Registered claims that are times (RFC 7519 section 4.1, OpenID Connect's `auth_time` and `updated_at`).
const TIMES: [&str; 5] = ["exp", "nbf", "iat", "auth_time", "updated_at"];

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    let mut parts = candidate.text.split('.');
    let header = object(parts.next()?)?;
    let algorithm = header.get("alg")?.as_str()?;
    if header.contains_key("enc") {
        return Some(Judgement::new(
            Category::Crypt,
            Strength::Certain,
            format!("encrypted with {algorithm}"),
        ));
    }
    let claims = object(parts.next()?)?;
    let times: Vec<(&str, i64)> =
        TIMES.iter().filter_map(|name| Some((*name, claims.get(*name)?.as_f64()? as i64))).collect();
    let nearest = times.iter().map(|(_, seconds)| context.days_from_seconds(*seconds)).min();
    let strength = match nearest {
        Some(days) => by_distance(days).max(Strength::Likely),
        None if claims.contains_key("jti") || !is_deterministic(algorithm) => Strength::Likely,
        None => Strength::Weak,
    };
    let mut names: Vec<&str> = times.iter().map(|(name, _)| *name).collect();
    names.extend(claims.contains_key("jti").then_some("jti"));
    let detail = match names.as_slice() {
        [] => format!("signed with {algorithm}"),
        names => format!("signed with {algorithm}; volatile claims: {}", names.join(", ")),
    };
    Some(Judgement::new(Category::Crypt, strength, detail))
}

fn object(part: &str) -> Option<Map<String, Value>> {
    let bytes = URL_SAFE_NO_PAD.decode(part).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Whether the same claims always get the same signature: MACs and RSA PKCS #1, none.
fn is_deterministic(algorithm: &str) -> bool {
    ["HS", "RS", "Ed", "no"].iter().any(|prefix| algorithm.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::super::table::{check, strength};
    use super::*;

    fn token(header: &str, claims: &str) -> String {
        format!("{}.{}.c2lnbmF0dXJl", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(claims))
    }

    #[test]
    fn table() {
        let hs = r#"{"alg":"HS256","typ":"JWT"}"#;
        let tokens = [
            token(hs, r#"{"sub":"1234567890","name":"John Doe","iat":1516239022}"#),
            token(hs, r#"{"sub":"1","iat":1773144000,"exp":1773147600}"#),
            token(hs, r#"{"sub":"1"}"#),
            token(hs, r#"{"jti":"a1"}"#),
            token(r#"{"alg":"RS256","kid":"k1"}"#, r#"{"exp":1773147600.5}"#),
            token(r#"{"alg":"ES256"}"#, r#"{"sub":"1"}"#),
            token(r#"{"alg":"none"}"#, r#"{"sub":"1"}"#),
            format!("{}.a.b.c.d", URL_SAFE_NO_PAD.encode(r#"{"alg":"RSA-OAEP","enc":"A256GCM"}"#)),
        ];
        let known: Vec<(&str, &str)> = tokens.iter().map(|token| ("token", token.as_str())).collect();
        let no_algorithm = token(r#"{"typ":"JWT"}"#, "{}");
        let no_claims = token(hs, "[1]");
        let look_alikes = [
            ("token", no_algorithm.as_str()),
            ("token", no_claims.as_str()),
            ("token", "eyJ.eyJ.x"),
            ("token", "eyJhbGciOiJIUzI1NiJ9"),
            ("token", "eyJhbGciOiJIUzI1NiJ9.!!!.x"),
            ("host", "eyJustWords.example.com"),
            ("version", "1.2.3"),
            ("path", "com.example.Main"),
            ("token", "eyJhbGciOi.eyJzdWIi.abc"),
        ];
        check(&RULE, Category::Crypt, &known, &look_alikes);
    }

    #[test]
    fn claims_decide_how_strong_it_is() {
        let header = r#"{"alg":"HS256"}"#;
        let fresh = token(header, r#"{"iat":1773144000}"#);
        assert_eq!(strength(&RULE, "token", &fresh), Some(Strength::Certain));
        let constant = token(header, r#"{"sub":"1"}"#);
        assert_eq!(strength(&RULE, "token", &constant), Some(Strength::Weak));
    }
}
