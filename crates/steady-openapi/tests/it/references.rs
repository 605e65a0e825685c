//! References to other documents: files, URLs, and what is refused.

use std::collections::BTreeMap;
use std::fs;

use serde_json::json;
use steady_openapi::{Api, LoadOptions, Source, load};
use url::Url;

use crate::problems;

/// Loads a document of a small web, noting which URLs were asked for.
fn load_from(web: &[(&str, &str)], allow_remote: bool) -> (Api, Vec<String>) {
    let web: BTreeMap<&str, &str> = web.iter().copied().collect();
    let mut asked = Vec::new();
    let mut fetch = |url: &Url| {
        asked.push(url.to_string());
        web.get(url.as_str()).map(|text| (*text).to_owned()).ok_or_else(|| "404".to_owned())
    };
    let options = LoadOptions { allow_remote, ..LoadOptions::default() };
    let api = load(&Source::from("http://shop.test/api/openapi.yaml"), &options, &mut fetch).unwrap();
    (api, asked)
}

const ROOT: &str = "
openapi: 3.0.0
paths:
  /a: {$ref: 'paths.yaml#/a'}
  /b: {get: {responses: {200: {content: {application/json: {schema: {$ref: 'http://other.test/x.yaml#/S'}}}}}}}";

#[test]
fn files_refer_to_files_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "openapi.yaml",
        "
openapi: 3.0.0
paths:
  /pets: {$ref: paths/pets.yaml}
  /gone: {$ref: paths/gone.yaml}
components: {schemas: {Pet: {type: integer}}}",
    );
    write(
        "paths/pets.yaml",
        "
get:
  parameters: [{$ref: '../shared.json#/parameters/limit'}]
  responses: {200: {content: {application/json: {schema: {$ref: '../models/pet.yaml'}}}}}",
    );
    write(
        "shared.json",
        r#"{"parameters": {"limit": {"name": "limit", "in": "query", "schema": {"type": "integer"}}}}"#,
    );
    write(
        "models/pet.yaml",
        "properties: {mother: {$ref: pet.yaml}, other: {$ref: '../openapi.yaml#/components/schemas/Pet'}}",
    );
    let source = Source::File(folder.path().join("openapi.yaml"));
    let api = load(&source, &LoadOptions::default(), &mut |_| Err(String::new())).unwrap();
    assert_eq!(api.operations.len(), 1);
    assert_eq!(api.operations[0].parameters[0].name, "limit");
    let schema = api.operations[0].responses[0].content[0].schema.as_ref().unwrap();
    assert_eq!(*schema.0, json!({"$ref": "#/$defs/pet"}));
    assert_eq!(
        api.definitions["pet"]["properties"],
        json!({
            "mother": {"$ref": "#/$defs/pet"},
            "other": {"$ref": "#/$defs/Pet"},
        })
    );
    assert_eq!(problems(&api).len(), 1);
    assert!(problems(&api)[0].contains("gone.yaml"));
}

#[test]
fn urls_of_the_same_origin_are_followed_and_others_refused() {
    let web = [
        ("http://shop.test/api/openapi.yaml", ROOT),
        ("http://shop.test/api/paths.yaml", "a: {get: {responses: {200: {}}}}"),
        ("http://other.test/x.yaml", "S: {type: integer}"),
    ];
    let (api, asked) = load_from(&web, false);
    assert_eq!(asked, ["http://shop.test/api/openapi.yaml", "http://shop.test/api/paths.yaml"]);
    assert_eq!(api.operations.len(), 2);
    assert_eq!(
        problems(&api),
        [
            "`http://other.test/x.yaml#/S`: references to other hosts are not followed unless allowed; any value is taken as right there",
        ]
    );

    let (api, asked) = load_from(&web, true);
    assert_eq!(asked.len(), 3);
    assert!(api.problems.is_empty(), "{:?}", api.problems);
    assert_eq!(api.definitions["S"], json!({"type": "integer"}));
}

#[test]
fn each_document_is_fetched_once_and_cycles_end() {
    let web = [
        (
            "http://shop.test/api/openapi.yaml",
            "
openapi: 3.0.0
paths: {/a: {$ref: 'a.yaml#/p'}, /b: {$ref: './a.yaml#/p'}, /c: {$ref: 'http://shop.test/api/a.yaml#/p'}}",
        ),
        (
            "http://shop.test/api/a.yaml",
            "p: {get: {responses: {$ref: 'openapi.yaml#/paths'}, requestBody: {$ref: b.yaml}}}",
        ),
        ("http://shop.test/api/b.yaml", "content: {a/b: {schema: {$ref: 'b.yaml#/content/a~1b/schema'}}}"),
    ];
    let (api, asked) = load_from(&web, false);
    assert_eq!(asked.len(), 3);
    assert_eq!(api.operations.len(), 3);
}

#[test]
fn a_document_that_cannot_be_had_is_a_problem_only_where_it_is_used() {
    let web = [(
        "http://shop.test/api/openapi.yaml",
        "
openapi: 3.0.0
paths: {/a: {get: {responses: {200: {content: {a/b: {example: {$ref: unused.yaml}}}}}}}}",
    )];
    let (api, asked) = load_from(&web, false);
    assert_eq!(asked.len(), 2);
    assert!(api.problems.is_empty(), "{:?}", api.problems);
}

#[test]
fn no_number_of_references_makes_endless_requests() {
    let mut text = "openapi: 3.0.0\npaths:\n".to_owned();
    for number in 0..5_000 {
        text.push_str(&format!("  /p{number}: {{$ref: 'f{number}.yaml'}}\n"));
    }
    let (api, asked) = load_from(&[("http://shop.test/api/openapi.yaml", text.as_str())], false);
    assert!(asked.len() <= 2_001);
    assert!(api.operations.is_empty());
}

#[test]
fn text_in_memory_has_nothing_beside_it() {
    let api = crate::api(
        "openapi: 3.0.0\npaths: {/a: {$ref: /etc/hostname}, /b: {$ref: 'file:///etc/hostname'}, /c: {$ref: 'http://x.test/'}}",
    );
    assert!(api.operations.is_empty());
    assert_eq!(api.problems.iter().filter(|problem| problem.skipped_operation).count(), 3);
}
