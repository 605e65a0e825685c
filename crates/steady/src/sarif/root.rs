//! Where the current folder is in its repository: code hosts know files from the root on.

use std::path::Path;

use super::encoded;

/// The way from the root of the repository to a folder, as addresses have it; empty where there is none.
pub(super) fn prefix(folder: &Path) -> String {
    let root = folder.ancestors().find(|folder| folder.join(".git").exists());
    let inside = root.and_then(|root| folder.strip_prefix(root).ok()).unwrap_or(Path::new(""));
    encoded(&inside.to_string_lossy().replace('\\', "/"))
}

/// The address of a file from the root on. One that is outside, or not relative, stays.
pub(super) fn from_root(prefix: &str, uri: &str) -> String {
    if uri.starts_with('/') {
        return uri.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in prefix.split('/').chain(uri.split('/')).filter(|part| !matches!(*part, "" | ".")) {
        if part != ".." {
            parts.push(part);
        } else if parts.pop().is_none() {
            return uri.to_owned();
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_begin_at_the_root() {
        let rows = [
            ("", "a.test.ts", "a.test.ts"),
            ("apps/shop", "tests/a%20b.test.ts", "apps/shop/tests/a%20b.test.ts"),
            ("apps/shop", "./a.test.ts", "apps/shop/a.test.ts"),
            ("apps/shop", "../web/a.test.ts", "apps/web/a.test.ts"),
            ("apps", "../../a.test.ts", "../../a.test.ts"),
            ("apps", "/tmp/a.test.ts", "/tmp/a.test.ts"),
        ];
        for (prefix, uri, expected) in rows {
            assert_eq!(from_root(prefix, uri), expected);
        }
    }

    #[test]
    fn the_root_is_where_git_is() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("apps/my shop");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::create_dir(root.path().join(".git")).unwrap();
        assert_eq!(prefix(&folder), "apps/my%20shop");
        assert_eq!(prefix(root.path()), "");
    }
}
