//! Follows files across renames. git is not asked to detect them: for that it would read every file of every commit.
//!
//! [`source`] finds the file that an added file was before, [`trail`] tracks such files back to the commit that added them,
//! [`rename_follower`] does so beside the walk, and [`moves`] joins what is left when everything is read.

pub(crate) mod moves;
pub(crate) mod rename_follower;
pub(crate) mod source;
pub(crate) mod trail;
