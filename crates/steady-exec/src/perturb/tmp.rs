//! The folder for temporary files: another one reveals fixed and unquoted paths.

use crate::Overrides;

pub const FIRST: u32 = 2;
pub const MORE: u32 = 5;

const FOLDERS: [&str; 2] = ["elsewhere", "with a space"];

pub fn values() -> Vec<String> {
    FOLDERS.map(str::to_owned).into()
}

pub fn apply(value: &str, overrides: &mut Overrides) {
    overrides.temporary_folder = FOLDERS.into_iter().find(|name| *name == value);
}
