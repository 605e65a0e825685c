//! Fetching one document.

use steady_http::{ClientOptions, Fetched, GetError, Redirects, get};

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
    let url = format!("{}{path}", service.url());
    let fetched = get(&url, Redirects::SameOrigin, &ClientOptions::default()).await;
    fetched.map(|fetched| fetched.text)
}

#[tokio::test]
async fn a_redirect_to_another_origin_is_followed_only_where_any_is() {
    let library = library();
    let elsewhere = format!("{}/old", library.url());
    let location = format!("Location: {elsewhere}");
    let service = Service::answering(response("302 Found", &[&location], ""));
    let options = ClientOptions::default();
    let refused = get(&service.url(), Redirects::SameOrigin, &options).await;
    assert!(
        matches!(&refused, Err(GetError::ForeignRedirect { location, .. }) if *location == elsewhere),
        "{refused:?}"
    );
    assert_eq!(library.connections(), 0, "and nobody is asked there");
    let Fetched { text, url } = get(&service.url(), Redirects::Anywhere, &options).await.unwrap();
    assert_eq!(
        (text.as_str(), url.as_str()),
        ("openapi: 3.0.0", &*format!("{}/document?v=2", library.url()))
    );
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
    let error =
        get("127.0.0.1/openapi.json?x=1", Redirects::Anywhere, &ClientOptions::default()).await.unwrap_err();
    assert!(error.to_string().contains("add http:// or https://"), "{error}");
}
