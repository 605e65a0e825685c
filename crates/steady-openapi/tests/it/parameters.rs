//! Parameters: where they go and how they are written.

use serde_json::json;
use steady_openapi::{Location, Parameter, Style};

use crate::{api, only, problems};

/// The parameter as read from a document of this version.
fn parameter(head: &str, text: &str) -> Parameter {
    let api = api(&format!("{head}\npaths: {{'/x/{{p}}': {{get: {{parameters: [{{name: p, {text}}}]}}}}}}"));
    let location = |parameter: &&Parameter| parameter.location != Location::Path || text.contains("in: path");
    only(&api).parameters.iter().find(location).unwrap().clone()
}

#[test]
fn styles_follow_the_location() {
    for (text, style, explode) in [
        ("in: query", Style::Form, true),
        ("in: query, explode: false", Style::Form, false),
        ("in: query, style: spaceDelimited", Style::SpaceDelimited, false),
        ("in: query, style: pipeDelimited, explode: true", Style::PipeDelimited, true),
        ("in: query, style: deepObject, explode: true", Style::DeepObject, true),
        ("in: query, style: matrix", Style::Form, true),
        ("in: query, style: nonsense", Style::Form, true),
        ("in: path", Style::Simple, false),
        ("in: path, style: label", Style::Label, false),
        ("in: path, style: matrix, explode: true", Style::Matrix, true),
        ("in: path, style: form", Style::Simple, false),
        ("in: header", Style::Simple, false),
        ("in: header, explode: true", Style::Simple, true),
        ("in: cookie", Style::Form, true),
    ] {
        let parameter = parameter("openapi: 3.0.0", &format!("{text}, schema: {{type: array}}"));
        assert_eq!((parameter.style, parameter.explode), (style, explode), "{text}");
    }
}

#[test]
fn collection_formats_are_styles() {
    for (text, style, explode) in [
        ("in: query", Style::Form, false),
        ("in: query, collectionFormat: csv", Style::Form, false),
        ("in: query, collectionFormat: multi", Style::Form, true),
        ("in: query, collectionFormat: ssv", Style::SpaceDelimited, false),
        ("in: query, collectionFormat: pipes", Style::PipeDelimited, false),
        ("in: query, collectionFormat: tsv", Style::TabDelimited, false),
        ("in: path, collectionFormat: csv", Style::Simple, false),
        ("in: header, collectionFormat: pipes", Style::PipeDelimited, false),
    ] {
        let parameter = parameter("swagger: '2.0'", &format!("{text}, type: array, items: {{type: string}}"));
        assert_eq!((parameter.style, parameter.explode), (style, explode), "{text}");
        assert_eq!(*parameter.schema.0, json!({"type": "array", "items": {"type": "string"}}));
    }
}

#[test]
fn examples_of_every_kind_are_collected() {
    for (text, expected) in [
        ("example: 1", json!([1])),
        ("examples: {a: {value: 1}, b: {$ref: '#/components/examples/e'}}", json!([1, 9])),
        ("x-example: 1", json!([1])),
        ("schema: {type: integer, default: 3, example: 4}", json!([4, 3])),
        ("example: 4, schema: {$ref: '#/components/schemas/S'}", json!([4, 8])),
        ("content: {application/json: {example: {a: 1}, schema: {}}}", json!([{"a": 1}])),
        ("examples: {a: {externalValue: 'http://x'}, b: {$ref: '#/gone'}}", json!([])),
    ] {
        let head = "openapi: 3.0.0\ncomponents: {examples: {e: {value: 9}}, schemas: {S: {default: 8}}}";
        assert_eq!(json!(parameter(head, &format!("in: query, {text}")).examples), expected, "{text}");
    }
}

#[test]
fn content_parameters_keep_their_media_type() {
    let parameter =
        parameter("openapi: 3.0.0", "in: query, content: {application/json: {schema: {type: object}}}");
    assert_eq!(parameter.content_type.as_deref(), Some("application/json"));
    assert_eq!(*parameter.schema.0, json!({"type": "object"}));
}

#[test]
fn the_operations_parameters_win_over_the_paths() {
    let api = api("
openapi: 3.0.0
paths:
  /x:
    parameters:
    - {name: a, in: query, schema: {type: string}}
    - {name: X-Header, in: header, schema: {type: string}}
    - {$ref: '#/components/parameters/b'}
    get:
      parameters:
      - {name: a, in: query, required: true, schema: {type: integer}}
      - {name: a, in: cookie, schema: {type: boolean}}
      - {name: x-header, in: header, required: true}
components: {parameters: {b: {name: b, in: query, allowReserved: true}}}");
    let seen: Vec<(&str, Location, bool)> =
        only(&api).parameters.iter().map(|p| (p.name.as_str(), p.location, p.required)).collect();
    assert_eq!(
        seen,
        [
            ("a", Location::Query, true),
            ("x-header", Location::Header, true),
            ("b", Location::Query, false),
            ("a", Location::Cookie, false),
        ]
    );
    assert!(only(&api).parameters[2].allow_reserved);
}

#[test]
fn headers_the_request_itself_decides_are_no_parameters() {
    let api = api("
openapi: 3.0.0
paths: {/x: {get: {parameters: [{name: Accept, in: header}, {name: content-type, in: header}, {name: Authorization, in: header}]}}}");
    let names: Vec<&str> = only(&api).parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    assert_eq!(names, ["Authorization"], "services demand what their documents describe, standard or not");
    assert!(api.problems.is_empty());
}

#[test]
fn path_and_parameters_agree_in_the_end() {
    for (path, declared, expected) in [
        ("/x/{id}", "{name: id, in: path}", &["id"][..]),
        ("/x/{id}", "", &["id"]),
        ("/x/{a}-{b}/{a}", "{name: b, in: path}", &["b", "a"]),
        ("/x", "{name: id, in: path}", &[]),
        ("/x/{id:[0-9]+}", "{name: id, in: path}", &["id:[0-9]+"]),
        ("/x/{rest+}", "{name: rest, in: path}", &["rest+"]),
        ("/x?by={by}", "{name: by, in: query}", &["by"]),
        ("/x/{open", "", &[]),
        ("/x/{}", "", &[]),
    ] {
        let api = api(&format!("openapi: 3.0.0\npaths: {{'{path}': {{get: {{parameters: [{declared}]}}}}}}"));
        let parameters = &only(&api).parameters;
        assert!(
            parameters.iter().all(|p| p.location == Location::Path && p.required && p.style == Style::Simple)
        );
        assert_eq!(parameters.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), expected, "{path}");
    }
}

#[test]
fn a_broken_parameter_is_left_out_alone() {
    let api = api("
openapi: 3.0.0
paths:
  /x:
    get:
      parameters:
      - {in: query}
      - {name: a}
      - {name: b, in: outer space}
      - {$ref: '#/components/parameters/gone'}
      - 5
      - null
      - {name: good, in: query}");
    assert_eq!(only(&api).parameters.len(), 1);
    assert_eq!(
        problems(&api),
        [
            "a parameter is left out: it has no `name`",
            "parameter `a` is left out: its `in` is missing",
            "parameter `b` is left out: its `in` is `outer space`",
            "a parameter is left out: `#/components/parameters/gone` leads nowhere",
        ]
    );
    assert!(api.problems.iter().all(|problem| problem.place == "GET /x" && !problem.skipped_operation));
}
