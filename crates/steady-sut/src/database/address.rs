//! Where the database is.

use std::error::Error as _;

use tokio_postgres::Config;
use tokio_postgres::config::Host;

use super::DatabaseError;

/// Reads `postgres://user:password@host:port/database`; also gives the address without the password.
pub(super) fn parse(url: &str) -> Result<(Config, String), DatabaseError> {
    let wrong = |detail: &str| DatabaseError::Address { detail: detail.to_owned() };
    if !(url.starts_with("postgres://") || url.starts_with("postgresql://")) {
        // Only the scheme is repeated: the rest may hold a password.
        let scheme = url.split_once("://").map_or("none", |(scheme, _)| scheme);
        return Err(wrong(&format!("its scheme is {scheme}, and only PostgreSQL is known")));
    }
    let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
        // The causes name options, never their values.
        wrong(&error.source().map_or_else(|| error.to_string(), ToString::to_string))
    })?;
    if config.get_application_name().is_none() {
        config.application_name("steady");
    }
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) if name.contains('@') => {
            return Err(wrong("special characters of user and password must be percent-encoded"));
        }
        Some(Host::Tcp(name)) => name.clone(),
        #[cfg(unix)]
        Some(Host::Unix(path)) => path.display().to_string(),
        None => return Err(wrong("it names no host")),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432);
    let user = config.get_user().map(|user| format!("{user}@")).unwrap_or_default();
    let place = format!("postgres://{user}{host}:{port}/{}", config.get_dbname().unwrap_or_default());
    Ok((config, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_shows_no_password() {
        let (_, place) = parse("postgres://app:hunter2@db.test:5433/shop").unwrap();
        assert_eq!(place, "postgres://app@db.test:5433/shop");
    }

    #[test]
    fn a_bad_address_says_what_is_wrong_and_no_password() {
        for url in [
            "mysql://app:hunter2@db/shop",
            "shop",
            "postgres://app:hunter2@db:port/shop",
            "postgres://app:pa@hunter2@db/shop",
            "postgres://app:hunter2@db/shop?nonsense=hunter2",
        ] {
            let Err(error) = parse(url) else { panic!("{url}") };
            assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
        }
    }
}
