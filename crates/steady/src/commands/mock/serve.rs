//! `steady mock serve`: a folder of mappings, until a signal comes.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use steady_mock::mapping::MappingError;
use steady_mock::{JournalLimits, MappingFolder, MockOptions, Mocks};
use tokio::runtime::{Builder, Runtime};

use super::ServeArgs;
use super::error::BadMapping;
use crate::error::{CommandError, RuntimeError, UsageError};
use crate::exit::Exit;
use crate::session::{Ended, Session};
use crate::ui;

/// How often the folder is looked at.
const LOOK: Duration = Duration::from_millis(300);

/// Serves the mappings of a folder.
pub(super) fn run(session: &mut Session, args: &ServeArgs) -> Result<Ended, CommandError> {
    let runtime = workers()?;
    let journal = JournalLimits { requests: args.journal, ..JournalLimits::default() };
    let options = MockOptions {
        run: "steady mock serve".to_owned(),
        seed: session.shared().seed,
        journal,
        ..MockOptions::default()
    };
    let mocks = Mocks::new(options)?;
    let mut folder = MappingFolder::new(&args.folder);
    let stubs = folder.refresh(mocks.state()).unwrap_or(Ok(0)).map_err(|errors| first(session, errors))?;

    let listening = runtime.block_on(listen(&mocks, args))?;
    let lines: String = listening.iter().map(|line| format!("{line}\n")).collect();
    let authority = mocks.authority().certificate_file();
    let lines = format!(
        "{lines}{stubs} stubs from {}; certificate to trust: {}\n",
        args.folder.display(),
        authority.display()
    );
    if session.is_json() {
        lines.lines().for_each(|line| session.note(line));
    } else {
        ui::print(&lines)?;
    }
    runtime.block_on(async {
        loop {
            tokio::select! {
                () = session.cancel().requested() => break,
                () = tokio::time::sleep(LOOK) => {}
            }
            match folder.refresh(mocks.state()) {
                None => {}
                Some(Ok(stubs)) => {
                    session.note(format!("read {} again: {stubs} stubs", args.folder.display()));
                }
                Some(Err(errors)) => {
                    for error in errors {
                        let line = BadMapping::from(error).line();
                        session.warn(format!("{line}; the last good version goes on answering"));
                    }
                }
            }
        }
    });
    let entries = mocks.state().journal.entries();
    let unmatched = entries.iter().filter(|entry| entry.stub.is_none()).count();
    let report = format!("{} requests in the journal, {unmatched} without a stub\n", entries.len());
    Ok(Ended::with(Exit::Clean, report))
}

/// Connections are served on all cores.
pub(super) fn workers() -> Result<Runtime, RuntimeError> {
    Ok(Builder::new_multi_thread().enable_all().build()?)
}

/// The first error ends the command; the others are said, too.
fn first(session: &Session, errors: Vec<MappingError>) -> CommandError {
    let mut errors = errors.into_iter().map(BadMapping::from);
    let first = errors.next();
    errors.for_each(|error| session.warn(error.line()));
    let nothing =
        || UsageError { message: "the folder cannot be read".to_owned(), hint: "check the path".to_owned() };
    first.map_or_else(|| nothing().into(), Into::into)
}

async fn listen(mocks: &Mocks, args: &ServeArgs) -> Result<Vec<String>, CommandError> {
    let local = |port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let address = mocks.listen(local(args.port)).await?;
    let mut lines = vec![format!(
        "listening on http://{address} and https://{address}, admin API at http://{address}/__admin"
    )];
    if let Some(port) = args.https_port {
        let address = mocks.listen(local(port)).await?;
        lines.push(format!("listening on https://{address}"));
    }
    for given in &args.hosts {
        let (host, port) = given.rsplit_once(':').unwrap_or((given, "80"));
        let port = port.parse().map_err(|_| UsageError {
            message: format!("`{given}` is not a host and a port"),
            hint: "write HOST or HOST:PORT, such as partner.test:443".to_owned(),
        })?;
        let address = mocks.service(host, port).await?;
        lines.push(format!("{host}:{port} is mocked on {address}"));
    }
    Ok(lines)
}
