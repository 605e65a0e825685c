//! Where a store is.

use std::fmt;
use std::path::{Path, PathBuf};

use steady_model::Secret;

use crate::StoreError;
use crate::database::Address;

/// The default file, below the project's folder.
const DEFAULT_FILE: &str = ".steady/steady.db";

/// Where a store is. Printed, it shows no password.
///
/// ```
/// # use std::path::Path;
/// # use steady_store::StoreLocation;
/// let team = StoreLocation::parse("postgres://ci:hunter2@db.example/tests", Path::new("shop"))?;
/// assert_eq!(team.to_string(), "postgres://ci@db.example:5432/tests");
/// assert_eq!(StoreLocation::default_in(Path::new("shop")).to_string(), "shop/.steady/steady.db");
/// # Ok::<(), steady_store::StoreError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreLocation {
    /// An SQLite file. It must be on a local disk: several processes share memory beside it.
    File(PathBuf),
    /// A PostgreSQL database, by its address. `sslmode` may be `disable`, `prefer` (the default), `require` (encrypted, the
    /// server is not checked) or `verify-full` (the server must show a certificate for its name that the system or
    /// the file `sslrootcert` vouches for).
    Postgres(Secret),
}

impl StoreLocation {
    /// The file in a project's folder that is used when no other place is named.
    pub fn default_in(project: &Path) -> Self {
        Self::File(project.join(DEFAULT_FILE))
    }

    /// Reads `url` of `[store]`: `postgres://…`, or the path of a file, relative to the project's folder.
    pub fn parse(setting: &str, project: &Path) -> Result<Self, StoreError> {
        if setting.starts_with("postgres://") || setting.starts_with("postgresql://") {
            Address::parse(setting)?;
            return Ok(Self::Postgres(Secret::new(setting)));
        }
        let path = setting.strip_prefix("sqlite:").unwrap_or(setting);
        match path.split_once("://") {
            // Only the scheme is repeated: the rest may hold a password.
            Some((scheme, _)) => Err(StoreError::Address { detail: format!("unknown scheme `{scheme}`") }),
            None if path.is_empty() => Err(StoreError::Address { detail: "it is empty".to_owned() }),
            None => Ok(Self::File(project.join(path))),
        }
    }
}

impl fmt::Display for StoreLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Postgres(url) => match Address::parse(url.reveal()) {
                Ok(address) => f.write_str(address.place()),
                Err(_) => f.write_str("postgres://***"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(setting: &str) -> Result<StoreLocation, StoreError> {
        StoreLocation::parse(setting, Path::new("shop"))
    }

    #[test]
    fn a_path_is_relative_to_the_project() {
        assert_eq!(parse("runs.db").unwrap(), StoreLocation::File("shop/runs.db".into()));
        assert_eq!(parse("sqlite:/data/runs.db").unwrap(), StoreLocation::File("/data/runs.db".into()));
    }

    #[test]
    fn no_message_repeats_a_password() {
        let bad = [
            "mysql://ci:hunter2@db/tests",
            "postgres://ci:hunter2@db:port/tests",
            "postgres://ci:hunter2@db/tests?sslmode=hunter2",
            "postgres://ci:hunter2@db/tests?nonsense=hunter2",
            "postgres://ci:pa@hunter2@db/tests",
        ];
        for setting in bad {
            let error = parse(setting).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
        }
        let good = parse("postgres://ci:hunter2@db/tests?password=hunter2").unwrap();
        assert!(!format!("{good} {good:?}").contains("hunter2"), "{good}");
    }

    #[test]
    fn an_unknown_scheme_is_named() {
        let error = parse("mysql://ci:hunter2@db/tests").unwrap_err();
        assert!(error.to_string().contains("unknown scheme `mysql`"), "{error}");
    }
}
