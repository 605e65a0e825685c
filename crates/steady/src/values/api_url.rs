//! Where the API runs.

use std::str::FromStr;

use steady_http::{BaseUrl, ParseBaseUrlError};
use steady_process::{PlaceholderError, fill_address, ports_in};

/// As many ports as can be asked for; any will do to see whether an address is one.
const ANY_PORTS: [u16; 16] = [1; 16];

/// Where the API runs. `{port}` may stand in it, for the port of an API that steady starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiUrl(String);

/// The text is not an address an API can be served under.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseApiUrlError {
    /// It is none, whatever the port.
    #[error(transparent)]
    Address(#[from] ParseBaseUrlError),
    /// A name in braces stands for nothing.
    #[error(transparent)]
    Placeholder(#[from] PlaceholderError),
}

impl ApiUrl {
    /// As it is written.
    pub fn template(&self) -> &str {
        &self.0
    }

    /// Whether it depends on the port of an API that steady starts.
    pub fn needs_port(&self) -> bool {
        ports_in(&self.0) > 0
    }

    /// The address, unless it depends on a port.
    pub fn fixed(&self) -> Option<BaseUrl> {
        fill_address(&self.0, 0, &[]).ok()?.parse().ok()
    }
}

impl FromStr for ApiUrl {
    type Err = ParseApiUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if ports_in(text) == 0 {
            text.parse::<BaseUrl>()?;
        }
        fill_address(text, 0, &ANY_PORTS)?.parse::<BaseUrl>()?;
        Ok(Self(text.trim().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_a_port_to_come_is_one() {
        for (text, fixed) in [
            ("http://127.0.0.1:8080/v1", Some("http://127.0.0.1:8080/v1")),
            ("http://127.0.0.1:{port}", None),
            ("https://localhost:{port1}/api", None),
        ] {
            let url: ApiUrl = text.parse().unwrap();
            assert_eq!(url.fixed().map(|url| url.to_string()).as_deref(), fixed, "{text}");
            assert_eq!(url.needs_port(), fixed.is_none(), "{text}");
        }
    }

    #[test]
    fn what_is_no_address_with_any_port_is_refused() {
        for (text, part) in [
            ("127.0.0.1:{port}", "no scheme"),
            ("http://127.0.0.1:{prot}", "invalid port number"),
            ("http://127.0.0.1:{port}/{tenant}", "unknown placeholder `{tenant}`"),
        ] {
            let error = text.parse::<ApiUrl>().unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}
