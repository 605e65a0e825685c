//! How commands start, and why they do not.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use steady_process::{CommandPart, Exit, RUN_VARIABLE, SpawnError, Spec, spawn};

use crate::support::{pids, printed, run, stdout};

#[test]
fn a_session_beside_busy_threads_has_its_part_of_the_processor() {
    // The test's own process may be in no such group; a session of its own always is, where Linux has them.
    let settable = run(&Spec::shell("echo 0 > /proc/self/autogroup")).exit == Exit::Code(0);
    for (threads, niceness) in [(1, "nice 0"), (2, "nice 3"), (6, "nice 8"), (1_000, "nice 19")] {
        // Without privileges it can be changed ten times a second.
        std::thread::sleep(std::time::Duration::from_millis(150));
        let finished = run(&Spec::shell("cat /proc/self/autogroup || true").beside_busy_threads(threads));
        let printed = stdout(&finished.output);
        assert_eq!(finished.exit, Exit::Code(0), "{threads}: {printed}");
        assert!(!settable || printed.trim().ends_with(niceness), "{threads}: {printed}");
    }
}

#[test]
fn a_missing_program_is_named() {
    let error = spawn(&Spec::program("steady-no-such-program")).unwrap_err();
    assert!(matches!(&error, SpawnError::NotFound { program } if program == "steady-no-such-program"));
    assert!(error.to_string().contains("in PATH"), "{error}");
}

#[test]
fn a_file_that_is_no_program_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = spawn(&Spec::program(file.path())).unwrap_err();
    assert!(matches!(error, SpawnError::NotExecutable { .. }), "{error}");
}

#[test]
fn a_script_without_its_interpreter_is_not_taken_for_missing() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    fs::write(&script, "#!/steady/no/such/interpreter\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let error = spawn(&Spec::program("./script").folder(folder.path())).unwrap_err();
    assert!(matches!(error, SpawnError::NoInterpreter { .. }), "{error}");
}

#[test]
fn a_missing_folder_is_not_taken_for_a_missing_program() {
    let error = spawn(&Spec::program("true").folder("steady/no/such/folder")).unwrap_err();
    assert_eq!(error.to_string(), "there is no folder `steady/no/such/folder` to run `true` in");
}

#[test]
fn an_unknown_placeholder_stops_the_start() {
    let error = spawn(&Spec::program("true").arg("--port={prot}")).unwrap_err();
    assert!(matches!(error, SpawnError::Placeholder(error) if error.place == CommandPart::Argument(1)));
}

#[test]
fn environment_folder_and_niceness_are_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    let spec = Spec::shell("pwd -P; echo $ADDED-$PATH_OF_JOB-${HOME-none}; nice")
        .folder(folder.path())
        .set_variable("ADDED", "yes")
        .set_variable("PATH_OF_JOB", "/x/{job}")
        .remove_variable("HOME")
        .nice(3)
        .job(4);
    let expected = format!("{}\nyes-/x/4-none\n3\n", folder.path().canonicalize().unwrap().display());
    assert_eq!(stdout(&run(&spec).output), expected);
}

#[test]
fn standard_input_is_empty_and_there_is_no_terminal() {
    let finished = run(&Spec::shell("cat; (: </dev/tty) 2>/dev/null && exit 1; exit 0"));
    assert_eq!((finished.exit, stdout(&finished.output).as_str()), (Exit::Code(0), ""));
}

#[test]
fn ports_differ_between_commands_that_run_at_a_time_and_can_be_bound() {
    let script = "import socket,sys\n\
                  for port in sys.argv[1:]: s=socket.socket(); s.bind(('127.0.0.1',int(port))); print(port)\n\
                  print('bound',flush=True)\n\
                  sys.stdin.read(); import time; time.sleep(1000)";
    let spec = Spec::program("python3").args(["-c", script, "{port}", "{port1}"]);
    let running: Vec<_> = (0..3).map(|_| spawn(&spec).unwrap()).collect();
    let mut all = BTreeSet::new();
    for running in &running {
        let output = printed(running, "bound");
        assert_eq!(pids(&output), running.ports().iter().map(|port| u32::from(*port)).collect::<Vec<_>>());
        all.extend(running.ports().to_vec());
    }
    assert_eq!(all.len(), 6);
}

#[test]
fn every_process_carries_the_mark_of_its_run() {
    let marks: BTreeSet<_> =
        (0..2).map(|_| stdout(&run(&Spec::shell(format!("echo ${RUN_VARIABLE}"))).output)).collect();
    assert_eq!(marks.len(), 2);
    assert!(marks.iter().all(|mark| mark.contains(&format!("{}-", std::process::id()))), "{marks:?}");
}
