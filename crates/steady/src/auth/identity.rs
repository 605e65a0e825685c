//! Turns credentials into the identities of a suite.

use std::collections::BTreeMap;

use steady_model::{Identity, Secret, Text};

use super::header::HeaderArgument;
use super::login::sign_up;
use super::placeholder::Placeholders;
use super::principal::principals_of_header;
use super::wfc::{AuthenticationInfo, Header};
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
    /// The names of the identities' accounts; the run must not delete or change these.
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
                    problem: "appears twice".to_owned(),
                    advice: "give every user a different name",
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
            let name = HEADER_IDENTITY.to_owned();
            self.identities.push(Identity { name, headers: vec![], sign_up: None, login: None });
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
        let mut placeholders = Placeholders::default();
        let sign_up = match user.create_users {
            Some(create) => {
                placeholders = Placeholders::of(&create, &name)?;
                Some(sign_up(create, &placeholders, &name)?)
            }
            None => None,
        };
        let login = match user.login_endpoint_auth {
            Some(endpoint) => Some(self.login(&name, endpoint, &placeholders)?),
            None if sign_up.is_some() => {
                return Err(IncompleteAuth {
                    user: name,
                    problem: "`createUsers` makes an account that nothing logs in to".to_owned(),
                    advice: "add a `loginEndpointAuth` that uses the same placeholders",
                });
            }
            None => None,
        };
        self.identities.push(Identity { name, headers, sign_up, login });
        Ok(())
    }

    pub(super) fn headers(&mut self, user: &str, headers: Vec<Header>) -> Vec<(String, Text)> {
        let mut texts = Vec::with_capacity(headers.len());
        for Header { name, value } in headers {
            let name = name.to_ascii_lowercase();
            self.note_principals(&name, value.reveal());
            texts.push((name.clone(), self.secret(user, &name, value.reveal())));
        }
        texts
    }

    /// Stores a credential under an environment name no other credential has, and returns the lookup.
    pub(super) fn secret(&mut self, user: &str, what: &str, value: &str) -> Text {
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
    fn an_account_of_its_own_is_made_before_the_login() {
        let accounts = accounts(
            r#"
auth:
- name: new
  createUsers:
    endpoint: /users
    payloadRaw: '{"email":"{$email}","password":"pw"}'
    generators: [{placeHolder: '{$email}', prefix: u, minLength: 5, maxLength: 20, postfix: '@a.test'}]
  loginEndpointAuth:
    endpoint: /login
    payloadUserPwd: {username: '{$email}', password: pw, usernameField: email, passwordField: password}
    expectCookies: true
"#,
        )
        .unwrap();
        let body = serde_json::json!({"text": {
            "content_type": "application/json",
            "text": [r#"{"email":""#, {"var": "email"}, r#"","password":"pw"}"#],
        }});
        let request = |target: &str| serde_json::json!({"method": "POST", "target": target, "body": body});
        assert_eq!(
            serde_json::to_value(&accounts.identities).unwrap(),
            serde_json::json!([{
                "name": "new",
                "sign_up": {
                    "fresh": [{"name": "email", "prefix": "u", "length": 10, "suffix": "@a.test"}],
                    "request": request("/users"),
                },
                "login": {"request": request("/login"), "use": "cookies"},
            }])
        );
        assert!(accounts.secrets.is_empty());
    }

    #[test]
    fn what_a_user_lacks_is_said() {
        let cases = [
            ("auth: [{}]", "user `number 1`: has no name"),
            ("auth: [{name: a}, {name: a}]", "user `a`: appears twice"),
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
            (
                "auth: [{name: a, createUsers: {endpoint: /u, payloadRaw: x}}]",
                "user `a`: `createUsers` has no `generators`",
            ),
            (
                "auth: [{name: a, createUsers: {endpoint: /u, payloadRaw: x, generators: [{placeHolder: y}]}}]",
                "user `a`: the `payloadRaw` of `createUsers` does not hold the placeholder `y`",
            ),
            (
                "auth: [{name: a, createUsers: {payloadRaw: x, generators: [{placeHolder: x}]}}]",
                "user `a`: `createUsers` needs either `endpoint` or `externalEndpointURL`",
            ),
            (
                "auth: [{name: a, createUsers: {endpoint: /u, payloadRaw: x, generators: [{placeHolder: x}]}}]",
                "user `a`: `createUsers` makes an account that nothing logs in to",
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
