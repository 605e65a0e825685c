//! Where a document is, and what a relative reference in it means.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use steady_model::percent;
use url::Url;

/// Where a document was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Address {
    File(PathBuf),
    Url(Url),
    /// Given as text, with a name for messages; nothing can be relative to it.
    Memory(String),
}

impl Address {
    /// A file, without `.` and `..` in its path, so that each file has one address.
    pub fn file(path: &Path) -> Self {
        let mut plain = PathBuf::new();
        for component in path.components() {
            match component {
                Component::CurDir => {}
                Component::ParentDir
                    if matches!(plain.components().next_back(), Some(Component::Normal(_))) =>
                {
                    plain.pop();
                }
                component => plain.push(component),
            }
        }
        Self::File(plain)
    }

    /// The document part of a reference, seen from here.
    pub fn join(&self, reference: &str) -> Result<Self, String> {
        if let Ok(url) = Url::parse(reference) {
            return match (self, url.scheme()) {
                (_, "http" | "https") => Ok(Self::Url(url)),
                (Self::File(_), "file") => url
                    .to_file_path()
                    .map(|path| Self::file(&path))
                    .map_err(|()| "is no file of this machine".into()),
                (_, scheme) => Err(format!("documents are not read by `{scheme}:`")),
            };
        }
        match self {
            Self::File(path) => {
                let folder = path.parent().unwrap_or(Path::new(""));
                Ok(Self::file(&folder.join(percent::decode(reference))))
            }
            Self::Url(url) => url.join(reference).map(Self::Url).map_err(|error| error.to_string()),
            Self::Memory(_) => Err("the document has no address it could be relative to".to_owned()),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Url(url) => write!(f, "{url}"),
            Self::Memory(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_relative_to_where_they_stand() {
        let file = Address::file(Path::new("api/v1/../openapi.yaml"));
        let url = Address::Url("http://shop.test/api/openapi.json".parse().unwrap());
        for (base, reference, expected) in [
            (&file, "models/pet.yaml", "api/models/pet.yaml"),
            (&file, "./models/a%20b.yaml", "api/models/a b.yaml"),
            (&file, "../shared.yaml", "shared.yaml"),
            (&file, "../../up.yaml", "../up.yaml"),
            (&file, "/abs/x.yaml", "/abs/x.yaml"),
            (&file, "http://other.test/x", "http://other.test/x"),
            (&url, "pet.json", "http://shop.test/api/pet.json"),
            (&url, "/pet.json", "http://shop.test/pet.json"),
        ] {
            assert_eq!(base.join(reference).unwrap().to_string(), expected, "{reference}");
        }
        for (base, reference) in
            [(&url, "file:///etc/passwd"), (&file, "data:,x"), (&Address::Memory("t".into()), "pet.json")]
        {
            assert!(base.join(reference).is_err(), "{reference}");
        }
    }
}
