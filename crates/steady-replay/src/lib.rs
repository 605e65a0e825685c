//! Replays the tests of a suite: binds variables, checks assertions, explains differences.
