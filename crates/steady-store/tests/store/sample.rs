//! Sessions, runs and results in few words.

use jiff::Timestamp;
use steady_model::rerun::{Condition, Ending, Outcome, Run, TestResult};
use steady_store::{Environment, Revision, Session, SessionId, Store};

pub fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub fn session(project: &str) -> Session {
    Session {
        project: project.to_owned(),
        command: vec!["pytest".to_owned(), "-x".to_owned()],
        version: "0.1.0".to_owned(),
        started: time("2026-11-15T10:00:00Z"),
        revision: None,
        environment: Environment {
            os: "linux".to_owned(),
            arch: "x86_64".to_owned(),
            cpus: 2,
            runtimes: [("python".to_owned(), "3.11.2".to_owned())].into(),
            ci: Some("GitHub Actions".to_owned()),
        },
        shard: None,
    }
}

pub fn session_on(project: &str, commit: &str, dirty: bool) -> Session {
    let revision = Revision { commit: commit.to_owned(), branch: Some("main".to_owned()), dirty };
    Session { revision: Some(revision), ..session(project) }
}

/// A result such as `test_cart F`: passed `.`, failed `F` or skipped `s`.
pub fn result(text: &str) -> TestResult {
    let (id, outcome) = text.split_once(' ').unwrap();
    let outcome = match outcome {
        "." => Outcome::Passed,
        "F" => Outcome::Failed,
        "s" => Outcome::Skipped,
        other => panic!("no outcome is written {other}"),
    };
    let message = (outcome == Outcome::Failed).then(|| format!("{id} is wrong"));
    TestResult { id: id.into(), outcome, milliseconds: None, message }
}

pub fn run(number: u32, results: &[&str]) -> Run {
    run_under(number, Condition::default(), results)
}

pub fn run_under(number: u32, condition: Condition, results: &[&str]) -> Run {
    Run {
        number,
        condition,
        ending: Ending::Exited(0),
        milliseconds: 10.0,
        results: results.iter().map(|text| result(text)).collect(),
        excerpt: String::new(),
    }
}

/// A whole session with one run, at a time.
pub fn remember(store: &mut Store, session: &Session, at: &str, results: &[&str]) -> SessionId {
    let at = time(at);
    let id = store.begin(&Session { started: at, ..session.clone() }).unwrap();
    store.record(id, at, &[run(1, results)]).unwrap();
    store.finish(id, at).unwrap();
    id
}
