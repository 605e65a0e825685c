//! Many commands, some at a time.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use crate::cancel::Cancel;
use crate::finished::Finished;
use crate::isolation::{CopyError, Isolation};
use crate::ledger::{Ledger, LedgerError, TempFolder};
use crate::spawn::{SpawnError, spawn};
use crate::spec::Spec;

/// The commands to run, and the receiver of their results. Called from one thread.
pub trait Jobs {
    /// The next command for a free job. `None` when there is none now: it is called again whenever a command has ended. `None` while
    /// no command is running ends the jobs.
    fn next(&mut self, job: usize) -> Option<Spec>;

    /// The command of this job has ended, or did not start.
    fn finished(&mut self, job: usize, result: Result<Finished, JobError>);
}

/// Why a job's command has no result.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// It did not start.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// It has no working copy.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// It has no temporary folder.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// How many commands run at a time, and what each has of its own.
#[derive(Debug, Clone)]
pub struct Pool {
    jobs: usize,
    ledger: Ledger,
    temp_parent: PathBuf,
    isolation: Option<Isolation>,
    private_temp: bool,
}

impl Pool {
    /// This many commands at a time, at least one, in the same working folder.
    pub fn new(jobs: usize, ledger: &Ledger) -> Self {
        Self {
            jobs: jobs.max(1),
            ledger: ledger.clone(),
            temp_parent: std::env::temp_dir(),
            isolation: None,
            private_temp: false,
        }
    }

    /// Gives every job a working copy. It is made when the job runs its first command, and serves all that follow.
    #[must_use]
    pub fn isolate(mut self, isolation: Isolation) -> Self {
        self.isolation = Some(isolation);
        self
    }

    /// Gives every command an empty folder for temporary files (`TMPDIR`), removed after it.
    #[must_use]
    pub fn private_temp(mut self) -> Self {
        self.private_temp = true;
        self
    }

    /// Where copies and temporary folders are made; the system's folder for temporary files otherwise.
    #[must_use]
    pub fn temp_parent(mut self, folder: impl Into<PathBuf>) -> Self {
        self.temp_parent = folder.into();
        self
    }
}

/// Runs commands until `jobs` has none left, or until cancellation, which ends the running commands.
pub fn run_jobs(pool: &Pool, cancel: &Cancel, jobs: &mut impl Jobs) {
    thread::scope(|scope| {
        let (results_sender, results) = mpsc::channel();
        let workers: Vec<_> = (0..pool.jobs)
            .map(|job| {
                let (sender, specs) = mpsc::channel::<Spec>();
                let results = results_sender.clone();
                scope.spawn(move || {
                    let mut worker = Worker { pool, cancel, job, copy: None };
                    for spec in specs {
                        // The receiver is gone only when `finished` panicked.
                        let _ = results.send((job, worker.run(spec)));
                    }
                });
                sender
            })
            .collect();
        drop(results_sender);
        let mut free: BTreeSet<usize> = (0..pool.jobs).collect();
        loop {
            free.retain(|job| {
                let next = if cancel.is_requested() { None } else { jobs.next(*job) };
                next.is_none_or(|spec| workers[*job].send(spec).is_err())
            });
            if free.len() == pool.jobs {
                break;
            }
            let Ok((job, result)) = results.recv() else { break };
            jobs.finished(job, result);
            free.insert(job);
        }
    });
}

/// One job: runs its commands one after the other.
struct Worker<'a> {
    pool: &'a Pool,
    cancel: &'a Cancel,
    job: usize,
    /// The working copy, once there is one.
    copy: Option<TempFolder>,
}

impl Worker<'_> {
    fn run(&mut self, mut spec: Spec) -> Result<Finished, JobError> {
        spec = spec.job(self.job);
        if let Some(isolation) = &self.pool.isolation {
            let copy = self.copy(isolation)?;
            let folder = spec.working_folder().unwrap_or(Path::new("."));
            let moved = isolation.moved(folder, copy);
            spec = spec.folder(moved);
        }
        let temp = self.temp()?;
        if let Some(temp) = &temp {
            for name in ["TMPDIR", "TEMP", "TMP"] {
                spec = spec.set_variable(name, temp.path());
            }
        }
        Ok(spawn(&spec)?.wait(self.cancel))
    }

    fn copy(&mut self, isolation: &Isolation) -> Result<&Path, JobError> {
        let folder = match self.copy.take() {
            Some(folder) => folder,
            None => {
                let folder = self.pool.ledger.temp_folder(&self.pool.temp_parent)?;
                isolation.copy_to(folder.path(), self.cancel)?;
                folder
            }
        };
        Ok(self.copy.insert(folder).path())
    }

    fn temp(&self) -> Result<Option<TempFolder>, JobError> {
        let folder = || self.pool.ledger.temp_folder(&self.pool.temp_parent);
        Ok(if self.pool.private_temp { Some(folder()?) } else { None })
    }
}
