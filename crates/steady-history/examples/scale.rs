//! How long the past of a folder takes, beside the `git log` it cannot do without:
//! `cargo run --release -p steady-history --example scale -- GIT_DIR COMMIT FOLDER [DEPTH]`.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use steady_history::{HistoryCache, Limits, Past, Query, Repository, past, past_cached};

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
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
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
    let bare = best(|| bare_log(git_dir, commit, folder))?.0;
    let (cold, found) = best(|| Ok(past(&repository, &query)?))?;
    let mut cache = Memory::default();
    past_cached(&repository, &query, &mut cache)?;
    let bytes: usize = cache.0.values().map(Vec::len).sum();
    let warm = best(|| Ok(past_cached(&repository, &query, &mut cache)?))?.0;
    let Past { commits_seen, changes, notes, .. } = found;
    println!("{commits_seen} commits, {} changes; {notes:?}", changes.len());
    println!(
        "git log --raw {} ms; past {} ms; cached {} ms ({bytes} bytes)",
        bare.as_millis(),
        cold.as_millis(),
        warm.as_millis()
    );
    Ok(())
}

fn bare_log(git_dir: &str, commit: &str, folder: &str) -> Result<(), Box<dyn Error>> {
    let mut log = Command::new("git");
    log.args(["--git-dir", git_dir, "log", "--raw", "--no-abbrev", commit, "--", folder]);
    log.stdout(Stdio::null()).status()?;
    Ok(())
}

fn best<T>(mut work: impl FnMut() -> Result<T, Box<dyn Error>>) -> Result<(Duration, T), Box<dyn Error>> {
    let mut timed = Vec::new();
    for _ in 0..TIMES {
        let start = Instant::now();
        let result = work()?;
        timed.push((start.elapsed(), result));
    }
    timed.into_iter().min_by_key(|(time, _)| *time).ok_or_else(|| "never timed".into())
}
