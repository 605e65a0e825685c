//! The folder each job runs in: the project's, or a copy of its own.

use std::collections::BTreeMap;
use std::path::PathBuf;

use steady_exec::{ExecError, Sandbox, StateDir};
use steady_process::Cancel;

use super::Setup;

/// The folder each job runs in. Copies are made when they are first needed, and serve all runs of their job.
pub struct Sandboxes<'a> {
    setup: &'a Setup<'a>,
    state_dir: &'a StateDir,
    cancel: &'a Cancel,
    copies: BTreeMap<usize, Sandbox>,
}

impl<'a> Sandboxes<'a> {
    /// The project's folder for all jobs or, if they are isolated, a copy for each.
    pub fn new(setup: &'a Setup<'a>, state_dir: &'a StateDir, cancel: &'a Cancel) -> Self {
        Self { setup, state_dir, cancel, copies: BTreeMap::new() }
    }

    /// Where this job runs.
    pub fn of(&mut self, job: usize) -> Result<PathBuf, ExecError> {
        if !self.setup.isolate {
            return Ok(self.setup.folder.clone());
        }
        if let Some(copy) = self.copies.get(&job) {
            return Ok(copy.path().to_owned());
        }
        let copy = Sandbox::full(&self.setup.folder, self.state_dir, self.cancel)?;
        let path = copy.path().to_owned();
        self.copies.insert(job, copy);
        Ok(path)
    }

    /// The copies, once nothing runs in them.
    pub fn into_copies(self) -> Vec<Sandbox> {
        self.copies.into_values().collect()
    }
}
