//! Writes suites as runnable test code.
