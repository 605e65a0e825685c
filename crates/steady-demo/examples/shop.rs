//! Runs the sample shop until it is killed: `shop [PORT]`. Prints its URL.

use std::error::Error;

use steady_demo::Shop;

#[expect(clippy::print_stdout, reason = "the address is this program's output")]
fn main() -> Result<(), Box<dyn Error>> {
    let port = match std::env::args().nth(1) {
        Some(port) => port.parse()?,
        None => 0,
    };
    let shop = Shop::start_on(port)?;
    println!("{}", shop.url());
    loop {
        std::thread::park();
    }
}
