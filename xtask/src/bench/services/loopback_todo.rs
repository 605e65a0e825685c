//! LoopBack's todo list: the framework's tutorial; Node.js, OpenAPI 3.0.
//!
//! Creating a todo with an address calls a public geocoder, which fails here: a server error that is easy to meet.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::bench::install;
use crate::bench::service::Service;

/// The todo list with an empty database file.
pub struct LoopBackTodo;

impl Service for LoopBackTodo {
    fn name(&self) -> &'static str {
        "loopback-todo"
    }

    fn title(&self) -> &'static str {
        "LoopBack example-todo 6.0.0"
    }

    fn install(&self) -> Result<()> {
        install::npm("services/loopback-todo").map(drop)
    }

    fn command(&self, folder: &Path, port: u16) -> Result<Command> {
        let data = folder.join("data");
        fs::create_dir(&data).with_context(|| format!("could not create {}", data.display()))?;
        let program = install::npm("services/loopback-todo")?.join("@loopback/example-todo/dist/index.js");
        let mut command = Command::new("node");
        command.arg(program).env("HOST", "127.0.0.1").env("PORT", port.to_string());
        Ok(command)
    }

    fn document(&self) -> &'static str {
        "/openapi.json"
    }
}
