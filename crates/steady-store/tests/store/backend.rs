//! A fresh store on either database.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use steady_store::{Store, StoreLocation};
use steady_testkit::Postgres;
use tempfile::TempDir;
use tokio::runtime::Builder;

/// One server for all tests of this process; it ends with the process.
pub fn server() -> &'static Postgres {
    static SERVER: OnceLock<Postgres> = OnceLock::new();
    SERVER.get_or_init(|| Postgres::start().unwrap_or_else(|error| panic!("{error}")))
}

/// An empty place for a store.
pub struct Backend {
    pub url: String,
    folder: Option<TempDir>,
}

impl Backend {
    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { url: folder.path().join("steady.db").display().to_string(), folder: Some(folder) }
    }

    pub fn postgres() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let database = format!("store_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        script(&server().url("postgres"), &format!("CREATE DATABASE {database}"));
        Self { url: server().url(&database), folder: None }
    }

    pub fn location(&self) -> StoreLocation {
        StoreLocation::parse(&self.url, Path::new("")).unwrap()
    }

    pub fn open(&self) -> Store {
        Store::open(&self.location()).unwrap()
    }

    /// The file, on SQLite.
    pub fn file(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|_| PathBuf::from(&self.url))
    }
}

/// Runs SQL on a server, past the store.
pub fn script(url: &str, sql: &str) {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
        let connection = tokio::spawn(connection);
        client.batch_execute(sql).await.unwrap();
        drop(client);
        connection.await.unwrap().unwrap();
    });
}
