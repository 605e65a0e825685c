//! Paths as git prints and as JSON keeps them; a name need not be UTF-8.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The path that git printed.
#[cfg(unix)]
pub(crate) fn from_bytes(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(bytes).into()
}

/// The path that git printed.
#[cfg(not(unix))]
pub(crate) fn from_bytes(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// A path in JSON: text where it is text.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum KeptPath {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<&Path> for KeptPath {
    fn from(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Bytes(path.as_os_str().as_encoded_bytes().to_vec()),
        }
    }
}

impl From<KeptPath> for PathBuf {
    fn from(path: KeptPath) -> Self {
        match path {
            KeptPath::Text(text) => text.into(),
            KeptPath::Bytes(bytes) => from_bytes(bytes),
        }
    }
}
