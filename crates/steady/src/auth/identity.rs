//! Turns credentials into the identities of a suite.

use std::collections::BTreeMap;

use serde_json::Value;
use steady_model::{Body, Identity, Login, LoginUse, Method, Place, RequestTemplate, Secret, Segment, Text};

use super::header::HeaderArgument;
use super::principal::principals_of_header;
use super::wfc::{
    AuthenticationInfo, ExtractFrom, Header, LoginEndpoint, SendIn, TokenHandling, UserPassword,
};
use crate::env_vars::SECRET_PREFIX;

/// The name of the identity that `--header` alone makes.
const HEADER_IDENTITY: &str = "caller";

/// Everyone the run can act as.
#[derive(Debug, Clone, Default)]
pub struct Accounts {
    /// The identities, as they go into the suite: credentials are environment lookups.
    pub identities: Vec<Identity>,
    /// The values of those environment lookups.
    pub secrets: BTreeMap<String, Secret>,
    /// The names of the accounts behind the identities; the run must not delete or change these.
    pub principals: Vec<String>,
}

/// A user lacks something the format requires.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("user `{user}`: {problem}")]
pub struct IncompleteAuth {
    /// The user.
    pub user: String,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub advice: &'static str,
}

impl IncompleteAuth {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        (!self.advice.is_empty()).then(|| self.advice.to_owned())
    }
}

impl Accounts {
    /// The accounts of these users, each completed from the template.
    pub fn of_users(
        users: Vec<AuthenticationInfo>,
        template: Option<&AuthenticationInfo>,
    ) -> Result<Self, IncompleteAuth> {
        let mut accounts = Self::default();
        for (index, user) in users.into_iter().enumerate() {
            let user = match template {
                Some(template) => user.filled_in(template),
                None => user,
            };
            let name = user.name.clone().ok_or_else(|| IncompleteAuth {
                user: format!("number {}", index + 1),
                problem: "has no name".to_owned(),
                advice: "give every user under `auth` a `name`",
            })?;
            if accounts.identities.iter().any(|identity| identity.name == name) {
                return Err(IncompleteAuth {
                    user: name,
                    problem: "is there twice".to_owned(),
                    advice: "give every user a name of its own",
                });
            }
            accounts.add_user(name, user)?;
        }
        Ok(accounts)
    }

    /// Sends these headers with every call of every identity; alone they make an identity themselves.
    pub fn add_headers(&mut self, headers: &[HeaderArgument]) {
        if headers.is_empty() {
            return;
        }
        if self.identities.is_empty() {
            self.identities.push(Identity { name: HEADER_IDENTITY.to_owned(), headers: vec![], login: None });
        }
        for header in headers {
            let value = if header.is_secret() {
                self.note_principals(&header.name, header.value.reveal());
                self.secret(&header.name, "", header.value.reveal())
            } else {
                Text::from(header.value.reveal())
            };
            for identity in &mut self.identities {
                identity.headers.retain(|(name, _)| *name != header.name);
                identity.headers.push((header.name.clone(), value.clone()));
            }
        }
    }

    fn add_user(&mut self, name: String, user: AuthenticationInfo) -> Result<(), IncompleteAuth> {
        let headers = self.headers(&name, user.fixed_headers.unwrap_or_default());
        let login = match user.login_endpoint_auth {
            Some(endpoint) => Some(self.login(&name, endpoint)?),
            None => None,
        };
        self.identities.push(Identity { name, headers, login });
        Ok(())
    }

    fn headers(&mut self, user: &str, headers: Vec<Header>) -> Vec<(String, Text)> {
        let mut texts = Vec::with_capacity(headers.len());
        for Header { name, value } in headers {
            let name = name.to_ascii_lowercase();
            self.note_principals(&name, value.reveal());
            texts.push((name.clone(), self.secret(user, &name, value.reveal())));
        }
        texts
    }

    fn login(&mut self, user: &str, endpoint: LoginEndpoint) -> Result<Login, IncompleteAuth> {
        let incomplete = |problem: &str, advice| IncompleteAuth {
            user: user.to_owned(),
            problem: problem.to_owned(),
            advice,
        };
        let target = match (endpoint.endpoint, endpoint.external_endpoint_url) {
            (Some(path), None) if path.starts_with('/') => path,
            (Some(path), None) => format!("/{path}"),
            (None, Some(url)) => url,
            _ => {
                return Err(incomplete(
                    "the login needs either `endpoint` or `externalEndpointURL`",
                    "give the login's path as `endpoint`, or its full address as `externalEndpointURL`",
                ));
            }
        };
        let usage = match (endpoint.expect_cookies, &endpoint.token) {
            (Some(true), _) => LoginUse::Cookies,
            (_, Some(token)) => token_use(token).map_err(|problem| {
                incomplete(problem, "say where the token is (`extractFrom`, `extractSelector`) and where it goes (`sendIn`, `sendName`)")
            })?,
            (_, None) => {
                return Err(incomplete(
                    "the login says neither `expectCookies: true` nor what its `token` is",
                    "add one of the two, so that later calls can show the login",
                ));
            }
        };
        let content_type = endpoint.content_type.unwrap_or_else(|| "application/json".to_owned());
        let body = match (endpoint.payload_raw, endpoint.payload_user_pwd) {
            (Some(raw), _) => Some(self.raw_body(user, raw.reveal(), content_type)),
            (None, Some(payload)) => Some(self.user_password_body(user, payload, content_type)?),
            (None, None) => None,
        };
        let headers = self.headers(user, endpoint.headers.unwrap_or_default());
        let method = endpoint.verb.unwrap_or(Method::Post);
        Ok(Login { request: RequestTemplate { method, target: target.into(), headers, body }, usage })
    }

    /// A raw payload may hold the password anywhere, so all of it is secret.
    fn raw_body(&mut self, user: &str, raw: &str, content_type: String) -> Body {
        if let Ok(Value::Object(members)) = serde_json::from_str(raw) {
            let names = members.iter().filter(|(key, _)| is_user_field(key));
            self.principals.extend(names.filter_map(|(_, value)| value.as_str().map(str::to_owned)));
        }
        Body::Text { content_type, text: self.secret(user, "payload", raw) }
    }

    fn user_password_body(
        &mut self,
        user: &str,
        payload: UserPassword,
        content_type: String,
    ) -> Result<Body, IncompleteAuth> {
        let lacks = |field: &str| IncompleteAuth {
            user: user.to_owned(),
            problem: format!("`payloadUserPwd` has no `{field}`"),
            advice: "give username, password, usernameField and passwordField, here or in `authTemplate`",
        };
        let username = payload.username.ok_or_else(|| lacks("username"))?;
        let password = payload.password.ok_or_else(|| lacks("password"))?;
        let username_field = payload.username_field.ok_or_else(|| lacks("usernameField"))?;
        let password_field = payload.password_field.ok_or_else(|| lacks("passwordField"))?;
        self.principals.push(username.clone());
        if content_type.starts_with("application/x-www-form-urlencoded") {
            let password = self.secret(user, "password", password.reveal());
            return Ok(Body::Form(vec![(username_field, username.into()), (password_field, password)]));
        }
        if !content_type.contains("json") {
            return Err(IncompleteAuth {
                user: user.to_owned(),
                problem: format!("`payloadUserPwd` cannot be written as `{content_type}`"),
                advice: "use application/json or application/x-www-form-urlencoded, or give the payload as `payloadRaw`",
            });
        }
        // The lookup stands between the quotes of a JSON string, so its value is the escaped password.
        let escaped = Value::from(password.reveal()).to_string();
        let password = self.secret(user, "password", &escaped[1..escaped.len() - 1]);
        let mut text = Text::from(format!(
            "{{{}:{},{}:\"",
            Value::from(username_field),
            Value::from(username),
            Value::from(password_field)
        ));
        for segment in password.segments() {
            text.push(segment.clone());
        }
        text.push(Segment::Literal("\"}".to_owned()));
        Ok(Body::Text { content_type, text })
    }

    /// Stores a credential under an environment name no other credential has, and returns the lookup.
    fn secret(&mut self, user: &str, what: &str, value: &str) -> Text {
        let base = environment_name(user, what);
        let candidates = (1..).map(|n| if n == 1 { base.clone() } else { format!("{base}_{n}") });
        for name in candidates {
            match self.secrets.get(&name) {
                Some(other) if other.reveal() != value => {}
                _ => {
                    self.secrets.insert(name.clone(), Secret::new(value));
                    return Text::environment(name);
                }
            }
        }
        Text::environment(base)
    }

    fn note_principals(&mut self, header: &str, value: &str) {
        for principal in principals_of_header(header, value) {
            if !self.principals.contains(&principal) {
                self.principals.push(principal);
            }
        }
    }
}

/// `STEADY_ALICE_AUTHORIZATION` for the user `alice` and the header `authorization`.
fn environment_name(user: &str, what: &str) -> String {
    let words = [user, what].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_");
    let safe = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    format!("{SECRET_PREFIX}{}", words.chars().map(safe).collect::<String>())
}

fn is_user_field(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    ["user", "login", "email", "name", "account"].iter().any(|word| key.contains(word))
}

fn token_use(token: &TokenHandling) -> Result<LoginUse, &'static str> {
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
    use super::super::wfc::AuthFile;
    use super::*;

    fn accounts(yaml: &str) -> Result<Accounts, IncompleteAuth> {
        let file: AuthFile = yaml_serde::from_str(yaml).unwrap();
        Accounts::of_users(file.auth, file.auth_template.as_ref())
    }

    #[test]
    fn fixed_headers_become_lookups_and_name_their_account() {
        let accounts = accounts(
            "auth:\n- name: alice\n  fixedHeaders:\n  - {name: Authorization, value: Basic YWxpY2U6cHc=}",
        )
        .unwrap();
        let lookup = Text::environment("STEADY_ALICE_AUTHORIZATION");
        assert_eq!(accounts.identities[0].headers, [("authorization".to_owned(), lookup)]);
        assert_eq!(accounts.secrets["STEADY_ALICE_AUTHORIZATION"].reveal(), "Basic YWxpY2U6cHc=");
        assert_eq!(accounts.principals, ["alice"]);
    }

    #[test]
    fn a_login_is_completed_from_the_template() {
        let accounts = accounts(
            r#"
auth:
- name: bob
  loginEndpointAuth:
    payloadUserPwd: {username: bob, password: 'p"w'}
authTemplate:
  loginEndpointAuth:
    endpoint: /login
    verb: POST
    contentType: application/json
    payloadUserPwd: {usernameField: user, passwordField: pass}
    token: {extractFromField: /token, httpHeaderName: Authorization, headerPrefix: 'Bearer '}
"#,
        )
        .unwrap();
        let login = accounts.identities[0].login.as_ref().unwrap();
        assert_eq!(
            serde_json::to_value(login).unwrap(),
            serde_json::json!({
                "request": {
                    "method": "POST",
                    "target": "/login",
                    "body": {"text": {
                        "content_type": "application/json",
                        "text": [r#"{"user":"bob","pass":""#, {"env": "STEADY_BOB_PASSWORD"}, "\"}"],
                    }},
                },
                "use": {"header": {"token": "body:/token", "name": "authorization", "template": "Bearer {token}"}},
            })
        );
        assert_eq!(accounts.secrets["STEADY_BOB_PASSWORD"].reveal(), r#"p\"w"#);
        assert_eq!(accounts.principals, ["bob"]);
    }

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

    #[test]
    fn what_a_user_lacks_is_said() {
        let cases = [
            ("auth: [{}]", "user `number 1`: has no name"),
            ("auth: [{name: a}, {name: a}]", "user `a`: is there twice"),
            (
                "auth: [{name: a, loginEndpointAuth: {verb: POST, expectCookies: true}}]",
                "user `a`: the login needs either `endpoint` or `externalEndpointURL`",
            ),
            (
                "auth: [{name: a, loginEndpointAuth: {verb: POST, endpoint: /l}}]",
                "user `a`: the login says neither `expectCookies: true` nor what its `token` is",
            ),
            (
                "auth: [{name: a, loginEndpointAuth: {endpoint: /l, expectCookies: true, payloadUserPwd: {username: u}}}]",
                "user `a`: `payloadUserPwd` has no `password`",
            ),
        ];
        for (yaml, message) in cases {
            assert_eq!(accounts(yaml).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn headers_of_the_command_line_go_to_everybody() {
        let mut accounts = accounts("auth: [{name: a}, {name: b}]").unwrap();
        accounts.add_headers(&["X-Tenant: blue".parse().unwrap(), "X-Api-Key: k".parse().unwrap()]);
        for identity in &accounts.identities {
            assert_eq!(identity.headers[0], ("x-tenant".to_owned(), "blue".into()));
            assert_eq!(identity.headers[1], ("x-api-key".to_owned(), Text::environment("STEADY_X_API_KEY")));
        }
        let mut alone = Accounts::default();
        alone.add_headers(&["Authorization: Bearer x".parse().unwrap()]);
        assert_eq!(alone.identities[0].name, "caller");
    }

    #[test]
    fn no_secret_is_shown_by_debug_output() {
        let mut accounts = Accounts::default();
        accounts.add_headers(&["Authorization: Bearer hunter2".parse().unwrap()]);
        assert!(!format!("{accounts:?}").contains("hunter2"));
    }
}
