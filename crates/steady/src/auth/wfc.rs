//! The Web Fuzzing Commons format for authentication, as it is written in files.
//!
//! Both generations of its token fields are read: `extractFromField`, `httpHeaderName`, `headerPrefix` of the first
//! and `extractFrom`, `extractSelector`, `sendIn`, `sendName`, `sendTemplate` of the current one.

use serde::{Deserialize, Deserializer};
use steady_model::{Method, Secret};

/// A whole file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AuthFile {
    #[expect(dead_code, reason = "a part of the format that says nothing to steady")]
    pub schema_version: Option<String>,
    pub auth: Vec<AuthenticationInfo>,
    pub auth_template: Option<AuthenticationInfo>,
    #[expect(dead_code, reason = "settings of other tools")]
    pub configs: Option<serde_json::Value>,
}

/// One user, or what all of them share.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct AuthenticationInfo {
    pub name: Option<String>,
    pub require_mock_handling: Option<bool>,
    pub fixed_headers: Option<Vec<Header>>,
    pub login_endpoint_auth: Option<LoginEndpoint>,
    pub create_users: Option<CreateUsers>,
}

/// A call that makes an account, before the login.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct CreateUsers {
    pub endpoint: Option<String>,
    #[serde(rename = "externalEndpointURL")]
    pub external_endpoint_url: Option<String>,
    pub payload_raw: Option<String>,
    pub verb: Option<Method>,
    pub content_type: Option<String>,
    pub generators: Option<Vec<Generator>>,
}

/// Makes values that no other account has.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct Generator {
    pub place_holder: Option<String>,
    pub min_length: Option<usize>,
    pub max_length: Option<usize>,
    pub prefix: Option<String>,
    pub postfix: Option<String>,
}

/// A header.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    pub name: String,
    #[serde(deserialize_with = "secret")]
    pub value: Secret,
}

/// A login to be made before the first call.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct LoginEndpoint {
    pub endpoint: Option<String>,
    #[serde(rename = "externalEndpointURL")]
    pub external_endpoint_url: Option<String>,
    #[serde(deserialize_with = "optional_secret")]
    pub payload_raw: Option<Secret>,
    pub payload_user_pwd: Option<UserPassword>,
    pub headers: Option<Vec<Header>>,
    pub verb: Option<Method>,
    pub content_type: Option<String>,
    pub token: Option<TokenHandling>,
    pub expect_cookies: Option<bool>,
}

/// A user name and a password, and what the login calls them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct UserPassword {
    pub username: Option<String>,
    #[serde(deserialize_with = "optional_secret")]
    pub password: Option<Secret>,
    pub username_field: Option<String>,
    pub password_field: Option<String>,
}

/// Where the token is in the login's response, and where it goes in later requests.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct TokenHandling {
    pub extract_from: Option<ExtractFrom>,
    pub extract_selector: Option<String>,
    pub extract_from_field: Option<String>,
    pub extract_from_header: Option<String>,
    pub send_in: Option<SendIn>,
    pub send_name: Option<String>,
    pub send_template: Option<String>,
    pub http_header_name: Option<String>,
    pub header_prefix: Option<String>,
    pub header_postfix: Option<String>,
}

/// Where a token is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExtractFrom {
    Body,
    Header,
}

/// Where a token is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SendIn {
    Header,
    Query,
}

fn secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
    String::deserialize(deserializer).map(Secret::new)
}

fn optional_secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Secret>, D::Error> {
    secret(deserializer).map(Some)
}

impl AuthenticationInfo {
    /// This user with what it leaves open filled in from the template.
    pub fn filled_in(self, template: &Self) -> Self {
        let login = match (self.login_endpoint_auth, &template.login_endpoint_auth) {
            (Some(own), Some(shared)) => Some(own.filled_in(shared)),
            (own, shared) => own.or_else(|| shared.clone()),
        };
        let create = match (self.create_users, &template.create_users) {
            (Some(own), Some(shared)) => Some(own.filled_in(shared)),
            (own, shared) => own.or_else(|| shared.clone()),
        };
        Self {
            name: self.name,
            require_mock_handling: self.require_mock_handling.or(template.require_mock_handling),
            fixed_headers: self.fixed_headers.or_else(|| template.fixed_headers.clone()),
            login_endpoint_auth: login,
            create_users: create,
        }
    }
}

impl CreateUsers {
    fn filled_in(self, template: &Self) -> Self {
        let or = |own: Option<String>, shared: &Option<String>| own.or_else(|| shared.clone());
        Self {
            endpoint: or(self.endpoint, &template.endpoint),
            external_endpoint_url: or(self.external_endpoint_url, &template.external_endpoint_url),
            payload_raw: or(self.payload_raw, &template.payload_raw),
            verb: self.verb.or(template.verb),
            content_type: or(self.content_type, &template.content_type),
            generators: self.generators.or_else(|| template.generators.clone()),
        }
    }
}

impl LoginEndpoint {
    fn filled_in(self, template: &Self) -> Self {
        let payload = match (self.payload_user_pwd, &template.payload_user_pwd) {
            (Some(own), Some(shared)) => Some(own.filled_in(shared)),
            (own, shared) => own.or_else(|| shared.clone()),
        };
        let token = match (self.token, &template.token) {
            (Some(own), Some(shared)) => Some(own.filled_in(shared)),
            (own, shared) => own.or_else(|| shared.clone()),
        };
        Self {
            endpoint: self.endpoint.or_else(|| template.endpoint.clone()),
            external_endpoint_url: self
                .external_endpoint_url
                .or_else(|| template.external_endpoint_url.clone()),
            payload_raw: self.payload_raw.or_else(|| template.payload_raw.clone()),
            payload_user_pwd: payload,
            headers: self.headers.or_else(|| template.headers.clone()),
            verb: self.verb.or(template.verb),
            content_type: self.content_type.or_else(|| template.content_type.clone()),
            token,
            expect_cookies: self.expect_cookies.or(template.expect_cookies),
        }
    }
}

impl UserPassword {
    fn filled_in(self, template: &Self) -> Self {
        Self {
            username: self.username.or_else(|| template.username.clone()),
            password: self.password.or_else(|| template.password.clone()),
            username_field: self.username_field.or_else(|| template.username_field.clone()),
            password_field: self.password_field.or_else(|| template.password_field.clone()),
        }
    }
}

impl TokenHandling {
    fn filled_in(self, template: &Self) -> Self {
        let or = |own: Option<String>, shared: &Option<String>| own.or_else(|| shared.clone());
        Self {
            extract_from: self.extract_from.or(template.extract_from),
            extract_selector: or(self.extract_selector, &template.extract_selector),
            extract_from_field: or(self.extract_from_field, &template.extract_from_field),
            extract_from_header: or(self.extract_from_header, &template.extract_from_header),
            send_in: self.send_in.or(template.send_in),
            send_name: or(self.send_name, &template.send_name),
            send_template: or(self.send_template, &template.send_template),
            http_header_name: or(self.http_header_name, &template.http_header_name),
            header_prefix: or(self.header_prefix, &template.header_prefix),
            header_postfix: or(self.header_postfix, &template.header_postfix),
        }
    }
}
