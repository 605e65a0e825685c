//! `steady mock import`: mappings from documents people already have.

use std::path::Path;

use serde_json::Value;
use steady_mock::import::{har, mappings_of, openapi, postman};
use steady_mock::mapping::Mapping;
use steady_openapi::{LoadOptions, Source};

use super::error::{BadDocument, BadMapping};
use super::{ImportArgs, ImportKind, mapping_file};
use crate::error::{CommandError, ReadError, UsageError};
use crate::exit::Exit;
use crate::session::{Ended, Session};

/// Reads the document and writes its mappings.
pub(super) fn run(session: &mut Session, args: &ImportArgs) -> Result<Ended, CommandError> {
    let stem =
        args.file.file_stem().map_or_else(|| "imported".into(), |stem| stem.to_string_lossy().into_owned());
    let file = mapping_file::reserve(&args.into, &stem)?;
    let text = std::fs::read_to_string(&args.file).map_err(|source| ReadError {
        what: "the document",
        path: args.file.clone(),
        source,
    })?;
    let origin = args.file.display().to_string();
    let mappings = match args.kind.unwrap_or_else(|| kind_of(&text)) {
        ImportKind::Har => mappings_of(&har(&text, &origin).map_err(BadMapping::from)?),
        ImportKind::Postman => mappings_of(&postman(&text, &origin).map_err(BadMapping::from)?),
        ImportKind::Openapi => of_openapi(session, &args.file)?,
    };
    if mappings.is_empty() {
        let message = format!("`{origin}` has no answers to make mappings of");
        let hint = "a HAR file needs finished requests, a Postman collection saved examples".to_owned();
        return Err(UsageError { message, hint }.into());
    }
    mapping_file::write(&file, &mappings)?;
    session.wrote(&file);
    Ok(Ended::with(Exit::Clean, format!("{} mappings in {}\n", mappings.len(), file.display())))
}

fn of_openapi(session: &Session, path: &Path) -> Result<Vec<Mapping>, CommandError> {
    let refuse = &mut |_: &url::Url, _| Err("other documents are not fetched".to_owned());
    let loaded = steady_openapi::load(&Source::File(path.to_owned()), &LoadOptions::default(), refuse);
    let api = loaded.map_err(BadDocument::from)?;
    for problem in &api.problems {
        session.warn(format!("{}: {}", problem.place, problem.message));
    }
    openapi(&api).map_err(|error| {
        let hint = "correct the path in the document".to_owned();
        UsageError { message: error.to_string(), hint }.into()
    })
}

/// What a document looks like; what is neither of the others is taken for OpenAPI, whose reader explains best what is wrong.
fn kind_of(text: &str) -> ImportKind {
    match serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) {
        Ok(value) if value["log"]["entries"].is_array() => ImportKind::Har,
        Ok(value) if value["item"].is_array() => ImportKind::Postman,
        _ => ImportKind::Openapi,
    }
}
