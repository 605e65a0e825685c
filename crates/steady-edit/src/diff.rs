//! Unified diffs.

use std::path::Path;

use similar::TextDiff;

/// A unified diff between two texts of a file; empty when they are the same.
pub fn diff(path: &Path, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let path = path.display().to_string().replace('\\', "/");
    let path = path.trim_start_matches('/');
    let (before, after) = (format!("a/{path}"), format!("b/{path}"));
    TextDiff::from_lines(old, new).unified_diff().header(&before, &after).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_names_the_file_and_shows_the_lines() {
        let shown = diff(Path::new("tests/a.py"), "a\nb\n", "a\nc\n");
        assert_eq!(shown, "--- a/tests/a.py\n+++ b/tests/a.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
        assert_eq!(diff(Path::new("a.py"), "a\n", "a\n"), "");
    }
}
