//! Says before a program starts whether the shim can work in it.
//!
//! - `script`: the interpreter of a file that is not a program itself.
//! - `elf`: what kind of program a file holds.

mod elf;
mod script;

use std::env;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::system;

/// Whether the shim can work in a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Support {
    /// It can. Programs started by this one may still be of another kind.
    Works,
    /// It cannot: the program would run, but with the machine's own clock.
    Fails {
        /// The file looked at; not the one asked about when that is a script.
        program: PathBuf,
        /// Why.
        obstacle: Obstacle,
    },
    /// It is unknown.
    Unknown {
        /// The file looked at.
        program: PathBuf,
        /// Why.
        doubt: Doubt,
    },
}

impl fmt::Display for Support {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Works => formatter.write_str("the shim works"),
            Self::Fails { program, obstacle } => write!(formatter, "`{}`: {obstacle}", program.display()),
            Self::Unknown { program, doubt } => write!(formatter, "`{}`: {doubt}", program.display()),
        }
    }
}

/// Why the shim cannot work in a program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// The shim is for Linux.
    #[error("preloading works on Linux only")]
    NotLinux,
    /// Nothing is loaded into it.
    #[error("it is linked statically and loads no libraries")]
    Static,
    /// Its runtime goes around the C library.
    #[error("it is a Go program, which asks the kernel directly")]
    Go,
    /// The kernel or the dynamic linker ignores the variables.
    #[error(
        "it runs with another user's rights (setuid, setgid or capabilities), so preloading is switched off"
    )]
    Privileged,
    /// The C library is another one.
    #[error("it uses the loader `{}`; the shim is for glibc's", loader.display())]
    OtherCLibrary {
        /// The dynamic linker that it names.
        loader: PathBuf,
    },
    /// Such as a 32-bit program.
    #[error("it is for another kind of processor than steady itself")]
    OtherArchitecture,
    /// The script starts its interpreter with an empty environment.
    #[error("its first line clears the environment (`env -i`)")]
    ClearedEnvironment,
}

/// Why it is unknown.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Doubt {
    /// No such file, nor a command of that name.
    #[error("it was not found")]
    NotFound,
    /// The file cannot be read.
    #[error("it cannot be read")]
    Unreadable,
    /// Neither an ELF file nor a script that names its interpreter.
    #[error("it is neither an ELF program nor a script that starts with `#!`")]
    UnknownFormat,
    /// Scripts run by scripts.
    #[error("its interpreter is a script, and so on")]
    TooManyInterpreters,
}

/// As many as the kernel follows.
const MAX_INTERPRETERS: usize = 5;

/// Says whether the shim can work in a program, given as a path or as the name of a command in `PATH`. Scripts are
/// followed to their interpreter, through `/usr/bin/env` too. The program is not run.
pub fn check(program: &Path) -> Support {
    if !cfg!(target_os = "linux") {
        return Support::Fails { program: program.to_path_buf(), obstacle: Obstacle::NotLinux };
    }
    let mut program = program.to_path_buf();
    for _ in 0..MAX_INTERPRETERS {
        let Some(found) = find(&program) else { return Support::Unknown { program, doubt: Doubt::NotFound } };
        program = found;
        match look(&program) {
            Ok(Look::Works) => return Support::Works,
            Ok(Look::Fails(obstacle)) => return Support::Fails { program, obstacle },
            Ok(Look::Doubtful(doubt)) => return Support::Unknown { program, doubt },
            Ok(Look::RunBy(interpreter)) => program = interpreter,
            Err(_) => return Support::Unknown { program, doubt: Doubt::Unreadable },
        }
    }
    Support::Unknown { program, doubt: Doubt::TooManyInterpreters }
}

/// What one file is.
#[derive(Debug, PartialEq, Eq)]
enum Look {
    Works,
    Fails(Obstacle),
    Doubtful(Doubt),
    /// A script, run by this program.
    RunBy(PathBuf),
}

fn look(program: &Path) -> io::Result<Look> {
    let file = File::open(program)?;
    if let Some(look) = script::look(&file)? {
        return Ok(look);
    }
    // Rights given to a script have no effect, so they are looked at only now.
    if is_privileged(program, &file.metadata()?) {
        return Ok(Look::Fails(Obstacle::Privileged));
    }
    elf::look(&file)
}

/// Whether the program gains rights by being started.
fn is_privileged(program: &Path, metadata: &Metadata) -> bool {
    let owners = (metadata.uid(), metadata.gid());
    changes_user(metadata.mode(), owners, system::effective_user_and_group())
        || system::has_capabilities(program)
}

/// Whether a file of this mode and these owners (user, group) runs as another user than the one who starts it.
fn changes_user(mode: u32, owners: (u32, u32), starter: (u32, u32)) -> bool {
    (mode & 0o4000 != 0 && owners.0 != starter.0) || (mode & 0o2000 != 0 && owners.1 != starter.1)
}

/// The file that a command's name stands for.
fn find(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 || program.has_root() {
        return program.is_file().then(|| program.to_path_buf());
    }
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(program)).find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with one executable file in it.
    fn script(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("script");
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        (folder, file)
    }

    #[test]
    fn programs_of_this_system_work() {
        assert_eq!(check(&env::current_exe().unwrap()), Support::Works);
        assert_eq!(check(Path::new("sh")), Support::Works);
    }

    #[test]
    fn scripts_are_followed_to_their_interpreter() {
        for text in ["#!/bin/sh\n", "#! /bin/sh -e\n", "#!/usr/bin/env sh\n", "#!/usr/bin/env -S A=1 sh -e\n"]
        {
            let (_folder, file) = script(text);
            assert_eq!(check(&file), Support::Works, "{text}");
        }
    }

    #[test]
    fn an_interpreter_that_is_not_there_is_named() {
        let (_folder, file) = script("#!/no/such/interpreter\n");
        let program = "/no/such/interpreter".into();
        assert_eq!(check(&file), Support::Unknown { program, doubt: Doubt::NotFound });
    }

    #[test]
    fn a_script_that_runs_itself_ends() {
        let (_folder, file) = script("");
        fs::write(&file, format!("#!{}\n", file.display())).unwrap();
        let doubt = Doubt::TooManyInterpreters;
        assert_eq!(check(&file), Support::Unknown { program: file, doubt });
    }

    #[test]
    fn a_script_that_clears_the_environment_is_told() {
        let (_folder, program) = script("#!/usr/bin/env -S -i sh\n");
        let obstacle = Obstacle::ClearedEnvironment;
        assert_eq!(check(&program), Support::Fails { program, obstacle });
    }

    #[test]
    fn a_text_without_an_interpreter_cannot_be_told() {
        let (_folder, program) = script("echo hello\n");
        let doubt = Doubt::UnknownFormat;
        assert_eq!(check(&program), Support::Unknown { program, doubt });
    }

    #[test]
    fn a_program_that_acts_as_another_user_is_told_by_its_mode() {
        let (root, me) = ((0, 0), (1000, 1000));
        assert!(changes_user(0o104_755, root, me) && changes_user(0o102_755, root, me));
        assert!(!changes_user(0o100_755, root, me) && !changes_user(0o106_755, root, root));
    }

    #[test]
    fn a_verdict_says_which_file_and_why() {
        let fails = Support::Fails { program: "/bin/app".into(), obstacle: Obstacle::Go };
        assert_eq!(fails.to_string(), "`/bin/app`: it is a Go program, which asks the kernel directly");
        let unknown = Support::Unknown { program: "app".into(), doubt: Doubt::NotFound };
        assert_eq!(unknown.to_string(), "`app`: it was not found");
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        let missing = Support::Unknown { program: "no-such-command".into(), doubt: Doubt::NotFound };
        assert_eq!(check(Path::new("no-such-command")), missing);
    }
}
