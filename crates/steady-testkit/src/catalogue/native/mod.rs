//! The catalogue's API in Rust: a file per category of the study's Table 3, and one of look-alikes.
//!
//! Every file has a table of [`Route`]s, each with what it answers, what varies in it and what its mutants do. The OpenAPI
//! document is made from the answers, so the two cannot disagree.
//!
//! Values from a small range (a colour, a coin, an order) follow the attempt: two calls in a row never
//! give the same one. Long ones are drawn, from a seed the system gives each process.

mod answer;
mod constants;
mod crypt;
mod document;
mod draw;
mod env;
mod rand;
mod route;
mod runmsg;
mod server;
mod state;
mod time;
mod unord;
mod world;

use answer::{Answer, RouteRequest};
pub(crate) use route::Route;
use world::World;

pub use server::serve;

/// The parts of the API by name. Each can be served alone.
pub(crate) const PARTS: [(&str, &[Route]); 8] = [
    ("time", time::ROUTES),
    ("rand", rand::ROUTES),
    ("crypt", crypt::ROUTES),
    ("unord", unord::ROUTES),
    ("runmsg", runmsg::ROUTES),
    ("state", state::ROUTES),
    ("env", env::ROUTES),
    ("constants", constants::ROUTES),
];

/// The routes of a part, or of all parts.
pub(crate) fn routes(part: Option<&str>) -> impl Iterator<Item = &'static Route> + use<'_> {
    let asked = move |name: &str| part.is_none_or(|part| part == name);
    PARTS.into_iter().filter(move |(name, _)| asked(name)).flat_map(|(_, routes)| routes)
}
