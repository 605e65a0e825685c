//! Imitates a program that draws from the one source Rust's standard library has.

use std::hash::{BuildHasher as _, RandomState};

fn main() {
    println!("drawn RandomState {}", RandomState::new().hash_one(1));
    println!("end");
}
