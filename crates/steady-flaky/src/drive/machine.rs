//! What this machine and its runtimes are: an answer that says so says something else elsewhere.

use std::collections::BTreeSet;
use std::env;
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use crate::infer::Fact;

const CORES: &[&str] = &["cores", "core", "cpus", "cpu", "processors", "threads", "concurrency", "nproc"];
const USERS: &[&str] = &["user", "username", "uname", "login", "account", "owner", "home"];

/// Facts of the machine, and of the runtimes that these command lines start.
pub(crate) fn facts(lines: &[&str]) -> Vec<Fact> {
    let uname = rustix::system::uname();
    let mut texts: Vec<String> = [uname.nodename(), uname.release()]
        .iter()
        .filter_map(|text| Some(text.to_str().ok()?.to_owned()))
        .collect();
    texts.extend(address());
    texts.extend(
        lines
            .iter()
            .flat_map(|line| runtimes(line))
            .collect::<BTreeSet<_>>()
            .iter()
            .filter_map(|r| version(r)),
    );
    let mut facts: Vec<Fact> = texts.into_iter().map(Fact::distinctive).collect();
    if let Ok(cores) = thread::available_parallelism() {
        facts.push(Fact { text: cores.to_string(), names: CORES });
    }
    let user = ["USER", "LOGNAME"].into_iter().find_map(|name| env::var(name).ok());
    facts.extend(user.map(|text| Fact { text, names: USERS }));
    facts
}

/// The address that the machine has in its network. Nothing is sent: the system only chooses a way.
fn address() -> Option<String> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // An address for documentation (RFC 5737), where no machine is.
    socket.connect("192.0.2.1:9").ok()?;
    let own = socket.local_addr().ok()?.ip();
    (!own.is_loopback() && !own.is_unspecified()).then(|| own.to_string())
}

/// The runtimes that a command line starts, by itself or through its runner.
fn runtimes(line: &str) -> Vec<String> {
    let words = line.split_whitespace();
    let name = |word: &str| {
        Path::new(word).file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned()
    };
    words
        .filter_map(|word| match name(word).as_str() {
            "node" | "npm" | "npx" | "yarn" | "pnpm" | "jest" | "vitest" | "mocha" => Some("node".to_owned()),
            "java" | "mvn" | "mvnw" | "gradle" | "gradlew" => Some("java".to_owned()),
            "pytest" | "flask" | "uvicorn" | "gunicorn" => Some("python3".to_owned()),
            other if other.starts_with("python") => Some(word.to_owned()),
            _ => None,
        })
        .collect()
}

/// The version that a runtime says it has: the first word of it with two dots.
fn version(runtime: &str) -> Option<String> {
    let output = Command::new(runtime).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let numbers = text.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    numbers
        .map(|number| number.trim_matches('.'))
        .find(|number| number.matches('.').count() == 2)
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_stands_for_its_runtime() {
        assert_eq!(runtimes("npx jest --ci"), ["node", "node"]);
        assert_eq!(runtimes(".venv/bin/python -m pytest"), [".venv/bin/python", "python3"]);
        assert!(runtimes("./shop --port 1").is_empty());
    }

    #[test]
    fn the_machine_is_known_by_name_and_kernel() {
        let facts = facts(&[]);
        let kernel = rustix::system::uname().release().to_str().unwrap_or_default().to_owned();
        assert!(facts.contains(&Fact::distinctive(kernel)));
        assert!(facts.iter().any(|fact| fact.names == CORES));
    }
}
