//! Texts that are not OpenAPI documents, and the position in their errors.

use std::fs;

use steady_openapi::{Fetched, LoadError, LoadOptions, Source, load, parse};
use url::Url;

fn no_fetch(_: &Url, _: bool) -> Result<Fetched, String> {
    Err("connection refused".to_owned())
}

#[test]
fn what_is_no_document_says_what_it_is() {
    for (text, expected) in [
        ("", "`t` is empty, not an OpenAPI document: it has neither `openapi` nor `swagger` at its top"),
        ("[]", "`t` is a list, not an OpenAPI document: it has neither `openapi` nor `swagger` at its top"),
        (
            "{}",
            "`t` is an object, not an OpenAPI document: it has neither `openapi` nor `swagger` at its top",
        ),
        (
            "hello",
            "`t` is plain text, not an OpenAPI document: it has neither `openapi` nor `swagger` at its top",
        ),
        (
            "<!DOCTYPE html><html></html>",
            "`t` is a web page, not an OpenAPI document: it has neither `openapi` nor `swagger` at its top",
        ),
        (
            "swaggerVersion: '1.2'",
            "`t` is written in version 1.2 of OpenAPI, steady reads 2.0, 3.0, 3.1 and 3.2",
        ),
        ("openapi: 4.0.0", "`t` is written in version 4.0.0 of OpenAPI, steady reads 2.0, 3.0, 3.1 and 3.2"),
        ("{\"openapi\": \"3.0.0\",", "`t` is not valid JSON: EOF while parsing a value"),
        ("openapi: [", "`t` is not valid YAML: did not find expected node content"),
    ] {
        let error = parse(text, "t").unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(!error.hint().is_empty());
    }
    let page = parse("<html></html>", "t").unwrap_err();
    assert!(page.hint().contains("/openapi.json"));
}

#[test]
fn a_syntax_error_can_be_drawn_with_a_caret() {
    let error = parse("{\"openapi\": \"3.0.0\",\n \"paths\": {]}", "shop.json").unwrap_err();
    let LoadError::Syntax { excerpt, name, .. } = error else { panic!("{error}") };
    assert_eq!((name.as_str(), excerpt.line, excerpt.column), ("shop.json", 2, 12));
    assert_eq!(excerpt.text, " \"paths\": {]}");
    assert_eq!(excerpt.text.chars().nth(excerpt.caret), Some(']'));
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().join("gone.yaml"), folder.path().to_owned()] {
        let error = load(&Source::File(path.clone()), &LoadOptions::default(), &mut no_fetch).unwrap_err();
        let LoadError::Unreadable { path: named, .. } = &error else { panic!("{error}") };
        assert_eq!(named, &path);
    }
}

#[test]
fn what_is_too_large_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.yaml");
    fs::write(&path, format!("openapi: 3.0.0\n# {}", "x".repeat(1_000))).unwrap();
    let options = LoadOptions { max_bytes: 500, ..LoadOptions::default() };
    let error = load(&Source::File(path), &options, &mut no_fetch).unwrap_err();
    assert!(matches!(error, LoadError::TooLarge { bytes: 1_017, limit: 500, .. }), "{error}");
    let url = Source::from("http://shop.test/openapi.json");
    let mut fetch = |url: &Url, _| Ok(Fetched { text: "x".repeat(501), url: url.clone() });
    let error = load(&url, &options, &mut fetch).unwrap_err();
    assert!(matches!(error, LoadError::TooLarge { bytes: 501, limit: 500, .. }), "{error}");
}

#[test]
fn a_url_that_fails_says_why() {
    let error =
        load(&Source::from("http://shop.test/x"), &LoadOptions::default(), &mut no_fetch).unwrap_err();
    assert_eq!(error.to_string(), "cannot fetch http://shop.test/x: connection refused");
}

#[test]
fn text_in_other_encodings_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let text = "openapi: 3.0.0\ninfo: {title: Caf\u{e9}}";
    let wide = |to: fn(u16) -> [u8; 2], mark: [u8; 2]| {
        mark.into_iter().chain(text.encode_utf16().flat_map(to)).collect()
    };
    let little: Vec<u8> = wide(u16::to_le_bytes, [0xff, 0xfe]);
    let big: Vec<u8> = wide(u16::to_be_bytes, [0xfe, 0xff]);
    let marked = format!("\u{feff}{text}").into_bytes();
    let latin = [&b"openapi: 3.0.0\ninfo: {title: Caf"[..], &[0xe9], b"}"].concat();
    for (bytes, title) in [(little, "Café"), (big, "Café"), (marked, "Café"), (latin, "Caf\u{fffd}")] {
        let path = folder.path().join("api.yaml");
        fs::write(&path, bytes).unwrap();
        let api = load(&Source::File(path), &LoadOptions::default(), &mut no_fetch).unwrap();
        assert_eq!(api.title, title);
    }
}
