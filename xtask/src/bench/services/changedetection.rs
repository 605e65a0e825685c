//! changedetection.io: watches web pages; Python, OpenAPI 3.1, an API key that it writes into its data file.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::bench::install;
use crate::bench::service::{Credential, Service};

/// changedetection.io with its two sample watches.
pub struct ChangeDetection;

impl Service for ChangeDetection {
    fn name(&self) -> &'static str {
        "changedetection"
    }

    fn title(&self) -> &'static str {
        "changedetection.io 0.60.10"
    }

    fn install(&self) -> Result<()> {
        install::python("services/changedetection").map(drop)
    }

    fn command(&self, folder: &Path, port: u16) -> Result<Command> {
        let data = folder.join("data");
        fs::create_dir(&data).with_context(|| format!("could not create {}", data.display()))?;
        let mut command =
            Command::new(install::python("services/changedetection")?.join("changedetection.io"));
        command.args(["-h", "127.0.0.1", "-p", &port.to_string(), "-l", "WARNING", "-d"]).arg(data);
        command.env("DISABLE_VERSION_CHECK", "true");
        Ok(command)
    }

    fn document(&self) -> &'static str {
        "/api/v1/full-spec"
    }

    fn base_path(&self) -> &'static str {
        "/api/v1"
    }

    fn credential(&self, folder: &Path, _origin: &str) -> Result<Option<Credential>> {
        let file = folder.join("data").join("changedetection.json");
        let open = File::open(&file).with_context(|| format!("could not open {}", file.display()))?;
        let settings: Value =
            serde_json::from_reader(open).with_context(|| format!("could not read {}", file.display()))?;
        let key = settings["settings"]["application"]["api_access_token"].as_str();
        let value = key.with_context(|| format!("no API key in {}", file.display()))?.to_owned();
        Ok(Some(Credential { header: "x-api-key", value, probe: "/api/v1/systeminfo" }))
    }
}
