//! Kinto: a JSON storage service; Python, Swagger 2.0.
//!
//! A test can delete the account that is logged in, after which everything answers 401.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use steady_model::Method;

use crate::bench::service::{Credential, Service};
use crate::bench::{http, install};

const SETTINGS: &str = include_str!("../../../../bench/services/kinto/kinto.ini");

/// Kinto with accounts, everything in memory.
pub struct Kinto;

impl Service for Kinto {
    fn name(&self) -> &'static str {
        "kinto"
    }

    fn title(&self) -> &'static str {
        "Kinto 26.5.0"
    }

    fn install(&self) -> Result<()> {
        install::python("services/kinto").map(drop)
    }

    fn command(&self, folder: &Path, port: u16) -> Result<Command> {
        let settings = folder.join("kinto.ini");
        fs::write(&settings, SETTINGS).with_context(|| format!("could not write {}", settings.display()))?;
        let mut command = Command::new(install::python("services/kinto")?.join("pserve"));
        command.arg(settings).arg(format!("http_port={port}"));
        Ok(command)
    }

    fn document(&self) -> &'static str {
        "/v1/__api__"
    }

    fn base_path(&self) -> &'static str {
        "/v1"
    }

    fn credential(&self, _folder: &Path, origin: &str) -> Result<Option<Credential>> {
        let (account, password) = ("tester", "correct-horse");
        let body = format!(r#"{{"data":{{"password":"{password}"}}}}"#);
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        let answer =
            http::send(origin, Method::Put, &format!("/v1/accounts/{account}"), headers, Some(body))?;
        ensure!(answer.status == 201, "Kinto answered {} when asked for an account", answer.status);
        let value = format!("Basic {}", STANDARD.encode(format!("{account}:{password}")));
        Ok(Some(Credential { header: "Authorization", value, probe: "/v1/buckets" }))
    }
}
