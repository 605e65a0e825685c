//! What is done to an API from outside: a request to it, or a command beside it.

use std::fmt;
use std::str::FromStr;

use steady_model::{Method, Request};

/// A request without headers and body, written `POST /__reset`. The path is relative to the server, not to the base path
/// of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestLine {
    /// The method.
    pub method: Method,
    /// Path and query.
    pub target: String,
}

/// The text is not a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a request; write a method and a path, like `GET /health`")]
pub struct ParseRequestError {
    /// What was written.
    pub text: String,
}

impl RequestLine {
    /// The request to send.
    pub(crate) fn request(&self) -> Request {
        Request { method: self.method, target: self.target.clone(), headers: Vec::new(), body: None }
    }
}

impl FromStr for RequestLine {
    type Err = ParseRequestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseRequestError { text: text.to_owned() };
        let (method, target) = text.trim().split_once(' ').ok_or_else(error)?;
        let target = target.trim();
        let is_path = target.starts_with('/') && !target.contains(char::is_whitespace);
        if !is_path {
            return Err(error());
        }
        Ok(Self { method: method.parse().map_err(|_| error())?, target: target.to_owned() })
    }
}

impl fmt::Display for RequestLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.target)
    }
}

/// A request or a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// This request is sent to the API.
    Request(RequestLine),
    /// This command is run, in the API's environment.
    Command(String),
}

impl FromStr for Action {
    type Err = ParseRequestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut words = text.split_whitespace();
        let (first, second, more) = (words.next(), words.next(), words.next());
        let is_method = first.is_some_and(|word| Method::ALL.iter().any(|method| method.as_str() == word));
        match (first, second, more) {
            (None, ..) => Err(ParseRequestError { text: text.to_owned() }),
            // `POST __reset` is a slip, not a program.
            (Some(_), Some(_), None) if is_method => text.parse().map(Self::Request),
            _ => Ok(Self::Command(text.to_owned())),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(request) => request.fmt(f),
            Self::Command(command) => f.write_str(command),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_and_a_path_are_a_request_and_the_rest_are_commands() {
        let request = Action::Request(RequestLine { method: Method::Post, target: "/__reset?all=1".into() });
        assert_eq!("POST  /__reset?all=1".parse(), Ok(request));
        for command in ["./reset.sh", "psql -f seed.sql", "get /x", "GET /x now", "POST"] {
            assert_eq!(command.parse(), Ok(Action::Command(command.to_owned())), "{command}");
        }
    }

    #[test]
    fn what_is_nearly_a_request_is_refused_with_what_to_do() {
        for text in ["POST __reset", "DELETE http://127.0.0.1/", "", "  "] {
            let error = text.parse::<Action>().unwrap_err();
            assert!(error.to_string().ends_with("like `GET /health`"), "{error}");
        }
        for text in ["/health", "GET", "FETCH /health", "GET health", "GET /a b"] {
            assert!(text.parse::<RequestLine>().is_err(), "{text}");
        }
    }
}
