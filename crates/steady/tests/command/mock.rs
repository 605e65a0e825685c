//! `steady mock`: serving, recording and importing mappings.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::ChildStdout;

use crate::support::{Invocation, UnderWay, signal, start};

const HELLO: &str = r#"{"request": {"url": "/hello"}, "response": {"body": "hello"}}"#;

/// A server under way: where it listens, and the rest of what it prints.
fn listening(under_way: &mut UnderWay) -> (String, BufReader<ChildStdout>) {
    let mut output = BufReader::new(under_way.0.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).unwrap_or_else(|| panic!("{line}"));
    let end = address.find([' ', ';', '\n']).unwrap();
    (address[..end].to_owned(), output)
}

/// Status line and body of the answer to a GET.
fn get(address: &str, target: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {target} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.lines().next().unwrap().to_owned(), body.to_owned())
}

/// Ends a call in order and returns its exit code and the rest of its output.
fn end(mut under_way: UnderWay, mut output: BufReader<ChildStdout>) -> (Option<i32>, String) {
    signal("-INT", under_way.0.id());
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    (under_way.0.wait().unwrap().code(), rest)
}

/// Writes a file at once, so that nobody reads a half of it.
fn replace(path: &Path, text: &str) {
    let beside = path.with_extension("new");
    std::fs::write(&beside, text).unwrap();
    std::fs::rename(beside, path).unwrap();
}

#[test]
fn a_folder_is_served_read_again_and_ended_by_a_signal() {
    let invocation =
        Invocation::new(["mock", "serve", "stubs", "--port", "0"]).file("stubs/mappings/a.json", HELLO);
    let (mut under_way, folder) = start(invocation);
    let (address, output) = listening(&mut under_way);
    assert_eq!(get(&address, "/hello"), ("HTTP/1.1 200 OK".to_owned(), "hello".to_owned()));

    let changed = HELLO.replace("\"hello\"", "\"changed\"");
    replace(&folder.path().join("stubs/mappings/a.json"), &changed);
    while get(&address, "/hello").1 != "changed" {
        std::thread::yield_now();
    }
    // A mistake is reported, and the last good version goes on answering.
    replace(&folder.path().join("stubs/mappings/b.json"), "{\n  \"requst\": {}\n}");
    let mut talk = BufReader::new(under_way.0.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("warning") {
        line.clear();
        assert_ne!(talk.read_line(&mut line).unwrap(), 0);
    }
    assert!(line.contains("b.json:2:4: unknown field `requst`"), "{line}");
    assert!(line.ends_with("the last good version goes on answering\n"), "{line}");
    assert_eq!(get(&address, "/hello").1, "changed");

    let (code, rest) = end(under_way, output);
    assert_eq!(code, Some(0));
    assert!(rest.contains("1 stubs from stubs") && rest.contains("0 without a stub"), "{rest}");
}

#[test]
fn a_mapping_with_a_mistake_is_shown_with_its_line_and_a_caret() {
    let mapping = "{\n  \"request\": {\"methd\": \"GET\"}\n}";
    let outcome =
        Invocation::new(["mock", "serve", ".", "--port", "0"]).file("a.json", mapping).run().exits_with(2);
    assert!(
        outcome.stderr.starts_with("error: unknown field `methd`, expected one of `method`, `url`"),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains("./a.json:2:16"), "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("2 |   \"request\": {\"methd\": \"GET\"}\n  |                ^^^^^ here"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_folder_that_is_not_there_and_a_port_that_is_taken_are_errors_with_advice() {
    let outcome = Invocation::new(["mock", "serve", "none"]).run().exits_with(2);
    assert!(outcome.stderr.starts_with("error: cannot read `none`"), "{}", outcome.stderr);
    let keeper = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = keeper.local_addr().unwrap().port().to_string();
    let outcome =
        Invocation::new(["mock", "serve", ".", "--port", &port]).file("a.json", HELLO).run().exits_with(2);
    assert!(outcome.stderr.contains("hint: end the program that listens on"), "{}", outcome.stderr);
}

#[test]
fn documents_become_mappings_once() {
    let har = r#"{"log": {"entries": [{"request": {"method": "GET", "url": "https://a.test/x"},
        "response": {"status": 200, "content": {"text": "hi"}}}]}}"#;
    let openapi = "openapi: 3.0.3\npaths: {/pets: {get: {responses: {200: {description: fine}}}}}\n";
    let outcome = Invocation::new(["mock", "import", "traffic.har", "--into", "stubs"])
        .file("traffic.har", har)
        .file("pets.yaml", openapi)
        .run()
        .exits_with(0)
        .prints("1 mappings in stubs/mappings/traffic.json\n");
    assert!(outcome.read("stubs/mappings/traffic.json").contains("\"equalTo\": \"a.test\""));
    let folder = outcome.into_folder();
    let again =
        Invocation::within(folder, ["mock", "import", "traffic.har", "--into", "stubs"]).run().exits_with(2);
    assert!(
        again.stderr.starts_with("error: `stubs/mappings/traffic.json` is there already"),
        "{}",
        again.stderr
    );
    let folder = again.into_folder();
    let other =
        Invocation::within(folder, ["mock", "import", "pets.yaml", "--into", "stubs"]).run().exits_with(0);
    assert!(other.read("stubs/mappings/pets.json").contains("\"urlPath\": \"/pets\""));
}

#[test]
fn a_document_that_is_nothing_known_is_refused() {
    let outcome = Invocation::new(["mock", "import", "a.txt", "--into", "stubs"])
        .file("a.txt", "[1, 2")
        .run()
        .exits_with(2);
    assert!(outcome.stderr.starts_with("error: `a.txt` is not valid JSON"), "{}", outcome.stderr);
}

#[test]
fn answers_of_a_real_service_are_recorded() {
    let (mut service, _service_folder) =
        start(Invocation::new(["mock", "serve", ".", "--port", "0"]).file("a.json", HELLO));
    let (address, service_output) = listening(&mut service);
    let url = format!("http://{address}");
    let (mut recorder, folder) =
        start(Invocation::new(["mock", "record", &url, "--port", "0", "--into", "stubs"]));
    let mut output = BufReader::new(recorder.0.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let proxy = line.rsplit("http://").next().unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(get(&proxy, "/hello").1, "hello");
    let (code, rest) = end(recorder, output);
    assert_eq!(code, Some(0), "{rest}");
    assert!(rest.starts_with("1 exchanges, 1 mappings in stubs/mappings/127.0.0.1-"), "{rest}");
    let written = only_file(&folder.path().join("stubs/mappings"));
    assert!(written.contains("\"url\": \"/hello\"") && written.contains("\"body\": \"hello\""), "{written}");
    assert_eq!(end(service, service_output).0, Some(0));
}

fn only_file(folder: &Path) -> String {
    let mut entries = std::fs::read_dir(folder).unwrap();
    std::fs::read_to_string(entries.next().unwrap().unwrap().path()).unwrap()
}
