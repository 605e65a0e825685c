//! How long it takes to find values for a wait, beside what it cannot do without: to read the files and to parse them.
//! `cargo xtask bench part locate FOLDER FILE LINE`, or with `--commit GIT_DIR COMMIT FILE LINE` for a file of
//! a commit.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;
use steady_history::Repository;
use steady_waits::files::is_test_file;
use steady_waits::locate::{Query, Ranking, locate, read_corpus};

/// Each way is timed this often, in turns, so that load on the machine falls on all of them.
const TIMES: usize = 21;
/// Stack for the parser.
const STACK: usize = 64 << 20;

#[expect(clippy::print_stdout, reason = "the figures are what it is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments = std::env::args().skip(1).filter(|argument| argument != "--bench").collect::<Vec<_>>();
    let arguments = arguments.iter().map(String::as_str).collect::<Vec<_>>();
    let kept = tempfile::tempdir()?;
    let (root, file, line) = match arguments[..] {
        ["--commit", git_dir, commit, file, line] => {
            check_out(Path::new(git_dir), commit, Path::new(file), kept.path())?;
            (kept.path(), Path::new(file), line.parse()?)
        }
        [folder, file, line] => (Path::new(folder), Path::new(file), line.parse()?),
        _ => return Err("wanted: FOLDER FILE LINE, or --commit GIT_DIR COMMIT FILE LINE".into()),
    };
    let corpus = read_corpus(root, file)?;
    let paths = corpus.files().iter().map(|file| root.join(&file.path)).collect::<Vec<_>>();
    let bytes: usize = corpus.files().iter().map(|file| file.text.len()).sum();
    let waits: usize = corpus.files().iter().map(|file| file.waits.len()).sum();
    println!("{} files, {:.2} MB, {waits} waits", paths.len(), bytes as f64 / 1e6);

    let mut times = [const { Vec::new() }; 4];
    for _ in 0..TIMES {
        let mut time = |way: usize, start: Instant| times[way].push(start.elapsed());
        let start = Instant::now();
        for path in &paths {
            fs::read(path)?;
        }
        time(0, start);
        let start = Instant::now();
        parse_all(&paths);
        time(1, start);
        let start = Instant::now();
        let corpus = read_corpus(root, file)?;
        time(2, start);
        locate(&corpus, &Query { file, line, past: None, addition: None }, Ranking::Learned)?;
        time(3, start);
    }
    let [read, parse, corpus, all] = times.map(|times| median(times).as_secs_f64() * 1_000.0);
    println!("files read                    {read:6.1} ms");
    println!("files read and parsed         {parse:6.1} ms");
    println!("files read, waits known       {corpus:6.1} ms, {:.2} of read and parsed", corpus / parse);
    println!("files read, values ranked     {all:6.1} ms, {:.2} of read and parsed", all / parse);
    Ok(())
}

/// The test files of a file's folder, as of a commit, written below `root`.
fn check_out(git_dir: &Path, commit: &str, file: &Path, root: &Path) -> Result<(), Box<dyn Error>> {
    let repository = Repository::open_bare(git_dir, commit)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut files = repository.files_at(repository.head(), folder)?;
    files.retain(|(path, _)| path == file || is_test_file(path));
    let blobs = files.iter().map(|(_, blob)| blob.clone()).collect::<Vec<_>>();
    fs::create_dir_all(root.join(folder))?;
    for ((path, _), content) in files.iter().zip(repository.read_blobs(&blobs)?) {
        if let Some(content) = content {
            fs::write(root.join(path), content)?;
        }
    }
    Ok(())
}

/// Reads and parses every file on all cores, and does nothing with it.
fn parse_all(paths: &[PathBuf]) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            let text = fs::read_to_string(path).unwrap_or_default();
            let dialect = SourceType::from_path(path).unwrap_or_default();
            let allocator = Allocator::default();
            std::hint::black_box(Parser::new(&allocator, &text, dialect).parse().program.body.len());
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            let started = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            drop(started);
        }
    });
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
