//! `steady mock record`: a proxy that writes down what a real service answers.

use std::net::{Ipv4Addr, SocketAddr};

use steady_http::{BaseUrl, Client, ClientOptions};
use steady_mock::Recorder;
use steady_mock::import::mappings_of;

use super::{RecordArgs, mapping_file, serve};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::session::{Ended, Session};
use crate::ui;

/// How much of an answer is kept.
const LARGEST_ANSWER: usize = 64 << 20;

/// Passes requests on until a signal comes, then writes the mappings.
pub(super) fn run(session: &mut Session, args: &RecordArgs) -> Result<Ended, CommandError> {
    let base: BaseUrl = args.url.parse()?;
    let name = base.origin().rsplit("//").next().unwrap_or("service").replace([':', '[', ']'], "-");
    let file = mapping_file::reserve(&args.into, &name)?;
    let options =
        ClientOptions { insecure: args.insecure, max_body: LARGEST_ANSWER, ..ClientOptions::default() };
    let client = Client::new(base, options)?;
    let runtime = serve::workers()?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let recorder = runtime.block_on(Recorder::start(address, client))?;
    let line = format!("recording {} on http://{}; end it with Ctrl-C\n", args.url, recorder.address());
    if session.is_json() {
        session.note(line.trim_end());
    } else {
        ui::print(&line)?;
    }
    runtime.block_on(session.cancel().requested());
    let exchanges = recorder.exchanges();
    let mappings = mappings_of(&exchanges);
    if mappings.is_empty() {
        return Ok(Ended::with(Exit::Clean, "no request came; nothing was written\n".to_owned()));
    }
    mapping_file::write(&file, &mappings)?;
    session.wrote(&file);
    let report =
        format!("{} exchanges, {} mappings in {}\n", exchanges.len(), mappings.len(), file.display());
    Ok(Ended::with(Exit::Clean, report))
}
