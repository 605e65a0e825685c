//! Where things are in the workspace.

use std::path::{Path, PathBuf};

/// The workspace's folder.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_path_buf()
}

/// The folder everything a benchmark installs and writes is below.
pub fn bench() -> PathBuf {
    root().join("target").join("bench")
}
