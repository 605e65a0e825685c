//! References to other documents: files, URLs, and what is refused.

use std::collections::BTreeMap;
use std::fs;

use serde_json::json;
use steady_openapi::{Api, Fetched, LoadOptions, Source, load};
use url::Url;

use crate::problems;

/// Loads a document of a small web, noting which URLs were asked for; `-> URL` is a redirect.
fn load_from(web: &[(&str, &str)], allow_refs: bool) -> (Api, Vec<String>) {
    let web: BTreeMap<&str, &str> = web.iter().copied().collect();
    let mut asked = Vec::new();
    let mut fetch = |url: &Url, may_leave: bool| {
        asked.push(url.to_string());
        let text = web.get(url.as_str()).ok_or_else(|| "404".to_owned())?;
        match text.strip_prefix("-> ") {
            Some(target) => {
                let target: Url = target.parse().unwrap();
                if !may_leave && target.origin() != url.origin() {
                    return Err(format!("redirected to {target}"));
                }
                asked.push(target.to_string());
                Ok(Fetched { text: web[target.as_str()].to_owned(), url: target })
            }
            None => Ok(Fetched { text: (*text).to_owned(), url: url.clone() }),
        }
    };
    let options = LoadOptions { allow_refs, ..LoadOptions::default() };
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
    let api = load(&source, &LoadOptions::default(), &mut |_, _| Err(String::new())).unwrap();
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
            "`http://other.test/x.yaml#/S`: references to other hosts are not followed without --allow-refs; any value is taken as right there",
        ]
    );

    let (api, asked) = load_from(&web, true);
    assert_eq!(asked.len(), 3);
    assert!(api.problems.is_empty(), "{:?}", api.problems);
    assert_eq!(api.definitions["S"], json!({"type": "integer"}));
}

#[test]
fn a_redirect_leads_no_further_than_the_reference_may() {
    let web = [
        ("http://shop.test/api/openapi.yaml", "openapi: 3.0.0\npaths: {/a: {$ref: paths.yaml}}"),
        ("http://shop.test/api/paths.yaml", "-> http://other.test/paths.yaml"),
        ("http://other.test/paths.yaml", "get: {responses: {200: {}}}"),
    ];
    let (api, asked) = load_from(&web, false);
    assert_eq!(asked, ["http://shop.test/api/openapi.yaml", "http://shop.test/api/paths.yaml"]);
    assert!(api.operations.is_empty());
    assert!(problems(&api)[0].contains("redirected to http://other.test/paths.yaml"), "{:?}", api.problems);

    let (api, _) = load_from(&web, true);
    assert_eq!(api.operations.len(), 1);
}

#[test]
fn a_document_that_was_redirected_has_its_references_where_it_is() {
    let web = [
        ("http://shop.test/api/openapi.yaml", "-> https://docs.test/v1/openapi.yaml"),
        ("https://docs.test/v1/openapi.yaml", "openapi: 3.0.0\npaths: {/a: {$ref: paths.yaml}}"),
        ("https://docs.test/v1/paths.yaml", "get: {responses: {200: {}}}"),
    ];
    assert_eq!(load_from(&web, false).0.operations.len(), 1);
}

#[test]
fn files_outside_of_the_folder_are_read_only_when_allowed() {
    let root = tempfile::tempdir().unwrap();
    let api_folder = root.path().join("api");
    fs::create_dir(&api_folder).unwrap();
    let outside = root.path().join("outside.yaml");
    fs::write(&outside, "get: {responses: {200: {}}}").unwrap();
    fs::write(api_folder.join("inside.yaml"), "get: {responses: {200: {}}}").unwrap();
    std::os::unix::fs::symlink(&outside, api_folder.join("link.yaml")).unwrap();
    std::os::unix::fs::symlink("inside.yaml", api_folder.join("inner.yaml")).unwrap();
    let absolute = outside.display();
    let text = format!(
        "openapi: 3.0.0\npaths: {{/in: {{$ref: inside.yaml}}, /back: {{$ref: ../api/inner.yaml}},
        /up: {{$ref: ../outside.yaml}}, /absolute: {{$ref: '{absolute}'}}, /file: {{$ref: 'file://{absolute}'}},
        /link: {{$ref: link.yaml}}}}"
    );
    let document = api_folder.join("openapi.yaml");
    fs::write(&document, text).unwrap();
    let load = |allow_refs| {
        let options = LoadOptions { allow_refs, ..LoadOptions::default() };
        load(&Source::File(document.clone()), &options, &mut |_, _| Err(String::new())).unwrap()
    };
    let api = load(false);
    let paths: Vec<&str> = api.operations.iter().map(|operation| operation.id.path.as_str()).collect();
    assert_eq!(paths, ["/in", "/back"]);
    let refused = problems(&api);
    assert_eq!(refused.len(), 4, "{refused:?}");
    let reason = "is outside of the document's folder; files there are not read without --allow-refs";
    assert!(refused.iter().all(|problem| problem.contains(reason)), "{refused:?}");
    assert_eq!(load(true).operations.len(), 6);
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
