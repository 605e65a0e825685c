//! Operations that stop, pause or disable the service for all clients, and those that undo it.

use crate::catalog::Catalog;
use crate::endpoint_id::{EndpointId, PerEndpoint};
use crate::names::Name;

/// What stops a service, the mildest first, and what starts it again, the best first.
///
/// Words are all there is to go by before the first call, and after it is too late: every later answer would be that of a stopped
/// service.
const HALTS: [(&str, &[&str]); 10] = [
    ("pause", &["resume", "unpause", "continue", "start", "run"]),
    ("standby", &["start", "resume", "run"]),
    ("suspend", &["resume", "start", "run"]),
    ("disable", &["enable"]),
    ("deactivate", &["activate"]),
    ("freeze", &["unfreeze", "thaw"]),
    ("drain", &["undrain", "resume"]),
    ("lock", &["unlock"]),
    ("offline", &["online"]),
    ("stop", &["start", "run", "resume", "restart"]),
];

/// An operation that stops the service for all clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Halt {
    /// The endpoint that undoes it.
    pub undo: Option<EndpointId>,
    /// How hard it is to undo, as far as words show.
    pub severity: usize,
}

/// What each described endpoint stops. A path with a parameter is about one thing among many, and `GET /bus/stop` without anything
/// that starts beside it reads where a bus stops.
pub fn find(catalog: &Catalog) -> PerEndpoint<Option<Halt>> {
    let verbs: Vec<(EndpointId, (&str, String))> = catalog
        .described()
        .filter_map(|(id, endpoint)| Some((id, verb(&endpoint.operation.id.path)?)))
        .collect();
    catalog.endpoints().map(|id, endpoint| {
        if catalog.is_probe(id) {
            return None;
        }
        let (parent, word) = verb(&endpoint.operation.id.path)?;
        let severity = HALTS.iter().position(|(halts, _)| *halts == word)?;
        let (_, undoing) = HALTS[severity];
        let beside = |wanted: &&str| {
            let is_wanted = |(above, word): &(&str, String)| *above == parent && word == wanted;
            verbs.iter().find(|(_, verb)| is_wanted(verb)).map(|(id, _)| *id)
        };
        let undo = undoing.iter().find_map(beside);
        let changes = !endpoint.operation.id.method.is_safe();
        (changes || undo.is_some()).then_some(Halt { undo, severity })
    })
}

/// The path above the last segment, and the first word of that; none for paths with parameters.
fn verb(path: &str) -> Option<(&str, String)> {
    let (parent, last) = path.trim_end_matches('/').rsplit_once('/')?;
    if path.contains('{') {
        return None;
    }
    let snake = Name::new(last).snake();
    Some((parent, snake.split('_').next().unwrap_or_default().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stops_the_service_for_all_clients_is_known_with_what_undoes_it() {
        let document = r#"{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {
            "/scheduler/stop": {"get": {}}, "/scheduler/run": {"get": {}}, "/scheduler/status": {"get": {}},
            "/scheduler/pauseAll": {"post": {}}, "/scheduler/resume-all": {"post": {}},
            "/feature/disable": {"put": {}},
            "/bus/stop": {"get": {}},
            "/jobs/{id}/stop": {"post": {"parameters": [{"name": "id", "in": "path", "required": true}]}}
        }}"#;
        let api = steady_openapi::parse(document, "scheduler").unwrap();
        let catalog = Catalog::new(api, String::new(), |_| true);
        let path = |index: EndpointId| catalog[index].operation.id.path.as_str();
        let found: Vec<(&str, Option<&str>)> = find(&catalog)
            .iter()
            .filter_map(|(index, halt)| halt.map(|halt| (path(index), halt.undo.map(path))))
            .collect();
        let expected = [
            ("/scheduler/stop", Some("/scheduler/run")),
            ("/scheduler/pauseAll", Some("/scheduler/resume-all")),
            ("/feature/disable", None),
        ];
        assert_eq!(found, expected);
    }
}
