//! Free loopback ports, each reserved for one run.

use std::collections::BTreeSet;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Ports given to runs that have not ended: the kernel may offer them again before the command has bound them.
static TAKEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());

const ATTEMPTS: usize = 100;

/// Free loopback ports, for `{port}`, `{port1}`… of one command or of several. No other run of this process gets them while this
/// value lives.
#[derive(Debug, Default)]
pub struct Ports {
    numbers: Vec<u16>,
    /// Bound, so that no other program takes them. Empty while a command uses them.
    held: Mutex<Vec<TcpListener>>,
}

impl Ports {
    /// Takes free ports and keeps them bound, so that no other program takes them.
    pub fn reserve(count: usize) -> io::Result<Self> {
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
            let other = match bind_other(port) {
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => continue,
                other => other?,
            };
            if TAKEN.lock().unwrap_or_else(PoisonError::into_inner).insert(port) {
                self.numbers.push(port);
                self.held().extend(std::iter::once(listener).chain(other));
                return Ok(());
            }
        }
        Err(io::Error::new(io::ErrorKind::AddrInUse, "the system offers only ports that are in use"))
    }

    /// What `{port}`, `{port1}`… stand for.
    pub fn numbers(&self) -> &[u16] {
        &self.numbers
    }

    /// Binds the ports again after a command that had them, so that the next one finds them free. Fails with
    /// [`io::ErrorKind::AddrInUse`] when another program has one of them.
    pub fn hold(&self) -> io::Result<()> {
        self.hand_over();
        let mut bound = Vec::new();
        for port in &self.numbers {
            bound.push(TcpListener::bind((Ipv4Addr::LOCALHOST, *port))?);
            bound.extend(bind_other(*port)?);
        }
        *self.held() = bound;
        Ok(())
    }

    /// Lets a command bind the ports; [`spawn`](crate::spawn()) does it just before the start. They stay reserved among the runs of
    /// this process.
    pub(crate) fn hand_over(&self) {
        self.held().clear();
    }

    fn held(&self) -> MutexGuard<'_, Vec<TcpListener>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The IPv6 half of the port: a server may listen on `localhost`, which is both. Without IPv6 there is nothing to reserve.
fn bind_other(port: u16) -> io::Result<Option<TcpListener>> {
    match TcpListener::bind((Ipv6Addr::LOCALHOST, port)) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(error),
        other => Ok(other.ok()),
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
        let first = Ports::reserve(3).unwrap();
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

    #[test]
    fn ports_are_held_again_once_they_are_free() {
        let ports = Ports::reserve(1).unwrap();
        let port = ports.numbers()[0];
        ports.hand_over();
        let other = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).unwrap();
        assert_eq!(ports.hold().unwrap_err().kind(), io::ErrorKind::AddrInUse);
        drop(other);
        ports.hold().unwrap();
        assert!(TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_err());
    }
}
