//! Which operations demand to know who calls, and what a made-up credential looks like.

use indexmap::IndexMap;
use steady_model::Request;
use steady_openapi::{Location, Operation, SecurityScheme};

/// The authentication an operation demands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protection {
    /// Header, query and cookie names a credential goes under.
    places: Vec<(Location, String)>,
    /// A header with a made-up credential, where a header can carry one.
    pub forged: Option<(String, String)>,
}

impl Protection {
    /// What an operation demands; `None` when no credential is needed, or when that is uncertain.
    pub fn of(operation: &Operation, schemes: &IndexMap<String, SecurityScheme>) -> Option<Self> {
        let alternatives = operation.security.as_ref().filter(|alternatives| !alternatives.is_empty())?;
        let mut places = Vec::new();
        let mut forged = None;
        for alternative in alternatives {
            // An empty alternative allows anonymous calls.
            if alternative.is_empty() {
                return None;
            }
            for name in alternative {
                let (location, field, credential) = match schemes.get(name)? {
                    SecurityScheme::ApiKey { location, name } => {
                        (*location, name.to_ascii_lowercase(), "steady-made-this-up")
                    }
                    SecurityScheme::Http(scheme) if scheme == "basic" => {
                        (Location::Header, "authorization".to_owned(), "Basic c3RlYWR5Om1hZGUtdGhpcy11cA==")
                    }
                    // The connection itself may be the credential.
                    SecurityScheme::Other(kind) if kind.eq_ignore_ascii_case("mutualTLS") => return None,
                    SecurityScheme::Http(_) | SecurityScheme::Other(_) => {
                        (Location::Header, "authorization".to_owned(), "Bearer steady-made-this-up")
                    }
                };
                if location == Location::Header && forged.is_none() {
                    forged = Some((field.clone(), credential.to_owned()));
                }
                places.push((location, field));
            }
        }
        Some(Self { places, forged })
    }

    /// Whether a request brings something where credentials go.
    pub fn is_met_by(&self, request: &Request) -> bool {
        let header = |name: &str| {
            request.headers.iter().find(|(given, _)| given.eq_ignore_ascii_case(name)).map(|(_, value)| value)
        };
        self.places.iter().any(|(location, name)| match location {
            Location::Header => header(name).is_some(),
            Location::Cookie => {
                header("cookie").is_some_and(|cookies| cookies.to_ascii_lowercase().contains(name))
            }
            Location::Query | Location::Path => {
                let query = request.target.split_once('?').map(|(_, query)| query.to_ascii_lowercase());
                query.is_some_and(|query| query.split('&').any(|pair| pair.split('=').next() == Some(name)))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use steady_model::Method;

    use super::*;

    fn protection(path: &str) -> Option<Protection> {
        let document = r#"{"openapi": "3.0.3", "info": {"title": "t", "version": "1"},
            "components": {"securitySchemes": {
                "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
                "basic": {"type": "http", "scheme": "basic"},
                "tls": {"type": "mutualTLS"}}},
            "security": [{"key": []}],
            "paths": {
                "/inherits": {"get": {}},
                "/open": {"get": {"security": []}},
                "/optional": {"get": {"security": [{"key": []}, {}]}},
                "/basic": {"get": {"security": [{"basic": []}]}},
                "/tls": {"get": {"security": [{"tls": []}]}},
                "/unknown": {"get": {"security": [{"nowhere": []}]}}}}"#;
        let api = steady_openapi::parse(document, "t").unwrap();
        let operation = api.operations.iter().find(|operation| operation.id.path == path).unwrap();
        Protection::of(operation, &api.security_schemes)
    }

    #[test]
    fn only_what_is_demanded_for_sure_counts() {
        for path in ["/open", "/optional", "/tls", "/unknown"] {
            assert_eq!(protection(path), None, "{path}");
        }
        let forged = |path: &str| protection(path).unwrap().forged.unwrap();
        assert_eq!(forged("/inherits"), ("x-key".to_owned(), "steady-made-this-up".to_owned()));
        assert!(forged("/basic").1.starts_with("Basic "));
    }

    #[test]
    fn a_credential_is_seen_whatever_its_spelling() {
        let request = |headers: &[(&str, &str)]| Request {
            method: Method::Get,
            target: "/inherits".to_owned(),
            headers: headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            body: None,
        };
        let protection = protection("/inherits").unwrap();
        assert!(protection.is_met_by(&request(&[("X-KEY", "1")])));
        assert!(!protection.is_met_by(&request(&[("x-other", "1")])));
    }
}
