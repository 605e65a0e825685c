//! Imitates a service: for every line it reads, it says what each of its clocks shows.

use std::io::{Write as _, stdin, stdout};
use std::process::Command;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

fn main() {
    let start = Instant::now();
    for line in stdin().lines() {
        line.expect("lines are text");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970").as_nanos();
        println!("wall SystemTime {now}");
        let date = Command::new("date").arg("+%s%N").output().expect("every system has it");
        print!("wall child {}", String::from_utf8_lossy(&date.stdout));
        println!("monotonic Instant {}", start.elapsed().as_nanos());
        println!("end");
        stdout().flush().expect("somebody reads");
    }
}
