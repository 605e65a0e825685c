//! A server whose answers are endless, huge when decoded, or endlessly slow; it counts requests.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use steady_testkit::LoopbackServer;

/// Bytes of zeros in one member of the bomb, and how many members it has: a gigabyte in a megabyte.
const MEMBER: usize = 8 << 20;
const MEMBERS: usize = 128;

/// A running server; it stops when it is dropped.
pub struct Server(LoopbackServer);

impl Server {
    pub fn start() -> io::Result<Self> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&vec![0; MEMBER])?;
        let bomb = encoder.finish()?.repeat(MEMBERS);
        LoopbackServer::start(move |stream, stopped| respond(stream, &bomb, stopped)).map(Self)
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.0.address())
    }

    pub fn requests(&self) -> usize {
        self.0.connections()
    }
}

fn respond(mut stream: &TcpStream, bomb: &[u8], stopped: &AtomicBool) -> io::Result<()> {
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
