//! A listener for tests that write their own answers, byte by byte.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long a connection may wait for its client.
const PATIENCE: Duration = Duration::from_secs(10);

/// Listens on a free loopback port and serves every connection on a thread of its own. It stops when it is dropped.
#[derive(Debug)]
pub struct LoopbackServer {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    stops: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl LoopbackServer {
    /// Starts to serve. An answer without an end has to check the flag, which is set when the server stops. Errors of a
    /// connection are ignored: a client may close it at any time.
    pub fn start(
        serve: impl Fn(&TcpStream, &AtomicBool) -> io::Result<()> + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let (connections, stops) = (Arc::<AtomicUsize>::default(), Arc::<AtomicBool>::default());
        let (seen, stopped, serve) = (Arc::clone(&connections), Arc::clone(&stops), Arc::new(serve));
        let thread = thread::spawn(move || {
            let mut open = Vec::new();
            while let Ok((stream, _)) = listener.accept() {
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                seen.fetch_add(1, Ordering::SeqCst);
                let (serve, stopped) = (Arc::clone(&serve), Arc::clone(&stopped));
                open.push(thread::spawn(move || {
                    let _ = stream.set_read_timeout(Some(PATIENCE));
                    let _ = stream.set_write_timeout(Some(PATIENCE));
                    let _ = serve(&stream, &stopped);
                }));
            }
            open.into_iter().for_each(|connection| drop(connection.join()));
        });
        Ok(Self { address, connections, stops, thread: Some(thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many connections were made so far.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for LoopbackServer {
    fn drop(&mut self) {
        self.stops.store(true, Ordering::SeqCst);
        // One more connection wakes the listener, which then sees the flag.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            // A panic while serving has already failed the test that saw it.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    #[test]
    fn serves_connections_side_by_side_and_ends_an_endless_answer_when_dropped() {
        let server = LoopbackServer::start(|mut stream, stopped| {
            stream.write_all(b"a")?;
            while !stopped.load(Ordering::SeqCst) {
                thread::yield_now();
            }
            Ok(())
        })
        .unwrap();
        let mut clients = [(); 2].map(|()| TcpStream::connect(server.address()).unwrap());
        for client in &mut clients {
            client.read_exact(&mut [0]).unwrap();
        }
        assert_eq!(server.connections(), 2);
        drop(server);
        for mut client in clients {
            assert_eq!(client.read(&mut [0]).unwrap(), 0, "the answer has ended");
        }
    }
}
