//! What can be wrong with a file.

use std::fs::{self, Permissions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::thread;

use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
use steady_store::{HistoryQuery, Store, StoreError, StoreLocation};

use crate::backend::Backend;
use crate::sample::{remember, run, session, time};

/// Opens a file on a thread that has to keep to permissions, even when root runs the tests.
fn open_as_anyone(file: &Path) -> Result<(), StoreError> {
    let location = StoreLocation::File(file.to_owned());
    let outcome = thread::spawn(move || {
        let mut sets = capabilities(None).unwrap();
        sets.effective.remove(CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH);
        set_capabilities(None, sets).unwrap();
        let mut store = Store::open(&location)?;
        store.begin(&session("shop")).map(drop)
    });
    outcome.join().unwrap()
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o555)).unwrap();
    let error = open_as_anyone(&folder.path().join("steady.db")).unwrap_err();
    assert!(matches!(error, StoreError::CannotOpen { .. }), "{error:?}");
    assert!(error.to_string().contains("Allow writing there or name another place"), "{error}");
    let error = open_as_anyone(&folder.path().join(".steady/steady.db")).unwrap_err();
    assert!(matches!(error, StoreError::Folder { .. }), "{error:?}");
}

#[test]
fn a_file_that_can_only_be_read_is_left_as_it_is() {
    let backend = Backend::sqlite();
    let file = backend.file().unwrap();
    remember(&mut backend.open(), &session("shop"), "2026-11-15T10:00:00Z", &["a F"]);
    fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
    let before = fs::read(&file).unwrap();
    let error = open_as_anyone(&file).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error:?}");
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn a_file_that_is_no_database_is_never_deleted() {
    let backend = Backend::sqlite();
    let file = backend.file().unwrap();
    let text = "not a database ".repeat(1000);
    fs::write(&file, &text).unwrap();
    let error = Store::open(&backend.location()).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    let name = file.display();
    assert!(error.to_string().contains(&format!("mv '{name}' '{name}.damaged'")), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn damage_in_the_middle_of_a_file_is_told() {
    let backend = Backend::sqlite();
    let file = backend.file().unwrap();
    let mut store = backend.open();
    for hour in 10..20 {
        let names: Vec<String> = (0..300).map(|number| format!("test_{number} F")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        remember(&mut store, &session("shop"), &format!("2026-11-15T{hour}:00:00Z"), &names);
    }
    drop(store);
    let size = fs::metadata(&file).unwrap().len();
    let mut damaged = fs::OpenOptions::new().write(true).open(&file).unwrap();
    // The first page holds the schema; everything after it is overwritten.
    damaged.seek(SeekFrom::Start(4096)).unwrap();
    damaged.write_all(&vec![0xa5; usize::try_from(size - 4096).unwrap()]).unwrap();
    drop(damaged);
    let outcome =
        Store::open(&backend.location()).and_then(|mut store| store.history(&HistoryQuery::new("shop")));
    let error = outcome.unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    assert_eq!(fs::metadata(&file).unwrap().len(), size);
}

#[test]
fn the_folder_of_the_default_file_is_made() {
    let project = tempfile::tempdir().unwrap();
    Store::open(&StoreLocation::default_in(project.path())).unwrap();
    assert!(project.path().join(".steady/steady.db").is_file());
}

#[test]
fn a_folder_in_place_of_the_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let error = Store::open(&StoreLocation::File(folder.path().to_owned())).unwrap_err();
    assert!(matches!(error, StoreError::CannotOpen { .. }), "{error:?}");
}

#[test]
fn a_run_that_could_not_be_stored_can_be_stored_later() {
    let backend = Backend::sqlite();
    let mut store = backend.open();
    let id = store.begin(&session("shop")).unwrap();
    let at = time("2026-11-15T10:00:00Z");
    let other = rusqlite::Connection::open(backend.file().unwrap()).unwrap();
    other.execute_batch("ALTER TABLE days RENAME TO hidden").unwrap();
    store.record(id, at, &[run(1, &["a F"])]).unwrap_err();
    other.execute_batch("ALTER TABLE hidden RENAME TO days").unwrap();
    assert!(store.runs(id).unwrap().is_empty(), "half a run was stored");
    store.record(id, at, &[run(1, &["a F"])]).unwrap();
    assert_eq!(store.runs(id).unwrap(), [run(1, &["a F"])]);
}
