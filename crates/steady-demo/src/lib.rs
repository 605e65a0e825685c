//! A small shop API to try steady on.
//!
//! [`Shop::start`] serves it on a free port of this machine until the value is dropped. The shop validates its input, keeps
//! customers, products and orders in memory, and describes itself at [`Shop::openapi_url`]. Like the services people
//! really test, it answers with values that are different every time (`volatile`) and it has bugs (`bugs`, which lists
//! them all).
//!
//! ```
//! let shop = steady_demo::Shop::start()?;
//! assert!(shop.openapi_url().starts_with("http://127.0.0.1:"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod answer;
mod bugs;
mod call;
mod customers;
mod fields;
mod health;
mod orders;
mod page;
mod pricing;
mod products;
mod routes;
mod server;
mod session;
mod store;
mod volatile;

pub use server::Shop;
