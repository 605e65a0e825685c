//! The address an API is served under.

use std::fmt;
use std::str::FromStr;

use steady_model::mask_address;
use url::{Host, Url};

/// The address of an API: scheme, host, port and the base path of all its targets.
///
/// ```
/// use steady_http::BaseUrl;
///
/// let base: BaseUrl = "https://shop.test:8443/v1/".parse()?;
/// assert_eq!(base.origin(), "https://shop.test:8443");
/// assert_eq!(base.path_prefix(), "/v1");
/// # Ok::<(), steady_http::ParseBaseUrlError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl {
    url: Url,
}

/// The text is not an address an API can be served under.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "`text` is what was given")]
pub enum ParseBaseUrlError {
    /// There is no `http://` or `https://` in front.
    #[error("`{}` has no scheme; add http:// or https:// in front", masked(text))]
    NoScheme { text: String },
    /// The scheme is another one.
    #[error("`{}` has the scheme `{scheme}`; only http and https can be tested", masked(text))]
    UnsupportedScheme { text: String, scheme: String },
    /// The host is missing.
    #[error("`{}` has no host; expected something like http://127.0.0.1:8080", masked(text))]
    NoHost { text: String },
    /// A query or a fragment cannot be part of every target.
    #[error("`{}` has a query or a fragment; give only scheme, host, port and path", masked(text))]
    HasQuery { text: String },
    /// Credentials in addresses end up in reports.
    #[error(
        "`{}` has a user name or password in it; send them in an authorization header instead",
        masked(text)
    )]
    HasCredentials { text: String },
    /// It is malformed in another way.
    #[error("`{}` is not a URL: {reason}", masked(text))]
    Invalid { text: String, reason: url::ParseError },
}

impl BaseUrl {
    /// Scheme, host and port, without a slash at the end.
    pub fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// The path every target is appended to: empty, or beginning and not ending with a slash.
    pub fn path_prefix(&self) -> &str {
        self.url.path().trim_end_matches('/')
    }

    /// Whether requests go over TLS.
    pub(crate) fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// The host to connect to.
    pub(crate) fn host(&self) -> Host<&str> {
        self.url.host().unwrap_or(Host::Domain(""))
    }

    /// The port to connect to.
    pub(crate) fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or(80)
    }

    /// Host and port as the `host` header writes them.
    pub(crate) fn authority(&self) -> &str {
        self.url.authority()
    }
}

impl FromStr for BaseUrl {
    type Err = ParseBaseUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let given = || text.to_owned();
        // Without this check `localhost:8080` would parse, with `localhost` as its scheme.
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err(ParseBaseUrlError::NoScheme { text: given() });
        };
        if !["http", "https"].iter().any(|known| known.eq_ignore_ascii_case(scheme)) {
            return Err(ParseBaseUrlError::UnsupportedScheme { text: given(), scheme: scheme.to_owned() });
        }
        if rest.is_empty() || rest.starts_with(['/', ':', '?', '#']) {
            return Err(ParseBaseUrlError::NoHost { text: given() });
        }
        let url = Url::parse(text).map_err(|reason| ParseBaseUrlError::Invalid { text: given(), reason })?;
        if url.query().is_some() || url.fragment().is_some() {
            return Err(ParseBaseUrlError::HasQuery { text: given() });
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(ParseBaseUrlError::HasCredentials { text: given() });
        }
        Ok(Self { url })
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.url.as_str().trim_end_matches('/'))
    }
}

/// The address with everything before `@` hidden, its scheme aside, and parameters that are secrets.
fn masked(text: &str) -> String {
    let start = text.find("://").map_or(0, |at| at + 3);
    let address = match text.rfind('@') {
        Some(end) if start < end => format!("{}***{}", &text[..start], &text[end..]),
        _ => text.to_owned(),
    };
    mask_address(&address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_has_an_origin_and_a_prefix_without_trailing_slash() {
        let table = [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", ""),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080", ""),
            ("HTTPS://Shop.Test:443/api/v1/", "https://shop.test", "/api/v1"),
            (" http://[::1]:9/v1 ", "http://[::1]:9", "/v1"),
        ];
        for (text, origin, prefix) in table {
            let base: BaseUrl = text.parse().unwrap();
            assert_eq!((base.origin().as_str(), base.path_prefix()), (origin, prefix), "{text}");
            assert_eq!(base.to_string(), format!("{origin}{prefix}"));
        }
    }

    #[test]
    fn what_is_no_base_url_is_refused_with_what_to_do() {
        let table = [
            ("localhost:8080", "`localhost:8080` has no scheme; add http:// or https:// in front"),
            ("127.0.0.1", "`127.0.0.1` has no scheme; add http:// or https:// in front"),
            ("", "`` has no scheme; add http:// or https:// in front"),
            ("ftp://a.test", "`ftp://a.test` has the scheme `ftp`; only http and https can be tested"),
            ("http://", "`http://` has no host; expected something like http://127.0.0.1:8080"),
            ("http://:80/x", "`http://:80/x` has no host; expected something like http://127.0.0.1:8080"),
            (
                "http://a.test/?x=1",
                "`http://a.test/?x=1` has a query or a fragment; give only scheme, host, port and path",
            ),
            (
                "http://a.test/#top",
                "`http://a.test/#top` has a query or a fragment; give only scheme, host, port and path",
            ),
            (
                "http://me:secret@a.test/?token=abc&x=1",
                "`http://***@a.test/?token=***&x=1` has a query or a fragment; give only scheme, host, port and path",
            ),
            ("me:secret@a.test", "`***@a.test` has no scheme; add http:// or https:// in front"),
            ("http://a.test:99999", "`http://a.test:99999` is not a URL: invalid port number"),
            (
                "http://me:secret@a.test",
                "`http://***@a.test` has a user name or password in it; send them in an authorization header instead",
            ),
        ];
        for (text, message) in table {
            assert_eq!(text.parse::<BaseUrl>().unwrap_err().to_string(), message);
        }
    }
}
