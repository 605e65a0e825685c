//! Free loopback ports, one holder each.

use std::collections::BTreeSet;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::sync::{Mutex, PoisonError};

/// Ports given to runs that have not ended: the kernel may offer them again before the command has bound them.
static TAKEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());

const ATTEMPTS: usize = 100;

/// Ports that no other run of this process gets while this value lives.
#[derive(Debug, Default)]
pub(crate) struct Ports {
    numbers: Vec<u16>,
    held: Vec<TcpListener>,
}

impl Ports {
    /// Takes free ports and keeps them bound, so that no other program gets them either.
    pub(crate) fn reserve(count: usize) -> io::Result<Self> {
        let mut ports = Self::default();
        for _ in 0..count {
            ports.take_one()?;
        }
        Ok(ports)
    }

    fn take_one(&mut self) -> io::Result<()> {
        for _ in 0..ATTEMPTS {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            let port = listener.local_addr()?.port();
            // A server may listen on `localhost`, which is both; where there is no IPv6, nobody can be in the way.
            let other = match TcpListener::bind((Ipv6Addr::LOCALHOST, port)) {
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => continue,
                other => other.ok(),
            };
            if TAKEN.lock().unwrap_or_else(PoisonError::into_inner).insert(port) {
                self.numbers.push(port);
                self.held.push(listener);
                self.held.extend(other);
                return Ok(());
            }
        }
        Err(io::Error::new(io::ErrorKind::AddrInUse, "the system offers only ports that are in use"))
    }

    pub(crate) fn numbers(&self) -> &[u16] {
        &self.numbers
    }

    /// Lets the command bind the ports. They stay reserved among the runs of this process.
    pub(crate) fn hand_over(&mut self) {
        self.held.clear();
    }
}

impl Drop for Ports {
    fn drop(&mut self) {
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        for port in &self.numbers {
            taken.remove(port);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_distinct_and_bound_until_handed_over() {
        let mut first = Ports::reserve(3).unwrap();
        let second = Ports::reserve(3).unwrap();
        let all: BTreeSet<u16> = first.numbers().iter().chain(second.numbers()).copied().collect();
        assert_eq!(all.len(), 6);

        let port = first.numbers()[0];
        assert!(TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_err());
        first.hand_over();
        assert!(TAKEN.lock().unwrap().contains(&port));
        drop(first);
        assert!(!TAKEN.lock().unwrap().contains(&port));
    }
}
