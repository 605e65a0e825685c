//! What kind of program an ELF file holds, from its headers alone.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use super::{Doubt, Look, Obstacle};

/// A 64-bit file in this machine's byte order: what follows `\x7fELF`.
const OWN_KIND: [u8; 2] = [2, if cfg!(target_endian = "little") { 1 } else { 2 }];
/// The processor's number in the header; none matches where there is no shim.
const OWN_MACHINE: u16 = if cfg!(target_arch = "x86_64") {
    62
} else if cfg!(target_arch = "aarch64") {
    183
} else {
    0
};
const HEADER: usize = 64;
const SEGMENT: usize = 56;
/// More than any real program has; the file is not trusted.
const MAX_SEGMENTS: u16 = 256;
const MAX_CONTENT: u64 = 64 * 1024;
const NOT_ELF: Look = Look::Doubtful(Doubt::UnknownFormat);
const INTERPRETER: u32 = 3;
const NOTE: u32 = 4;

/// What the headers say.
pub(super) fn look(file: &File) -> io::Result<Look> {
    let mut header = [0; HEADER];
    match file.read_exact_at(&mut header, 0) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(NOT_ELF),
        other => other?,
    }
    if header[..4] != *b"\x7fELF" {
        return Ok(NOT_ELF);
    }
    if header[4..6] != OWN_KIND || number16(&header, 18) != OWN_MACHINE {
        return Ok(Look::Fails(Obstacle::OtherArchitecture));
    }
    let mut loader = None;
    for index in 0..number16(&header, 56).min(MAX_SEGMENTS) {
        let mut segment = [0; SEGMENT];
        let place = number64(&header, 32).saturating_add(u64::from(index) * SEGMENT as u64);
        file.read_exact_at(&mut segment, place)?;
        match number32(&segment, 0) {
            INTERPRETER => loader = Some(path(&content(file, &segment)?)),
            NOTE if is_go(&content(file, &segment)?) => return Ok(Look::Fails(Obstacle::Go)),
            _ => {}
        }
    }
    Ok(match loader {
        None => Look::Fails(Obstacle::Static),
        Some(loader) if is_glibc(&loader) => Look::Works,
        Some(loader) => Look::Fails(Obstacle::OtherCLibrary { loader }),
    })
}

fn content(file: &File, segment: &[u8; SEGMENT]) -> io::Result<Vec<u8>> {
    let length = number64(segment, 32).min(MAX_CONTENT);
    let mut bytes = vec![0; length as usize];
    file.read_exact_at(&mut bytes, number64(segment, 8))?;
    Ok(bytes)
}

/// glibc's dynamic linker has this name wherever it is installed.
fn is_glibc(loader: &Path) -> bool {
    loader.file_name().is_some_and(|name| name.as_bytes().starts_with(b"ld-linux"))
}

/// Go's linker signs its programs with a note of its own.
fn is_go(mut notes: &[u8]) -> bool {
    let padded = |length: u32| (length as usize).next_multiple_of(4);
    while let Some((head, rest)) = notes.split_at_checked(12) {
        let (name, value) = (padded(number32(head, 0)), padded(number32(head, 4)));
        if rest.starts_with(b"Go\0\0") && name == 4 {
            return true;
        }
        notes = rest.get(name.saturating_add(value)..).unwrap_or_default();
    }
    false
}

fn path(bytes: &[u8]) -> PathBuf {
    let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    Path::new(OsStr::from_bytes(text)).to_path_buf()
}

/// The bytes at a place within a header, as a number of the file's order, which is the machine's.
fn number16(bytes: &[u8], place: usize) -> u16 {
    bytes[place..].first_chunk().map_or(0, |bytes| u16::from_ne_bytes(*bytes))
}

fn number32(bytes: &[u8], place: usize) -> u32 {
    bytes[place..].first_chunk().map_or(0, |bytes| u32::from_ne_bytes(*bytes))
}

fn number64(bytes: &[u8], place: usize) -> u64 {
    bytes[place..].first_chunk().map_or(0, |bytes| u64::from_ne_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    /// A file with a header and these segments: kind and content.
    fn program(segments: &[(u32, &[u8])]) -> File {
        let mut bytes = vec![0; HEADER];
        bytes[..4].copy_from_slice(b"\x7fELF");
        bytes[4..6].copy_from_slice(&OWN_KIND);
        bytes[18..20].copy_from_slice(&OWN_MACHINE.to_ne_bytes());
        bytes[32..40].copy_from_slice(&(HEADER as u64).to_ne_bytes());
        bytes[56..58].copy_from_slice(&(segments.len() as u16).to_ne_bytes());
        let mut place = HEADER + segments.len() * SEGMENT;
        for (kind, content) in segments {
            let mut segment = [0; SEGMENT];
            segment[..4].copy_from_slice(&kind.to_ne_bytes());
            segment[8..16].copy_from_slice(&(place as u64).to_ne_bytes());
            segment[32..40].copy_from_slice(&(content.len() as u64).to_ne_bytes());
            bytes.extend(segment);
            place += content.len();
        }
        segments.iter().for_each(|(_, content)| bytes.extend(*content));
        file(&bytes)
    }

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    fn note(name: &[u8], value: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [name.len() as u32, value.len() as u32, 4] {
            bytes.extend(number.to_ne_bytes());
        }
        bytes.extend(name);
        bytes.extend(value);
        bytes
    }

    const GLIBC: (u32, &[u8]) = (INTERPRETER, b"/lib64/ld-linux-x86-64.so.2\0");

    #[test]
    fn a_program_of_glibc_has_no_obstacle() {
        let build = note(b"GNU\0", b"12345678");
        assert_eq!(look(&program(&[GLIBC, (NOTE, &build)])).unwrap(), Look::Works);
    }

    #[test]
    fn a_static_program_loads_nothing() {
        assert_eq!(look(&program(&[(1, b"code")])).unwrap(), Look::Fails(Obstacle::Static));
    }

    #[test]
    fn a_go_program_is_known_by_its_note_even_when_linked_dynamically() {
        let notes = [note(b"GNU\0", b"12345678"), note(b"Go\0\0", b"abcd")].concat();
        assert_eq!(look(&program(&[GLIBC, (NOTE, &notes)])).unwrap(), Look::Fails(Obstacle::Go));
    }

    #[test]
    fn another_c_library_is_named() {
        let loader = "/lib/ld-musl-x86_64.so.1";
        let found = look(&program(&[(INTERPRETER, b"/lib/ld-musl-x86_64.so.1\0")])).unwrap();
        assert_eq!(found, Look::Fails(Obstacle::OtherCLibrary { loader: loader.into() }));
    }

    #[test]
    fn a_32_bit_program_is_for_another_processor() {
        let mut header = [0; HEADER];
        header[..6].copy_from_slice(b"\x7fELF\x01\x01");
        assert_eq!(look(&file(&header)).unwrap(), Look::Fails(Obstacle::OtherArchitecture));
    }

    #[test]
    fn other_files_are_not_programs() {
        assert_eq!(look(&file(b"")).unwrap(), NOT_ELF);
        assert_eq!(look(&file(&[b'x'; 100])).unwrap(), NOT_ELF);
    }

    #[test]
    fn damaged_headers_are_an_error_and_end() {
        let damaged = program(&[GLIBC]);
        // A content of 2^64 bytes at the end of the address space.
        let lengths = [u64::MAX.to_ne_bytes(); 4].concat();
        damaged.write_all_at(&lengths, HEADER as u64 + 8).unwrap();
        assert!(look(&damaged).is_err());
        assert!(!is_go(&[0xff; 64]));
    }
}
