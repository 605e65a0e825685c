//! An API is reset to its first state.

use steady_model::Method;
use steady_model::rerun::{Condition, Perturbation};
use steady_sut::{Reset, SutSpec};

use crate::support::{Project, number, python, source, spec};

fn by(reset: &str) -> SutSpec {
    SutSpec { reset: Some(reset.parse().unwrap()), ..python() }
}

/// Adds an item, resets, and gives the process's id before and after.
async fn reset_once(project: &mut Project) -> (i64, i64) {
    let before = project.ask(Method::Post, "/items").await;
    assert_eq!(number(&before, "items"), 2);
    project.sut.reset().await.unwrap();
    let after = project.state().await;
    assert_eq!(number(&after, "items"), 1);
    (number(&before, "pid"), number(&after, "pid"))
}

#[tokio::test]
async fn by_a_request() {
    let mut project = Project::started(by("POST /__reset")).await;
    let (before, after) = reset_once(&mut project).await;
    assert_eq!(before, after);
}

#[tokio::test]
async fn by_a_command_that_knows_the_port() {
    let script = "python3 -c 'import sys, urllib.request as r; r.urlopen(r.Request(sys.argv[1], method=\"POST\"))' http://127.0.0.1:{port}/__reset";
    let mut project = Project::started(by(script)).await;
    let (before, after) = reset_once(&mut project).await;
    assert_eq!(before, after);
}

#[tokio::test]
async fn by_a_restart_when_nothing_else_is_said() {
    for spec in [python(), SutSpec { reset: Some(Reset::Restart), ..python() }] {
        let mut project = Project::started(spec).await;
        let (before, after) = reset_once(&mut project).await;
        assert_ne!(before, after);
    }
}

#[tokio::test]
async fn the_condition_stays() {
    let mut project = Project::new(python());
    project.sut.start(&Condition::of(Perturbation::Tz, "Pacific/Kiritimati")).await.unwrap();
    project.sut.reset().await.unwrap();
    assert_eq!(number(&project.state().await, "offset"), 14 * 3_600);
    // Also when there was nothing left to be stopped.
    project.crash().await;
    project.sut.reset().await.unwrap();
    assert_eq!(number(&project.state().await, "offset"), 14 * 3_600);
}

#[tokio::test]
async fn a_command_has_the_environment_and_the_folder_of_the_api() {
    let mut spec = spec(&format!("python3 {} {{port}}", source("api.py").display()));
    spec.env.insert("SHOP".to_owned(), "number {job}".to_owned());
    spec.reset = Some("echo $SHOP >said".parse().unwrap());
    spec.job = 7;
    let mut project = Project::started(spec).await;
    project.sut.reset().await.unwrap();
    let said = std::fs::read_to_string(project.folder.path().join("said")).unwrap();
    assert_eq!(said, "number 7\n");
}
