//! The address an API is reached at, as it appears in what the API says.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Encoding;

/// A part of the address an API is reached at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BasePart {
    /// All of it, without a slash at the end: `http://127.0.0.1:8080/app`.
    Url,
    /// Scheme, host and port: `http://127.0.0.1:8080`.
    Origin,
    /// Host and port: `127.0.0.1:8080`. The port is left out where it is the scheme's own.
    Authority,
    /// The path all targets stand under: empty, or beginning and not ending with a slash.
    Path,
}

impl BasePart {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Url, Self::Origin, Self::Authority, Self::Path];
}

impl fmt::Display for BasePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Url => "url",
            Self::Origin => "origin",
            Self::Authority => "authority",
            Self::Path => "path",
        })
    }
}

/// The address an API is reached at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base(Kind);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Known { origin: String, path: String },
    Placeholder,
}

impl Base {
    /// The first of the characters that stand for parts of a placeholder.
    const FIRST: u32 = 0xE7A0;

    /// The base at a URL of the form `scheme://host:port/path`; the scheme's own port is left out, as clients do.
    pub fn at(url: &str) -> Self {
        let url = url.trim().trim_end_matches('/');
        let authority = url.find("://").map_or(0, |at| at + 3);
        let path = url[authority..].find('/').map_or(url.len(), |at| authority + at);
        let mut origin = url[..path].to_ascii_lowercase();
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")] {
            if origin.starts_with(scheme) && origin.ends_with(port) {
                origin.truncate(origin.len() - port.len());
            }
        }
        Self(Kind::Known { origin, path: url[path..].to_owned() })
    }

    /// Stands for any base: every part, in every encoding, is one character of a private plane. Where the API's own address is
    /// replaced by it, what is true of the result is true at every address.
    pub fn placeholder() -> Self {
        Self(Kind::Placeholder)
    }

    /// Whether a text has a character that stands for a part of the placeholder.
    pub fn is_in(text: &str) -> bool {
        let count = BasePart::ALL.len() * Encoding::ALL.len();
        let last = Self::FIRST + u32::try_from(count).unwrap_or_default();
        text.chars().any(|character| (Self::FIRST..last).contains(&u32::from(character)))
    }

    /// A part of it, written one way.
    pub fn text(&self, part: BasePart, encoding: Encoding) -> String {
        match &self.0 {
            Kind::Known { origin, path } => {
                let plain = match part {
                    BasePart::Url => format!("{origin}{path}"),
                    BasePart::Origin => origin.clone(),
                    BasePart::Authority => {
                        origin.split_once("://").map_or(origin.as_str(), |(_, rest)| rest).to_owned()
                    }
                    BasePart::Path => path.clone(),
                };
                encoding.apply(&plain)
            }
            Kind::Placeholder => {
                let place = part as usize * Encoding::ALL.len() + encoding as usize;
                let code = Self::FIRST + u32::try_from(place).unwrap_or_default();
                char::from_u32(code).map(String::from).unwrap_or_default()
            }
        }
    }

    /// Whether the address gives a port that is not the scheme's own.
    pub(crate) fn has_port(&self) -> bool {
        let authority = self.text(BasePart::Authority, Encoding::Plain);
        authority.rsplit_once(':').is_some_and(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
    }

    pub(crate) fn is_placeholder(&self) -> bool {
        self.0 == Kind::Placeholder
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_has_its_parts() {
        let cases = [
            (
                "http://127.0.0.1:8080",
                ["http://127.0.0.1:8080", "http://127.0.0.1:8080", "127.0.0.1:8080", ""],
            ),
            ("http://a.test:80/v1/", ["http://a.test/v1", "http://a.test", "a.test", "/v1"]),
            ("HTTPS://A.test/X/y", ["https://a.test/X/y", "https://a.test", "a.test", "/X/y"]),
            ("http://[::1]:9/v1", ["http://[::1]:9/v1", "http://[::1]:9", "[::1]:9", "/v1"]),
        ];
        for (url, parts) in cases {
            let base = Base::at(url);
            assert_eq!(BasePart::ALL.map(|part| base.text(part, Encoding::Plain)), parts, "{url}");
        }
        let has_port =
            ["http://a.test:81", "http://[::1]:9", "http://a.test:80", "http://[::1]", "https://a"];
        assert_eq!(has_port.map(|url| Base::at(url).has_port()), [true, true, false, false, false]);
    }

    #[test]
    fn every_part_of_a_placeholder_is_another_character() {
        let base = Base::placeholder();
        let mut seen: Vec<String> = Vec::new();
        for part in BasePart::ALL {
            for encoding in Encoding::ALL {
                let text = base.text(part, encoding);
                assert!(Base::is_in(&text) && !seen.contains(&text), "{part} {encoding:?}");
                seen.push(text);
            }
        }
        assert!(!Base::is_in("http://127.0.0.1:8080/\u{e79f}\u{e7b0}"));
    }
}
