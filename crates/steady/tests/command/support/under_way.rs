//! Calls that are under way, and the processes they started.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command};

use tempfile::TempDir;

use super::Invocation;

/// Sends a signal.
pub fn signal(name: &str, process: u32) {
    assert!(Command::new("kill").args([name, &process.to_string()]).status().unwrap().success());
}

/// Whether a process is there and runs.
pub fn is_alive(process: u32) -> bool {
    // A zombie that nobody has waited for yet has ended, too.
    std::fs::read_to_string(format!("/proc/{process}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
}

/// Waits until the command has written its process id and its child's.
pub fn processes(UnderWay(child): &mut UnderWay, folder: &Path) -> Vec<u32> {
    loop {
        let ended = child.try_wait().unwrap();
        let text = std::fs::read_to_string(folder.join("pids")).unwrap_or_default();
        if text.lines().count() == 2 && text.ends_with('\n') {
            return text.lines().map(|line| line.parse().unwrap()).collect();
        }
        if let Some(status) = ended {
            let mut stderr = String::new();
            child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
            panic!("ended with {status} before the command was there:\n{stderr}");
        }
        std::thread::yield_now();
    }
}

/// A call under way, ended in order should a test fail.
pub struct UnderWay(pub Child);

impl Drop for UnderWay {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(None)) {
            signal("-INT", self.0.id());
            let _ = self.0.wait();
        }
    }
}

/// Starts a call; its folder lives as long as the second value.
pub fn start(invocation: Invocation) -> (UnderWay, TempDir) {
    let (child, folder) = invocation.start();
    (UnderWay(child), folder)
}

/// The exit code, and what was printed since somebody last read it.
pub fn wait(UnderWay(child): &mut UnderWay) -> (Option<i32>, String) {
    let status = child.wait().unwrap();
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    (status.code(), stdout)
}
