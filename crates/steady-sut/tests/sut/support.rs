//! What the tests share.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use steady_http::{Client, ClientOptions};
use steady_model::rerun::{Condition, Perturbation};
use steady_model::{Method, Request};
use steady_sut::{Sut, SutError, SutSpec};
use tempfile::TempDir;

/// Longer than anything here takes, however busy the machine.
pub const LONG: Duration = Duration::from_secs(120);

/// One of the small APIs beside the tests.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/apis").join(name)
}

/// The Python one.
pub fn python() -> SutSpec {
    spec(&format!("python3 {} {{port}}", source("api.py").display()))
}

/// The Node.js one.
pub fn node() -> SutSpec {
    let mut spec = spec(&format!("node {}", source("api.js").display()));
    spec.env.insert("PORT".to_owned(), "{port}".to_owned());
    spec
}

/// The Java one.
pub fn java() -> SutSpec {
    spec(&format!("java {} {{port}}", source("Api.java").display()))
}

pub fn spec(start: &str) -> SutSpec {
    SutSpec { timeout: LONG, ..SutSpec::new(start) }
}

/// An API and steady's own folder for it.
pub struct Project {
    pub sut: Sut,
    pub folder: TempDir,
}

impl Project {
    /// In an empty folder of its own.
    pub fn new(spec: SutSpec) -> Self {
        Self::try_new(spec).unwrap()
    }

    pub fn try_new(mut spec: SutSpec) -> Result<Self, SutError> {
        let folder = tempfile::tempdir().unwrap();
        spec.folder = folder.path().to_owned();
        let sut = Sut::new(spec, &folder.path().join(".steady"))?;
        Ok(Self { sut, folder })
    }

    /// Already running, with nothing changed around it.
    pub async fn started(spec: SutSpec) -> Self {
        let mut project = Self::new(spec);
        project.sut.start(&Condition::default()).await.unwrap();
        project
    }

    /// What the API reports about its environment.
    pub async fn state(&self) -> Value {
        self.ask(Method::Get, "/").await
    }

    pub async fn ask(&self, method: Method, target: &str) -> Value {
        let client = Client::new(self.sut.url().parse().unwrap(), ClientOptions::default()).unwrap();
        let request = Request { method, target: target.to_owned(), headers: vec![], body: None };
        let (response, _) = client.channel().send(&request).await.unwrap();
        serde_json::from_slice(response.body.as_bytes()).unwrap_or_default()
    }

    /// Makes the Python one end, without an answer.
    pub async fn crash(&mut self) {
        let client = Client::new(self.sut.url().parse().unwrap(), ClientOptions::default()).unwrap();
        let request =
            Request { method: Method::Get, target: "/crash".to_owned(), headers: vec![], body: None };
        client.channel().send(&request).await.unwrap_err();
    }

    /// What the API reports about its environment under one change.
    pub async fn state_under(&mut self, what: Perturbation, value: &str) -> Value {
        self.sut.restart(&Condition::of(what, value)).await.unwrap();
        self.state().await
    }
}

/// The text of a field.
pub fn text<'a>(state: &'a Value, field: &str) -> &'a str {
    state[field].as_str().unwrap_or_else(|| panic!("no {field} in {state}"))
}

/// The number of a field.
pub fn number(state: &Value, field: &str) -> i64 {
    let number = state[field].as_f64().unwrap_or_else(|| panic!("no {field} in {state}"));
    number as i64
}

/// Whether a process runs (a zombie does not).
pub fn is_running(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, fields)| !fields.starts_with('Z'))
}
