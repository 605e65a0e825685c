//! Which loopback address a service is mocked on.

use std::net::Ipv4Addr;

use xxhash_rust::xxh3::xxh3_64;

/// How addresses are chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Addresses {
    /// By a hash of run and service: the same in every run of that name.
    #[default]
    ByHash,
    /// At random.
    Random,
    /// This one for the first service, the next one for the second.
    From(Ipv4Addr),
}

/// The last three bytes of an address of 127.0.0.0/8.
const HOSTS: u32 = 1 << 24;

impl Addresses {
    /// The addresses to try for a service, in this order: the first that is free is taken.
    pub fn candidates(&self, run: &str, service: &str) -> impl Iterator<Item = Ipv4Addr> + use<> {
        let first = match self {
            Self::ByHash => xxh3_64(format!("{run}\n{service}").as_bytes()) as u32,
            Self::Random => {
                use std::hash::{BuildHasher as _, RandomState};
                RandomState::new().hash_one(service) as u32
            }
            Self::From(address) => u32::from(*address),
        };
        (0..HOSTS)
            .map(move |step| loopback(first.wrapping_add(step) % HOSTS))
            .filter(|address| is_usable(*address))
    }
}

fn loopback(host: u32) -> Ipv4Addr {
    Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 0, 0, 0)) | host)
}

/// Addresses that other things use: localhost and its neighbours, the machine's own name on Debian, and the broadcast address.
fn is_usable(address: Ipv4Addr) -> bool {
    let taken = [Ipv4Addr::new(127, 0, 1, 1), Ipv4Addr::new(127, 255, 255, 255)];
    address.octets()[..3] != [127, 0, 0] && !taken.contains(&address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_has_the_same_address_in_every_run_of_a_name() {
        let of = |run, service| Addresses::ByHash.candidates(run, service).next().unwrap();
        assert_eq!(of("a", "x.test"), of("a", "x.test"));
        assert_ne!(of("a", "x.test"), of("b", "x.test"));
        assert_ne!(of("a", "x.test"), of("a", "y.test"));
    }

    #[test]
    fn addresses_that_others_use_are_left_out() {
        let from = |text: &str| Addresses::From(text.parse().unwrap());
        let table = [
            ("127.0.0.1", ["127.0.1.0", "127.0.1.2"]),
            ("127.255.255.254", ["127.255.255.254", "127.0.1.0"]),
            ("127.7.8.255", ["127.7.8.255", "127.7.9.0"]),
        ];
        for (first, expected) in table {
            let found: Vec<String> =
                from(first).candidates("", "").take(2).map(|address| address.to_string()).collect();
            assert_eq!(found, expected);
        }
        let random = Addresses::Random.candidates("a", "b").next().unwrap();
        assert!(random.is_loopback() && is_usable(random));
    }
}
