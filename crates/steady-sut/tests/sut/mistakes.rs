//! Errors name what is wrong, where, and what to do.

use std::net::TcpListener;
use std::time::Duration;

use steady_model::rerun::Condition;
use steady_process::{Exit, SpawnError};
use steady_sut::{Answer, Sut, SutError, SutSpec, What};

use crate::support::{Project, is_running, python, spec};

/// Long enough for a first sign of life, even on a busy machine.
const SHORT: Duration = Duration::from_secs(10);

async fn refused(spec: SutSpec) -> SutError {
    let mut project = Project::new(spec);
    let error = project.sut.start(&Condition::default()).await.unwrap_err();
    assert_eq!(project.sut.pid(), None, "{error}");
    error
}

#[tokio::test]
async fn a_command_that_is_not_there() {
    let error = refused(spec("steady-no-such-program {port}")).await;
    let SutError::Spawn { what: What::Start, source: SpawnError::NotFound { program } } = &error else {
        panic!("{error:?}")
    };
    assert_eq!(program, "steady-no-such-program");
    let error = refused(spec("steady-no-such-program {port} 2>&1")).await;
    assert!(matches!(error, SutError::ExitedEarly { exit: Exit::Code(127), .. }), "{error:?}");
    assert!(error.hint().unwrap().contains("PATH"));
}

#[tokio::test]
async fn an_api_that_ends_before_it_is_ready() {
    let error = refused(spec("echo starting on {port}; echo no licence found >&2; exit 4")).await;
    let SutError::ExitedEarly { exit: Exit::Code(4), output, .. } = &error else { panic!("{error:?}") };
    assert!(output[0].starts_with("starting on "), "{output:?}");
    assert!(error.to_string().ends_with("(exit code 4); it last printed `no licence found`"), "{error}");
}

#[tokio::test]
async fn an_api_that_goes_to_the_background() {
    let error = refused(spec("(echo $$ >&2; sleep 1000 >/dev/null 2>&1 &) ; : {port}")).await;
    assert!(matches!(error, SutError::ExitedEarly { exit: Exit::Code(0), .. }), "{error:?}");
    assert!(error.hint().unwrap().contains("foreground"));
}

#[tokio::test]
async fn an_api_that_never_listens() {
    let error = refused(SutSpec { timeout: SHORT, ..spec("echo warming up; sleep 1000; : {port}") }).await;
    let SutError::NeverReady { last, output, .. } = &error else { panic!("{error:?}") };
    assert!(matches!(last.as_deref(), Some(Answer::None(_))), "{last:?}");
    assert_eq!(output, &["warming up"]);
    assert!(error.to_string().contains("`GET /` at http://127.0.0.1:"), "{error}");
    assert!(error.hint().unwrap().contains("timeout"));
}

#[tokio::test]
async fn an_api_that_stays_unwell() {
    let ready = Some("GET /unwell".parse().unwrap());
    let error = refused(SutSpec { timeout: SHORT, ready, ..python() }).await;
    let SutError::NeverReady { last, .. } = &error else { panic!("{error:?}") };
    assert!(matches!(last.as_deref(), Some(Answer::Status(503))), "{last:?}");
    assert!(error.to_string().contains("was last answered with status 503"), "{error}");
}

#[tokio::test]
async fn a_port_that_is_somebody_elses() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = other.accept() {
            let _ = std::io::Write::write_all(&mut stream, b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
        }
    });
    let error = refused(SutSpec { url: format!("http://{address}"), ..spec("touch started") }).await;
    assert!(
        matches!(&error, SutError::PortTaken { url } if *url == format!("http://{address}")),
        "{error:?}"
    );
    assert!(error.hint().unwrap().contains("{port}"));
}

#[tokio::test]
async fn a_port_that_was_taken_meanwhile() {
    let mut project = Project::started(python()).await;
    project.sut.stop().await.unwrap();
    let address = project.sut.url().strip_prefix("http://").unwrap().to_owned();
    let other = TcpListener::bind(&address).unwrap();
    let error = project.sut.start(&Condition::default()).await.unwrap_err();
    assert!(matches!(error, SutError::PortTaken { .. }), "{error:?}");
    drop(other);
    project.sut.start(&Condition::default()).await.unwrap();
}

#[test]
fn an_api_that_is_not_told_its_port() {
    let Err(error) = Project::try_new(spec("serve --port 8080")) else { panic!("it must know its port") };
    assert!(matches!(error, SutError::PortUnsaid { .. }), "{error:?}");
    assert!(error.hint().unwrap().contains("`{port}` into `start`"));
    assert!(Project::try_new(SutSpec { url: "http://127.0.0.1:8080".to_owned(), ..spec("serve") }).is_ok());
}

#[test]
fn an_address_that_is_none() {
    for (url, part) in
        [("127.0.0.1:{port}", "no scheme"), ("http://127.0.0.1:{prot}", "`{prot}` in the address")]
    {
        let spec = SutSpec { url: url.to_owned(), ..python() };
        let Err(error) = Project::try_new(spec) else { panic!("{url}") };
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[tokio::test]
async fn a_placeholder_that_stands_for_nothing() {
    let error = refused(spec("serve {port} {prot}")).await;
    assert!(matches!(&error, SutError::Spawn { source: SpawnError::Placeholder(_), .. }), "{error:?}");
}

#[tokio::test]
async fn a_reset_that_is_refused_or_not_understood() {
    let by = |reset: &str| SutSpec { reset: Some(reset.parse().unwrap()), ..python() };
    let mut project = Project::started(by("POST /admin/reset")).await;
    let error = project.sut.reset().await.unwrap_err();
    assert!(matches!(error, SutError::ResetRefused { status: 403, .. }), "{error:?}");
    assert!(error.to_string().contains("not allowed to do this"), "{error}");

    let mut project = Project::started(by("echo no such table; exit 2")).await;
    let error = project.sut.reset().await.unwrap_err();
    assert!(
        matches!(error, SutError::CommandFailed { what: What::Reset, exit: Exit::Code(2), .. }),
        "{error:?}"
    );
    assert_eq!(error.output(), ["no such table"]);

    let mut project = Project::started(by("steady-no-such-program")).await;
    let error = project.sut.reset().await.unwrap_err();
    assert!(matches!(error, SutError::Spawn { what: What::Reset, .. }), "{error:?}");
}

#[tokio::test]
async fn a_reset_that_never_ends_is_ended() {
    let reset = Some("echo $$ >pid; exec sleep 1000".parse().unwrap());
    let mut project = Project::started(SutSpec { timeout: SHORT, reset, ..python() }).await;
    let error = project.sut.reset().await.unwrap_err();
    assert!(matches!(error, SutError::CommandFailed { exit: Exit::TimedOut, .. }), "{error:?}");
    let pid = std::fs::read_to_string(project.folder.path().join("pid")).unwrap();
    assert!(!is_running(pid.trim().parse().unwrap()));
}

#[tokio::test]
async fn an_api_that_dies_meanwhile() {
    let mut project =
        Project::started(SutSpec { reset: Some("POST /__reset".parse().unwrap()), ..python() }).await;
    project.sut.check(Duration::ZERO).await.unwrap();
    project.crash().await;
    let error = project.sut.reset().await.unwrap_err();
    let SutError::Died { exit: Exit::Code(3), output, .. } = &error else { panic!("{error:?}") };
    assert_eq!(output, &["about to crash"]);
    project.sut.start(&Condition::default()).await.unwrap();
}

#[test]
fn a_folder_that_cannot_be_used() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let Err(error) = Sut::new(python(), file.path()) else { panic!("a file is no folder") };
    assert!(matches!(error, SutError::StateDir(_)), "{error:?}");
}
