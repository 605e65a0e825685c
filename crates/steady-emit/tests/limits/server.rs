//! A server whose answers have no end, become large, or take for ever; and how many requests it saw.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Bytes of zeros in one member of the bomb, and how many members it has: a gigabyte in a megabyte.
const MEMBER: usize = 8 << 20;
const MEMBERS: usize = 128;

/// The server; it ends when it is dropped.
pub struct Server {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
    stops: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&vec![0; MEMBER])?;
        let bomb: Arc<[u8]> = encoder.finish()?.repeat(MEMBERS).into();
        let (requests, stops) = (Arc::<AtomicUsize>::default(), Arc::<AtomicBool>::default());
        let (seen, stopped) = (Arc::clone(&requests), Arc::clone(&stops));
        let thread = thread::spawn(move || {
            let mut conversations = Vec::new();
            while let Ok((stream, _)) = listener.accept() {
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                seen.fetch_add(1, Ordering::SeqCst);
                let (bomb, stopped) = (Arc::clone(&bomb), Arc::clone(&stopped));
                // A client may close its connection whenever it likes.
                conversations.push(thread::spawn(move || drop(converse(&stream, &bomb, &stopped))));
            }
            conversations.into_iter().for_each(|conversation| drop(conversation.join()));
        });
        Ok(Self { address, requests, stops, thread: Some(thread) })
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stops.store(true, Ordering::SeqCst);
        // One more connection, so that the thread sees it.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn converse(mut stream: &TcpStream, bomb: &[u8], stopped: &AtomicBool) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    stream.set_write_timeout(Some(Duration::from_secs(10)))?;
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/plain\r\n";
    match first.split(' ').nth(1).unwrap_or_default() {
        "/endless" => {
            stream.write_all(format!("{head}\r\n").as_bytes())?;
            while !stopped.load(Ordering::SeqCst) {
                stream.write_all(&[b'a'; 1 << 16])?;
            }
        }
        "/bomb" => {
            stream.write_all(format!("{head}content-encoding: gzip\r\n\r\n").as_bytes())?;
            stream.write_all(bomb)?;
        }
        "/drip" => {
            stream.write_all(head.as_bytes())?;
            for number in 0_u64.. {
                if stopped.load(Ordering::SeqCst) {
                    break;
                }
                stream.write_all(format!("x-{number}: 1\r\n").as_bytes())?;
                thread::sleep(Duration::from_millis(200));
            }
        }
        _ => stream.write_all(format!("{head}content-length: 2\r\n\r\nok").as_bytes())?,
    }
    Ok(())
}
