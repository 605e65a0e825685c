//! WireMock's admin API: a mock server that is administered over HTTP; Java, OpenAPI 3.0.
//!
//! One of its operations shuts it down, several others wipe what was created before.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::bench::install;
use crate::bench::service::Service;

/// WireMock as its npm package ships it.
pub struct WireMock;

impl Service for WireMock {
    fn name(&self) -> &'static str {
        "wiremock"
    }

    fn title(&self) -> &'static str {
        "WireMock 3.13.2 admin API"
    }

    fn install(&self) -> Result<()> {
        install::npm("services/wiremock").map(drop)
    }

    fn command(&self, folder: &Path, port: u16) -> Result<Command> {
        let archive =
            install::npm("services/wiremock")?.join("wiremock/build/wiremock-standalone-3.13.2.jar");
        let mut command = Command::new("java");
        command.arg("-jar").arg(archive).args(["--bind-address", "127.0.0.1", "--port", &port.to_string()]);
        command.arg("--root-dir").arg(folder);
        Ok(command)
    }

    fn document(&self) -> &'static str {
        "/__admin/docs/swagger"
    }

    fn fatal_operations(&self) -> &'static [&'static str] {
        &["POST /__admin/shutdown"]
    }
}
