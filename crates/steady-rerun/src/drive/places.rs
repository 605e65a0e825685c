//! The folder each job runs in: the project's, or a copy of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use steady_perturb::{Workshop, WorkshopError};
use steady_process::{Cancel, Isolation, JobError, TempFolder};

use super::{RerunError, Setup};

/// The folder each job runs in. Copies are made when they are first needed, and serve all runs of their job.
pub struct Places<'a> {
    project: &'a Path,
    isolation: Option<Isolation>,
    workshop: &'a Workshop,
    cancel: &'a Cancel,
    copies: BTreeMap<usize, TempFolder>,
}

impl<'a> Places<'a> {
    /// The project's folder for all jobs, or a copy for each.
    pub fn new(
        setup: &'a Setup<'_>,
        workshop: &'a Workshop,
        cancel: &'a Cancel,
    ) -> Result<Self, WorkshopError> {
        let isolation = setup.isolate.then(|| Isolation::copy(&setup.folder)).transpose();
        let isolation = isolation.map_err(|source| WorkshopError::of(&setup.folder, source))?;
        Ok(Self { project: &setup.folder, isolation, workshop, cancel, copies: BTreeMap::new() })
    }

    /// Where this job runs.
    pub fn of(&mut self, job: usize) -> Result<PathBuf, RerunError> {
        let Some(isolation) = &self.isolation else { return Ok(self.project.to_owned()) };
        if let Some(copy) = self.copies.get(&job) {
            return Ok(copy.path().to_owned());
        }
        let copy = self.workshop.ledger().temp_folder(&std::env::temp_dir()).map_err(JobError::from)?;
        isolation.copy_to(copy.path(), self.cancel)?;
        let path = copy.path().to_owned();
        self.copies.insert(job, copy);
        Ok(path)
    }
    /// The copies, when nothing runs in them any more.
    pub fn into_copies(self) -> Vec<TempFolder> {
        self.copies.into_values().collect()
    }
}
