//! Who calls are made as: makes an account where the identity asks for one, logs in once, and shows the login to every
//! call.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};

use chacha20::ChaCha8Rng;
use indexmap::IndexMap;
use rand::SeedableRng as _;
use serde_json::Value;
use steady_http::{BaseUrl, Channel, Client, ClientError, ClientOptions, TransportError};
use steady_model::{
    Capture, Fresh, Identity, Login, LoginUse, Method, Place, Request, Response, Take, mask_address, percent,
};

use crate::bind::bind_text;
use crate::run::base_of;
use crate::{BindError, Environment, Variables, bind, capture, fresh};

/// A call that opens a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// Makes an account.
    SignUp,
    /// Logs in.
    Login,
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SignUp => "sign-up",
            Self::Login => "login",
        })
    }
}

/// An identity cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// The suite has no identity of this name.
    #[error("the suite has no identity `{identity}`")]
    UnknownIdentity {
        /// The name a call gave.
        identity: String,
    },
    /// A secret of the identity is missing.
    #[error("identity `{identity}` cannot be used")]
    Bind {
        /// The identity's name.
        identity: String,
        /// What is missing.
        #[source]
        source: BindError,
    },
    /// The address of the login or sign-up cannot be used.
    #[error("the {call} of identity `{identity}` is at `{url}`, which cannot be used: {reason}")]
    Address {
        /// Which call.
        call: Opening,
        /// The identity's name.
        identity: String,
        /// The address.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The login or sign-up got no answer.
    #[error("the {call} of identity `{identity}` at {url} got no answer: {reason}")]
    Unanswered {
        /// Which call.
        call: Opening,
        /// The identity's name.
        identity: String,
        /// What was called.
        url: String,
        /// What happened instead.
        reason: String,
    },
    /// The login or sign-up was refused.
    #[error("the {call} of identity `{identity}`, `{url}`, was answered with status {status}")]
    Refused {
        /// Which call.
        call: Opening,
        /// The identity's name.
        identity: String,
        /// What was called: method and address.
        url: String,
        /// The status.
        status: u16,
    },
    /// The login was accepted, but its response lacks what later calls need.
    #[error("the login response of identity `{identity}` holds no {missing}")]
    Nothing {
        /// The identity's name.
        identity: String,
        /// What is missing: `cookie`, or `token at <place>`.
        missing: String,
    },
}

/// What an open session adds to a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Credentials {
    /// Headers, lower-case names.
    pub headers: Vec<(String, String)>,
    /// Query parameters, not yet encoded.
    pub query: Vec<(String, String)>,
}

impl Credentials {
    /// Adds what is missing: a header that the call sets itself stays, cookies are joined.
    pub fn apply(&self, request: &mut Request) {
        for (name, value) in &self.headers {
            match request.headers.iter_mut().find(|(given, _)| given == name) {
                Some((_, cookies)) if name == "cookie" => *cookies = format!("{cookies}; {value}"),
                Some(_) => {}
                None => request.headers.push((name.clone(), value.clone())),
            }
        }
        for (name, value) in &self.query {
            let separator = if request.target.contains('?') { '&' } else { '?' };
            request.target.push(separator);
            request.target.push_str(&format!("{}={}", percent::encode(name), percent::encode(value)));
        }
    }
}

/// The identities of a suite, and the sessions opened for them so far.
#[derive(Debug, Clone)]
pub struct Sessions {
    identities: IndexMap<String, Identity>,
    // A login that failed is remembered too: trying it again before each test would lock accounts.
    opened: IndexMap<String, Result<Credentials, SessionError>>,
    // The values of the accounts that were made.
    accounts: IndexMap<String, Variables>,
    // Logins that are not below the API's base path.
    at_root: IndexMap<String, String>,
    options: ClientOptions,
}

impl Sessions {
    /// Sessions for these identities, none of them open. The options are for logins at another server.
    pub fn new(identities: impl IntoIterator<Item = Identity>, options: ClientOptions) -> Self {
        let identities = identities.into_iter().map(|identity| (identity.name.clone(), identity)).collect();
        Self {
            identities,
            opened: IndexMap::new(),
            accounts: IndexMap::new(),
            at_root: IndexMap::new(),
            options,
        }
    }

    /// What a call made as `identity` needs; opens a session the first time it is asked.
    pub async fn credentials(
        &mut self,
        channel: &mut Channel,
        identity: &str,
        environment: &dyn Environment,
    ) -> Result<Credentials, SessionError> {
        if let Some(opened) = self.opened.get(identity) {
            return opened.clone();
        }
        let result = self.open(channel, identity, environment).await;
        self.opened.insert(identity.to_owned(), result.clone());
        result
    }

    /// The address of a login that was found at the server's root and not below the API's base path.
    pub fn login_at_root(&self, identity: &str) -> Option<&str> {
        self.at_root.get(identity).map(String::as_str)
    }

    /// Drops a session, so that the next call made as `identity` logs in again; where it makes its own account and that is
    /// gone, with a new one.
    pub fn forget(&mut self, identity: &str) {
        self.opened.shift_remove(identity);
    }

    async fn open(
        &mut self,
        channel: &mut Channel,
        name: &str,
        environment: &dyn Environment,
    ) -> Result<Credentials, SessionError> {
        let unknown = || SessionError::UnknownIdentity { identity: name.to_owned() };
        let identity = self.identities.get(name).cloned().ok_or_else(unknown)?;
        let Some(sign_up) = &identity.sign_up else {
            let no_account = Variables::default().at(base_of(channel));
            return self.log_in(channel, &identity, &no_account, environment).await;
        };
        if let Some(account) = self.accounts.get(name).cloned() {
            let again = self.log_in(channel, &identity, &account, environment).await;
            // An account that is gone is replaced.
            if !matches!(again, Err(SessionError::Refused { .. })) {
                return again;
            }
        }
        let account = account_values(&sign_up.fresh).at(base_of(channel));
        let request = bind(&sign_up.request, &account, environment)
            .map_err(|source| SessionError::Bind { identity: name.to_owned(), source })?;
        let _ = self.send(channel, name, Opening::SignUp, request).await?;
        self.accounts.insert(name.to_owned(), account.clone());
        self.log_in(channel, &identity, &account, environment).await
    }

    async fn log_in(
        &mut self,
        channel: &mut Channel,
        identity: &Identity,
        account: &Variables,
        environment: &dyn Environment,
    ) -> Result<Credentials, SessionError> {
        let name = identity.name.as_str();
        let missing = |source| SessionError::Bind { identity: name.to_owned(), source };
        let mut credentials = Credentials::default();
        for (header, value) in &identity.headers {
            let value = bind_text(value, account, environment).map_err(missing)?;
            credentials.headers.push((header.clone(), value));
        }
        if let Some(login) = &identity.login {
            let request = bind(&login.request, account, environment).map_err(missing)?;
            let (response, place) = self.send(channel, name, Opening::Login, request.clone()).await?;
            if let Where::Root(url) = place {
                self.at_root.insert(name.to_owned(), url);
            }
            environment.exchanged(&request, &response);
            let won = show_login(login, &response, name)?;
            let values = won.headers.iter().chain(&won.query).map(|(_, value)| value);
            values.for_each(|value| environment.won(value));
            credentials.headers.extend(won.headers);
            credentials.query.extend(won.query);
        }
        Ok(credentials)
    }

    /// Sends a login or sign-up. Its path is below the API's base path; if that is not found, at the server's root.
    async fn send(
        &self,
        channel: &mut Channel,
        name: &str,
        call: Opening,
        request: Request,
    ) -> Result<(Response, Where), SessionError> {
        if split_url(&request.target).is_some() {
            return Ok((self.send_to(name, call, request).await?, Where::AsGiven));
        }
        let base = channel.base();
        let (full, root) =
            (format!("{base}{}", request.target), format!("{}{}", base.origin(), request.target));
        let answer = channel.send(&request).await;
        let (response, _) = answer.map_err(|error| SessionError::Unanswered {
            call,
            identity: name.to_owned(),
            url: mask_address(&full),
            reason: error.to_string(),
        })?;
        if matches!(response.status, 404 | 405) && root != full {
            let at_root = Request { target: root.clone(), ..request.clone() };
            if let Ok(response) = self.send_to(name, call, at_root).await {
                return Ok((response, Where::Root(root)));
            }
        }
        accepted(response, name, call, &request.method, &full).map(|response| (response, Where::AsGiven))
    }

    /// Sends a login or sign-up to a full address.
    async fn send_to(
        &self,
        name: &str,
        call: Opening,
        mut request: Request,
    ) -> Result<Response, SessionError> {
        let url = request.target.clone();
        let (origin, target) = split_url(&url).unwrap_or_default();
        let address = |reason: String| SessionError::Address {
            call,
            identity: name.to_owned(),
            url: mask_address(&url),
            reason,
        };
        let base: BaseUrl = origin.parse().map_err(|error| address(format!("{error}")))?;
        let client = Client::new(base, self.options.clone())
            .map_err(|error: ClientError| address(error.to_string()))?;
        request.target = target;
        let answer = client.channel().send(&request).await;
        let (response, _) = answer.map_err(|error: TransportError| SessionError::Unanswered {
            call,
            identity: name.to_owned(),
            url: mask_address(&url),
            reason: error.to_string(),
        })?;
        accepted(response, name, call, &request.method, &url)
    }
}

/// Where a call was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Where {
    /// At the given address.
    AsGiven,
    /// At the root of the server, at this address.
    Root(String),
}

/// Many login forms answer success with a redirect.
fn accepted(
    response: Response,
    name: &str,
    call: Opening,
    method: &Method,
    url: &str,
) -> Result<Response, SessionError> {
    if response.status < 400 {
        return Ok(response);
    }
    let url = format!("{method} {}", mask_address(url));
    Err(SessionError::Refused { call, identity: name.to_owned(), url, status: response.status })
}

/// Values for a new account. They are not seeded: an account of an earlier run would conflict.
fn account_values(wanted: &[Fresh]) -> Variables {
    // The standard library's hasher keys come from the system's source of randomness.
    let mut rng = ChaCha8Rng::seed_from_u64(RandomState::new().hash_one(0));
    wanted.iter().map(|name| (name.name.clone(), Value::from(fresh(name, &mut rng)))).collect()
}

/// What later calls send, from a login's answer.
fn show_login(login: &Login, response: &Response, name: &str) -> Result<Credentials, SessionError> {
    let mut credentials = Credentials::default();
    let nothing = |missing: String| SessionError::Nothing { identity: name.to_owned(), missing };
    match &login.usage {
        LoginUse::Cookies => {
            let cookies = cookies(response);
            if cookies.is_empty() {
                return Err(nothing("cookie".to_owned()));
            }
            credentials.headers.push(("cookie".to_owned(), cookies.join("; ")));
        }
        LoginUse::Header { token, name, template } => {
            let token = token_at(token, response).ok_or_else(|| nothing(format!("token at {token}")))?;
            credentials.headers.push((name.clone(), template.replace("{token}", &token)));
        }
        LoginUse::Query { token, name } => {
            let token = token_at(token, response).ok_or_else(|| nothing(format!("token at {token}")))?;
            credentials.query.push((name.clone(), token));
        }
    }
    Ok(credentials)
}

/// `name=value` of every cookie the response sets; the last one of a name counts.
fn cookies(response: &Response) -> Vec<String> {
    let mut cookies = IndexMap::new();
    for (header, value) in &response.headers {
        let pair = value.split(';').next().unwrap_or_default().trim();
        if let ("set-cookie", Some((name, value))) = (header.as_str(), pair.split_once('=')) {
            cookies.insert(name.to_owned(), value.to_owned());
        }
    }
    cookies.into_iter().map(|(name, value)| format!("{name}={value}")).collect()
}

fn token_at(place: &Place, response: &Response) -> Option<String> {
    let wanted = Capture { name: String::new(), from: place.clone(), take: Take::Whole };
    match capture(&wanted, response)? {
        Value::String(token) => Some(token),
        other => Some(other.to_string()),
    }
}

/// Origin and target of a full URL; `None` for a plain target.
fn split_url(target: &str) -> Option<(String, String)> {
    let (scheme, rest) = target.split_once("://")?;
    if !matches!(scheme, "http" | "https") {
        return None;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
    Some((format!("{scheme}://{authority}"), path))
}

#[cfg(test)]
mod tests {
    use steady_model::Payload;

    use super::*;

    #[test]
    fn full_urls_are_split_into_origin_and_target() {
        let cases = [
            ("/login", None),
            ("https://id.test:8/oauth/token?x=1", Some(("https://id.test:8", "/oauth/token?x=1"))),
            ("http://id.test", Some(("http://id.test", "/"))),
            ("http://id.test?x=1", Some(("http://id.test", "/?x=1"))),
        ];
        for (url, expected) in cases {
            let expected = expected.map(|(origin, target)| (origin.to_owned(), target.to_owned()));
            assert_eq!(split_url(url), expected, "{url}");
        }
    }

    #[test]
    fn credentials_never_replace_what_the_call_says_itself() {
        let credentials = Credentials {
            headers: vec![("authorization".into(), "mine".into()), ("cookie".into(), "b=2".into())],
            query: vec![("key".into(), "a&b".into())],
        };
        let mut request = Request {
            method: Method::Get,
            target: "/a?x=1".into(),
            headers: vec![("authorization".into(), "its own".into()), ("cookie".into(), "a=1".into())],
            body: None,
        };
        credentials.apply(&mut request);
        assert_eq!(request.target, "/a?x=1&key=a%26b");
        assert_eq!(request.header("authorization"), Some("its own"));
        assert_eq!(request.header("cookie"), Some("a=1; b=2"));
    }

    #[test]
    fn cookies_keep_name_and_value_and_the_last_of_a_name_counts() {
        let set = |value: &str| ("set-cookie".to_owned(), value.to_owned());
        let response = Response {
            status: 200,
            headers: vec![
                set("s=1; Path=/"),
                set("t=x=y"),
                set("s=2; HttpOnly"),
                ("etag".into(), "a=b".into()),
            ],
            body: Payload::default(),
            truncated: false,
        };
        assert_eq!(cookies(&response), ["s=2", "t=x=y"]);
    }
}
