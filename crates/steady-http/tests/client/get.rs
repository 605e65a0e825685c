//! Fetching one document.

use steady_http::{ClientOptions, GetError, get};

use crate::service::{Service, response};

/// `/0` redirects to `/1` and so on; `/document` has the text, `/bytes` has none, `/gone` is not there.
fn library() -> Service {
    Service::start(|_, mut connection| {
        while let Some((head, _)) = connection.read_request() {
            let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
            let answer = match path.as_str() {
                "/document?v=2" => response("200 OK", &[], "openapi: 3.0.0"),
                "/old" => response("301 Moved Permanently", &["Location: document?v=2"], ""),
                "/lost" => response("302 Found", &["Location: ftp://elsewhere.test/"], ""),
                "/bytes" => response("200 OK", &[], [0xff, 0xfe]),
                "/gone" => response("404 Not Found", &[], "no"),
                number => {
                    let next: u64 = number.trim_start_matches('/').parse().unwrap();
                    response("307 Temporary Redirect", &[&format!("Location: /{}", next + 1)], "")
                }
            };
            connection.write(&answer);
        }
    })
}

async fn fetch(path: &str) -> Result<String, GetError> {
    let service = library();
    get(&format!("{}{path}", service.url()), &ClientOptions::default()).await
}

#[tokio::test]
async fn a_document_is_fetched_through_redirects() {
    assert_eq!(fetch("/document?v=2").await.unwrap(), "openapi: 3.0.0");
    assert_eq!(fetch("/old").await.unwrap(), "openapi: 3.0.0");
}

#[tokio::test]
async fn a_redirect_loop_ends() {
    let outcome = fetch("/0").await;
    assert!(matches!(outcome, Err(GetError::TooManyRedirects { .. })), "{outcome:?}");
}

#[tokio::test]
async fn a_redirect_to_something_that_is_not_http_is_refused() {
    let outcome = fetch("/lost").await;
    assert!(
        matches!(&outcome, Err(GetError::InvalidRedirect { location, .. }) if location == "ftp://elsewhere.test/"),
        "{outcome:?}"
    );
}

#[tokio::test]
async fn what_is_no_text_document_is_an_error() {
    assert!(matches!(fetch("/gone").await, Err(GetError::Status { status: 404, .. })));
    assert!(matches!(fetch("/bytes").await, Err(GetError::NotText { .. })));
}

#[tokio::test]
async fn an_address_without_scheme_is_refused() {
    let error = get("127.0.0.1/openapi.json?x=1", &ClientOptions::default()).await.unwrap_err();
    assert!(error.to_string().contains("add http:// or https://"), "{error}");
}
