//! One address per service, on loopback only.

use std::net::{IpAddr, Ipv4Addr};

use steady_mock::{Addresses, ListenError, MockOptions, Mocks};

fn mocks(run: &str) -> Mocks {
    Mocks::new(MockOptions { run: run.to_owned(), ..MockOptions::default() }).unwrap()
}

/// A port nobody has on any address this test uses: a listener of the test keeps it from others on 127.0.0.1.
async fn port() -> (tokio::net::TcpListener, u16) {
    let keeper = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = keeper.local_addr().unwrap().port();
    (keeper, port)
}

#[tokio::test]
async fn a_service_keeps_its_address_and_its_port_and_others_have_others() {
    let (_keeper, port) = port().await;
    let run = format!("a run of {port}");
    let mocks = mocks(&run);
    let one = mocks.service("one.test", port).await.unwrap();
    assert_eq!(mocks.service("ONE.test", port).await.unwrap(), one);
    let two = mocks.service("two.test", port).await.unwrap();
    assert_ne!(one.ip(), two.ip());
    assert_eq!((one.port(), two.port()), (port, port));
    // Another port of the same host has the same address: a name is looked up once.
    assert_eq!(mocks.service("one.test", 0).await.unwrap().ip(), one.ip());
    drop(mocks);
}

#[tokio::test]
async fn two_runs_of_one_name_take_the_next_address() {
    let (_keeper, port) = port().await;
    let run = format!("the same run of {port}");
    let (first, second) = (mocks(&run), mocks(&run));
    let one = first.service("one.test", port).await.unwrap();
    let other = second.service("one.test", port).await.unwrap();
    assert_ne!(one.ip(), other.ip());
    assert_eq!((one.port(), other.port()), (port, port));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn four_workers_with_ten_services_each_do_not_meet() {
    let (_keeper, port) = port().await;
    let workers = (0..4).map(|_| {
        tokio::spawn(async move {
            let mocks = mocks(&format!("workers of {port}"));
            let mut addresses = Vec::new();
            for number in 0..10 {
                addresses.push(mocks.service(&format!("s{number}.test"), port).await.unwrap());
            }
            (mocks, addresses)
        })
    });
    let mut all = Vec::new();
    let mut alive = Vec::new();
    for worker in workers.collect::<Vec<_>>() {
        let (mocks, addresses) = worker.await.unwrap();
        all.extend(addresses);
        alive.push(mocks);
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 40);
}

#[tokio::test]
async fn addresses_can_be_random_or_start_where_the_user_says() {
    let first = Ipv4Addr::new(127, 77, 1, 255);
    let chosen = |addresses| Mocks::new(MockOptions { addresses, ..MockOptions::default() }).unwrap();
    let mocks = chosen(Addresses::From(first));
    assert_eq!(mocks.service("a.test", 0).await.unwrap().ip(), IpAddr::V4(first));
    assert_eq!(mocks.service("b.test", 0).await.unwrap().ip(), IpAddr::V4(Ipv4Addr::new(127, 77, 2, 0)));
    assert!(chosen(Addresses::Random).service("a.test", 0).await.unwrap().ip().is_loopback());
}

#[tokio::test]
async fn only_loopback_is_listened_on_and_a_taken_port_is_an_error_with_advice() {
    let mocks = mocks("errors");
    let refused = mocks.listen("0.0.0.0:0".parse().unwrap()).await.unwrap_err();
    assert!(matches!(refused, ListenError::NotLoopback(_)), "{refused}");
    let (keeper, _) = port().await;
    let taken = mocks.listen(keeper.local_addr().unwrap()).await.unwrap_err();
    assert!(taken.hint().unwrap().contains("or choose another port"), "{taken}");
}

#[tokio::test]
async fn dropping_the_mocks_frees_the_address() {
    let mocks = mocks("dropped");
    // An address nobody else takes a port of.
    let address = mocks.listen("127.77.3.3:0".parse().unwrap()).await.unwrap();
    drop(mocks);
    // The listener is closed when its task has ended, which takes a moment.
    for _ in 0..10_000 {
        if tokio::net::TcpListener::bind(address).await.is_ok() {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("{address} is still taken");
}
