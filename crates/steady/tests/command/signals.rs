//! A signal ends every command that takes its time, and everything it started, whether that listens or not.
//!
//! Each case has something in the middle of it that never ends and ignores every signal but SIGKILL. Without the bound they all have, some
//! of these commands would wait for it for minutes, some without end.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use steady_testkit::python_packages;
use tempfile::TempDir;

use crate::support::{Invocation, UnderWay, is_alive, processes, signal, start};

/// Far more than the two seconds it takes, for machines with much to do; far less than it took without a bound.
const PATIENCE: Duration = Duration::from_secs(30);

/// Never ends, has a child, and both listen to nobody. Writes both process ids.
const STUBBORN: &str = r#"trap '' INT TERM HUP
sleep 1000 & echo $! >"$PIDS.new"; echo $$ >>"$PIDS.new"; mv "$PIDS.new" "$PIDS"
while :; do sleep 1000; done"#;

/// A test file with a wait, and a suite of one test.
const SCRIPT: &str = "import { wait } from './time';\n\ntest('a', async () => {\n  await wait(400);\n});\n";
const SUITE: &str = r#"{"version": 1, "api": {"title": "A", "url": "http://127.0.0.1:1"}, "seed": 1,
  "tests": [{"name": "a", "group": "successes", "about": "a", "calls": [{"operation": "GET /a",
    "request": {"method": "GET", "target": "/a"}, "expect": [{"where": "status", "is": {"equals": 200}}]}]}]}"#;
/// Answers every request, and ends by SIGKILL alone.
const API: &str = r#"import http.server, signal, sys
for name in ("SIGINT", "SIGTERM", "SIGHUP"): signal.signal(getattr(signal, name), signal.SIG_IGN)
class Api(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.send_header("content-length", "0"); self.end_headers()
    def log_message(self, *_): pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Api).serve_forever()"#;
const TEST: &str =
    "import requests\n\n\ndef test_a():\n    assert requests.get('http://127.0.0.1:1').status_code == 200\n";
/// Keeps pytest from coming to its tests.
const CONFTEST: &str = "import subprocess\n\nsubprocess.run(['sh', 'stubborn.sh'])\n";

/// A command, and the settings of the API it starts.
struct Case {
    arguments: &'static [&'static str],
    sut: &'static str,
}

const fn case(arguments: &'static [&'static str]) -> Case {
    Case { arguments, sut: "" }
}

const CASES: [Case; 9] = [
    case(&["rerun", "--runs", "50", "--", "sh", "stubborn.sh"]),
    case(&["rerun", "--jobs", "2", "--isolate", "--", "sh", "stubborn.sh"]),
    case(&["waits", "tune", "a.test.js:4", "--from", "1s", "--", "sh", "stubborn.sh"]),
    case(&["waits", "tune", "--shrink", "--", "sh", "stubborn.sh"]),
    case(&["waits", "tune", "--", "sh", "stubborn.sh"]),
    case(&["stabilize", "tests", "--", "python", "-m", "pytest", "tests"]),
    // The API is never ready; it is never told to be stopped; it is never put back.
    Case { arguments: &["run", "suite.json"], sut: r#"start = "sh stubborn.sh {port}""# },
    Case {
        arguments: &["run", "suite.json"],
        sut: "start = \"python3 api.py {port}\"\nstop = \"sh stubborn.sh\"",
    },
    Case {
        arguments: &["stabilize", "suite.json"],
        sut: "start = \"python3 api.py {port}\"\nreset = \"sh stubborn.sh\"",
    },
];

impl Case {
    /// Starts it, and waits until it waits; gives the processes it waits for.
    fn start(&self, search: &str) -> (UnderWay, TempDir, Vec<u32>) {
        let invocation = Invocation::new(
            self.arguments.iter().take_while(|word| **word != "--").copied().chain(
                ["--format", "json"]
                    .into_iter()
                    .chain(self.arguments.iter().skip_while(|word| **word != "--").copied()),
            ),
        );
        let pids = invocation.folder().join("pids");
        let sut = if self.sut.is_empty() { String::new() } else { format!("[sut]\n{}\n", self.sut) };
        let invocation = invocation
            .file("stubborn.sh", STUBBORN)
            .file("a.test.js", SCRIPT)
            .file("suite.json", SUITE)
            .file("api.py", API)
            .file("tests/test_a.py", TEST)
            .file("tests/conftest.py", CONFTEST)
            .file("steady.toml", sut)
            .env("PATH", search)
            .env("PIDS", pids.to_str().unwrap());
        let (mut child, folder) = start(invocation);
        let processes = processes(&mut child, folder.path());
        (child, folder, processes)
    }
}

/// The exit code; a command that outlives the signal by far is killed, and the test fails.
#[track_caller]
fn end(child: &mut Child, case: &Case) -> i32 {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code().unwrap();
        }
        if Instant::now() > until {
            child.kill().unwrap();
            panic!("{:?} does not end", case.arguments);
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// The last event is the only one of its kind, says that the command was cut short, and knows the exit code.
#[track_caller]
fn ends_in_order(child: &mut Child, code: i32, case: &Case) {
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    let events: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let last: Vec<&Value> = events.iter().filter(|event| event["event"] == "run_finished").collect();
    assert_eq!(last, [events.last().unwrap()], "{:?}", case.arguments);
    assert_eq!(last[0]["exit_code"], code, "{:?}", case.arguments);
}

fn search() -> String {
    let requirements =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../steady-exec/tests/fixtures/requirements.txt");
    let python = python_packages("record-python", &requirements).unwrap();
    format!("{}:{}", python.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default())
}

#[test]
fn a_signal_ends_every_command_and_what_does_not_listen() {
    let search = search();
    for (case, name) in CASES.iter().zip(["-INT", "-TERM", "-HUP"].into_iter().cycle()) {
        let (mut child, folder, processes) = case.start(&search);
        signal(name, child.0.id());
        let code = end(&mut child.0, case);
        assert!(!processes.into_iter().any(is_alive), "{:?}", case.arguments);
        ends_in_order(&mut child.0, code, case);
        if case.arguments[0] == "rerun" {
            assert!(folder.path().join("steady-out/rerun.json").exists(), "{:?}", case.arguments);
        }
    }
}

#[test]
fn a_second_signal_ends_every_command_at_once() {
    let search = search();
    for (case, (name, code)) in
        CASES.iter().zip([("-HUP", 129), ("-INT", 130), ("-TERM", 143)].into_iter().cycle())
    {
        let (mut child, _folder, processes) = case.start(&search);
        // Signals that arrive together count as one, so a few may be needed.
        let until = Instant::now() + PATIENCE;
        while child.0.try_wait().unwrap().is_none() && Instant::now() < until {
            signal(name, child.0.id());
        }
        assert_eq!(end(&mut child.0, case), code, "{:?}", case.arguments);
        ends_in_order(&mut child.0, code, case);
        // Steady has not waited for the end of what it killed.
        let until = Instant::now() + PATIENCE;
        while processes.iter().any(|process| is_alive(*process)) {
            assert!(Instant::now() < until, "{:?} leaves processes", case.arguments);
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn a_signal_ends_a_merge_that_has_not_read_everything() {
    let outcome = Invocation::new(["rerun", "--runs", "1", "--no-store", "--", "true"])
        .env("PATH", &std::env::var("PATH").unwrap_or_default())
        .run()
        .exits_with(0);
    let folder = outcome.into_folder();
    let events = folder.path().join("steady-out/events.jsonl");
    std::fs::remove_file(&events).unwrap();
    assert!(Command::new("mkfifo").arg(&events).status().unwrap().success());
    let merge = case(&["merge", "steady-out", "--out", "merged", "--format", "json"]);
    let (mut child, folder) = start(Invocation::within(folder, merge.arguments));
    // Opens when the other end is read.
    let endless = File::create(&events).unwrap();
    signal("-TERM", child.0.id());
    assert_eq!(end(&mut child.0, &merge), 143);
    ends_in_order(&mut child.0, 143, &merge);
    drop(endless);
    assert!(!folder.path().join("merged/rerun.json").exists());
}

#[test]
fn an_interrupted_demo_does_not_say_that_there_is_nothing_to_report() {
    let demo = case(&["demo", "--time", "1h", "--format", "json"]);
    let (mut child, _folder) = start(Invocation::new(demo.arguments));
    let mut lines = BufReader::new(child.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains(r#""event":"status_reached""#)));
    signal("-INT", child.0.id());
    let last: Value = serde_json::from_str(&lines.last().unwrap()).unwrap();
    assert_eq!((&last["interrupted"], &last["exit_code"]), (&true.into(), &2.into()), "{last}");
    assert_eq!(child.0.wait().unwrap().code(), Some(2));
}
