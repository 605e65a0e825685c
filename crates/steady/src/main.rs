//! The `steady` command.

fn main() {}
