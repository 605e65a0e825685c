//! The catalogue's API in Rust: `flaky-catalogue --port 8080`, or one part of it: `flaky-catalogue --port 8080 --part time`.

use std::process::ExitCode;

#[expect(clippy::print_stderr, reason = "a command line tool talks on stderr")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (port, part) = match words[..] {
        ["--port", port] => (port, None),
        ["--port", port, "--part", part] => (port, Some(part)),
        _ => ("", None),
    };
    let Ok(port) = port.parse() else {
        eprintln!("usage: flaky-catalogue --port PORT [--part PART]");
        return ExitCode::from(2);
    };
    match steady_testkit::catalogue::serve(port, part) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot serve the catalogue on port {port}: {error}");
            ExitCode::from(2)
        }
    }
}
