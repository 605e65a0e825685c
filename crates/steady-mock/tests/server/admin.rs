//! The admin API, as WireMock's clients use it.

use serde_json::{Value, json};
use steady_model::Method;

use crate::client::{Server, json as parsed, text};

#[tokio::test]
async fn stubs_are_added_read_replaced_and_removed() {
    let server = Server::with(&[]).await;
    let stub = json!({"request": {"method": "GET", "url": "/a"}, "response": {"body": "one"}});
    let made = server.send(Method::Post, "/__admin/mappings", Some(&stub)).await;
    assert_eq!(made.status, 201);
    let id = parsed(&made)["id"].as_str().unwrap().to_owned();
    assert_eq!(parsed(&made)["uuid"], id.as_str());
    assert_eq!(text(&server.get("/a").await), "one");

    let path = format!("/__admin/mappings/{id}");
    assert_eq!(parsed(&server.get(&path).await)["request"], stub["request"]);
    let changed = json!({"request": {"url": "/a"}, "response": {"body": "two"}});
    assert_eq!(server.send(Method::Put, &path, Some(&changed)).await.status, 200);
    assert_eq!(text(&server.get("/a").await), "two");
    assert_eq!(parsed(&server.get("/__admin/mappings").await)["meta"]["total"], 1);

    assert_eq!(server.send(Method::Delete, &path, None).await.status, 200);
    assert_eq!(server.send(Method::Delete, &path, None).await.status, 404);
    assert_eq!(server.get(&path).await.status, 404);
    assert_eq!(server.get("/a").await.status, 404);
}

#[tokio::test]
async fn a_stub_that_cannot_be_read_is_refused_with_its_place() {
    let server = Server::with(&[]).await;
    let refused = server.send(Method::Post, "/__admin/mappings", Some(&json!({"requst": {}}))).await;
    assert_eq!(refused.status, 422);
    let error = &parsed(&refused)["errors"][0];
    assert!(error["title"].as_str().unwrap().starts_with("unknown field `requst`"), "{error}");
    assert_eq!(error["detail"], "line 1, column 3: {\"requst\":{}}");
    let bad_header = json!({"response": {"headers": {"a b": "c"}}});
    assert_eq!(server.send(Method::Post, "/__admin/mappings", Some(&bad_header)).await.status, 422);
    assert!(server.mocks.state().stubs.all().is_empty());
}

#[tokio::test]
async fn requests_are_kept_counted_found_and_forgotten() {
    let server = Server::with(&[json!({"request": {"urlPath": "/a"}})]).await;
    for target in ["/a?x=1", "/a?x=2", "/b"] {
        server.get(target).await;
    }
    let count = |pattern: Value| {
        let server = &server;
        async move {
            parsed(&server.send(Method::Post, "/__admin/requests/count", Some(&pattern)).await)["count"]
                .clone()
        }
    };
    assert_eq!(count(json!({"urlPath": "/a"})).await, 2);
    assert_eq!(count(json!({"urlPath": "/a", "queryParameters": {"x": {"equalTo": "2"}}})).await, 1);
    assert_eq!(count(json!({})).await, 3);

    let all = parsed(&server.get("/__admin/requests").await);
    assert_eq!(all["meta"]["total"], 3);
    let newest = &all["requests"][0];
    assert_eq!((&newest["request"]["url"], &newest["wasMatched"]), (&json!("/b"), &json!(false)));
    let one = format!("/__admin/requests/{}", newest["id"].as_str().unwrap());
    assert_eq!(parsed(&server.get(&one).await), *newest);
    assert_eq!(
        parsed(&server.get("/__admin/requests?limit=1&offset=2").await)["requests"][0]["request"]["url"],
        "/a?x=1"
    );

    let found =
        parsed(&server.send(Method::Post, "/__admin/requests/find", Some(&json!({"url": "/a?x=1"}))).await);
    assert_eq!(found["requests"][0]["queryParams"]["x"]["values"], json!(["1"]));
    let unmatched = parsed(&server.get("/__admin/requests/unmatched").await);
    assert_eq!(unmatched["requests"][0]["url"], "/b");

    let removed = server.send(Method::Post, "/__admin/requests/remove", Some(&json!({"url": "/b"}))).await;
    assert_eq!(parsed(&removed)["serveEvents"].as_array().unwrap().len(), 1);
    assert_eq!(server.send(Method::Delete, "/__admin/requests", None).await.status, 200);
    assert_eq!(count(json!({})).await, 0);
}

#[tokio::test]
async fn near_misses_are_shown_for_requests_received_and_described() {
    let server = Server::with(&[
        json!({"name": "orders", "request": {"method": "GET", "url": "/orders/1"}}),
        json!({"name": "far away", "request": {"method": "PUT", "url": "/something/else/entirely"}}),
    ])
    .await;
    server.get("/orders/2").await;
    let missed = parsed(&server.get("/__admin/requests/unmatched/near-misses").await);
    let miss = &missed["nearMisses"][0];
    assert_eq!(
        (&miss["stubMapping"]["name"], &miss["request"]["url"]),
        (&json!("orders"), &json!("/orders/2"))
    );
    let field = &miss["matchResult"]["fields"][1];
    assert_eq!((&field["name"], &field["matches"]), (&json!("url"), &json!(false)));

    let described = json!({"url": "/orders/1", "method": "POST"});
    let asked = parsed(&server.send(Method::Post, "/__admin/near-misses/request", Some(&described)).await);
    assert_eq!(asked["nearMisses"][0]["stubMapping"]["name"], "orders");
    let pattern = json!({"url": "/orders/3"});
    let closest =
        parsed(&server.send(Method::Post, "/__admin/near-misses/request-pattern", Some(&pattern)).await);
    assert_eq!(closest["nearMisses"][0]["request"]["url"], "/orders/2");
}

#[tokio::test]
async fn scenarios_are_listed_set_and_reset() {
    let server = Server::with(&[
        json!({"scenarioName": "to do", "requiredScenarioState": "Started", "newScenarioState": "done", "request": {"url": "/a"}, "response": {"body": "1"}}),
        json!({"scenarioName": "to do", "requiredScenarioState": "done", "request": {"url": "/a"}, "response": {"body": "2"}}),
    ])
    .await;
    let scenarios = parsed(&server.get("/__admin/scenarios").await);
    let scenario = &scenarios["scenarios"][0];
    assert_eq!(
        (&scenario["state"], &scenario["possibleStates"]),
        (&json!("Started"), &json!(["Started", "done"]))
    );
    let set = |name: &str, body: Option<Value>| {
        let (server, target) = (&server, format!("/__admin/scenarios/{name}/state"));
        async move { server.send(Method::Put, &target, body.as_ref()).await.status }
    };
    assert_eq!(set("to%20do", Some(json!({"state": "done"}))).await, 200);
    assert_eq!(text(&server.get("/a").await), "2");
    assert_eq!(set("to%20do", Some(json!({"state": "never"}))).await, 422);
    assert_eq!(set("other", Some(json!({"state": "done"}))).await, 404);
    assert_eq!(set("to%20do", None).await, 200);
    assert_eq!(text(&server.get("/a").await), "1");
    assert_eq!(server.send(Method::Post, "/__admin/scenarios/reset", None).await.status, 200);
    assert_eq!(text(&server.get("/a").await), "1");
}

#[tokio::test]
async fn a_reset_goes_back_to_the_stubs_given_at_the_start() {
    let server = Server::with(&[]).await;
    let given = serde_json::from_value(json!({"request": {"url": "/given"}})).unwrap();
    server.mocks.state().stubs.set_defaults(vec![given], None).unwrap();
    server.send(Method::Post, "/__admin/mappings", Some(&json!({"request": {"url": "/added"}}))).await;
    server.send(Method::Post, "/__admin/settings", Some(&json!({"fixedDelay": 1}))).await;
    assert_eq!(parsed(&server.get("/__admin/settings").await), json!({"settings": {"fixedDelay": 1}}));
    assert_eq!((server.get("/given").await.status, server.get("/added").await.status), (200, 200));

    assert_eq!(server.send(Method::Delete, "/__admin/mappings", None).await.status, 200);
    assert_eq!(server.get("/given").await.status, 404);
    assert_eq!(server.send(Method::Post, "/__admin/reset", None).await.status, 200);
    assert_eq!((server.get("/given").await.status, server.get("/added").await.status), (200, 404));
    assert_eq!(parsed(&server.get("/__admin/settings").await), json!({"settings": {"fixedDelay": null}}));
    assert_eq!(parsed(&server.get("/__admin/requests").await)["meta"]["total"], 2);
}

#[tokio::test]
async fn an_import_adds_many_and_can_replace_all() {
    let server = Server::with(&[json!({"request": {"url": "/old"}})]).await;
    let import = json!({
        "mappings": [{"request": {"url": "/x"}, "response": {"body": "first"}}, {"request": {"url": "/x"}, "response": {"body": "second"}}],
        "importOptions": {"duplicatePolicy": "OVERWRITE", "deleteAllNotInImport": true},
    });
    assert_eq!(server.send(Method::Post, "/__admin/mappings/import", Some(&import)).await.status, 200);
    assert_eq!((text(&server.get("/x").await).as_str(), server.get("/old").await.status), ("first", 404));
}

#[tokio::test]
async fn one_admin_api_serves_all_services() {
    let server = Server::with(&[]).await;
    let admin = server.mocks.admin("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let service = server.mocks.service("a.test", 0).await.unwrap();
    let at = |address: std::net::SocketAddr, target: &str| {
        let (url, target) = (format!("http://{address}"), target.to_owned());
        async move {
            let mut channel = crate::client::channel(&url, steady_http::HttpVersion::Auto);
            crate::client::send(&mut channel, Method::Get, &target, None).await
        }
    };
    at(service, "/seen").await;
    let seen = parsed(&at(admin, "/__admin/requests").await);
    assert_eq!(seen["requests"][0]["request"]["host"], "a.test");
    assert_eq!(at(admin, "/seen").await.status, 404);
    assert_eq!(at(service, "/__admin/health").await.status, 200);
    assert_eq!(at(admin, "/__admin/none").await.status, 404);
}
