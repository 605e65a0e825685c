//! Fetching one text document by its full address.

use steady_model::{Method, Payload, Request, Response};
use url::{Position, Url};

use crate::{BaseUrl, Client, ClientError, ClientOptions, ParseBaseUrlError, TransportError};

/// How many redirects are followed.
const MAX_REDIRECTS: usize = 5;
/// Documents may be larger than answers of an API.
const MAX_DOCUMENT: usize = 64 << 20;

/// A document cannot be fetched.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "`url` is the address that failed, after redirects")]
pub enum GetError {
    /// The address cannot be asked.
    #[error(transparent)]
    Address(#[from] ParseBaseUrlError),
    /// The client cannot be set up.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// No response.
    #[error("`{url}` could not be fetched")]
    Transport { url: String, source: TransportError },
    /// The response is not a document.
    #[error("`{url}` answered with status {status}; expected 200")]
    Status { url: String, status: u16 },
    /// One redirect too many.
    #[error("`{url}` redirected more than {MAX_REDIRECTS} times; give the final address")]
    TooManyRedirects { url: String },
    /// A redirect to another origin, where none is followed.
    #[error("`{url}` redirected to {location}, another host, scheme or port")]
    ForeignRedirect { url: String, location: String },
    /// A redirect without a usable target.
    #[error("`{url}` redirected to {location:?}, which is not a URL")]
    InvalidRedirect { url: String, location: String },
    /// The document does not end before the limit.
    #[error("`{url}` is larger than {limit} bytes")]
    TooLarge { url: String, limit: usize },
    /// The document is not UTF-8.
    #[error("`{url}` is not UTF-8 text")]
    NotText { url: String },
}

/// Which redirects are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redirects {
    /// All.
    Anywhere,
    /// Those to the same scheme, host and port.
    SameOrigin,
}

/// A document that was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Its text.
    pub text: String,
    /// Its address, after redirects.
    pub url: Url,
}

/// Fetches a text document, following at most five redirects. The limit on its size is 64 MiB or
/// [`ClientOptions::max_body`], whichever is larger.
pub async fn get(url: &str, redirects: Redirects, options: &ClientOptions) -> Result<Fetched, GetError> {
    let limit = options.max_body.max(MAX_DOCUMENT);
    let options = ClientOptions { max_body: limit, ..options.clone() };
    let mut next = address(url)?;
    let home = next.origin();
    for _ in 0..=MAX_REDIRECTS {
        let response = ask(&next, &options).await?;
        match redirect(&next, &response)? {
            Some(target) if redirects == Redirects::SameOrigin && target.origin() != home => {
                return Err(GetError::ForeignRedirect { url: next.into(), location: target.into() });
            }
            Some(target) => next = target,
            None => return Ok(Fetched { text: document(&next, response, limit)?, url: next }),
        }
    }
    Err(GetError::TooManyRedirects { url: url.to_owned() })
}

/// Checks an address the way a base URL is checked, but lets it have a query.
fn address(text: &str) -> Result<Url, ParseBaseUrlError> {
    let without_query = text.split(['?', '#']).next().unwrap_or_default();
    without_query.parse::<BaseUrl>()?;
    Url::parse(text.trim()).map_err(|reason| ParseBaseUrlError::Invalid { text: text.to_owned(), reason })
}

async fn ask(url: &Url, options: &ClientOptions) -> Result<Response, GetError> {
    let origin: BaseUrl = url.origin().ascii_serialization().parse()?;
    let mut channel = Client::new(origin, options.clone())?.channel();
    let target = url[Position::BeforePath..Position::AfterQuery].to_owned();
    let request = Request { method: Method::Get, target, headers: Vec::new(), body: None };
    let sent = channel.send(&request).await;
    sent.map(|(response, _)| response).map_err(|source| GetError::Transport { url: url.to_string(), source })
}

/// Where the response sends us, if it does.
fn redirect(url: &Url, response: &Response) -> Result<Option<Url>, GetError> {
    if !matches!(response.status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = response.header("location") else { return Ok(None) };
    let invalid = || GetError::InvalidRedirect { url: url.to_string(), location: location.to_owned() };
    let target = url.join(location).map_err(|_| invalid())?;
    address(target.as_str()).map(Some).map_err(|_| invalid())
}

fn document(url: &Url, response: Response, limit: usize) -> Result<String, GetError> {
    let url = || url.to_string();
    match response.body {
        _ if response.status != 200 => Err(GetError::Status { url: url(), status: response.status }),
        _ if response.truncated => Err(GetError::TooLarge { url: url(), limit }),
        Payload::Text(text) => Ok(text.to_string()),
        Payload::Bytes(_) => Err(GetError::NotText { url: url() }),
    }
}
