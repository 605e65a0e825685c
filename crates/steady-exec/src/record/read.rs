//! Reads what the recorders wrote. It comes from the user's process and is not trusted.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use steady_model::rerun::TestId;
use steady_results::Base;

use crate::record::error::RecordError;
use crate::record::line::{FailureLine, Line};
use crate::record::recorded::{Failure, Recorded, Unanswered};
use crate::record::source_files::SourceFiles;

/// The longest line: a body of 1 MiB, every byte of it escaped.
const LINE_LIMIT: u64 = 8 << 20;
/// How many bytes of lines are read in all.
const SIZE_LIMIT: u64 = 512 << 20;
/// How many problems are listed; the rest is counted.
const NOTE_LIMIT: usize = 10;

/// What was read of a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recording {
    /// The exchanges, by test and then in the order they were asked for; those outside of tests come first.
    pub exchanges: Vec<Recorded>,
    /// Where tests failed, if their runner's recorder reports it.
    pub failures: Vec<Failure>,
    /// The requests without an answer.
    pub unanswered: Vec<Unanswered>,
    /// What could not be read, and why; the rest is read.
    pub notes: Vec<String>,
}

/// An exchange before sorting.
struct Pending {
    file: usize,
    followed: bool,
    exchange: Recorded,
}

/// Reads the recording in `folder`, of tests in `project`.
pub fn read(folder: &Path, project: &Path) -> Result<Recording, RecordError> {
    let root = project.canonicalize().unwrap_or_else(|_| project.to_owned());
    let base = Base::new(project);
    let mut files = SourceFiles::new(root);
    let mut notes = Notes::default();
    let mut pending = Vec::new();
    let mut left = SIZE_LIMIT;
    let (mut failures, mut unanswered) = (Vec::new(), Vec::new());
    for path in &recordings(folder, "failures-")? {
        // A malformed line is a failure at an unknown place.
        let mut each = |_: usize, bytes: &[u8]| {
            if let Ok(line) = serde_json::from_slice::<FailureLine>(bytes) {
                let test = steady_results::test_id(&base, &line.test);
                failures.push(Failure { test, frames: line.frames(&mut files) });
            }
        };
        for_each_line(path, &mut left, &mut each).map_err(RecordError::folder(path))?;
    }
    for path in &recordings(folder, "unanswered-")? {
        let mut each =
            |_: usize, bytes: &[u8]| unanswered.extend(serde_json::from_slice::<Unanswered>(bytes));
        for_each_line(path, &mut left, &mut each).map_err(RecordError::folder(path))?;
    }
    for (number, path) in recordings(folder, "exchanges-")?.iter().enumerate() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Most recorders name their files by the process that writes them.
        let process =
            name.strip_prefix("exchanges-").and_then(|rest| rest.strip_suffix(".jsonl")?.parse().ok());
        for_each_line(path, &mut left, &mut |at, bytes| match parsed(bytes, &base, &mut files) {
            Ok((followed, exchange)) => {
                pending.push(Pending { file: number, followed, exchange: Recorded { process, ..exchange } });
            }
            Err(problem) => notes.add(format!("{name}, line {at}: {problem}")),
        })
        .map_err(RecordError::folder(path))?;
    }
    if left == 0 {
        notes.add(format!("the recording has more than {SIZE_LIMIT} bytes; the rest is left out"));
    }
    Ok(Recording { exchanges: joined(pending), failures, unanswered, notes: notes.listed() })
}

/// The files of a recording whose names begin with this, in order.
fn recordings(folder: &Path, start: &str) -> Result<Vec<PathBuf>, RecordError> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(RecordError::folder(folder))? {
        let entry = entry.map_err(RecordError::folder(folder))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && name.starts_with(start) && name.ends_with(".jsonl") {
            paths.push(entry.path());
        }
    }
    paths.sort_unstable();
    Ok(paths)
}

/// Calls `each` with every line and its number; a line that is too long is cut and therefore not JSON.
fn for_each_line(path: &Path, left: &mut u64, each: &mut dyn FnMut(usize, &[u8])) -> std::io::Result<()> {
    let mut reader = BufReader::new(File::open(path)?);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let length = reader.by_ref().take(LINE_LIMIT.min(*left)).read_until(b'\n', &mut line)?;
        *left = left.saturating_sub(length as u64);
        if length == 0 {
            break;
        }
        if line.last() != Some(&b'\n') && *left > 0 {
            reader.skip_until(b'\n')?;
        }
        if !line.trim_ascii().is_empty() {
            each(number, &line);
        }
    }
    Ok(())
}

fn parsed(bytes: &[u8], base: &Base, files: &mut SourceFiles) -> Result<(bool, Recorded), serde_json::Error> {
    let line: Line<'_> = serde_json::from_slice(bytes)?;
    let test = line.test.as_deref().map(|test| steady_results::test_id(base, test));
    let followed = line.followed;
    Ok((followed, Recorded { test, ..line.exchange(files) }))
}

/// Sorts the exchanges, and gives redirected requests the answers of the redirects that were followed.
fn joined(mut pending: Vec<Pending>) -> Vec<Recorded> {
    fn key(pending: &Pending) -> (Option<&TestId>, usize, u32) {
        (pending.exchange.test.as_ref(), pending.file, pending.exchange.sequence)
    }
    pending.sort_by(|a, b| key(a).cmp(&key(b)));
    let mut exchanges: Vec<Recorded> = Vec::with_capacity(pending.len());
    for Pending { followed, exchange, .. } in pending {
        let redirected = exchanges
            .iter_mut()
            .rev()
            .take_while(|before| before.test == exchange.test)
            .find(|before| before.frames == exchange.frames && is_redirect(before));
        match redirected {
            Some(before) if followed => before.response = exchange.response,
            _ => exchanges.push(exchange),
        }
    }
    exchanges
}

fn is_redirect(exchange: &Recorded) -> bool {
    (300..400).contains(&exchange.response.status) && exchange.response.header("location").is_some()
}

/// Problems, of which the first few are listed.
#[derive(Default)]
struct Notes {
    listed: Vec<String>,
    more: usize,
}

impl Notes {
    fn add(&mut self, note: String) {
        if self.listed.len() < NOTE_LIMIT {
            self.listed.push(note);
        } else {
            self.more += 1;
        }
    }

    fn listed(mut self) -> Vec<String> {
        if self.more > 0 {
            self.listed.push(format!("and {} more", self.more));
        }
        self.listed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(test: &str, sequence: u32, more: &str, response: &str) -> String {
        format!(
            r#"{{"test":{test},"sequence":{sequence},"frames":[]{more},"request":{{"method":"GET","url":"http://a/"}},"response":{response}}}"#
        )
    }

    fn answer(status: u16, headers: &str, body: &str) -> String {
        format!(r#"{{"status":{status},"headers":[{headers}],"body":{{"text":"{body}"}},"truncated":false}}"#)
    }

    /// Reads a recording with these files.
    fn read_files(files: &[(&str, &[u8])]) -> Recording {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        read(folder.path(), folder.path()).unwrap()
    }

    fn listed(recording: &Recording) -> Vec<(Option<&str>, u32, &[u8])> {
        recording
            .exchanges
            .iter()
            .map(|one| (one.test.as_ref().map(TestId::as_str), one.sequence, one.response.body.as_bytes()))
            .collect()
    }

    #[test]
    fn lines_that_make_no_sense_are_noted_and_the_others_read() {
        let good = line("\"t\"", 1, "", &answer(200, "", "one"));
        let cut = &line("\"t\"", 2, "", &answer(200, "", "two"))[..60];
        let text = [
            good.as_bytes(),
            cut.as_bytes(),
            b"\xff\xfe not text",
            b"[]",
            line("7", 3, "", &answer(200, "", "x")).as_bytes(),
            line("\"t\"", 4, "", &answer(200, "", "x")).replace("200", "70000").as_bytes(),
            b"   ",
            line("null", 1, "", &answer(204, "", "")).as_bytes(),
        ]
        .join(&b'\n');
        let recording = read_files(&[("exchanges-1.jsonl", &text), ("other.jsonl", b"nonsense")]);
        assert_eq!(listed(&recording), [(None, 1, &b""[..]), (Some("t"), 1, b"one")]);
        assert_eq!(recording.notes.len(), 5, "{:?}", recording.notes);
        assert!(recording.notes[0].starts_with("exchanges-1.jsonl, line 2: "), "{}", recording.notes[0]);
    }

    #[test]
    fn a_line_without_end_is_left_out() {
        let mut text = vec![b'['; usize::try_from(LINE_LIMIT).unwrap() + 10];
        text.push(b'\n');
        text.extend(line("\"t\"", 1, "", &answer(200, "", "one")).bytes());
        let recording = read_files(&[("exchanges-1.jsonl", &text)]);
        assert_eq!(listed(&recording), [(Some("t"), 1, &b"one"[..])]);
        assert_eq!(recording.notes.len(), 1);
    }

    #[test]
    fn many_problems_are_counted() {
        let recording = read_files(&[("exchanges-1.jsonl", &b"{}\n".repeat(100))]);
        assert_eq!(recording.notes.last().map(String::as_str), Some("and 90 more"));
    }

    #[test]
    fn a_followed_redirect_is_one_exchange_with_the_last_answer() {
        let location = r#"["Location","/b"]"#;
        let text = [
            line("\"t\"", 3, "", &answer(302, location, "not followed")),
            line("\"t\"", 2, r#","followed":true"#, &answer(200, "", "there")),
            line("\"t\"", 1, "", &answer(302, location, "moved")),
            line("\"u\"", 1, r#","followed":true"#, &answer(200, "", "alone")),
        ]
        .join("\n");
        let recording = read_files(&[("exchanges-1.jsonl", text.as_bytes())]);
        let expected: [(Option<&str>, u32, &[u8]); 3] =
            [(Some("t"), 1, b"there"), (Some("t"), 3, b"not followed"), (Some("u"), 1, b"alone")];
        assert_eq!(listed(&recording), expected);
    }

    #[test]
    fn frames_lead_into_the_project_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let inside = root.join("tests/a.py");
        let frames = [
            format!(r#"{{"file":"{}","line":3}}"#, inside.display()),
            format!(r#"{{"file":"{}","line":0}}"#, inside.display()),
            format!(r#"{{"file":"{}/../b.py","line":3}}"#, root.display()),
            r#"{"file":"/etc/passwd","line":1}"#.to_owned(),
            r#"{"class":"shop.Gone","file":"Gone.java","line":1}"#.to_owned(),
        ];
        let frames = format!(r#""frames":[{}]"#, frames.join(","));
        let text = line("null", 1, "", &answer(200, "", "")).replace(r#""frames":[]"#, &frames);
        fs::write(root.join("exchanges-1.jsonl"), text).unwrap();
        let recording = read(&root, &root).unwrap();
        assert_eq!(recording.notes, Vec::<String>::new());
        let found: Vec<(&str, u32)> = recording.exchanges[0]
            .frames
            .iter()
            .map(|frame| (frame.file.to_str().unwrap(), frame.line))
            .collect();
        assert_eq!(found, [("tests/a.py", 3)]);
    }
}
