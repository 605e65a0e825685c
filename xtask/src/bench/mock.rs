//! `cargo xtask bench mock`: the mock server beside WireMock and a bare hyper server.
//!
//! Each server gets the same load from wrk, with one stub and with 310, and the stub that is asked for is the one added first. A
//! server's CPU time and memory are its process's own. Rounds alternate between servers, so that a busy moment hits all of them.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use serde_json::json;
use steady_model::Method;

use super::{http, install, table};
use crate::step::{Steps, cargo};
use crate::{debian, paths};

/// What to measure and how long.
#[derive(Debug, Args)]
pub struct Options {
    /// Seconds of load per round
    #[arg(long, default_value = "6")]
    seconds: u64,
    /// Rounds; the first ones warm WireMock up, the best one counts
    #[arg(long, default_value = "4")]
    rounds: usize,
    /// Connections that send at the same time
    #[arg(long, default_value = "16")]
    connections: usize,
}

const STUBS: [usize; 2] = [1, 310];
const WIREMOCK: &str = "wiremock-standalone-3.13.2.jar";

/// A server under load.
struct Target {
    name: &'static str,
    stubs: usize,
    origin: String,
    process: Child,
    /// Open as long as the server is to run.
    _input: Option<ChildStdin>,
    best: Round,
}

#[derive(Clone, Copy, Default)]
struct Round {
    per_second: f64,
    per_cpu_second: f64,
    memory: u64,
}

/// Measures and prints a table.
pub fn run(options: &Options) -> Result<()> {
    let mut steps = Steps::default();
    debian::ensure(&["wrk"], &mut steps)?;
    steps.run(
        "server",
        &mut cargo(&["build", "--release", "--package", "steady-mock", "--example", "load_target"]),
    )?;
    let jar = install::npm("services/wiremock")?.join("wiremock/build").join(WIREMOCK);
    let mut targets = Vec::new();
    for stubs in STUBS {
        targets.push(Target::example("bare hyper", &["bare"], stubs)?);
        targets.push(Target::example("steady", &["stubs", &stubs.to_string()], stubs)?);
        targets.push(Target::wiremock(&jar, stubs)?);
    }
    for round in 1..=options.rounds {
        for target in &mut targets {
            let measured = target.load(options)?;
            println!(
                "round {round}: {} with {} stubs: {:.0} requests/s",
                target.name, target.stubs, measured.per_second
            );
            if measured.per_second > target.best.per_second {
                target.best = measured;
            }
            target.best.memory = measured.memory;
        }
    }
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("\nload average at the end: {}\n", load.trim());
    println!("{}", results(&targets));
    Ok(())
}

fn results(targets: &[Target]) -> String {
    let of =
        |name: &str, stubs: usize| targets.iter().find(|target| target.name == name && target.stubs == stubs);
    let rows: Vec<Vec<String>> = targets
        .iter()
        .map(|target| {
            let Round { per_second, per_cpu_second, memory } = target.best;
            let bare =
                of("bare hyper", target.stubs).map_or(f64::NAN, |bare| per_second / bare.best.per_second);
            let peer = of("WireMock", target.stubs);
            let cpu = peer.map_or(f64::NAN, |peer| per_cpu_second / peer.best.per_cpu_second);
            let smaller = peer.map_or(f64::NAN, |peer| peer.best.memory as f64 / memory as f64);
            vec![
                target.name.to_owned(),
                target.stubs.to_string(),
                format!("{per_second:.0}"),
                format!("{bare:.2}"),
                format!("{per_cpu_second:.0}"),
                format!("{cpu:.1}"),
                format!("{:.1}", memory as f64 / 1_048_576.0),
                format!("1/{smaller:.1}"),
            ]
        })
        .collect();
    let header = [
        "server",
        "stubs",
        "requests/s",
        "of bare hyper",
        "requests/CPU s",
        "of WireMock",
        "MiB",
        "of WireMock",
    ];
    table::render(&header, &rows)
}

impl Target {
    fn example(name: &'static str, arguments: &[&str], stubs: usize) -> Result<Self> {
        let program = paths::root().join("target/release/examples/load_target");
        let mut process = Command::new(&program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("could not start {}", program.display()))?;
        let mut port = String::new();
        BufReader::new(process.stdout.take().context("no output")?).read_line(&mut port)?;
        let origin = format!("http://127.0.0.1:{}", port.trim());
        let input = process.stdin.take();
        Ok(Self { name, stubs, origin, process, _input: input, best: Round::default() })
    }

    /// WireMock without its journal, which would grow with every request.
    fn wiremock(jar: &Path, stubs: usize) -> Result<Self> {
        let folder = paths::bench().join("runs").join("mock").join(format!("wiremock-{stubs}"));
        fs::create_dir_all(&folder).with_context(|| format!("could not create {}", folder.display()))?;
        let mut process = Command::new("java")
            .arg("-jar")
            .arg(jar)
            .args([
                "--port",
                "0",
                "--bind-address",
                "127.0.0.1",
                "--no-request-journal",
                "--disable-gzip",
                "--root-dir",
            ])
            .arg(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("could not start java")?;
        let lines = BufReader::new(process.stdout.take().context("no output")?).lines().map_while(Result::ok);
        let port: Option<u16> =
            lines.filter_map(|line| line.strip_prefix("port:")?.trim().parse().ok()).next();
        let Some(port) = port else { bail!("WireMock ended before it listened") };
        let origin = format!("http://127.0.0.1:{port}");
        let mappings: Vec<_> = (0..stubs)
            .rev()
            .map(|number| {
                json!({
                    "request": {"method": "GET", "urlPath": format!("/stub/{number}")},
                    "response": {"status": 200, "headers": {"Content-Type": "application/json"}, "body": "{\"message\":\"hello\"}"},
                })
            })
            .collect();
        let target = Self { name: "WireMock", stubs, origin, process, _input: None, best: Round::default() };
        let import = json!({ "mappings": mappings }).to_string();
        let imported =
            http::send(&target.origin, Method::Post, "/__admin/mappings/import", Vec::new(), Some(import))?;
        ensure!(imported.status == 200, "WireMock answered {} to the stubs", imported.status);
        Ok(target)
    }

    fn load(&self, options: &Options) -> Result<Round> {
        let before = self.cpu_seconds()?;
        let output = Command::new("wrk")
            .args(["-t1", &format!("-c{}", options.connections), &format!("-d{}s", options.seconds)])
            .arg(format!("{}/stub/0", self.origin))
            .output()
            .context("could not start wrk")?;
        let spent = self.cpu_seconds()? - before;
        let text = String::from_utf8_lossy(&output.stdout);
        ensure!(!text.contains("Non-2xx"), "{} did not answer every request:\n{text}", self.name);
        let number = |name: &str| {
            let line =
                text.lines().find_map(|line| line.trim().strip_prefix(name)?.trim().parse::<f64>().ok());
            line.with_context(|| format!("wrk printed no `{name}`:\n{text}"))
        };
        let per_second = number("Requests/sec:")?;
        let total =
            text.lines().find_map(|line| line.trim().split_once(" requests in ")?.0.parse::<f64>().ok());
        let total = total.with_context(|| format!("wrk printed no total:\n{text}"))?;
        Ok(Round { per_second, per_cpu_second: total / spent.max(0.01), memory: self.memory()? })
    }

    /// User and system time of the process, from fields 14 and 15 of its `stat`.
    fn cpu_seconds(&self) -> Result<f64> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id()))?;
        let fields = stat.rsplit_once(')').context("an unreadable stat")?.1.split_whitespace();
        let ticks: u64 = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        Ok(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
    }

    fn memory(&self) -> Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse()?;
        Ok(kibibytes * 1024)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
