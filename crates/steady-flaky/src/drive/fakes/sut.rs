//! An API that steady starts, without a process.

use std::path::Path;
use std::time::Duration;

use steady_model::rerun::{Condition, Perturbation};
use steady_sut::SutError;
use tokio::time::sleep;

use super::{Log, LoopbackApi};
use crate::drive::sut_access::{ManagedSut, SutFuture};

/// An API that logs what is done to it.
#[derive(Debug)]
pub(crate) struct FakeSut {
    pub log: Log,
    /// How long a start takes.
    pub start_takes: Duration,
    /// Whether a reset needs no restart.
    pub resets_in_place: bool,
    /// The conditions it can be under.
    pub conditions: Vec<Condition>,
    /// It does not start when one of these is changed.
    pub fails_under: Vec<Perturbation>,
    /// Whether it does not start at all.
    pub is_broken: bool,
    /// Whether it never gets ready.
    pub hangs: bool,
    /// What answers at its address; nothing does by default.
    pub api: Option<LoopbackApi>,
    pub url: String,
    /// How often it was moved to another port.
    pub relocations: u32,
}

impl FakeSut {
    pub fn new(log: &Log) -> Self {
        Self {
            log: log.clone(),
            start_takes: Duration::ZERO,
            resets_in_place: false,
            conditions: Vec::new(),
            fails_under: Vec::new(),
            is_broken: false,
            hangs: false,
            api: None,
            url: "http://127.0.0.1:1".to_owned(),
            relocations: 0,
        }
    }

    /// The same with requests answered by `api`.
    pub fn serving(log: &Log, api: LoopbackApi) -> Self {
        Self { url: api.url().to_owned(), api: Some(api), ..Self::new(log) }
    }

    /// The same at another address.
    pub fn at(log: &Log, url: &str) -> Self {
        Self { url: url.to_owned(), ..Self::new(log) }
    }
}

impl ManagedSut for FakeSut {
    fn url(&self) -> &str {
        &self.url
    }

    fn port(&self) -> Option<String> {
        self.url.rsplit(':').next().map(str::to_owned)
    }

    fn folder(&self) -> &Path {
        Path::new("/")
    }

    fn start_line(&self) -> &str {
        "shop --port {port}"
    }

    fn pids(&self) -> Vec<u32> {
        Vec::new()
    }

    fn perturbations(&self) -> Vec<Condition> {
        self.conditions.clone()
    }

    fn resets_in_place(&self) -> bool {
        self.resets_in_place
    }

    fn reset(&mut self) -> SutFuture<'_, ()> {
        Box::pin(async {
            self.log.add("reset API");
            sleep(self.start_takes).await;
            Ok(())
        })
    }

    fn restart<'a>(&'a mut self, condition: &'a Condition) -> SutFuture<'a, ()> {
        Box::pin(async move {
            self.log.add(format!("restart API {condition}"));
            if self.hangs {
                std::future::pending::<()>().await;
            }
            sleep(self.start_takes).await;
            if self.is_broken || self.fails_under.iter().any(|what| condition.0.contains_key(what)) {
                return Err(SutError::NotRunning);
            }
            if let Some(api) = &self.api {
                api.count_start();
            }
            Ok(())
        })
    }

    fn relocate(&mut self) -> SutFuture<'_, bool> {
        Box::pin(async {
            self.log.add("relocate API");
            self.relocations += 1;
            self.url = match &mut self.api {
                Some(api) => {
                    api.move_to_another_port();
                    api.url().to_owned()
                }
                None => format!("http://127.0.0.1:{}", 1 + self.relocations),
            };
            Ok(true)
        })
    }
}
