//! Reads a JUnit report of 10,000 cases, beside quick-xml's bare event loop: no reader on it can be faster.
//!
//!     cargo xtask bench part results
#![expect(clippy::print_stdout, reason = "printing is what this example is for")]

use std::fmt::Write;
use std::time::{Duration, Instant};

use quick_xml::Reader;
use quick_xml::events::Event;
use steady_results::{Base, read};

const CASES: usize = 10_000;
const ROUNDS: usize = 51;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let report = report()?;
    let base = Base::new("/home/ann/shop");
    let cases = read(report.as_bytes(), &base)?.len();
    println!("{cases} cases, {:.1} MB", report.len() as f64 / 1e6);
    show(
        "steady-results",
        report.len(),
        fastest(|| read(report.as_bytes(), &base).map_or(0, |results| results.len())),
    );
    show("quick-xml events", report.len(), fastest(|| events(&report)));
    Ok(())
}

/// Like Surefire writes them: one in ten fails with a stack trace.
fn report() -> Result<String, std::fmt::Error> {
    let mut xml = String::from("<?xml version=\"1.0\"?>\n<testsuite name=\"shop\">\n");
    for case in 0..CASES {
        let class = case / 20;
        write!(
            xml,
            "  <testcase name=\"holds(String)[{case}]\" classname=\"shop.Cart{class}Test\" time=\"0.0{case}\""
        )?;
        if case % 10 > 0 {
            xml.push_str("/>\n");
            continue;
        }
        xml.push_str(">\n    <failure message=\"expected: &lt;8&gt; but was: &lt;9&gt;\" type=\"AssertionError\"><![CDATA[");
        for frame in 0..20 {
            writeln!(xml, "\tat shop.Cart{class}Test.holds(Cart{class}Test.java:{frame})")?;
        }
        xml.push_str("]]></failure>\n  </testcase>\n");
    }
    xml.push_str("</testsuite>\n");
    Ok(xml)
}

fn events(xml: &str) -> usize {
    let mut reader = Reader::from_str(xml);
    let mut events = 0;
    while !matches!(reader.read_event(), Ok(Event::Eof) | Err(_)) {
        events += 1;
    }
    events
}

/// The fastest round: the others measure how busy the machine is.
fn fastest(work: impl Fn() -> usize) -> Duration {
    let round = |_| {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed()
    };
    (0..ROUNDS).map(round).min().unwrap_or_default()
}

fn show(name: &str, bytes: usize, time: Duration) {
    println!(
        "{name:<18} {:>7.2} ms  {:>6.0} MB/s",
        time.as_secs_f64() * 1e3,
        bytes as f64 / 1e6 / time.as_secs_f64()
    );
}
