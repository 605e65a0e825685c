//! Many commands at a time.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use steady_process::{Cancel, Exit, Finished, Isolation, JobError, Jobs, Ledger, Pool, Spec, run_jobs};

use crate::support::stdout;

/// Runs the same command a number of times.
struct Repeat<'a> {
    spec: Spec,
    left: usize,
    running: BTreeSet<usize>,
    most_running: usize,
    results: Vec<Result<Finished, JobError>>,
    /// Requested after the first result.
    cancel: Option<&'a Cancel>,
}

impl Repeat<'_> {
    fn new(spec: Spec, times: usize) -> Self {
        Self {
            spec,
            left: times,
            running: BTreeSet::new(),
            most_running: 0,
            results: Vec::new(),
            cancel: None,
        }
    }

    fn outputs(&self) -> BTreeSet<String> {
        self.results.iter().map(|result| stdout(&result.as_ref().unwrap().output)).collect()
    }
}

impl Jobs for Repeat<'_> {
    fn next(&mut self, job: usize) -> Option<Spec> {
        self.left = self.left.checked_sub(1)?;
        assert!(self.running.insert(job), "job {job} is not free");
        self.most_running = self.most_running.max(self.running.len());
        Some(self.spec.clone())
    }

    fn finished(&mut self, job: usize, result: Result<Finished, JobError>) {
        assert!(self.running.remove(&job));
        self.results.push(result);
        if let Some(cancel) = self.cancel {
            cancel.request();
        }
    }
}

fn ledger(folder: &Path) -> Ledger {
    Ledger::open(&folder.join("running")).unwrap()
}

#[test]
fn every_command_runs_once_and_no_more_than_asked_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut work = Repeat::new(Spec::shell("echo {job}"), 20);
    run_jobs(&Pool::new(3, &ledger(folder.path())), &Cancel::new().unwrap(), &mut work);
    assert_eq!((work.results.len(), work.most_running, work.left), (20, 3, 0));
    assert!(work.outputs().iter().all(|job| ["0\n", "1\n", "2\n"].contains(&job.as_str())));
}

#[test]
fn a_command_that_does_not_start_is_a_result() {
    let folder = tempfile::tempdir().unwrap();
    let mut work = Repeat::new(Spec::program("steady-no-such-program"), 2);
    run_jobs(&Pool::new(1, &ledger(folder.path())), &Cancel::new().unwrap(), &mut work);
    assert!(work.results.iter().all(|result| matches!(result, Err(JobError::Spawn(_)))));
    assert_eq!(work.results.len(), 2);
}

#[test]
fn a_stop_ends_what_runs_and_asks_for_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let cancel = Cancel::new().unwrap();
    let mut work = Repeat::new(Spec::shell("[ {job} = 0 ] || sleep 1000"), 100);
    work.cancel = Some(&cancel);
    run_jobs(&Pool::new(2, &ledger(folder.path())), &cancel, &mut work);
    let exits: BTreeSet<_> =
        work.results.iter().map(|result| result.as_ref().unwrap().exit.to_string()).collect();
    assert_eq!(exits, [Exit::Code(0), Exit::Stopped].iter().map(ToString::to_string).collect());
    assert_eq!((work.results.len(), work.left), (2, 98));
}

#[test]
fn every_job_has_a_copy_and_the_project_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("project");
    fs::create_dir_all(project.join("sub")).unwrap();
    fs::write(project.join("sub/counter"), "").unwrap();
    let pool = Pool::new(2, &ledger(folder.path()))
        .isolate(Isolation::copy(&project).unwrap())
        .temp_parent(folder.path());
    let mut work = Repeat::new(Spec::shell("pwd; echo x >>counter").folder(project.join("sub")), 6);
    run_jobs(&pool, &Cancel::new().unwrap(), &mut work);
    let folders = work.outputs();
    assert!(folders.len() <= 2 && folders.iter().all(|folder| !folder.contains("/project/")), "{folders:?}");
    assert_eq!(fs::read_to_string(project.join("sub/counter")).unwrap(), "");
    assert!(folders.iter().all(|folder| !Path::new(folder.trim_end()).exists()));
}

#[test]
fn every_command_has_an_empty_folder_for_temporary_files() {
    let folder = tempfile::tempdir().unwrap();
    let pool = Pool::new(1, &ledger(folder.path())).private_temp().temp_parent(folder.path());
    let mut work = Repeat::new(Spec::shell("ls -A $TMPDIR; touch $TMPDIR/litter; echo $TMPDIR"), 3);
    run_jobs(&pool, &Cancel::new().unwrap(), &mut work);
    let folders = work.outputs();
    assert_eq!(folders.len(), 3);
    assert!(
        folders.iter().all(|folder| !folder.contains("litter") && !Path::new(folder.trim_end()).exists())
    );
    drop(pool);
    assert_eq!(fs::read_dir(folder.path().join("running")).unwrap().count(), 0);
}
