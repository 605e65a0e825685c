//! Stores of other versions.

use std::fs;

use steady_model::rerun::{Condition, Perturbation};
use steady_store::{HistoryQuery, Store, StoreError};

use crate::backend::{Backend, script};
use crate::sample::{remember, session_on};

const TABLES: &str = include_str!("../../migrations/0001_results.sql");
const ROWS: &str = include_str!("../../fixtures/schema-1-rows.sql");
const SCHEMA_1: &[u8] = include_bytes!("../../fixtures/schema-1.db");
const SCHEMA_7: &[u8] = include_bytes!("../../fixtures/schema-7.db");

pub fn a_store_of_schema_1_is_brought_up_to_date(backend: &Backend) {
    match backend.file() {
        Some(file) => fs::write(file, SCHEMA_1).unwrap(),
        None => {
            let tables = TABLES
                .replace("{key}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
                .replace("{clustered}", "");
            let schema = "CREATE TABLE schema (number BIGINT NOT NULL); INSERT INTO schema VALUES (1)";
            let all = format!("CREATE SCHEMA steady; SET search_path TO steady; {schema}; {tables} {ROWS}");
            script(&backend.url, &all);
        }
    }
    let mut store = backend.open();
    let tests = store.history(&HistoryQuery::new("shop")).unwrap();
    let [cart, login] = tests.as_slice() else { panic!("{tests:?}") };
    assert_eq!(
        (cart.id.as_str(), cart.counts.passed, cart.counts.failed, cart.flips),
        ("test_cart", 1, 1, 1)
    );
    assert_eq!(cart.last_failure.as_ref().unwrap().message.as_deref(), Some("assert 2 == 3"));
    assert_eq!((login.id.as_str(), login.counts.failed, login.flips), ("test_login", 0, 0));
    assert_eq!(login.failed_under[0].perturbations, [Perturbation::Clock]);
    assert_eq!(login.failed_under[0].counts.failed, 1);
    let failure = login.last_failure.as_ref().unwrap();
    assert_eq!(failure.condition, Condition::of(Perturbation::Clock, "+1d"));

    remember(&mut store, &session_on("shop", "c1", false), "2025-11-12T15:00:00Z", &["test_login F"]);
    let mut again = backend.open();
    let flips: Vec<u32> =
        again.history(&HistoryQuery::new("shop")).unwrap().iter().map(|test| test.flips).collect();
    assert_eq!(flips, [1, 1]);
    assert_eq!(again.sessions("shop", 10).unwrap().len(), 3);
}

pub fn a_store_from_the_future_is_refused_and_left_alone(backend: &Backend) {
    match backend.file() {
        Some(file) => fs::write(file, SCHEMA_7).unwrap(),
        None => script(
            &backend.url,
            "CREATE SCHEMA steady; CREATE TABLE steady.schema (number BIGINT NOT NULL); INSERT INTO steady.schema VALUES (7)",
        ),
    }
    let error = Store::open(&backend.location()).unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 7, known: 4, .. }), "{error:?}");
    let expected =
        "written by a newer steady (schema 7, this one knows 4): upgrade steady or name another store";
    assert!(error.to_string().ends_with(expected), "{error}");
    if let Some(file) = backend.file() {
        assert_eq!(fs::read(file).unwrap(), SCHEMA_7);
    }
}
