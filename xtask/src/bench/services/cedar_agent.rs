//! cedar-agent: stores authorisation policies and decides by them; Rust, OpenAPI 3.0, no state outside its memory.
//!
//! It answers tens of thousands of requests per second, so what is measured on it is the tool.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::bench::install;
use crate::bench::service::Service;

/// cedar-agent without authentication.
pub struct CedarAgent;

impl Service for CedarAgent {
    fn name(&self) -> &'static str {
        "cedar-agent"
    }

    fn title(&self) -> &'static str {
        "cedar-agent 0.2.0"
    }

    fn install(&self) -> Result<()> {
        install::crates("cedar-agent", "0.2.0").map(drop)
    }

    fn command(&self, _folder: &Path, port: u16) -> Result<Command> {
        let mut command = Command::new(install::crates("cedar-agent", "0.2.0")?);
        // Logging every request at the default level would be half of its work.
        command.args(["--addr", "127.0.0.1", "--port", &port.to_string(), "--log-level", "error"]);
        Ok(command)
    }

    fn document(&self) -> &'static str {
        "/v1/openapi.json"
    }

    fn base_path(&self) -> &'static str {
        "/v1"
    }
}
