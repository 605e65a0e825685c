//! The interpreter of a file that starts with `#!`.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use super::{Look, Obstacle};

/// The kernel reads as much of the first line.
const LONGEST_LINE: usize = 256;

/// What the first line says; none when the file is not a script that names its interpreter.
pub(super) fn look(file: &File) -> io::Result<Option<Look>> {
    let mut start = [0; LONGEST_LINE];
    let read = file.read_at(&mut start, 0)?;
    Ok(start[..read].strip_prefix(b"#!").and_then(named))
}

fn named(rest: &[u8]) -> Option<Look> {
    let line = rest.split(|&byte| byte == b'\n').next()?;
    let mut words = line.split(|byte| matches!(byte, b' ' | b'\t' | b'\r')).filter(|word| !word.is_empty());
    let interpreter = path(words.next()?);
    if interpreter.file_name() == Some(OsStr::new("env")) {
        started_by_env(words)
    } else {
        Some(Look::RunBy(interpreter))
    }
}

/// The program that `env` starts with these arguments.
fn started_by_env<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Option<Look> {
    while let Some(word) = words.next() {
        match word {
            b"-" | b"-i" | b"--ignore-environment" => return Some(Look::Fails(Obstacle::ClearedEnvironment)),
            // These take a value as their next word.
            b"-u" | b"--unset" | b"-C" | b"--chdir" => {
                words.next();
            }
            _ if word.starts_with(b"-") || word.contains(&b'=') => {}
            _ => return Some(Look::RunBy(path(word))),
        }
    }
    None
}

fn path(bytes: &[u8]) -> PathBuf {
    Path::new(OsStr::from_bytes(bytes)).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(path: &str) -> Option<Look> {
        Some(Look::RunBy(path.into()))
    }

    #[test]
    fn the_interpreter_is_the_first_word() {
        assert_eq!(named(b"/bin/sh\necho"), program("/bin/sh"));
        assert_eq!(named(b" \t/bin/sh -e"), program("/bin/sh"));
        assert_eq!(named(b"/usr/bin/python3\r\n"), program("/usr/bin/python3"));
        assert_eq!(named(b"\n/bin/sh"), None);
    }

    #[test]
    fn env_is_looked_through() {
        assert_eq!(named(b"/usr/bin/env python3\n"), program("python3"));
        assert_eq!(named(b"/usr/bin/env -S A=1 -u B node --inspect\n"), program("node"));
        assert_eq!(named(b"/bin/env\n"), None);
    }

    #[test]
    fn a_cleared_environment_is_seen() {
        assert_eq!(named(b"/usr/bin/env -S -i python3\n"), Some(Look::Fails(Obstacle::ClearedEnvironment)));
    }
}
