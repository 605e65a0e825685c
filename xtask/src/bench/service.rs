//! Real services that steady and its peers are let loose on.
//!
//! A [`Service`] says how one is installed and started; [`start`] starts it in an empty folder on free loopback ports and
//! hands out a [`Site`]: where it listens, its OpenAPI document and the credential to use. The service ends with the site.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use steady_model::Response;

use super::http;
use super::process::{Running, last_words};
use crate::paths;

/// How long a service may take to answer its first request.
const START_LIMIT: Duration = Duration::from_secs(120);

/// A third-party service.
pub trait Service {
    /// Its short name, for `--services` and folders.
    fn name(&self) -> &'static str;

    /// Its name and version, for people.
    fn title(&self) -> &'static str;

    /// Installs the pinned version; quick when it is there.
    fn install(&self) -> Result<()>;

    /// Writes what it needs into the empty `folder` and says how it is started there, listening on `port` of 127.0.0.1.
    fn command(&self, folder: &Path, port: u16) -> Result<Command>;

    /// Where its OpenAPI document is, from the root of the server.
    fn document(&self) -> &'static str;

    /// The base path of the document.
    fn base_path(&self) -> &'static str {
        ""
    }

    /// Gets or creates the credential to test with, once the service answers at `origin`.
    fn credential(&self, _folder: &Path, _origin: &str) -> Result<Option<Credential>> {
        Ok(None)
    }

    /// Operations that end the service. Schemathesis gets them as exclusions; steady has to notice by itself.
    fn fatal_operations(&self) -> &'static [&'static str] {
        &[]
    }
}

/// What a client shows to be let in.
#[derive(Debug, Clone)]
pub struct Credential {
    /// The header's name.
    pub header: &'static str,
    /// The header's value.
    pub value: String,
    /// A path, from the root of the server, that answers 2xx to a GET with the credential and 4xx without.
    pub probe: &'static str,
}

/// A running service.
#[derive(Debug)]
pub struct Site {
    /// Scheme, host and port.
    pub origin: String,
    /// The base URL: the origin and the base path.
    pub base: String,
    /// Its OpenAPI document, fetched.
    pub document: PathBuf,
    /// What to be let in with.
    pub credential: Option<Credential>,
    /// Operations that would end it.
    pub fatal_operations: &'static [&'static str],
    /// The folder of this run; the tool that tests the service writes there too.
    pub folder: PathBuf,
    process: Running,
}

/// Starts a service afresh for `occasion`.
pub fn start(service: &dyn Service, occasion: &str) -> Result<Site> {
    let folder = paths::bench().join("runs").join(service.name()).join(occasion);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("could not empty {}", folder.display()))?;
    }
    let home = folder.join("service");
    fs::create_dir_all(&home).with_context(|| format!("could not create {}", home.display()))?;
    let port = free_port()?;
    let origin = format!("http://127.0.0.1:{port}");
    let mut command = service.command(&home, port)?;
    command.current_dir(&home);
    keep_local(&mut command);
    let log = folder.join("service.log");
    let mut process = Running::start(&mut command, &log)?;
    wait_until_ready(service, &origin, &mut process, &log)?;
    let credential = service.credential(&home, &origin)?;
    let document = fetch_document(service, &origin, credential.as_ref(), &folder)?;
    let site = Site {
        base: format!("{origin}{}", service.base_path()),
        origin,
        document,
        credential,
        fatal_operations: service.fatal_operations(),
        folder,
        process,
    };
    ensure!(
        site.credential_alive() != Some(false),
        "the credential of {} is refused from the start",
        service.title()
    );
    Ok(site)
}

impl Site {
    /// Whether the service still runs.
    pub fn is_alive(&mut self) -> bool {
        self.process.is_alive()
    }

    /// Whether the credential still opens the door; nothing where no credential is needed.
    pub fn credential_alive(&self) -> Option<bool> {
        let credential = self.credential.as_ref()?;
        let answer = http::get(&self.origin, credential.probe, header(Some(credential)));
        Some(answer.is_ok_and(|response| (200..300).contains(&response.status)))
    }
}

/// A port that was free a moment ago.
pub fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port on 127.0.0.1")?;
    Ok(listener.local_addr().context("a listener without an address")?.port())
}

/// Some services call others; an unreachable proxy keeps those requests on this machine.
fn keep_local(command: &mut Command) {
    for name in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"] {
        command.env(name, "http://127.0.0.1:9");
    }
    command.env_remove("no_proxy").env_remove("NO_PROXY");
}

fn wait_until_ready(service: &dyn Service, origin: &str, process: &mut Running, log: &Path) -> Result<()> {
    let started = Instant::now();
    loop {
        if http::get(origin, service.document(), Vec::new()).is_ok_and(|response| response.status < 500) {
            return Ok(());
        }
        if !process.is_alive() {
            bail!("{} ended before it answered; {}", service.title(), last_words(log));
        }
        if started.elapsed() > START_LIMIT {
            bail!(
                "{} did not answer within {} s; {}",
                service.title(),
                START_LIMIT.as_secs(),
                last_words(log)
            );
        }
        thread::sleep(Duration::from_millis(100));
    }
}

fn fetch_document(
    service: &dyn Service,
    origin: &str,
    credential: Option<&Credential>,
    folder: &Path,
) -> Result<PathBuf> {
    let Response { status, body, .. } = http::get(origin, service.document(), header(credential))?;
    ensure!(status == 200, "{} answered {status} when asked for {}", service.title(), service.document());
    let is_json = body.as_bytes().trim_ascii_start().starts_with(b"{");
    let file = folder.join(if is_json { "openapi.json" } else { "openapi.yaml" });
    fs::write(&file, body.as_bytes()).with_context(|| format!("could not write {}", file.display()))?;
    Ok(file)
}

fn header(credential: Option<&Credential>) -> Vec<(String, String)> {
    credential
        .map(|credential| (credential.header.to_ascii_lowercase(), credential.value.clone()))
        .into_iter()
        .collect()
}
