//! The sample shop of `steady demo`: written here, so only good for throughput, where the service does not matter.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::bench::service::Service;
use crate::paths;
use crate::step::{Steps, cargo};

/// The sample shop, in a process of its own.
pub struct Shop;

impl Service for Shop {
    fn name(&self) -> &'static str {
        "shop"
    }

    fn title(&self) -> &'static str {
        "sample shop"
    }

    fn install(&self) -> Result<()> {
        let mut build = cargo(&["build", "--release", "--package", "steady-demo", "--example", "shop"]);
        Steps::default().run("build shop", &mut build)
    }

    fn command(&self, _folder: &Path, port: u16) -> Result<Command> {
        let mut command = Command::new(paths::root().join("target/release/examples/shop"));
        command.arg(port.to_string());
        Ok(command)
    }

    fn document(&self) -> &'static str {
        "/openapi.json"
    }
}
