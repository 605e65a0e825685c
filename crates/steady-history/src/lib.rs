//! Past versions of the lines of a folder, from git.
