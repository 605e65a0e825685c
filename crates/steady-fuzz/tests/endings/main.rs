//! How runs end: in time, interrupted, and with an API that hangs or dies.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod service;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use service::{DOCUMENT, Fate, SCHEDULER, Service};
use steady_flaky::drive::{DetectionPlan, SutAccess};
use steady_flaky::relax::Policy;
use steady_fuzz::{Ending, FuzzError, FuzzOptions, Outcome, fuzz};
use steady_http::{Client, ClientOptions};
use steady_model::rerun::Condition;
use steady_model::shard::Shard;
use steady_model::{Call, Event, Identity, Login, LoginUse, Method, Phase, Place, RequestTemplate, Secrets};
use steady_process::Cancel;
use steady_suite::{RunOptions, run_suite};
use steady_sut::{Sut, SutSpec};

/// Much more than a run of a second takes on a busy machine, and much less than one request may take here.
const SOON: Duration = Duration::from_secs(30);
/// What the client would wait for an answer.
const TIMEOUT: Duration = Duration::from_secs(300);
/// The environment variable that makes the last test an API, and names its port.
const PORT: &str = "STEADY_MORTAL_PORT";

struct Ran {
    outcome: Result<Outcome, FuzzError>,
    warnings: Vec<String>,
    elapsed: Duration,
}

impl Ran {
    fn outcome(&self) -> &Outcome {
        self.outcome.as_ref().unwrap()
    }
}

fn options(url: &str) -> FuzzOptions {
    FuzzOptions {
        url: url.parse().unwrap(),
        base_path: String::new(),
        client: ClientOptions { timeout: TIMEOUT, ..ClientOptions::default() },
        time: None,
        detect_time: None,
        requests: None,
        rate: None,
        workers: NonZeroUsize::MIN,
        seed: 1,
        shard: Shard::WHOLE,
        identities: Vec::new(),
        secrets: Secrets::default(),
        principals: Vec::new(),
        flaky: Policy::Relax,
        plan: DetectionPlan::default(),
        keep: Box::new(|_| true),
        cancel: Cancel::new().unwrap(),
    }
}

async fn run(options: FuzzOptions, access: &mut SutAccess<'_>, hear: impl FnMut(&Event)) -> Ran {
    run_of(DOCUMENT, options, access, hear).await
}

async fn run_of(
    document: &str,
    options: FuzzOptions,
    access: &mut SutAccess<'_>,
    mut hear: impl FnMut(&Event),
) -> Ran {
    let api = steady_openapi::parse(document, "api").unwrap();
    let mut warnings = Vec::new();
    let started = Instant::now();
    let mut emit = |event| {
        hear(&event);
        if let Event::Warning { message } = event {
            warnings.push(message);
        }
    };
    let outcome = fuzz(api, options, access, &mut emit).await;
    Ran { outcome, warnings, elapsed: started.elapsed() }
}

async fn run_foreign(options: FuzzOptions) -> Ran {
    run(options, &mut SutAccess::External, |_| {}).await
}

fn second() -> Option<Duration> {
    Some(Duration::from_secs(1))
}

#[tokio::test]
async fn an_api_that_hangs_does_not_hold_up_the_end_and_is_reported_as_gone() {
    let service = Service::start(0, |number, _| if number < 100 { Fate::Answer } else { Fate::Hang });
    let ran = run_foreign(FuzzOptions { time: second(), ..options(&service.url()) }).await;
    assert!(ran.elapsed < SOON, "{:?}", ran.elapsed);
    let Ending::ApiGone { requests, .. } = &ran.outcome().ending else {
        panic!("{:?}", ran.outcome().ending)
    };
    assert!((90..=100).contains(requests), "{requests}");
    assert!(
        ran.warnings.iter().any(|message| message.contains("stopped answering after")),
        "{:?}",
        ran.warnings
    );
    assert!(!ran.warnings.iter().any(|message| message.contains("--time")), "{:?}", ran.warnings);
}

#[tokio::test]
async fn pauses_that_the_api_asks_for_end_with_the_time() {
    let service = Service::start(0, |_, _| Fate::Later);
    let ran = run_foreign(FuzzOptions { time: second(), ..options(&service.url()) }).await;
    assert!(ran.elapsed < SOON, "{:?}", ran.elapsed);
    assert_eq!(ran.outcome().ending, Ending::Complete);
}

#[tokio::test]
async fn an_api_that_never_answers_is_an_error_in_time() {
    let service = Service::start(0, |_, _| Fate::Hang);
    let ran = run_foreign(FuzzOptions { time: second(), ..options(&service.url()) }).await;
    assert!(ran.elapsed < SOON, "{:?}", ran.elapsed);
    assert!(matches!(ran.outcome, Err(FuzzError::Unreachable { .. })));
}

#[tokio::test]
async fn operations_are_called_where_the_root_hangs() {
    let service =
        Service::start(0, |_, line| if line.starts_with("GET / ") { Fate::Hang } else { Fate::Answer });
    let ran = run_foreign(FuzzOptions { requests: Some(300), ..options(&service.url()) }).await;
    assert_eq!(ran.outcome().ending, Ending::Complete);
    assert!(!ran.outcome().suite.tests.is_empty());
}

#[tokio::test]
async fn an_api_that_dies_is_reported_as_that() {
    let service = Service::start(0, |number, _| if number == 100 { Fate::Die } else { Fate::Answer });
    let ran = run_foreign(FuzzOptions { time: Some(4 * second().unwrap()), ..options(&service.url()) }).await;
    let Ending::ApiGone { requests, error } = &ran.outcome().ending else {
        panic!("{:?}", ran.outcome().ending)
    };
    assert!((90..=100).contains(requests) && error.contains("refused"), "{requests}: {error}");
    assert!(!ran.warnings.iter().any(|message| message.contains("--time")), "{:?}", ran.warnings);
}

#[tokio::test]
async fn tests_that_were_checked_before_the_api_died_are_kept() {
    let last = Arc::new(AtomicUsize::new(usize::MAX));
    let known = Arc::clone(&last);
    let service =
        Service::start(
            0,
            move |number, _| {
                if number >= known.load(Ordering::SeqCst) { Fate::Die } else { Fate::Answer }
            },
        );
    let options = FuzzOptions { requests: Some(600), ..options(&service.url()) };
    let ran = run(options, &mut SutAccess::External, |event| {
        if matches!(event, Event::PhaseStarted { phase: Phase::Recheck }) {
            last.store(service.requests() + 60, Ordering::SeqCst);
        }
    })
    .await;
    assert!(matches!(ran.outcome().ending, Ending::ApiGone { .. }), "{:?}", ran.outcome().ending);
    assert!(!ran.outcome().suite.tests.is_empty(), "{:?}", ran.warnings);
}

#[tokio::test]
async fn an_interrupted_search_keeps_what_can_be_checked_in_a_moment() {
    let cancel = Cancel::new().unwrap();
    let asked = cancel.clone();
    let service = Service::start(0, move |number, _| {
        if number == 400 {
            asked.request();
        }
        Fate::Answer
    });
    let options = FuzzOptions { cancel, ..options(&service.url()) };
    let ran = run_foreign(options).await;
    assert_eq!(ran.outcome().ending, Ending::Interrupted);
    assert!(!ran.outcome().suite.tests.is_empty());
    assert!(ran.elapsed < SOON, "{:?}", ran.elapsed);
}

#[tokio::test]
async fn an_interruption_ends_a_request_that_hangs() {
    let cancel = Cancel::new().unwrap();
    let asked = cancel.clone();
    let service = Service::start(0, move |number, _| {
        if number < 100 {
            return Fate::Answer;
        }
        asked.request();
        Fate::Hang
    });
    let ran = run_foreign(FuzzOptions { cancel, ..options(&service.url()) }).await;
    assert!(ran.elapsed < SOON, "{:?}", ran.elapsed);
    assert_eq!(ran.outcome().ending, Ending::Interrupted);
}

#[tokio::test]
async fn detection_ends_in_time_and_says_what_it_left_out() {
    let slow = Arc::new(AtomicBool::new(false));
    let known = Arc::clone(&slow);
    let service = Service::start(0, move |_, _| {
        if known.load(Ordering::SeqCst) { Fate::Delay(Duration::from_millis(200)) } else { Fate::Answer }
    });
    let mut announced = None;
    let options = FuzzOptions {
        requests: Some(600),
        detect_time: Some(Duration::from_secs(2)),
        ..options(&service.url())
    };
    let ran = run(options, &mut SutAccess::External, |event| {
        if let Event::DetectionStarted { seconds, tests, runs } = event {
            announced = Some((*seconds, *tests, *runs));
            slow.store(true, Ordering::SeqCst);
        }
    })
    .await;
    let (seconds, tests, runs) = announced.unwrap();
    assert_eq!((seconds, runs), (Some(2.0), 5));
    assert_eq!(ran.outcome().suite.tests.len(), tests, "no test is lost for want of time");
    let detection = ran.outcome().summary.detection.clone().unwrap();
    assert!(detection.seconds < 20.0, "{}", detection.seconds);
    assert!(detection.left_out.iter().any(|step| step == "proof"), "{:?}", detection.left_out);
    assert!(detection.unchecked.iter().any(|step| step == "clock"), "{:?}", detection.unchecked);
    assert!(ran.warnings.iter().any(|message| message.contains("not tried: ")), "{:?}", ran.warnings);
}

#[tokio::test]
async fn what_stops_the_service_for_everybody_comes_last_and_no_test_rests_on_it() {
    let lines: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = Arc::clone(&lines);
    let service = Service::start(0, move |_, line| {
        heard.lock().unwrap().push(line.trim_end_matches(" HTTP/1.1").to_owned());
        Fate::Answer
    });
    let options = FuzzOptions { requests: Some(300), ..options(&service.url()) };
    let ran = run_of(SCHEDULER, options, &mut SutAccess::External, |_| {}).await;
    let lines = lines.lock().unwrap().clone();
    let stop = lines.iter().position(|line| line == "GET /scheduler/stop").unwrap();
    assert_eq!(
        lines[stop..],
        ["GET /scheduler/stop", "GET /scheduler/run"],
        "it is undone, and nothing comes after"
    );
    assert!(
        ran.warnings.iter().any(|message| message.starts_with("GET /scheduler/stop stopped the service"))
    );

    let tests = &ran.outcome().suite.tests;
    let calls = |path: &str| {
        tests
            .iter()
            .filter(|test| test.calls.iter().any(|call| call.operation.path == path))
            .collect::<Vec<_>>()
    };
    assert!(calls("/scheduler/stop").is_empty());
    let [pause] = calls("/scheduler/pause")[..] else { panic!("{tests:#?}") };
    assert_eq!(pause.cleanup[0].operation.path, "/scheduler/resume");

    let fresh = Service::start(0, |_, _| Fate::Answer);
    let client = Client::new(fresh.url().parse().unwrap(), ClientOptions::default()).unwrap();
    let options =
        RunOptions { repeat: 3, shuffle: true, workers: 1, seed: 5, client: ClientOptions::default() };
    let mut failures = Vec::new();
    run_suite(&client, &ran.outcome().suite, &Secrets::default(), &options, |finished| {
        failures.extend(finished.outcome.failures(finished.test).iter().map(ToString::to_string));
        ControlFlow::Continue(())
    })
    .await;
    assert_eq!(failures, Vec::<String>::new());
}

#[tokio::test]
async fn a_session_that_is_open_is_used_by_all_phases() {
    let logins = Arc::new(AtomicUsize::new(0));
    let known = Arc::clone(&logins);
    let service = Service::start(0, move |_, line| {
        known.fetch_add(usize::from(line.starts_with("POST /login ")), Ordering::SeqCst);
        Fate::Answer
    });
    let request =
        RequestTemplate { method: Method::Post, target: "/login".into(), headers: Vec::new(), body: None };
    let usage = LoginUse::Header {
        token: Place::Body("/token".to_owned()),
        name: "authorization".to_owned(),
        template: "Bearer {token}".to_owned(),
    };
    let identity = Identity {
        name: "somebody".to_owned(),
        headers: Vec::new(),
        sign_up: None,
        login: Some(Login { request, usage }),
    };
    let options = FuzzOptions {
        requests: Some(300),
        identities: vec![identity],
        workers: NonZeroUsize::new(3).unwrap(),
        ..options(&service.url())
    };
    let ran = run_foreign(options).await;
    assert!(ran.outcome().summary.detection.is_some());
    assert_eq!(logins.load(Ordering::SeqCst), 1);
}

/// An API of ours: a test of this file, in a process of its own.
async fn started(folder: &Path, test: &str) -> Sut {
    let program = std::env::current_exe().unwrap();
    let start = format!("{} --exact --ignored --nocapture {test}", program.display());
    let spec = SutSpec {
        env: BTreeMap::from([(PORT.to_owned(), "{port}".to_owned())]),
        folder: folder.to_owned(),
        ..SutSpec::new(start)
    };
    let mut sut = Sut::new(spec, folder).unwrap();
    sut.start(&Condition::default()).await.unwrap();
    sut
}

#[tokio::test]
async fn what_pauses_an_api_of_ours_is_called_where_the_proof_has_moved_it() {
    let state = tempfile::tempdir().unwrap();
    let mut sut = started(state.path(), "serves_a_scheduler").await;
    let before = sut.url().to_owned();
    let plan = DetectionPlan { reruns: 1, perturb: Vec::new(), ..DetectionPlan::default() };
    let options = FuzzOptions { requests: Some(300), plan, ..options(&before) };
    let ran = run_of(SCHEDULER, options, &mut SutAccess::Managed(&mut sut), |_| {}).await;
    sut.stop().await.unwrap();
    assert_ne!(sut.url(), before, "the proof is on another port");
    let pauses = |call: &Call| call.operation.path == "/scheduler/pause";
    assert!(ran.outcome().suite.tests.iter().any(|test| test.calls.iter().any(pauses)), "{:?}", ran.warnings);
}

#[test]
#[ignore = "it is the API of the test before it"]
fn serves_a_scheduler() {
    let port = std::env::var(PORT).unwrap().parse().unwrap();
    let _service = Service::start(port, |_, _| Fate::Answer);
    loop {
        std::thread::park();
    }
}

/// An API of ours that dies again and again; the last test of this file, in a process of its own.
#[tokio::test]
async fn an_api_of_ours_that_dies_is_started_again_and_its_tests_are_kept() {
    let state = tempfile::tempdir().unwrap();
    let mut sut = started(state.path(), "serves_until_it_dies").await;
    let plan = DetectionPlan { reruns: 1, perturb: Vec::new(), ..DetectionPlan::default() };
    let options = FuzzOptions { requests: Some(500), plan, ..options(sut.url()) };
    let ran = run(options, &mut SutAccess::Managed(&mut sut), |_| {}).await;
    sut.stop().await.unwrap();
    assert_eq!(ran.outcome().ending, Ending::Complete, "{:?}", ran.warnings);
    assert!(ran.outcome().suite.tests.len() > 3, "{:?}", ran.warnings);
    assert!(ran.outcome().summary.detection.clone().unwrap().left_out.is_empty());
}

#[test]
#[ignore = "it is the API of the test before it"]
fn serves_until_it_dies() {
    let port = std::env::var(PORT).unwrap().parse().unwrap();
    let _service = Service::start(port, |number, _| {
        if number == 150 {
            std::process::exit(1);
        }
        Fate::Answer
    });
    loop {
        std::thread::park();
    }
}
