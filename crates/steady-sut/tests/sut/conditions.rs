//! Conditions show in an API's answers.

use std::time::{SystemTime, UNIX_EPOCH};

use steady_model::rerun::{Condition, Perturbation};
use steady_sut::SutError;

use crate::support::{Project, java, node, number, python, source, spec, text};

const DAY_AND_3_HOURS: i64 = 27 * 3_600;
/// How late an answer may be on a busy machine.
const TOLERANCE: i64 = 600;

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs().try_into().unwrap()
}

fn is_near(time: i64, expected: i64) -> bool {
    (time - expected).abs() < TOLERANCE
}

#[tokio::test]
async fn the_clock_of_every_runtime_is_moved() {
    for spec in [python(), node(), java()] {
        let name = spec.start.clone();
        let mut project = Project::new(spec);
        let state = project.state_under(Perturbation::Clock, "+1d3h").await;
        assert!(is_near(number(&state, "now"), now() + DAY_AND_3_HOURS), "{name}: {state}");
        project.sut.restart(&Condition::default()).await.unwrap();
        assert!(is_near(number(&project.state().await, "now"), now()), "{name}");
    }
}

#[tokio::test]
async fn the_clock_is_moved_while_the_api_runs() {
    let mut project = Project::started(python()).await;
    let pid = project.sut.pid();
    assert!(project.sut.adjust(&Condition::of(Perturbation::Clock, "+1d3h")).unwrap());
    assert!(is_near(number(&project.state().await, "now"), now() + DAY_AND_3_HOURS));
    assert!(project.sut.adjust(&Condition::default()).unwrap());
    assert!(is_near(number(&project.state().await, "now"), now()));
    assert_eq!(project.sut.pid(), pid);
}

#[tokio::test]
async fn what_a_process_is_born_with_needs_a_restart() {
    let mut project = Project::started(python()).await;
    for (what, value) in [(Perturbation::Tz, "Pacific/Pago_Pago"), (Perturbation::Random, "1")] {
        assert!(!project.sut.adjust(&Condition::of(what, value)).unwrap(), "{what}");
    }
}

#[tokio::test]
async fn every_runtime_is_in_the_time_zone() {
    for spec in [python(), node(), java()] {
        let name = spec.start.clone();
        let mut project = Project::new(spec);
        let state = project.state_under(Perturbation::Tz, "Pacific/Kiritimati").await;
        assert_eq!(number(&state, "offset"), 14 * 3_600, "{name}");
        let state = project.state_under(Perturbation::Tz, "Pacific/Pago_Pago").await;
        assert_eq!(number(&state, "offset"), -11 * 3_600, "{name}");
    }
}

#[tokio::test]
async fn runtimes_with_language_data_of_their_own_speak_the_language() {
    for (spec, plain, german) in [(node(), "1,234.5", "1.234,5"), (java(), "1.5", "1,5")] {
        let mut project = Project::new(spec);
        // `C` stands for English in both.
        assert_eq!(text(&project.state_under(Perturbation::Locale, "C").await, "number"), plain);
        assert_eq!(text(&project.state_under(Perturbation::Locale, "de_DE.UTF-8").await, "number"), german);
    }
}

#[tokio::test]
async fn every_runtime_keeps_temporary_files_elsewhere() {
    for spec in [python(), node(), java()] {
        let name = spec.start.clone();
        let mut project = Project::new(spec);
        let state = project.state_under(Perturbation::Tmp, "elsewhere").await;
        assert!(text(&state, "tmp").ends_with("/elsewhere"), "{name}: {state}");
    }
}

#[tokio::test]
async fn hashes_follow_from_their_seed() {
    let mut project = Project::new(python());
    let first = project.state_under(Perturbation::Hash, "1").await["hash"].clone();
    assert_eq!(project.state_under(Perturbation::Hash, "1").await["hash"], first);
    assert_ne!(project.state_under(Perturbation::Hash, "2").await["hash"], first);

    let mut project = Project::new(java());
    let alike = project.state_under(Perturbation::Hash, "2").await;
    assert_eq!(number(&alike, "identity"), 1);
}

#[tokio::test]
async fn random_numbers_follow_from_their_seed() {
    let mut project = Project::new(python());
    let mut draws = Vec::new();
    for seed in ["1", "1", "2"] {
        draws.push(text(&project.state_under(Perturbation::Random, seed).await, "random").to_owned());
    }
    assert_eq!(draws[0], draws[1]);
    assert_ne!(draws[0], draws[2]);
}

#[tokio::test]
async fn orders_and_loads_are_not_the_apis_business() {
    let mut project = Project::started(python()).await;
    let mut condition = Condition::of(Perturbation::Order, "7");
    condition.0.insert(Perturbation::Load, "2 per core".to_owned());
    assert!(project.sut.adjust(&condition).unwrap());
    let offered = project.sut.perturbations();
    assert!(offered.iter().all(|condition| {
        !condition.0.contains_key(&Perturbation::Order) && !condition.0.contains_key(&Perturbation::Load)
    }));
}

/// The perturbations an API is offered.
fn offered(project: &Project) -> Vec<Perturbation> {
    let conditions = project.sut.perturbations();
    let mut offered: Vec<Perturbation> =
        conditions.iter().flat_map(|condition| condition.0.keys().copied()).collect();
    offered.dedup();
    offered
}

#[tokio::test]
async fn every_condition_that_is_offered_can_be_had() {
    let mut project = Project::started(python()).await;
    use Perturbation::{Clock, Hash, Latency, Locale, Random, Tmp, Tz};
    assert_eq!(offered(&project), [Hash, Random, Clock, Tz, Locale, Tmp, Latency]);
    for condition in project.sut.perturbations() {
        project.sut.restart(&condition).await.unwrap();
    }
}

#[tokio::test]
async fn the_real_program_behind_a_shell_says_which_languages_can_be_had() {
    let start = format!("cd / && PORT={{port}} exec node {}", source("api.js").display());
    let project = Project::started(spec(&start)).await;
    let languages = project.sut.perturbations();
    let turkish = Condition::of(Perturbation::Locale, "tr_TR.UTF-8");
    assert!(languages.contains(&turkish), "{languages:?}");
}

#[tokio::test]
async fn a_static_program_keeps_its_clock_and_says_so() {
    let mut project = Project::new(spec("./serve {port}"));
    static_program(&project.folder.path().join("serve"));
    assert_eq!(offered(&project).iter().filter(|what| **what == Perturbation::Clock).count(), 0);
    let error = project.sut.start(&Condition::of(Perturbation::Clock, "+1d3h")).await.unwrap_err();
    assert!(matches!(error, SutError::NotPerturbable { .. }), "{error}");
    assert!(error.to_string().contains("statically"), "{error}");
}

/// The smallest ELF file that is a program and names no loader; it is looked at, not run.
fn static_program(path: &std::path::Path) {
    let own = std::fs::read("/proc/self/exe").unwrap();
    let mut elf = own[..64].to_vec();
    // e_phnum: no program headers, so no interpreter.
    elf[56..58].copy_from_slice(&0_u16.to_le_bytes());
    std::fs::write(path, elf).unwrap();
}
