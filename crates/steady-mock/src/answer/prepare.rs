//! From a response definition to bytes.

use std::io;
use std::path::{Component, Path, PathBuf};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use hyper::ext::ReasonPhrase;

use super::Random;
use super::template::{ParseTemplateError, Template};
use crate::mapping::{Mapping, ResponseDefinition, StubId};
use crate::matching::Received;

/// An answer, as far as it is the same every time.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) reason: Option<ReasonPhrase>,
    headers: HeaderMap,
    body: Body,
    /// Headers that are templates.
    templates: Vec<(HeaderName, Template)>,
}

#[derive(Debug)]
enum Body {
    Bytes(Bytes),
    Template(Template),
}

/// Headers and body for one request.
pub(crate) struct Rendered {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// The answer of a mapping cannot be given; the first text in backticks of each message is what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum AnswerError {
    #[error("`{0}` is not a header name")]
    HeaderName(String),
    #[error("`{0}` cannot stand in a header")]
    HeaderValue(String),
    #[error("`{0}` cannot stand after a status; use printable characters")]
    StatusMessage(String),
    #[error("`{second}` and `{first}` in one response; keep one body")]
    SeveralBodies { first: &'static str, second: &'static str },
    #[error("`{0}` is not below the folder `__files`")]
    OutsideFiles(String),
    #[error("`{0}` needs a folder `__files`, and there is none")]
    NoFiles(String),
    #[error("`{name}` cannot be read below `{}`", folder.display())]
    File { name: String, folder: PathBuf, source: io::Error },
    #[error(transparent)]
    Template(#[from] ParseTemplateError),
}

impl Answer {
    pub(crate) fn prepare(mapping: &Mapping, id: StubId, files: Option<&Path>) -> Result<Self, AnswerError> {
        let response = &mapping.response;
        let is_template = response.is_template();
        let mut headers = HeaderMap::new();
        let mut templates = Vec::new();
        for (name, values) in &response.headers {
            let key =
                HeaderName::try_from(name.as_str()).map_err(|_| AnswerError::HeaderName(name.clone()))?;
            for value in &values.0 {
                if is_template && value.contains("{{") {
                    templates.push((key.clone(), value.parse()?));
                    continue;
                }
                let value =
                    HeaderValue::from_str(value).map_err(|_| AnswerError::HeaderValue(value.clone()))?;
                headers.append(key.clone(), value);
            }
        }
        // WireMock's clients look for them.
        if let Ok(id) = HeaderValue::try_from(id.to_string()) {
            headers.insert("matched-stub-id", id);
        }
        if let Some(name) = mapping.name.as_deref().and_then(|name| HeaderValue::from_str(name).ok()) {
            headers.insert("matched-stub-name", name);
        }
        let bytes = body(response, files)?;
        let body = match std::str::from_utf8(&bytes) {
            Ok(text) if is_template && text.contains("{{") => Body::Template(text.parse()?),
            _ => Body::Bytes(bytes),
        };
        let reason = response.status_message.as_deref().map(|message| {
            ReasonPhrase::try_from(message.as_bytes())
                .map_err(|_| AnswerError::StatusMessage(message.to_owned()))
        });
        // The mapping's reader has seen to the range.
        let status = response.status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or_default();
        Ok(Self { status, reason: reason.transpose()?, headers, body, templates })
    }

    /// Headers and body for a request.
    pub(crate) fn render(
        &self,
        mapping: &Mapping,
        received: &Received,
        random: impl FnOnce() -> Random,
    ) -> Rendered {
        let headers = self.headers.clone();
        match &self.body {
            Body::Bytes(body) if self.templates.is_empty() => Rendered { headers, body: body.clone() },
            body => {
                let mut random = random();
                let mut fill = |template: &Template| template.fill(mapping, received, &mut random);
                let mut headers = headers;
                for (name, template) in &self.templates {
                    if let Ok(value) = HeaderValue::try_from(fill(template)) {
                        headers.append(name.clone(), value);
                    }
                }
                let body = match body {
                    Body::Bytes(body) => body.clone(),
                    Body::Template(template) => Bytes::from(fill(template)),
                };
                Rendered { headers, body }
            }
        }
    }
}

fn body(response: &ResponseDefinition, files: Option<&Path>) -> Result<Bytes, AnswerError> {
    let stated = [
        ("body", response.body.is_some()),
        ("jsonBody", response.json_body.is_some()),
        ("base64Body", response.base64_body.is_some()),
        ("bodyFileName", response.body_file_name.is_some()),
    ];
    let mut stated = stated.into_iter().filter(|(_, stated)| *stated).map(|(name, _)| name);
    if let (Some(first), Some(second)) = (stated.next(), stated.next()) {
        return Err(AnswerError::SeveralBodies { first, second });
    }
    if let Some(text) = &response.body {
        return Ok(Bytes::from(text.clone()));
    }
    if let Some(value) = &response.json_body {
        return Ok(Bytes::from(value.to_string()));
    }
    if let Some(bytes) = &response.base64_body {
        return Ok(bytes.0.clone());
    }
    response.body_file_name.as_deref().map_or(Ok(Bytes::new()), |name| file(name, files))
}

/// Reads a body's file, which may not be elsewhere.
fn file(name: &str, files: Option<&Path>) -> Result<Bytes, AnswerError> {
    let relative = Path::new(name.trim_start_matches('/'));
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(AnswerError::OutsideFiles(name.to_owned()));
    }
    let folder = files.ok_or_else(|| AnswerError::NoFiles(name.to_owned()))?;
    let read = std::fs::read(folder.join(relative));
    read.map(Bytes::from).map_err(|source| AnswerError::File {
        name: name.to_owned(),
        folder: folder.to_owned(),
        source,
    })
}
