//! `steady demo`: the whole story on the embedded shop, offline.

mod args;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Duration;

use steady_demo::Shop;
use steady_emit::Emitter;
use steady_flaky::drive::SutAccess;
use steady_fuzz::Outcome;
use steady_http::{BaseUrl, Client, ClientOptions};
use steady_model::shard::Shard;
use steady_model::{
    Body, Identity, Login, LoginUse, Method, Place, RequestTemplate, Secret, Secrets, Segment, Text,
};
use steady_suite::{RunOptions, run_suite};

pub use args::DemoArgs;

use super::fuzz::{Budget, FuzzOptions, document, ended, fuzz, report};
use super::runtime;
use crate::auth::Accounts;
use crate::error::{CommandError, UserError};
use crate::exit::Exit;
use crate::filter::OperationFilter;
use crate::flaky::FlakyOptions;
use crate::session::{Ended, Session};
use crate::suite::files;
use crate::ui::{self, counted, escape_controls};
use crate::values::DocumentSource;

/// The environment variable that holds the account's password.
const PASSWORD: &str = "STEADY_DEMO_PASSWORD";
/// What the suite is written as.
const EMITTED: [Emitter; 1] = [Emitter::Pytest];
/// How often the suite is run again at the end.
const RERUNS: u32 = 3;

/// The sample did not start.
#[derive(Debug, thiserror::Error)]
#[error("the sample shop cannot be started on 127.0.0.1")]
struct ShopError(#[from] std::io::Error);

impl UserError for ShopError {}

/// Fuzzes the embedded sample, and runs what came of it.
pub fn run(session: &mut Session, time: Duration) -> Result<Ended, CommandError> {
    let shared = session.shared().clone();
    files::claim(session, &EMITTED)?;
    let shop = Shop::seeded(shared.seed).map_err(ShopError)?;
    let url: BaseUrl = shop.url().parse()?;
    if !shared.json {
        ui::eprint_line(&format!("A sample shop with bugs and volatile values is running at {url}"));
        ui::eprint_line(&format!(
            "steady fuzz --openapi {} --url {url} --time {}s\n",
            shop.openapi_url(),
            time.as_secs()
        ));
    }
    let options = FuzzOptions {
        shared,
        openapi: DocumentSource::Url(shop.openapi_url()),
        allow_refs: false,
        sut: None,
        url: Some(url.clone()),
        filter: OperationFilter::default(),
        budget: Budget { time: Some(time), detect_time: None, requests: None },
        rate: None,
        workers: NonZeroUsize::MIN,
        shard: Shard::WHOLE,
        flaky: FlakyOptions::default(),
        emit: EMITTED.to_vec(),
        sarif: None,
        accounts: account(),
        client: ClientOptions::default(),
    };
    let runtime = runtime()?;
    let api = document::load(session, &runtime, &options.openapi, options.allow_refs, &options.client)?;
    let outcome =
        fuzz(session, &runtime, &options, api, (url.clone(), String::new()), &mut SutAccess::External)?;
    let report = report(session, &options, &outcome, None);
    let failed = match session.unless_cancelled(&runtime, rerun(&url, &outcome, &options)) {
        Ok(failed) => failed?,
        // What was found is reported; that the suite holds was not shown.
        Err(_) => return Ok(Ended { exit: Exit::Error, interrupted: true, report, ..ended(&outcome) }),
    };
    let report = report + &verdict(&outcome, &failed);
    let exit = if failed.is_empty() { Exit::Clean } else { Exit::Error };
    Ok(Ended { exit, report, ..ended(&outcome) })
}

/// The shop's only customer account, as an `--auth` file would give it.
fn account() -> Accounts {
    let payload = format!("{{\"username\":\"{}\",\"password\":\"", Shop::USER);
    let text = Text::new([
        Segment::Literal(payload),
        Segment::environment(PASSWORD),
        Segment::Literal("\"}".to_owned()),
    ]);
    let request = RequestTemplate {
        method: Method::Post,
        target: "/login".into(),
        headers: Vec::new(),
        body: Some(Body::Text { content_type: "application/json".to_owned(), text }),
    };
    let usage = LoginUse::Header {
        token: Place::Body("/token".to_owned()),
        name: "authorization".to_owned(),
        template: "Bearer {token}".to_owned(),
    };
    Accounts {
        identities: vec![Identity {
            name: Shop::USER.to_owned(),
            headers: Vec::new(),
            sign_up: None,
            login: Some(Login { request, usage }),
        }],
        secrets: BTreeMap::from([(PASSWORD.to_owned(), Secret::new(Shop::PASSWORD))]),
        principals: vec![Shop::USER.to_owned()],
    }
}

/// Runs the suite a few times, shuffled; says which tests did not pass, and why.
async fn rerun(url: &BaseUrl, outcome: &Outcome, options: &FuzzOptions) -> Result<Vec<String>, CommandError> {
    let client = Client::new(url.clone(), ClientOptions::default())?;
    let secrets = Secrets::new(options.accounts.secrets.clone());
    let seed = options.shared.seed;
    let options =
        RunOptions { repeat: RERUNS, shuffle: true, workers: 1, seed, client: ClientOptions::default() };
    let mut failed = Vec::new();
    run_suite(&client, &outcome.suite, &secrets, &options, |finished| {
        for failure in finished.outcome.failures(finished.test) {
            failed.push(format!("{}: {failure}", finished.test.name));
        }
        std::ops::ControlFlow::Continue(())
    })
    .await;
    Ok(failed)
}

fn verdict(outcome: &Outcome, failed: &[String]) -> String {
    let volatile = counted(outcome.findings.flaky.len(), "volatile value");
    let tests = counted(outcome.suite.tests.len(), "test");
    if failed.is_empty() {
        format!(
            "Ran the suite {RERUNS} times, shuffled: all {tests} passed every time, with {volatile} matched by what always holds\n"
        )
    } else {
        let lines: String =
            failed.iter().take(10).map(|line| format!("    {}\n", escape_controls(line))).collect();
        format!("Ran the suite {RERUNS} times, shuffled: not all of {tests} passed every time\n{lines}")
    }
}
