//! One file per format. Each says who writes it and what is peculiar, has `sniff` to recognise it by its first bytes and
//! `read` to turn it into cases.

pub(crate) mod go;
pub(crate) mod jest;
mod json;
pub(crate) mod junit;
pub(crate) mod libtest;
mod lines;
pub(crate) mod playwright;
pub(crate) mod pytest_json;
pub(crate) mod pytest_log;
pub(crate) mod steady;
pub(crate) mod tap;
