//! The admin API, with WireMock's paths and bodies, so that its clients drive this server, too.
//!
//! | path below `/__admin` | methods |
//! |---|---|
//! | `/mappings` | GET, POST, DELETE |
//! | `/mappings/{id}` | GET, PUT, DELETE |
//! | `/mappings/reset`, `/mappings/import` | POST |
//! | `/requests`, `/requests/{id}` | GET, DELETE |
//! | `/requests/count`, `/requests/find`, `/requests/remove` | POST |
//! | `/requests/unmatched`, `/requests/unmatched/near-misses` | GET |
//! | `/near-misses/request`, `/near-misses/request-pattern` | POST |
//! | `/scenarios` | GET |
//! | `/scenarios/reset` | POST |
//! | `/scenarios/{name}/state` | PUT |
//! | `/settings` | GET, POST, PUT |
//! | `/reset` | POST |
//! | `/health` | GET |

mod logged;
mod mappings;
mod requests;
mod scenarios;
mod settings;

use http::{HeaderValue, Method, Response, StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::mapping::MappingError;
use crate::matching::Received;
use crate::server::AnswerBody;
use crate::state::State;

/// What all paths of the admin API begin with.
pub(crate) const PREFIX: &str = "/__admin";

/// What a request to the admin API comes to.
type Answer = Result<(StatusCode, Value), Refusal>;

/// Why the admin API does not do what it was asked.
#[derive(Debug)]
enum Refusal {
    NotFound,
    /// The body is not what it should be.
    Invalid {
        title: String,
        detail: String,
    },
}

/// Answers a request to the admin API.
pub(crate) fn answer(state: &State, received: &Received) -> Response<AnswerBody> {
    let path = received.path().strip_prefix(PREFIX).unwrap_or_default().trim_matches('/');
    let segments: Vec<String> = path.split('/').map(decoded).collect();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let method = &received.method;
    let answer = match segments.as_slice() {
        ["mappings", rest @ ..] => mappings::answer(state, method, rest, received),
        ["requests", rest @ ..] => requests::answer(state, method, rest, received),
        ["near-misses", rest @ ..] => requests::near_misses_of(state, method, rest, received),
        ["scenarios", rest @ ..] => scenarios::answer(state, method, rest, received),
        ["settings"] => settings::answer(state, method, received),
        ["reset"] if *method == Method::POST => {
            state.reset();
            done()
        }
        ["health"] if *method == Method::GET => Ok((
            StatusCode::OK,
            json!({"status": "healthy", "message": "steady mock is ok", "version": env!("CARGO_PKG_VERSION")}),
        )),
        _ => Err(Refusal::NotFound),
    };
    match answer {
        Ok((status, body)) => reply(status, &body),
        Err(Refusal::NotFound) => reply(StatusCode::NOT_FOUND, &json!({})),
        Err(Refusal::Invalid { title, detail }) => {
            let error = json!({"code": 10, "title": title, "detail": detail});
            reply(StatusCode::UNPROCESSABLE_ENTITY, &json!({"errors": [error]}))
        }
    }
}

fn done() -> Answer {
    Ok((StatusCode::OK, json!({})))
}

fn reply(status: StatusCode, body: &Value) -> Response<AnswerBody> {
    let mut response = Response::new(AnswerBody::whole(body.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Reads the body of a request; an error says where in the body.
fn body<T: DeserializeOwned>(received: &Received) -> Result<T, Refusal> {
    let text = received.body_text();
    serde_json::from_str(&text).map_err(|error| MappingError::of_json("request body", &text, &error).into())
}

impl From<MappingError> for Refusal {
    fn from(error: MappingError) -> Self {
        let title = error.to_string();
        let detail = match error {
            MappingError::Invalid { line, column, text, .. } => {
                format!("line {line}, column {column}: {text}")
            }
            _ => String::new(),
        };
        Self::Invalid { title, detail }
    }
}

impl From<crate::answer::AnswerError> for Refusal {
    fn from(error: crate::answer::AnswerError) -> Self {
        Self::Invalid { title: error.to_string(), detail: String::new() }
    }
}

/// The part of a list that `limit` and `offset` of the query ask for.
fn page<T>(items: Vec<T>, received: &Received) -> Vec<T> {
    let number = |name: &str| {
        let given = received.query().iter().find(|(key, _)| key == name);
        given.and_then(|(_, value)| value.parse::<usize>().ok())
    };
    let limit = number("limit").unwrap_or(usize::MAX);
    items.into_iter().skip(number("offset").unwrap_or(0)).take(limit).collect()
}

fn decoded(segment: &str) -> String {
    let kept = segment.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    url::form_urlencoded::parse(kept.as_bytes())
        .next()
        .map_or_else(String::new, |(text, _)| text.into_owned())
}
