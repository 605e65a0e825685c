//! Reads what `git log` and `git diff` print with `--unified=0`.

use std::ops::Range;

/// What parts commits and their fields; messages hold none of these.
const COMMIT: char = '\u{1}';
const FIELD: char = '\u{2}';
/// The options with which git prints a commit.
pub const FORMAT: &str = "--format=%x01%H%x02%P%x02%B%x02";

/// A commit with one parent.
#[derive(Debug, PartialEq)]
pub struct Commit<'a> {
    pub id: &'a str,
    pub parent: &'a str,
    pub message: &'a str,
    pub files: Vec<FileDiff<'a>>,
}

/// A file that was changed, neither made nor removed.
#[derive(Debug, PartialEq)]
pub struct FileDiff<'a> {
    pub path: &'a str,
    /// The version before.
    pub old: &'a str,
    /// The version after.
    pub new: &'a str,
    pub hunks: Vec<Hunk>,
    /// Whether a new line could hold a time: not worth parsing otherwise.
    pub has_times: bool,
}

/// Lines that took the place of others.
#[derive(Debug, Clone, PartialEq)]
pub struct Hunk {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// The commits of a log.
pub fn commits(log: &str) -> impl Iterator<Item = Commit<'_>> {
    log.split(COMMIT).skip(1).filter_map(|text| {
        let mut fields = text.splitn(4, FIELD);
        let (id, parent, message) = (fields.next()?, fields.next()?, fields.next()?);
        let is_one = !parent.is_empty() && !parent.contains(' ');
        is_one.then(|| Commit { id, parent, message, files: files(fields.next().unwrap_or_default()) })
    })
}

fn files(text: &str) -> Vec<FileDiff<'_>> {
    text.split("\ndiff --git ").skip(1).filter_map(file).collect()
}

fn file(text: &str) -> Option<FileDiff<'_>> {
    let (mut path, mut versions) = (None, None);
    let (mut hunks, mut has_times) = (Vec::new(), false);
    for line in text.lines().skip(1) {
        if let Some(hunk) = hunk(line) {
            hunks.push(hunk);
        } else if hunks.is_empty() {
            path = line.strip_prefix("+++ b/").or(path);
            versions = line.strip_prefix("index ").or(versions);
        } else if line.starts_with('+') {
            has_times |= line.bytes().any(|byte| byte.is_ascii_digit());
        }
    }
    let (old, new) = versions?.split(' ').next()?.split_once("..")?;
    let is_change = [old, new].iter().all(|version| version.bytes().any(|byte| byte != b'0'));
    is_change.then_some(FileDiff { path: path?, old, new, hunks, has_times })
}

/// What a diff of one file is about.
pub fn hunks(diff: &str) -> impl Iterator<Item = Hunk> {
    diff.lines().filter_map(hunk)
}

/// `@@ -12,3 +12 @@`.
fn hunk(line: &str) -> Option<Hunk> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    Some(Hunk { old: range(old)?, new: range(rest.split_once(" @@")?.0)? })
}

/// `12,3` or `12`.
fn range(text: &str) -> Option<Range<usize>> {
    let (start, length) = text.split_once(',').unwrap_or((text, "1"));
    let start: usize = start.parse().ok()?;
    Some(start..start + length.parse::<usize>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_becomes_commits_with_the_lines_they_changed() {
        let log = "\u{1}c1\u{2}p1\u{2}less flaky\n\nreally\u{2}\n\ndiff --git a/x.js b/x.js\nindex aa..bb 100644\n--- a/x.js\n+++ b/x.js\n@@ -3,0 +4,2 @@ f\n+a 1\n+b\n@@ -9 +11 @@\n-c\n+d\n\
                   diff --git a/n.js b/n.js\nnew file mode 100644\nindex 000..cc\n--- /dev/null\n+++ b/n.js\n@@ -0,0 +1 @@\n+e\n\
                   \u{1}c2\u{2}p1 p2\u{2}a merge\u{2}\n";
        let hunks = vec![Hunk { old: 3..3, new: 4..6 }, Hunk { old: 9..10, new: 11..12 }];
        let files = vec![FileDiff { path: "x.js", old: "aa", new: "bb", hunks, has_times: true }];
        let first = Commit { id: "c1", parent: "p1", message: "less flaky\n\nreally", files };
        assert_eq!(commits(log).collect::<Vec<_>>(), [first]);
    }
}
