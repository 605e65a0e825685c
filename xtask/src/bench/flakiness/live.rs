//! An API of the catalogue as a process.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use steady_http::{Client, ClientOptions};
use steady_model::rerun::Condition;
use steady_sut::{Sut, SutSpec};
use steady_testkit::catalogue::{Api, MUTANT_VARIABLE};
use tempfile::TempDir;

use crate::paths;

/// An API of the catalogue, built.
pub struct Subject {
    /// What is known about it.
    pub api: Api,
    /// Where files about it go.
    pub folder: PathBuf,
    start: String,
}

/// A running API, on a port and in a folder of its own; it ends when this is dropped.
pub struct Live {
    /// Ended before its folder goes.
    pub sut: Sut,
    _folder: TempDir,
}

impl Subject {
    /// Builds what it takes.
    pub fn new(api: Api) -> Result<Self> {
        let start = api.start_command().with_context(|| format!("could not build the API {}", api.name()))?;
        let folder = paths::bench().join("flakiness").join(api.name());
        fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
        Ok(Self { api, folder, start })
    }

    /// Starts it under a condition, or as one of its mutants.
    pub async fn start(&self, condition: &Condition, mutant: Option<&str>) -> Result<Live> {
        let folder = tempfile::tempdir().context("could not make a temporary folder")?;
        let env = mutant.map(|name| (MUTANT_VARIABLE.to_owned(), name.to_owned()));
        let spec = SutSpec {
            ready: Some(self.api.ready().parse()?),
            reset: Some(self.api.reset().parse()?),
            env: env.into_iter().collect(),
            folder: folder.path().to_owned(),
            ..SutSpec::new(&self.start)
        };
        let mut sut = Sut::new(spec, &folder.path().join(".steady"))?;
        let started = sut.start(condition).await;
        started.with_context(|| format!("the API {} does not start ({condition})", self.api.name()))?;
        Ok(Live { sut, _folder: folder })
    }
}

impl Live {
    /// A client for it.
    pub fn client(&self) -> Result<Client> {
        Ok(Client::new(self.sut.url().parse()?, ClientOptions::default())?)
    }
}
