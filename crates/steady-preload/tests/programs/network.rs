//! Connections take longer by as much as was asked for.

use std::time::Duration;

use crate::victim::{Shim, python};

#[test]
fn a_connection_waits_for_the_whole_delay() {
    let shim = Shim::new();
    let delay = Duration::from_millis(300);
    shim.control.delay_connections(delay);
    let mut victim = shim.start(&mut python("connect.py"));
    let lines = victim.answer();
    assert!(lines.iter().any(|line| line[1] == "AF_INET"), "{lines:?}");
    for line in lines {
        assert!(line[2].parse::<u128>().unwrap() >= delay.as_nanos(), "{line:?}");
    }
    victim.finish();
}
