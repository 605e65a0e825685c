//! PowerDNS authoritative server: DNS zones over HTTP; C++, Swagger 2.0, an API key.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::bench::service::{Credential, Service, free_port};
use crate::debian;
use crate::step::Steps;

const SETTINGS: &str = include_str!("../../../../bench/services/powerdns/pdns.conf");
const SCHEMA: &str = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";
/// Makes the database; Python brings SQLite, the shell for it may not be there.
const CREATE: &str =
    "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())";

/// PowerDNS as Debian packages it, with an empty SQLite database.
pub struct PowerDns;

impl Service for PowerDns {
    fn name(&self) -> &'static str {
        "powerdns"
    }

    fn title(&self) -> &'static str {
        "PowerDNS authoritative (Debian)"
    }

    fn install(&self) -> Result<()> {
        let there = debian::ensure(&["pdns-server", "pdns-backend-sqlite3"], &mut Steps::default())?;
        ensure!(there, "PowerDNS comes from Debian packages that could not be installed");
        Ok(())
    }

    fn command(&self, folder: &Path, port: u16) -> Result<Command> {
        let settings = folder.join("pdns.conf");
        let text = SETTINGS
            .replace("{folder}", &folder.to_string_lossy())
            .replace("{port}", &port.to_string())
            .replace("{dns_port}", &free_port()?.to_string());
        fs::write(&settings, text).with_context(|| format!("could not write {}", settings.display()))?;
        let mut create = Command::new("python3");
        create.args(["-c", CREATE]).arg(folder.join("pdns.sqlite3")).arg(SCHEMA);
        let status = create.status().context("could not start python3 to make the database")?;
        ensure!(status.success(), "the database of PowerDNS could not be made from {SCHEMA}");
        // Debian keeps it in a folder that is on PATH for root only.
        let mut command = Command::new("/usr/sbin/pdns_server");
        command.arg(format!("--config-dir={}", folder.display()));
        Ok(command)
    }

    fn document(&self) -> &'static str {
        "/api/docs"
    }

    fn base_path(&self) -> &'static str {
        "/api/v1"
    }

    fn credential(&self, _folder: &Path, _origin: &str) -> Result<Option<Credential>> {
        let value = "benchmark".to_owned();
        Ok(Some(Credential { header: "X-API-Key", value, probe: "/api/v1/servers" }))
    }
}
