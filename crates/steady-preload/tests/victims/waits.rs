//! Imitates a program that waits in every way Rust has; none may notice a clock that is shifted or jumps.

use std::sync::{Condvar, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

const ASKED: Duration = Duration::from_millis(150);

fn main() {
    let waits: [(&str, fn()); 4] = [("sleep", sleep), ("condvar", condvar), ("channel", channel), ("park", park)];
    for (name, wait) in waits {
        let start = Instant::now();
        wait();
        println!("waited {name} {} {}", start.elapsed().as_nanos(), ASKED.as_nanos());
    }
    println!("end");
}

fn sleep() {
    thread::sleep(ASKED);
}

fn condvar() {
    let mutex = Mutex::new(());
    let waiting = mutex.lock().expect("nobody panicked");
    let ended = Condvar::new().wait_timeout_while(waiting, ASKED, |()| true).expect("nobody panicked");
    assert!(ended.1.timed_out());
}

fn channel() {
    let (_sender, receiver) = mpsc::channel::<()>();
    assert_eq!(receiver.recv_timeout(ASKED), Err(mpsc::RecvTimeoutError::Timeout));
}

fn park() {
    let end = Instant::now() + ASKED;
    while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
        thread::park_timeout(left);
    }
}
