//! From the start of an API to its end.

use std::fs;
use std::path::Path;
use std::time::Duration;

use steady_model::Method;
use steady_model::rerun::Condition;
use steady_sut::{Sut, SutError};

use crate::support::{Project, is_running, java, node, number, python, source, spec};

#[tokio::test]
async fn every_runtime_starts_and_nothing_is_left_after_drop() {
    for spec in [python(), node(), java()] {
        let project = Project::started(spec).await;
        let pid = u32::try_from(number(&project.state().await, "pid")).unwrap();
        assert!(is_running(pid));
        drop(project);
        assert!(!is_running(pid));
    }
}

#[tokio::test]
async fn a_restart_gives_a_new_process_at_the_same_address() {
    let mut project = Project::started(python()).await;
    let (url, first) = (project.sut.url().to_owned(), number(&project.state().await, "pid"));
    for _ in 0..3 {
        project.sut.restart(&Condition::default()).await.unwrap();
        assert_eq!(project.sut.url(), url);
        assert_ne!(number(&project.state().await, "pid"), first);
    }
    assert!(!is_running(u32::try_from(first).unwrap()));
}

#[tokio::test]
async fn a_relocated_api_is_at_another_port_from_its_next_start_on() {
    let mut project = Project::started(python()).await;
    let (url, first) = (project.sut.url().to_owned(), number(&project.state().await, "pid"));
    assert!(project.sut.relocate().await.unwrap());
    assert!(!is_running(u32::try_from(first).unwrap()));
    assert_ne!(project.sut.url(), url);
    project.sut.restart(&Condition::default()).await.unwrap();
    assert_ne!(number(&project.state().await, "pid"), first);
}

#[tokio::test]
async fn processes_behind_a_shell_end_too() {
    let start =
        format!("sleep 1000 & echo $! >sleeper; python3 {} {{port}} | cat", source("api.py").display());
    let mut project = Project::started(spec(&start)).await;
    let api = u32::try_from(number(&project.state().await, "pid")).unwrap();
    let sleeper = fs::read_to_string(project.folder.path().join("sleeper")).unwrap().trim().parse().unwrap();
    assert!(is_running(api) && is_running(sleeper));
    project.sut.stop().await.unwrap();
    assert!(!is_running(api) && !is_running(sleeper));
    assert_eq!(project.sut.pid(), None);
}

#[tokio::test]
async fn ready_is_what_the_user_says() {
    let mut project =
        Project::new(steady_sut::SutSpec { ready: Some("GET /health".parse().unwrap()), ..python() });
    project.sut.start(&Condition::default()).await.unwrap();
    assert_eq!(number(&project.state().await, "items"), 1);
}

#[tokio::test]
async fn the_path_of_the_address_is_not_in_front_of_ready() {
    let spec = steady_sut::SutSpec {
        url: "http://127.0.0.1:{port}/unwell".to_owned(),
        ready: Some("GET /health".parse().unwrap()),
        ..python()
    };
    let project = Project::started(spec).await;
    assert!(project.sut.url().ends_with("/unwell"));
    let port = project.sut.url().split([':', '/']).nth(4).unwrap();
    assert_eq!(
        project.sut.address("http://127.0.0.1:{port}/x").unwrap(),
        format!("http://127.0.0.1:{port}/x")
    );
}

#[tokio::test]
async fn an_api_is_asked_to_stop_before_it_is_ended() {
    let by_request = steady_sut::SutSpec { stop: Some("POST /stop".parse().unwrap()), ..python() };
    let by_command =
        steady_sut::SutSpec { stop: Some("echo by command >stopped".parse().unwrap()), ..python() };
    for (spec, said) in [(by_request, "by request\n"), (by_command, "by command\n")] {
        let mut project = Project::started(spec).await;
        let pid = project.sut.pid().unwrap();
        project.sut.stop().await.unwrap();
        assert_eq!(fs::read_to_string(project.folder.path().join("stopped")).unwrap(), said);
        assert!(!is_running(pid));
    }
}

#[tokio::test]
async fn a_start_that_nobody_waits_for_any_more_leaves_nothing() {
    let mut project = Project::new(spec("echo $$ >pid; sleep 1000; : {port}"));
    let file = project.folder.path().join("pid");
    let plain = Condition::default();
    let pid = tokio::select! {
        outcome = project.sut.start(&plain) => panic!("{outcome:?}"),
        pid = until_written(&file) => pid,
    };
    assert!(!is_running(pid));
}

async fn until_written(file: &Path) -> u32 {
    loop {
        if let Some(pid) = fs::read_to_string(file).ok().and_then(|text| text.trim().parse().ok()) {
            return pid;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn what_an_api_prints_is_bounded() {
    let start = "i=0; while [ $i -lt 5000 ]; do i=$((i+1)); echo line $i; done; echo done >done; exec python3 -m http.server {port} --bind 127.0.0.1";
    let project = Project::started(spec(start)).await;
    let output = project.sut.output();
    assert!(output.len() <= 200, "{}", output.len());
    assert!(output.iter().any(|line| line == "line 5000"), "{output:?}");
}

#[tokio::test]
async fn two_apis_have_two_ports() {
    let (one, other) = (Project::started(python()).await, Project::started(python()).await);
    assert_ne!(one.sut.url(), other.sut.url());
    one.ask(Method::Post, "/items").await;
    assert_eq!((number(&one.state().await, "items"), number(&other.state().await, "items")), (2, 1));
}

#[tokio::test]
async fn an_api_that_does_not_run_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut sut = Sut::new(python(), folder.path()).unwrap();
    assert!(matches!(sut.check(Duration::ZERO).await, Err(SutError::NotRunning)));
    assert!(matches!(sut.adjust(&Condition::default()), Err(SutError::NotRunning)));
    sut.stop().await.unwrap();
}

#[test]
fn an_api_can_be_moved_between_threads() {
    fn moves<T: Send>(value: T) -> T {
        value
    }
    let folder = tempfile::tempdir().unwrap();
    let mut sut = moves(Sut::new(python(), folder.path()).unwrap());
    drop(moves(sut.start(&Condition::default())));
    drop(moves(sut.reset()));
}
