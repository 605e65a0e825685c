//! Starting and stopping.

use std::io::Read as _;
use std::net::TcpStream;

use steady_demo::Shop;
use steady_model::Method;

use crate::visitor::{Visitor, body};

#[test]
fn a_dropped_shop_closes_its_connections() {
    let shop = Shop::start().unwrap();
    let mut connection = TcpStream::connect(shop.url().trim_start_matches("http://")).unwrap();
    drop(shop);
    assert!(!connection.read(&mut [0]).is_ok_and(|read| read > 0));
}

#[test]
fn a_taken_port_is_an_error() {
    let shop = Shop::start().unwrap();
    let port = shop.url().rsplit(':').next().unwrap().parse().unwrap();
    assert_eq!(Shop::start_on(port).unwrap_err().kind(), std::io::ErrorKind::AddrInUse);
}

#[tokio::test]
async fn shops_of_one_seed_draw_the_same_values_and_no_time_is_told_twice() {
    let (mut here, mut there) = (Visitor::seeded(3).await, Visitor::seeded(3).await);
    let target = "/price/estimate?productId=1&quantity=3";
    for _ in 0..20 {
        let (first, second) = (here.get(target).await, there.get(target).await);
        assert_eq!(first.header("x-request-id"), second.header("x-request-id"));
        assert_eq!(body(&first)["jitter"], body(&second)["jitter"]);
        assert_ne!(body(&first)["validUntil"], body(&here.get(target).await)["validUntil"]);
        there.get(target).await;
    }
}

#[tokio::test]
async fn head_is_a_get_without_the_body() {
    let mut visitor = Visitor::new().await;
    let response = visitor.call(Method::Head, "/customers/2", None).await;
    assert_eq!((response.status, response.body.is_empty()), (200, true));
    assert_ne!(response.header("content-length"), Some("0"));
}

#[tokio::test]
async fn the_document_is_where_the_shop_says() {
    let visitor = Visitor::new().await;
    assert_eq!(visitor.shop.openapi_url(), format!("{}/openapi.json", visitor.shop.url()));
    assert_eq!(visitor.document["info"]["title"], "Sample shop");
}
