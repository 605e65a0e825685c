//! Runs the fixture API until standard input ends: `cargo run -p steady-testkit --example fixture`.

use std::io::{self, Read as _};

use steady_testkit::Fixture;

#[expect(clippy::print_stdout, reason = "the address is what the program is for")]
fn main() -> io::Result<()> {
    let fixture = Fixture::start()?;
    println!("{}", fixture.url());
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
