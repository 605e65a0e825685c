//! Builds a store of 1,000,000 results and measures it: `cargo xtask bench part store [URL]`.
//!
//! Without an address it measures an SQLite file in a temporary folder; the word `postgres` starts a PostgreSQL server of its
//! own. Beside each figure is the minimum of the database itself: inserting as many rows into a table without
//! anything else, and counting the rows.

#![expect(clippy::print_stdout, reason = "the figures are the output")]

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use jiff::{Timestamp, ToSpan as _};
use steady_model::rerun::{Condition, Ending, Outcome, Perturbation, Run, TestResult};
use steady_store::{Bucket, Environment, HistoryQuery, Revision, Session, Store, StoreLocation, TestPattern};
use steady_testkit::Postgres;

const TESTS: u32 = 1000;
const SESSIONS: u32 = 100;
const RUNS_PER_SESSION: u32 = 10;
const REPEATS: usize = 9;

type Outcomes<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcomes<()> {
    let folder = tempfile::tempdir()?;
    let mut server = None;
    let url = match std::env::args().skip(1).find(|argument| argument != "--bench") {
        None => folder.path().join("steady.db").display().to_string(),
        Some(word) if word == "postgres" => server.insert(Postgres::start()?).url("postgres"),
        Some(url) => url,
    };
    let location = StoreLocation::parse(&url, Path::new(""))?;
    println!("store: {}", if url.starts_with("postgres") { "PostgreSQL" } else { "SQLite" });
    write(&location)?;
    bare(&location, &url)?;
    read(&location)
}

/// One session a day, ten runs of a thousand tests each.
fn write(location: &StoreLocation) -> Outcomes<()> {
    let mut store = Store::open(location)?;
    let (mut begun, mut taken): (Timestamp, Vec<Duration>) = ("2026-08-01T08:00:00Z".parse()?, Vec::new());
    for day in 0..SESSIONS {
        let revision = Revision { commit: format!("{day:040x}"), branch: Some("main".into()), dirty: false };
        let session = store.begin(&Session {
            project: "scale".to_owned(),
            command: vec!["pytest".to_owned()],
            version: "0.1.0".to_owned(),
            started: begun,
            revision: Some(revision),
            environment: Environment::here(),
            shard: None,
        })?;
        let runs: Vec<Run> = (1..=RUNS_PER_SESSION).map(|number| run(day, number)).collect();
        let started = Instant::now();
        store.record(session, begun, &runs)?;
        taken.push(started.elapsed());
        store.finish(session, begun)?;
        begun += 24.hours();
    }
    let slowest = taken.iter().max().copied().unwrap_or_default();
    println!(
        "write 10,000 results: median {:.0} ms, slowest {:.0} ms (of {SESSIONS})",
        median(taken),
        ms(slowest)
    );
    println!("store: {:.1} MB", store.bytes()? as f64 / 1e6);
    Ok(())
}

/// One test in a hundred fails now and then, one in two hundred whenever the clock is moved.
fn run(day: u32, number: u32) -> Run {
    let moved = number.is_multiple_of(5);
    let failed = |test: u32| {
        (test.is_multiple_of(100) && (day * 7 + number + test).is_multiple_of(9))
            || (moved && test % 200 == 50)
    };
    let result = |test| TestResult {
        id: format!("tests/test_module_{:02}.py::TestShop::test_case_{test}", test / 20).as_str().into(),
        outcome: if failed(test) { Outcome::Failed } else { Outcome::Passed },
        milliseconds: Some(f64::from(test % 50) + 0.5),
        message: failed(test).then(|| format!("assert {day} == {number}")),
    };
    Run {
        number,
        condition: if moved { Condition::of(Perturbation::Clock, "+1d") } else { Condition::default() },
        ending: Ending::Exited(1),
        milliseconds: 1000.0,
        results: (0..TESTS).map(result).collect(),
        excerpt: "10 failed, 990 passed".to_owned(),
    }
}

fn read(location: &StoreLocation) -> Outcomes<()> {
    let mut store = Store::open(location)?;
    let all = HistoryQuery::new("scale");
    let queries = [
        ("all tests by day, worst 50", all.clone()),
        ("all tests by day, all", HistoryQuery { limit: u32::MAX, ..all.clone() }),
        ("all tests by week, worst 50", HistoryQuery { bucket: Bucket::Week, ..all.clone() }),
        ("one test by day", HistoryQuery { tests: Some(TestPattern::new("test_case_100")), ..all.clone() }),
        (
            "two days by hour, worst 50",
            HistoryQuery { bucket: Bucket::Hour, since: Some("2026-11-07T00:00:00Z".parse()?), ..all },
        ),
    ];
    for (name, query) in queries {
        let mut taken = Vec::new();
        let mut tests = 0;
        for _ in 0..REPEATS {
            let started = Instant::now();
            tests = store.history(&query)?.len();
            taken.push(started.elapsed());
        }
        let first = ms(taken[0]);
        println!("history, {name}: median {:.1} ms, first {first:.1} ms ({tests} tests)", median(taken));
    }
    Ok(())
}

/// What the database itself takes: the limit.
fn bare(location: &StoreLocation, url: &str) -> Outcomes<()> {
    let insert = "INSERT INTO bare VALUES (?1, ?2, ?3)";
    let (inserted, counted) = match location {
        StoreLocation::File(path) => {
            let mut connection = rusqlite::Connection::open(path)?;
            connection.execute_batch("CREATE TABLE bare (run BIGINT, test BIGINT, outcome BIGINT)")?;
            let started = Instant::now();
            let transaction = connection.transaction()?;
            let mut statement = transaction.prepare(insert)?;
            for row in 0..10_000_i64 {
                statement.execute((row, row, row))?;
            }
            drop(statement);
            transaction.commit()?;
            let inserted = started.elapsed();
            let started = Instant::now();
            connection.query_row("SELECT COUNT(*) FROM results", [], |row| row.get::<_, i64>(0))?;
            let counted = started.elapsed();
            connection.execute_batch("DROP TABLE bare")?;
            (inserted, counted)
        }
        StoreLocation::Postgres(_) => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(bare_postgres(url, &insert.replace('?', "$")))?
        }
    };
    println!("bare insert of 10,000 rows: {:.0} ms; bare count: {:.1} ms", ms(inserted), ms(counted));
    Ok(())
}

async fn bare_postgres(url: &str, insert: &str) -> Result<(Duration, Duration), tokio_postgres::Error> {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
    tokio::spawn(connection);
    client.batch_execute("CREATE TABLE bare (run BIGINT, test BIGINT, outcome BIGINT)").await?;
    let statement = client.prepare(insert).await?;
    let started = Instant::now();
    client.batch_execute("BEGIN").await?;
    let rows: Vec<i64> = (0..10_000).collect();
    try_join_all(rows.iter().map(async |row| client.execute(&statement, &[row, row, row]).await)).await?;
    client.batch_execute("COMMIT").await?;
    let inserted = started.elapsed();
    let started = Instant::now();
    client.query_one("SELECT COUNT(*) FROM steady.results", &[]).await?;
    let counted = started.elapsed();
    client.batch_execute("DROP TABLE bare").await?;
    Ok((inserted, counted))
}

fn median(mut taken: Vec<Duration>) -> f64 {
    taken.sort();
    taken.get(taken.len() / 2).copied().map_or(0.0, ms)
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
