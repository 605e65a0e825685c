//! What can be wrong with a server.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use steady_store::{HistoryQuery, Store, StoreError, StoreLocation};
use steady_testkit::Postgres;

use crate::backend::{Backend, script, server};
use crate::sample::{remember, session};

fn open(url: &str) -> Result<Store, StoreError> {
    Store::open(&StoreLocation::parse(url, Path::new(""))?)
}

/// The error, checked not to contain the password.
fn refused(url: &str) -> StoreError {
    let error = open(url).unwrap_err();
    let causes = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
    for cause in causes {
        assert!(!format!("{cause} {cause:?}").contains(server().password()), "{cause:?}");
    }
    error
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = refused(&format!("postgres://ci:secret@127.0.0.1:{port}/tests"));
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");
    let expected = format!("PostgreSQL at postgres://ci@127.0.0.1:{port}/tests cannot be reached");
    assert!(error.to_string().starts_with(&expected), "{error}");
}

#[test]
fn a_wrong_password_is_told_and_not_repeated() {
    let url = server().url("postgres").replace(server().password(), "hunter2");
    let error = refused(&url);
    assert!(matches!(error, StoreError::Login { .. }), "{error:?}");
    assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
}

#[test]
fn a_missing_password_is_told() {
    let url = server().url("postgres").replace(&format!(":{}", server().password()), "");
    let error = refused(&url);
    assert!(matches!(error, StoreError::Login { .. }), "{error:?}");
}

#[test]
fn a_missing_database_is_told() {
    let error = refused(&server().url("nowhere"));
    assert!(matches!(error, StoreError::NoDatabase { .. }), "{error:?}");
}

#[test]
fn a_user_who_may_not_create_is_told() {
    let backend = Backend::postgres();
    let name = backend.url.rsplit('/').next().unwrap();
    script(&backend.url, &format!("CREATE USER guest_{name} PASSWORD 'guest'"));
    let url = backend.url.replace(&format!("steady:{}", server().password()), &format!("guest_{name}:guest"));
    let error = refused(&url);
    assert!(matches!(error, StoreError::Denied { .. }), "{error:?}");
}

#[test]
fn a_server_that_goes_away_is_told() {
    let own = Postgres::start().unwrap();
    let mut store = open(&own.url("postgres")).unwrap();
    drop(own);
    let error = store.history(&HistoryQuery::new("shop")).unwrap_err();
    assert!(matches!(error, StoreError::Lost { .. }), "{error:?}");
}

#[test]
fn every_mode_of_encryption_does_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let roots = folder.path().join("roots.pem");
    fs::write(&roots, server().certificate()).unwrap();
    let backend = Backend::postgres();
    let encrypted = |options: &str| {
        let separator = if backend.url.contains('?') { '&' } else { '?' };
        open(&format!("{}{separator}{options}", backend.url)).map(|mut store| {
            remember(&mut store, &session("shop"), "2026-11-15T10:00:00Z", &["a ."]);
        })
    };
    let verified = format!("sslmode=verify-full&sslrootcert={}", roots.display());
    for options in ["sslmode=disable", "sslmode=prefer", "sslmode=require", verified.as_str()] {
        encrypted(options).unwrap_or_else(|error| panic!("{options}: {error}"));
    }
    // Nobody vouches for the server's own certificate, and none is for an address.
    let unknown = encrypted("sslmode=verify-full").unwrap_err();
    assert!(matches!(unknown, StoreError::Tls { .. }), "{unknown:?}");
    let elsewhere = backend.url.replace("localhost", "127.0.0.1");
    let wrong_name = open(&format!("{elsewhere}?{verified}")).unwrap_err();
    assert!(matches!(wrong_name, StoreError::Tls { .. }), "{wrong_name:?}");
    let missing = encrypted("sslmode=verify-full&sslrootcert=nowhere.pem").unwrap_err();
    assert!(missing.to_string().contains("nowhere.pem"), "{missing}");
}

#[test]
fn a_connection_that_must_be_encrypted_is() {
    let backend = Backend::postgres();
    let mut store = open(&format!("{}?sslmode=require", backend.url)).unwrap();
    remember(&mut store, &session("shop"), "2026-11-15T10:00:00Z", &["a ."]);
    script(
        &backend.url,
        "DO $$ BEGIN ASSERT (SELECT COUNT(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
            WHERE ssl AND application_name = 'steady' AND datname = current_database()) = 1; END $$",
    );
}
