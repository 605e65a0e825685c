//! Where a document is.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::ValueError;

/// Where a document is: a file, or an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentSource {
    /// In a file.
    File(PathBuf),
    /// At this address.
    Url(String),
}

impl FromStr for DocumentSource {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once("://") {
            _ if text.trim().is_empty() => {
                Err(ValueError { given: text.to_owned(), expected: "a file or an address" })
            }
            Some((scheme, _)) if ["http", "https"].contains(&scheme.to_ascii_lowercase().as_str()) => {
                Ok(Self::Url(text.to_owned()))
            }
            Some(_) => Err(ValueError {
                given: text.to_owned(),
                expected: "an address that can be read; give a file, or an address with http or https",
            }),
            None => Ok(Self::File(PathBuf::from(text))),
        }
    }
}

impl fmt::Display for DocumentSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Url(url) => f.write_str(url),
        }
    }
}

deserialize_from_str!(DocumentSource);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_a_file_unless_it_has_a_scheme() {
        assert_eq!("api.json".parse(), Ok(DocumentSource::File("api.json".into())));
        assert_eq!("HTTP://a.test/x".parse(), Ok(DocumentSource::Url("HTTP://a.test/x".into())));
        assert!("ftp://a.test/x".parse::<DocumentSource>().is_err());
    }
}
