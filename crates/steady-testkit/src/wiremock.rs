//! A real WireMock, and the features that steady's mock server is held to beside it.
//!
//! Each [`Feature`] has mappings and requests; the conformance test of `steady-mock` sends them to both servers and compares. The table
//! of the documentation is made from the same list.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::RunnerError;

/// The version the features were compared with.
pub const VERSION: &str = "3.13.2";

/// Something a mapping or the admin API can do.
#[derive(Debug, Clone)]
pub struct Feature {
    /// What it is a part of.
    pub group: String,
    /// Its name, in Markdown.
    pub name: String,
    /// The stubs, in the order they are added.
    pub mappings: Vec<Value>,
    /// The requests, in the order they are sent.
    pub requests: Vec<Probe>,
    /// Why steady does not do the same, where it does not.
    pub differs: Option<String>,
}

/// A request, and what of its answer is compared.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// The headers.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Option<String>,
    /// The parts of a JSON answer that are compared, by pointer; the whole body when there are none.
    pub select: Option<Vec<String>>,
    /// How many milliseconds the answer has to take.
    pub at_least: u64,
}

/// Every feature.
pub fn features() -> Vec<Feature> {
    let listed: Vec<Value> =
        serde_json::from_str(include_str!("../wiremock/features.json")).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let probe = |value: &Value| Probe {
        method: value["method"].as_str().unwrap_or("GET").to_owned(),
        target: text(&value["target"]),
        headers: list(&value["headers"]).iter().map(|pair| (text(&pair[0]), text(&pair[1]))).collect(),
        body: value["body"].as_str().map(str::to_owned),
        select: value["select"].as_array().map(|pointers| pointers.iter().map(text).collect()),
        at_least: value["at_least"].as_u64().unwrap_or(0),
    };
    let feature = |value: &Value| Feature {
        group: text(&value["group"]),
        name: text(&value["feature"]),
        mappings: list(&value["mappings"]),
        requests: list(&value["requests"]).iter().map(probe).collect(),
        differs: value["differs"].as_str().map(str::to_owned),
    };
    listed.iter().map(feature).collect()
}

/// What stands before and after the table in a page of the documentation.
const MARKS: [&str; 2] =
    ["<!-- features: written by `cargo xtask docs` -->\n\n", "\n<!-- end of features -->"];

/// The page with the table of all features in it; `None` where the page has no place for one.
pub fn page_with_features(page: &str) -> Option<String> {
    let (before, rest) = page.split_once(MARKS[0])?;
    let (_, after) = rest.split_once(MARKS[1])?;
    let row = |feature: Feature| {
        let answer =
            feature.differs.map_or_else(|| "the same".to_owned(), |reason| format!("differs: {reason}"));
        format!("| {} | {} | {answer} |\n", feature.group, feature.name)
    };
    let head = format!("| part | feature | beside WireMock {VERSION} |\n|---|---|---|\n");
    let table = features().into_iter().map(row).fold(head, |table, row| table + &row);
    Some([before, MARKS[0], &table, MARKS[1], after].concat())
}

/// A running WireMock; it ends when this is dropped.
#[derive(Debug)]
pub struct WireMock {
    process: Child,
    port: u16,
}

impl WireMock {
    /// Installs WireMock, once, and starts it on a free port.
    pub fn start() -> Result<Self, RunnerError> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("wiremock");
        let modules = crate::npm_project("wiremock", &folder)?;
        let jar = modules.join("wiremock/build").join(format!("wiremock-standalone-{VERSION}.jar"));
        let home =
            tempfile::tempdir().map_err(|source| RunnerError::Folder { path: folder.clone(), source })?;
        let unusable = |source| RunnerError::Folder { path: jar.clone(), source };
        let mut process = Command::new("java")
            .args(["-Xmx256m", "-jar"])
            .arg(&jar)
            .args(["--port", "0", "--bind-address", "127.0.0.1", "--disable-gzip", "--root-dir"])
            .arg(home.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(unusable)?;
        let output = process.stdout.take().map(BufReader::new);
        let lines = output.into_iter().flat_map(BufReader::lines).map_while(Result::ok);
        let port = lines.filter_map(|line| line.strip_prefix("port:")?.trim().parse().ok()).next();
        // It creates its folders before it says its port; from then on nothing is read from them.
        let mut running = Self { process, port: 0 };
        running.port =
            port.ok_or_else(|| unusable(std::io::Error::other("WireMock ended before it listened")))?;
        Ok(running)
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for WireMock {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
