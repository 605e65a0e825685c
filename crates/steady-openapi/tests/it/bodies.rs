//! Request bodies, of every version and media type.

use serde_json::{Value, json};
use steady_openapi::{RequestBody, Style};

use crate::{api, only, problems};

fn body(text: &str) -> RequestBody {
    only(&api(text)).body.clone().unwrap()
}

fn names(body: &RequestBody) -> Vec<&str> {
    body.content.iter().map(|media_type| media_type.name.as_str()).collect()
}

#[test]
fn every_media_type_is_there_with_its_schema_examples_and_encoding() {
    let body = body(
        "
openapi: 3.0.0
paths:
  /x:
    post:
      requestBody:
        $ref: '#/components/requestBodies/b'
components:
  requestBodies:
    b:
      required: true
      content:
        application/json; charset=utf-8: {schema: {$ref: '#/components/schemas/Pet'}, example: {a: 1}}
        application/xml: {schema: {$ref: '#/components/schemas/Pet'}, examples: {one: {value: <a/>}}}
        text/xml: {schema: {type: object, xml: {name: animal}}}
        multipart/form-data:
          schema: {type: object, properties: {file: {type: string, format: binary}}}
          encoding: {file: {contentType: image/png}, list: {style: pipeDelimited, explode: false}}
        text/plain: {}
  schemas: {Pet: {type: object}}",
    );
    assert!(body.required);
    assert_eq!(
        names(&body),
        [
            "application/json; charset=utf-8",
            "application/xml",
            "text/xml",
            "multipart/form-data",
            "text/plain",
        ]
    );
    let [json, xml, text_xml, form, text] = &body.content[..] else { panic!() };
    assert_eq!(json.examples, [json!({"a": 1})]);
    assert_eq!(
        (json.xml_name.as_deref(), xml.xml_name.as_deref(), text_xml.xml_name.as_deref()),
        (None, Some("Pet"), Some("animal"))
    );
    assert_eq!(xml.examples, [json!("<a/>")]);
    assert_eq!(form.encoding["file"].content_type.as_deref(), Some("image/png"));
    assert_eq!(
        (form.encoding["list"].style, form.encoding["list"].explode),
        (Some(Style::PipeDelimited), Some(false))
    );
    assert!(text.schema.is_none());
}

#[test]
fn version_2_bodies_come_in_what_the_operation_consumes() {
    for (consumes, expected) in [
        ("", &["application/json"][..]),
        ("consumes: [application/xml, text/xml]", &["application/xml", "text/xml"]),
    ] {
        let body = body(&format!("
swagger: '2.0'
{consumes}
paths: {{/x: {{post: {{parameters: [{{in: body, name: b, required: true, x-example: {{a: 1}}, schema: {{$ref: '#/definitions/Pet'}}}}]}}}}}}
definitions: {{Pet: {{type: object}}}}"));
        assert!(body.required);
        assert_eq!(names(&body), expected);
        for media_type in &body.content {
            assert_eq!(*media_type.schema.as_ref().unwrap().0, json!({"$ref": "#/$defs/Pet"}));
            assert_eq!(media_type.examples, [json!({"a": 1})]);
        }
    }
}

#[test]
fn version_2_forms_are_objects() {
    for (fields, consumes, expected) in [
        ("", "", &["application/x-www-form-urlencoded"][..]),
        ("", "[application/json]", &["application/x-www-form-urlencoded"]),
        (
            "",
            "[multipart/form-data, application/x-www-form-urlencoded]",
            &["multipart/form-data", "application/x-www-form-urlencoded"],
        ),
        (", {name: f, in: formData, type: file}", "", &["multipart/form-data"]),
        (
            ", {name: f, in: formData, type: file}",
            "[application/x-www-form-urlencoded]",
            &["multipart/form-data"],
        ),
    ] {
        let consumes = if consumes.is_empty() { String::new() } else { format!("consumes: {consumes}") };
        let body = body(&format!(
            "
swagger: '2.0'
{consumes}
paths:
  /x:
    post:
      parameters:
      - {{name: a, in: formData, type: string, required: true}}
      - {{name: l, in: formData, type: array, items: {{type: string}}, collectionFormat: multi}}
      - {{name: m, in: formData, type: array, items: {{type: string}}}}
{}",
            fields.strip_prefix(", ").map(|field| format!("      - {field}")).unwrap_or_default()
        ));
        assert_eq!(names(&body), expected, "{fields} {consumes}");
        let media_type = &body.content[0];
        let schema = &media_type.schema.as_ref().unwrap().0;
        assert_eq!(schema["required"], json!(["a"]));
        assert_eq!(
            schema["properties"]["f"],
            if fields.is_empty() { Value::Null } else { json!({"type": "string", "format": "binary"}) }
        );
        assert_eq!(media_type.encoding["l"].explode, Some(true));
        assert_eq!(media_type.encoding["m"].explode, Some(false));
        assert!(body.required);
    }
}

#[test]
fn a_body_that_cannot_be_read_leaves_the_operation() {
    for text in ["{}", "{$ref: '#/gone'}", "{content: 5}", "[]", "{content: {}}"] {
        let api = api(&format!("openapi: 3.0.0\npaths: {{/x: {{post: {{requestBody: {text}}}}}}}"));
        assert!(only(&api).body.is_none(), "{text}");
        assert!(problems(&api)[0].starts_with("the request body is left out"), "{text}");
    }
}
