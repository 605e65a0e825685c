//! A steady that is interrupted or killed, and the one that comes after it. This process starts nothing by itself: it would adopt what
//! the killed one leaves.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]

mod support;

use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use steady_process::{CleanedUp, Ledger, RUN_VARIABLE, clean_up};
use support::{DAEMON, becomes, is_running, until, written};

/// A project folder with a ledger, and a steady that runs a command in it.
struct Project {
    folder: tempfile::TempDir,
    steady: Child,
}

impl Project {
    fn start(command: &str) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), command, "")
    }

    /// Which ends its commands so many milliseconds after a signal, whatever it waits for.
    fn start_with_patience(command: &str, patience: &str) -> Self {
        Self::start_as(tempfile::tempdir().unwrap(), &[command, patience], "")
    }

    /// With this mark in its environment, as if another steady had started it.
    fn start_in(folder: tempfile::TempDir, command: &str, mark: &str) -> Self {
        Self::start_as(folder, &[command], mark)
    }

    fn start_as(folder: tempfile::TempDir, arguments: &[&str], mark: &str) -> Self {
        let steady = Command::new(env!("CARGO_BIN_EXE_steady-process-owner"))
            .arg(folder.path().join("running"))
            .args(arguments)
            .current_dir(folder.path())
            .env(RUN_VARIABLE, mark)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self { folder, steady }
    }

    fn ledger(&self) -> PathBuf {
        self.folder.path().join("running")
    }

    /// The process id a victim wrote.
    fn victim(&self, file: &str) -> u32 {
        written(&self.folder.path().join(file)).trim().parse().unwrap()
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.steady), signal).unwrap();
    }

    /// What steady printed, and its exit code.
    fn end(&mut self) -> (String, Option<i32>) {
        let mut output = String::new();
        self.steady.stdout.take().unwrap().read_to_string(&mut output).unwrap();
        (output, self.steady.wait().unwrap().code())
    }
}

/// A failed test leaves nothing running either: steady ends its command when it is asked to end.
impl Drop for Project {
    fn drop(&mut self) {
        if self.steady.try_wait().unwrap().is_none() {
            self.signal(Signal::TERM);
            self.steady.wait().unwrap();
        }
    }
}

#[test]
fn ctrl_c_ends_the_command_and_its_daemon() {
    let mut project = Project::start(&format!("{DAEMON} sleep 1000"));
    let daemon = project.victim("daemon");
    project.signal(Signal::INT);
    assert_eq!(project.end(), ("stopped\n".to_owned(), Some(0)));
    assert!(!is_running(daemon, "sleep"));
}

#[test]
fn the_second_ctrl_c_does_not_wait() {
    // In Python, because a shell that has just begun to wait for a program hears of a signal only after that program's end.
    let stubborn = r#"exec python3 -c "
import os, signal, time
def write(name):
    with open(name, 'w') as file: print(os.getpid(), file=file)
signal.signal(signal.SIGTERM, lambda *_: write('asked'))
write('ready')
while True: time.sleep(1000)
""#;
    let mut project = Project::start(stubborn);
    let victim = project.victim("ready");
    project.signal(Signal::INT);
    project.victim("asked");
    project.signal(Signal::INT);
    assert_eq!(project.end(), (String::new(), Some(130)));
    until("end of the victim", || (!is_running(victim, "python3")).then_some(()));
}

#[test]
fn the_second_ctrl_c_finds_what_a_parent_leaves_that_ends_just_then() {
    // Ends at the first SIGTERM, after a moment that differs from run to run, and leaves a child that does not listen.
    let leaving = |delay: usize| {
        format!(
            r#"exec python3 -c "
import os, signal, subprocess, time
victim = subprocess.Popen(['sh', '-c', \"trap '' INT TERM HUP; exec sleep 1000\"])
def asked(*_):
    with open('asked', 'w') as file: print(victim.pid, file=file)
    time.sleep({delay} / 10000)
    os._exit(0)
signal.signal(signal.SIGTERM, asked)
with open('ready', 'w') as file: print(victim.pid, file=file)
while True: time.sleep(1000)
""#
        )
    };
    for delay in 0..20 {
        let mut project = Project::start(&leaving(delay));
        let victim = project.victim("ready");
        becomes(victim, "sleep");
        project.signal(Signal::INT);
        project.victim("asked");
        project.signal(Signal::INT);
        assert_eq!(project.end(), (String::new(), Some(130)));
        until("end of the victim", || (!is_running(victim, "sleep")).then_some(()));
    }
}

#[test]
fn a_command_that_has_an_hour_to_end_is_killed_when_the_patience_after_a_signal_is_over() {
    let stubborn = r#"trap '' INT TERM HUP; sh -c 'echo $$ >child; exec sleep 1000' & echo $$ >ready; wait"#;
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let mut project = Project::start_with_patience(stubborn, "100");
        let victims = [project.victim("child"), project.victim("ready")];
        project.signal(signal);
        assert_eq!(project.end(), ("stopped\n".to_owned(), Some(0)));
        assert!(!victims.into_iter().any(|victim| is_running(victim, "sh") || is_running(victim, "sleep")));
    }
}

#[test]
fn who_only_thinks_is_ended_by_the_first_signal() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let mut project = Project::start("think");
        let mut thinking = [0; 9];
        project.steady.stdout.as_mut().unwrap().read_exact(&mut thinking).unwrap();
        project.signal(signal);
        assert_eq!(project.end(), (String::new(), Some(code)));
    }
}

#[test]
fn what_a_killed_steady_left_is_cleaned_up() {
    let mut project = Project::start(&format!("{DAEMON} echo $TEMP_FOLDER >temp; sleep 1000"));
    let daemon = project.victim("daemon");
    let temp = PathBuf::from(written(&project.folder.path().join("temp")).trim_end());
    becomes(daemon, "sleep");
    project.signal(Signal::KILL);
    project.steady.wait().unwrap();
    assert!(is_running(daemon, "sleep") && temp.is_dir());

    let done = clean_up(&project.ledger()).unwrap();
    assert_eq!(done.owners, 1);
    assert!(done.processes.iter().any(|name| name == "sleep"), "{done:?}");
    assert_eq!(done.folders, std::slice::from_ref(&temp));
    assert!(!is_running(daemon, "sleep") && !temp.exists());
    assert_eq!(clean_up(&project.ledger()).unwrap(), CleanedUp::default());
}

#[test]
fn a_killed_steady_takes_the_command_with_it() {
    let mut project = Project::start("echo $$ >ready; exec sleep 1000");
    let victim = project.victim("ready");
    project.signal(Signal::KILL);
    project.steady.wait().unwrap();
    until("end of the victim", || (!is_running(victim, "sleep")).then_some(()));
}

#[test]
fn a_living_steady_is_left_alone() {
    let mut project = Project::start("echo $$ >ready; exec sleep 1000");
    let victim = project.victim("ready");
    becomes(victim, "sleep");
    assert_eq!(clean_up(&project.ledger()).unwrap(), CleanedUp::default());
    assert!(is_running(victim, "sleep"));
    project.signal(Signal::TERM);
    assert_eq!(project.end(), ("stopped\n".to_owned(), Some(0)));
}

#[test]
fn a_normal_end_leaves_an_empty_ledger() {
    let mut project = Project::start("exit 3");
    assert_eq!(project.end(), ("exit code 3\n".to_owned(), Some(0)));
    assert_eq!(fs::read_dir(project.ledger()).unwrap().count(), 0);
    assert_eq!(fs::read_dir(project.folder.path()).unwrap().count(), 1);
}

/// The name of this process's entry with a start time so many ticks earlier: as if its id had belonged to a steady before.
fn entry_of_a_predecessor(ticks: u64) -> String {
    let folder = tempfile::tempdir().unwrap();
    let _ledger = Ledger::open(folder.path()).unwrap();
    let name =
        fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().file_name().into_string().unwrap();
    let (pid, rest) = name.split_once('-').unwrap();
    let (start, boot) = rest.split_once('-').unwrap();
    format!("{pid}-{}-{boot}", start.parse::<u64>().unwrap() - ticks)
}

#[test]
fn a_reused_process_id_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(entry_of_a_predecessor(1)), "{}").unwrap();
    // It is this process that has the id.
    assert_eq!(clean_up(folder.path()).unwrap(), CleanedUp { owners: 1, ..CleanedUp::default() });
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_steady_that_a_dead_one_started_does_not_end_itself() {
    let folder = tempfile::tempdir().unwrap();
    let entry = entry_of_a_predecessor(2);
    fs::create_dir(folder.path().join("running")).unwrap();
    fs::write(folder.path().join("running").join(&entry), "{}").unwrap();
    let mut project = Project::start_in(folder, "exit 6", entry.strip_suffix(".json").unwrap());
    assert_eq!(project.end(), ("exit code 6\n".to_owned(), Some(0)));
}

#[test]
fn an_entry_cannot_have_other_folders_removed() {
    let folder = tempfile::tempdir().unwrap();
    let precious = folder.path().join("precious");
    fs::create_dir(&precious).unwrap();
    let ledger = folder.path().join("running");
    fs::create_dir(&ledger).unwrap();
    let entry = serde_json::json!({"version": 1, "parents": [folder.path(), precious]}).to_string();
    fs::write(ledger.join(entry_of_a_predecessor(3)), entry).unwrap();
    assert_eq!(clean_up(&ledger).unwrap().folders, Vec::<PathBuf>::new());
    assert!(precious.is_dir());
}

#[test]
fn files_that_are_no_entries_stay() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["notes.json", "1-2-ab.json", "1-2-ab.x.json", "x"] {
        fs::write(folder.path().join(name), "{").unwrap();
    }
    assert_eq!(clean_up(folder.path()).unwrap(), CleanedUp::default());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
    assert_eq!(clean_up(&folder.path().join("nowhere")).unwrap(), CleanedUp::default());
}
