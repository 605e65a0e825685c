//! The calls that open a session: a sign-up, where a run makes an account of its own, and a login.

use serde_json::Value;
use steady_model::{Body, Login, LoginUse, Method, RequestTemplate, SignUp, Text};

use super::identity::{Accounts, IncompleteAuth};
use super::placeholder::Placeholders;
use super::token::token_use;
use super::wfc::{CreateUsers, LoginEndpoint, UserPassword};

impl Accounts {
    /// Takes the base path off the paths of logins and sign-ups that begin with it: in the format they are the server's, and
    /// requests go below the base path.
    pub fn below(&mut self, base_path: &str) {
        let base_path = base_path.trim_end_matches('/');
        for identity in &mut self.identities {
            let login = identity.login.as_mut().map(|login| &mut login.request);
            let sign_up = identity.sign_up.as_mut().map(|sign_up| &mut sign_up.request);
            for request in login.into_iter().chain(sign_up) {
                let path = request.target.as_literal().and_then(|target| target.strip_prefix(base_path));
                let below = path.filter(|path| path.starts_with('/')).map(Text::from);
                if let Some(below) = below.filter(|_| !base_path.is_empty()) {
                    request.target = below;
                }
            }
        }
    }

    /// The login; its credentials are secrets unless they are those of an account the run makes.
    pub(super) fn login(
        &mut self,
        user: &str,
        endpoint: LoginEndpoint,
        placeholders: &Placeholders,
    ) -> Result<Login, IncompleteAuth> {
        let incomplete = |problem: &str, advice| IncompleteAuth {
            user: user.to_owned(),
            problem: problem.to_owned(),
            advice,
        };
        let target = target("the login", endpoint.endpoint, endpoint.external_endpoint_url, user)?;
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
            (Some(raw), _) if !placeholders.is_empty() => {
                Some(Body::Text { content_type, text: placeholders.fill(raw.reveal()) })
            }
            (Some(raw), _) => Some(self.raw_body(user, raw.reveal(), content_type)),
            (None, Some(payload)) => {
                Some(self.user_password_body(user, payload, content_type, placeholders)?)
            }
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
        placeholders: &Placeholders,
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
        let mut texts = |username: &str, password: &str| {
            if placeholders.is_empty() {
                return (Text::from(username), self.secret(user, "password", password));
            }
            // An account of this run alone: its password is no secret.
            (placeholders.fill(username), placeholders.fill(password))
        };
        if content_type.starts_with("application/x-www-form-urlencoded") {
            let (name, password) = texts(&username, password.reveal());
            self.principals.push(username);
            return Ok(Body::Form(vec![(username_field, name), (password_field, password)]));
        }
        if !content_type.contains("json") {
            return Err(IncompleteAuth {
                user: user.to_owned(),
                problem: format!("`payloadUserPwd` cannot be written as `{content_type}`"),
                advice: "use application/json or application/x-www-form-urlencoded, or give the payload as `payloadRaw`",
            });
        }
        // They stand between the quotes of JSON strings, so the values are escaped.
        let (name, password) = texts(&escaped(&username), &escaped(password.reveal()));
        self.principals.push(username);
        let text = [
            Text::from(format!("{{{}:\"", Value::from(username_field))),
            name,
            Text::from(format!("\",{}:\"", Value::from(password_field))),
            password,
            Text::from("\"}"),
        ];
        Ok(Body::Text { content_type, text: joined(&text) })
    }
}

/// The call that makes an account. Nothing in it is a secret: the account is the run's own.
pub(super) fn sign_up(
    create: CreateUsers,
    placeholders: &Placeholders,
    user: &str,
) -> Result<SignUp, IncompleteAuth> {
    let target = target("`createUsers`", create.endpoint, create.external_endpoint_url, user)?;
    let content_type = create.content_type.unwrap_or_else(|| "application/json".to_owned());
    let text = placeholders.fill(&create.payload_raw.unwrap_or_default());
    let request = RequestTemplate {
        method: create.verb.unwrap_or(Method::Post),
        target: target.into(),
        headers: Vec::new(),
        body: Some(Body::Text { content_type, text }),
    };
    Ok(SignUp { fresh: placeholders.fresh().to_vec(), request })
}

/// Where a call goes: a path of the API, or a full address.
fn target(
    call: &str,
    endpoint: Option<String>,
    external: Option<String>,
    user: &str,
) -> Result<String, IncompleteAuth> {
    match (endpoint, external) {
        (Some(path), None) if path.starts_with('/') => Ok(path),
        (Some(path), None) => Ok(format!("/{path}")),
        (None, Some(url)) => Ok(url),
        _ => Err(IncompleteAuth {
            user: user.to_owned(),
            problem: format!("{call} needs either `endpoint` or `externalEndpointURL`"),
            advice: "give its path as `endpoint`, or its full address as `externalEndpointURL`",
        }),
    }
}

/// What stands between the quotes of a JSON string.
fn escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn joined(texts: &[Text]) -> Text {
    let mut joined = Text::default();
    for segment in texts.iter().flat_map(Text::segments) {
        joined.push(segment.clone());
    }
    joined
}

fn is_user_field(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    ["user", "login", "email", "name", "account"].iter().any(|word| key.contains(word))
}
