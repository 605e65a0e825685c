//! Where an API and its operations are served.

use crate::api;

#[test]
fn an_operation_may_have_servers_of_its_own_or_its_path_items() {
    let api = api(r#"
openapi: 3.0.3
info: {title: Shop, version: "1"}
servers: [{url: "https://shop.test/v1"}]
paths:
  /orders: {get: {responses: {}}}
  /reports:
    servers: [{url: "https://{place}.test", variables: {place: {default: files}}}, {url: /v2}, {url: /v2}]
    get: {responses: {}}
    put: {servers: [{url: /v3}], responses: {}}
    delete: {servers: "everywhere", responses: {}}
"#);
    let servers: Vec<(String, &[String])> = api
        .operations
        .iter()
        .map(|operation| (operation.id.to_string(), operation.servers.as_slice()))
        .collect();
    let expected: [(&str, &[&str]); 4] = [
        ("GET /orders", &[]),
        ("GET /reports", &["https://files.test", "/v2"]),
        ("PUT /reports", &["/v3"]),
        ("DELETE /reports", &[]),
    ];
    for ((id, servers), expected) in servers.iter().zip(expected) {
        assert_eq!(
            (id.as_str(), servers.to_vec()),
            (expected.0, expected.1.iter().map(ToString::to_string).collect())
        );
    }
    assert_eq!(api.servers, ["https://shop.test/v1"]);
}
