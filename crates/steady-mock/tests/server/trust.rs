//! Real clients that trust the run's authority, and nobody else.

use std::process::{Command, Output};

use serde_json::json;
use steady_mock::STORE_PASSWORD;

use crate::client::Server;

fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).output().unwrap_or_else(|error| panic!("{program}: {error}"))
}

#[test]
fn java_reads_the_trust_store() {
    let authority = steady_mock::Authority::new().unwrap();
    let store = authority.java_store_file();
    let listed =
        run("keytool", &["-list", "-v", "-keystore", store.to_str().unwrap(), "-storepass", STORE_PASSWORD]);
    let text = String::from_utf8_lossy(&listed.stdout);
    assert!(listed.status.success(), "{text}");
    assert!(text.contains("Keystore type: JKS") && text.contains("Entry type: trustedCertEntry"), "{text}");
    assert!(text.contains("steady mock authority"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn curl_trusts_names_and_addresses_with_the_authority_and_nothing_without() {
    let server = Server::with(&[json!({"request": {"url": "/"}, "response": {"body": "trusted"}})]).await;
    let named = server.mocks.service("pets.test", 0).await.unwrap();
    let authority = server.mocks.authority().certificate_file();
    let bundle = server.mocks.authority().bundle_file();
    let resolve = format!("pets.test:{}:{}", named.port(), named.ip());
    let by_name = format!("https://pets.test:{}/", named.port());
    let by_address = format!("https://{}/", server.address);
    let fetch = |url: &str, file: Option<&std::path::Path>, version: &str| {
        let mut arguments =
            vec!["--silent", "--show-error", "--max-time", "30", version, "--resolve", &resolve];
        arguments.extend(file.iter().flat_map(|file| ["--cacert", file.to_str().unwrap()]));
        arguments.push(url);
        run("curl", &arguments)
    };
    for url in [&by_name, &by_address] {
        for (file, version) in [(&authority, "--http1.1"), (&authority, "--http2"), (&bundle, "--http1.1")] {
            let output = fetch(url, Some(file), version);
            assert_eq!(String::from_utf8_lossy(&output.stdout), "trusted", "{url} {version}: {output:?}");
        }
        let untrusted = fetch(url, None, "--http1.1");
        assert_eq!(untrusted.status.code(), Some(60), "{untrusted:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn java_trusts_the_server_with_the_trust_store() {
    const PROGRAM: &str = "
        public class Fetch {
            public static void main(String[] arguments) throws Exception {
                try (var body = new java.net.URL(arguments[0]).openStream()) {
                    System.out.print(new String(body.readAllBytes()));
                }
            }
        }";
    let server = Server::with(&[json!({"request": {"url": "/"}, "response": {"body": "trusted"}})]).await;
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("Fetch.java");
    std::fs::write(&source, PROGRAM).unwrap();
    let store =
        format!("-Djavax.net.ssl.trustStore={}", server.mocks.authority().java_store_file().display());
    let password = format!("-Djavax.net.ssl.trustStorePassword={STORE_PASSWORD}");
    let url = format!("https://{}/", server.address);
    let output = run("java", &[&store, &password, source.to_str().unwrap(), &url]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "trusted", "{output:?}");
}
