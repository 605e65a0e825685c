//! Test support: real runners, fixture servers, temporary folders.
