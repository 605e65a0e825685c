//! Installs a runner once, on first use.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::RunnerError;

/// The workspace's target directory.
pub(crate) fn target_folder() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => workspace.join(target),
        None => workspace.join("target"),
    }
}

/// A project file with pinned versions, committed beside this crate.
pub(crate) fn project_file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("runners").join(path)
}

/// Makes sure that `name` is installed and returns its folder. `recipe` is what decides the installation: when it
/// changes, the folder is made again. Processes that come while another installs wait for it.
pub(crate) fn once(
    name: &str,
    recipe: &str,
    install: impl FnOnce(&Path) -> Result<(), RunnerError>,
) -> Result<PathBuf, RunnerError> {
    let folder = target_folder().join("runners");
    let unusable = |path: &Path| {
        let path = path.to_owned();
        move |source| RunnerError::Folder { path, source }
    };
    fs::create_dir_all(&folder).map_err(unusable(&folder))?;
    let lock_path = folder.join(format!("{name}.lock"));
    let lock = File::create(&lock_path).map_err(unusable(&lock_path))?;
    lock.lock().map_err(unusable(&lock_path))?;

    let home = folder.join(name);
    let stamp = home.join("steady-recipe");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == recipe) {
        return Ok(home);
    }
    if home.exists() {
        fs::remove_dir_all(&home).map_err(unusable(&home))?;
    }
    fs::create_dir_all(&home).map_err(unusable(&home))?;
    install(&home)?;
    fs::write(&stamp, recipe).map_err(unusable(&stamp))?;
    Ok(home)
}
