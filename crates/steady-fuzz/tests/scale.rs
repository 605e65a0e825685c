//! Large documents: what setting up takes grows with them, not with their square.

use std::time::{Duration, Instant};

use steady_fuzz::ApiModel;

/// How much larger the large one is.
const FACTOR: usize = 8;
/// Linear growth takes eight times as long, quadratic sixty-four; what is between is noise.
const MOST: u32 = 32;

#[test]
fn setting_up_grows_with_the_document() {
    let (small, large) = (document(150), document(150 * FACTOR));
    let set_up = |document: &str| {
        let api = steady_openapi::parse(document, "collections").unwrap();
        fastest(|| {
            let model = ApiModel::new(api.clone(), String::new(), &[], Vec::new(), Vec::new(), |_| true);
            assert!(model.open_endpoints().next().is_some());
        })
    };
    assert_growth(set_up(&small), set_up(&large));
}

/// Collections of one noun: every member could come from any of them.
fn document(collections: usize) -> String {
    let id = r#"{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}"#;
    let path = |number: usize| {
        format!(
            r#""/t{number}/items": {{"get": {{}}, "post": {{}}}},
               "/t{number}/items/{{id}}": {{"parameters": [{id}], "get": {{}}, "delete": {{}}}}"#
        )
    };
    let paths = (0..collections).map(path).collect::<Vec<_>>().join(",");
    format!(r#"{{"openapi": "3.0.3", "info": {{"title": "t", "version": "1"}}, "paths": {{{paths}}}}}"#)
}

fn fastest(work: impl Fn()) -> Duration {
    (0..5).fold(Duration::MAX, |fastest, _| {
        let started = Instant::now();
        work();
        fastest.min(started.elapsed())
    })
}

#[track_caller]
fn assert_growth(small: Duration, large: Duration) {
    assert!(large < small * MOST, "{large:?} for {FACTOR} times what took {small:?}");
}
