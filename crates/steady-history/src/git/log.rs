//! Reads what `git log --raw -z` prints, commit by commit.

use std::io::{self, BufRead};
use std::path::PathBuf;

/// The format that [`Log`] reads: id, parents, time of the commit, first line of its message.
pub(crate) const FORMAT: &str = "--format=tformat:%x02%H%x00%P%x00%ct%x00%s";
/// How much of a message's first line is kept, in bytes.
const SUBJECT: usize = 300;

/// A commit, and which files it touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Logged {
    pub(crate) id: String,
    /// The parents that git visits next; of a merge, not all may matter.
    pub(crate) parents: Vec<String>,
    pub(crate) time: i64,
    pub(crate) subject: String,
    pub(crate) entries: Vec<Entry>,
}

/// A file that a commit touched, by its blobs before and after. A merge has several before; `None` means that the file did not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) path: PathBuf,
    pub(crate) old: Vec<Option<String>>,
    pub(crate) new: Option<String>,
}

impl Entry {
    /// Whether the commit added the file.
    pub(crate) fn is_new(&self) -> bool {
        self.old.iter().all(Option::is_none)
    }
}

/// The commits in a stream; ends at the first malformed record, which is where a killed git stopped writing.
pub(crate) struct Log<R> {
    stream: R,
    /// The first field of the next commit, read already.
    next: Option<Vec<u8>>,
}

impl<R: BufRead> Log<R> {
    pub(crate) fn new(stream: R) -> Self {
        Self { stream, next: None }
    }

    /// A field without its terminator; `None` when the stream ends first.
    fn field(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut field = Vec::new();
        self.stream.read_until(0, &mut field)?;
        Ok((field.pop() == Some(0)).then_some(field))
    }

    fn commit(&mut self) -> io::Result<Option<Logged>> {
        let first = match self.next.take() {
            Some(first) => Some(first),
            None => self.field()?,
        };
        let Some(id) = first.as_deref().and_then(|first| first.strip_prefix(b"\x02")) else {
            return Ok(None);
        };
        let id = text(id);
        let (Some(parents), Some(time), Some(subject)) = (self.field()?, self.field()?, self.field()?) else {
            return Ok(None);
        };
        let parents = parents.split(|&byte| byte == b' ').filter(|parent| !parent.is_empty());
        let parents = parents.map(text).collect();
        let Ok(time) = text(&time).parse() else { return Ok(None) };
        let mut entries = Vec::new();
        while let Some(field) = self.field()? {
            // A line end precedes the entries of an ordinary commit, an empty field those of a merge.
            let field = field.strip_prefix(b"\n").unwrap_or(&field);
            if field.is_empty() {
                continue;
            }
            if field.starts_with(b"\x02") {
                self.next = Some(field.to_vec());
                break;
            }
            let (Some((old, new)), Some(path)) = (blobs(field), self.field()?) else { break };
            entries.push(Entry { path: crate::paths::from_bytes(path), old, new });
        }
        Ok(Some(Logged { id, parents, time, subject: shortened(&subject), entries }))
    }
}

impl<R: BufRead> Iterator for Log<R> {
    type Item = Logged;

    fn next(&mut self) -> Option<Logged> {
        // A read error ends the stream; the exit status is checked where git was started.
        self.commit().ok().flatten()
    }
}

/// The blobs named by `:mode mode id id status`, or, in a merge, by `::` and one mode and id more for every further parent.
pub(crate) fn blobs(field: &[u8]) -> Option<(Vec<Option<String>>, Option<String>)> {
    let field = str::from_utf8(field).ok()?;
    let colons = field.bytes().take_while(|&byte| byte == b':').count();
    let words = field[colons..].split(' ').collect::<Vec<_>>();
    let sides = colons + 1;
    if colons == 0 || words.len() != 2 * sides + 1 {
        return None;
    }
    let (modes, ids) = words[..2 * sides].split_at(sides);
    // Symbolic links and submodules are excluded: their content is not text of the project.
    let blob = |(mode, id): (&&str, &&str)| mode.starts_with("100").then(|| (*id).to_owned());
    let mut blobs = modes.iter().zip(ids).map(blob).collect::<Vec<_>>();
    let new = blobs.pop()?;
    Some((blobs, new))
}

fn shortened(subject: &[u8]) -> String {
    let subject = text(subject);
    let end = subject.floor_char_boundary(SUBJECT);
    subject[..end].replace(char::is_control, " ")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(stream: &[u8]) -> Vec<Logged> {
        Log::new(stream).collect()
    }

    #[test]
    fn reads_ordinary_commits_merges_and_commits_without_files() {
        let stream =
            b"\x02c3\x00c2\x0030\x00third\x00\n:100644 100644 a1 a2 M\0a.ts\0:100644 000000 b1 00 D\0b\nb.ts\0\
            \x02c2\x00c1 b1\x0020\x00\x00\0::100644 100644 100644 a0 a9 a1 MM\0a.ts\0\
            \x02c1\x00\x0010\x00first\x00";
        let commits = read(stream);
        let ids = |commit: &Logged| commit.entries.iter().map(|entry| entry.old.len()).collect::<Vec<_>>();
        assert_eq!(commits.iter().map(ids).collect::<Vec<_>>(), [vec![1, 1], vec![2], vec![]]);
        assert_eq!(commits[0].entries[1].path, PathBuf::from("b\nb.ts"));
        assert_eq!(commits[0].entries[1].new, None);
        assert_eq!(commits[1].entries[0].old, [Some("a0".into()), Some("a9".into())]);
        assert_eq!((commits[2].time, commits[2].subject.as_str()), (10, "first"));
        assert_eq!(commits[1].parents, ["c1", "b1"]);
        assert_eq!(commits.iter().map(|commit| commit.parents.len()).collect::<Vec<_>>(), [1, 2, 0]);
    }

    #[test]
    fn what_broke_off_is_left_out() {
        let whole = b"\x02c3\x00c2\x0030\x00third\x00\n:100644 100644 a1 a2 M\0a.ts\0".as_slice();
        let entries = |stream: &[u8]| read(stream).first().map(|commit| commit.entries.len());
        assert_eq!(entries(whole), Some(1));
        for end in 0..whole.len() {
            assert_ne!(entries(&whole[..end]), Some(1), "{end}");
        }
    }

    #[test]
    fn links_and_submodules_are_no_files() {
        let stream = b"\x02c\x00\x001\x00s\x00\n:120000 100644 a1 a2 T\0a\0:000000 160000 00 b2 A\0b\0";
        let commit = read(stream).remove(0);
        assert_eq!((&commit.entries[0].old, &commit.entries[1].new), (&vec![None], &None));
    }
}
