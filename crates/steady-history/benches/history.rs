//! How long the past of a folder takes, beside the `git log` it cannot do without:
//! `cargo xtask bench part history GIT_DIR COMMIT FOLDER [DEPTH]`.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use steady_history::{HistoryCache, Limits, Past, Query, Repository, past, past_cached};

/// How many commits were made since the past was remembered.
const LATER: usize = 100;
/// Each way is timed this often; the fastest counts.
const TIMES: usize = 5;

#[derive(Default)]
struct Memory(BTreeMap<String, Vec<u8>>);

impl HistoryCache for Memory {
    fn get(&mut self, key: &str) -> Result<Option<Vec<u8>>, Box<dyn Error + Send + Sync>> {
        Ok(self.0.get(key).cloned())
    }

    fn put(&mut self, key: &str, content: &[u8]) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.0.insert(key.to_owned(), content.to_vec());
        Ok(())
    }
}

#[expect(clippy::print_stdout, reason = "the figures are what it is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments = std::env::args().skip(1).filter(|argument| argument != "--bench").collect::<Vec<_>>();
    let [git_dir, commit, folder, depth @ ..] = arguments.as_slice() else {
        return Err("wanted: GIT_DIR COMMIT FOLDER [DEPTH]".into());
    };
    let depth = depth.first().map_or(Ok(10_000), |depth| depth.parse())?;
    let is_test = |path: &Path| {
        path.extension().is_some_and(|end| ["ts", "tsx", "js", "jsx"].iter().any(|known| *known == end))
    };
    let waits = ["timeout", "sleep", "delay", "wait", "Timeout"];
    let keep = |line: &str| {
        line.contains(|c: char| c.is_ascii_digit()) && waits.iter().any(|word| line.contains(word))
    };
    let query = Query {
        folder: Path::new(folder),
        recursive: false,
        is_test: &is_test,
        keep: &keep,
        rules: "scale",
        limits: Limits { depth, time: Duration::from_secs(60) },
    };
    let repository = Repository::open_bare(Path::new(git_dir), commit)?;
    let limit = format!("--max-count={depth}");
    let [mut all, mut limited, mut cold] = [Duration::MAX; 3];
    let mut found = Past::default();
    // In turns, so that load on the machine falls on all of them.
    for _ in 0..TIMES {
        all = all.min(timed(|| log(git_dir, commit, folder, &[]))?.0);
        limited = limited.min(timed(|| log(git_dir, commit, folder, &["--sparse", &limit]))?.0);
        let (time, past) = timed(|| Ok(past(&repository, &query)?))?;
        (cold, found) = (cold.min(time), past);
    }

    let mut cache = Memory::default();
    let earlier = Repository::open_bare(Path::new(git_dir), &format!("{commit}~{LATER}"))?;
    past_cached(&earlier, &query, &mut cache)?;
    let (continued, _) = best(|| Ok(past_cached(&repository, &query, &mut Memory(cache.0.clone()))?))?;
    past_cached(&repository, &query, &mut cache)?;
    let (warm, _) = best(|| Ok(past_cached(&repository, &query, &mut cache)?))?;
    let largest = cache.0.values().map(Vec::len).max().unwrap_or(0);

    let Past { commits_seen, changes, notes, .. } = found;
    println!("{commits_seen} commits, {} changes, {largest} bytes to remember; {notes:?}", changes.len());
    let [all, limited, cold, continued, warm] =
        [all, limited, cold, continued, warm].map(|time| time.as_secs_f64() * 1000.0);
    println!("git log --raw, all commits       {all:7.1} ms");
    println!("git log --raw, as many commits   {limited:7.1} ms");
    println!("past                             {cold:7.1} ms, {:.2} of as many commits", cold / limited);
    println!("past, remembered {LATER} commits ago {continued:7.1} ms");
    println!("past, remembered                 {warm:7.1} ms");
    Ok(())
}

fn log(git_dir: &str, commit: &str, folder: &str, options: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut log = Command::new("git");
    log.args(["--git-dir", git_dir, "log", "--raw", "--no-abbrev"])
        .args(options)
        .args([commit, "--", folder]);
    log.stdout(Stdio::null()).status()?;
    Ok(())
}

fn timed<T>(work: impl FnOnce() -> Result<T, Box<dyn Error>>) -> Result<(Duration, T), Box<dyn Error>> {
    let start = Instant::now();
    let result = work()?;
    Ok((start.elapsed(), result))
}

fn best<T>(mut work: impl FnMut() -> Result<T, Box<dyn Error>>) -> Result<(Duration, T), Box<dyn Error>> {
    let mut times = Vec::new();
    for _ in 0..TIMES {
        times.push(timed(&mut work)?);
    }
    times.into_iter().min_by_key(|(time, _)| *time).ok_or_else(|| "never timed".into())
}
