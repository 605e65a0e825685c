//! Where a fix is in the file as it was before: a line that was added had no number yet.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::case::Case;
use super::diff::{Hunk, hunks};

/// The line of the parent's file that is asked about: the one that was changed, or the one that the new line was put before.
pub fn line(git_dir: &Path, case: &Case) -> Result<usize> {
    if let Some(line) = case.old_line {
        return Ok(line);
    }
    Ok(before(&diff(git_dir, case)?, case.new_line).unwrap_or(case.new_line))
}

/// The lines that the fix brought into the file, by their numbers in it.
pub fn new_lines(git_dir: &Path, case: &Case) -> Result<BTreeSet<usize>> {
    let diff = diff(git_dir, case)?;
    Ok(hunks(&diff).flat_map(|hunk| hunk.new).collect())
}

/// What the fix changed in the file. Lines that were only moved to the right, into a new block, are the old ones.
fn diff(git_dir: &Path, case: &Case) -> Result<String> {
    let diff = Command::new("git")
        .arg("--git-dir")
        .arg(git_dir)
        .args(["diff", "--unified=0", "--ignore-all-space", "--no-color", &case.parent, &case.commit, "--"])
        .arg(&case.path)
        .output()
        .context("could not run git")?;
    ensure!(diff.status.success(), "git diff failed for {} at {}", case.repo, case.commit);
    Ok(String::from_utf8_lossy(&diff.stdout).into_owned())
}

/// Where a line of the new file would be in the old one, by the hunk that brought it.
fn before(diff: &str, line: usize) -> Option<usize> {
    let Hunk { old, new } = hunks(diff).find(|hunk| hunk.new.contains(&line))?;
    // Nothing taken away: git names the line before.
    Some(if old.is_empty() { old.start + 1 } else { (old.start + line - new.start).min(old.end - 1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_line_is_found_in_the_old_file_by_its_hunk() {
        let diff = "--- a/a.js\n+++ b/a.js\n@@ -2 +2,3 @@ f\n-b\n+b\n+wait\n+c\n@@ -7,0 +10,2 @@ g\n+x\n+y\n@@ -20,4 +24,2 @@\n";
        assert_eq!(before(diff, 3), Some(2));
        assert_eq!(before(diff, 10), Some(8));
        assert_eq!(before(diff, 11), Some(8));
        assert_eq!(before(diff, 25), Some(21));
        assert_eq!(before(diff, 5), None);
    }
}
