//! What the tests share.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use steady_process::{Cancel, Finished, Output, Running, Spec, Stream, spawn};

/// Longer than anything here takes, however busy the machine.
pub const LONG: Duration = Duration::from_secs(120);

/// A daemon as they are written: forked, the parent gone, in a session of its own, and holding the output open. Its id goes to
/// standard output, and the script goes on when it is there.
pub const DAEMON: &str =
    "(setsid sh -c 'echo $$; echo $$ >daemon; exec sleep 1000' &); until [ -s daemon ]; do sleep 0.01; done;";

pub fn run(spec: &Spec) -> Finished {
    spawn(spec).unwrap().wait(&Cancel::new().unwrap())
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.bytes(Stream::Stdout)).unwrap()
}

/// The process ids a victim printed.
pub fn pids(output: &Output) -> Vec<u32> {
    stdout(output).split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// Waits for what a victim prints when it is ready.
pub fn printed(running: &Running, text: &str) -> Output {
    until("the victim's text", || {
        let output = running.output_so_far();
        stdout(&output).contains(text).then_some(output)
    })
}

/// Asks again until there is an answer.
pub fn until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(start.elapsed() < LONG, "no {what} within {LONG:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The state of a process that runs this program; `None` when there is none, not even a zombie.
pub fn state(pid: u32, program: &str) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.split_once(&format!("({program}) "))?;
    fields.chars().next()
}

pub fn is_running(pid: u32, program: &str) -> bool {
    state(pid, program).is_some_and(|state| state != 'Z')
}

/// Waits until a process has become the program that its script ends with.
pub fn becomes(pid: u32, program: &str) {
    until("program of the script", || is_running(pid, program).then_some(()));
}

/// The content of a file a victim writes, once it is there.
pub fn written(file: &Path) -> String {
    until("file of the victim", || fs::read_to_string(file).ok().filter(|text| text.ends_with('\n')))
}
