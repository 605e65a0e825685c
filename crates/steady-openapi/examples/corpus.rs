//! Loads every document under a folder and says how many are usable: `corpus DIR [--validators]`.
//!
//! Usable means at least one operation, and at most one in a hundred of the described ones left out; what is described
//! is counted here, apart from the loader. With `--validators` every schema of every operation is prepared for checking too. Ends with
//! 1 when a document made the loader panic or fewer than 99.5 % are usable, with 2 when there is nothing to load.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use serde_json::Value;
use steady_openapi::{Api, LoadOptions, Schema, Source, load};

/// The result of one document.
struct Outcome {
    path: PathBuf,
    elapsed: Duration,
    verdict: Verdict,
}

enum Verdict {
    Usable { operations: usize, validators: Validators },
    Unusable { reason: String },
    Refused { reason: String },
    Panicked,
}

#[derive(Default)]
struct Validators {
    made: usize,
    failed: Vec<String>,
    elapsed: Duration,
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the terminal")]
fn main() -> ExitCode {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let with_validators = arguments.iter().any(|argument| argument == "--validators");
    arguments.retain(|argument| argument != "--validators");
    let [folder] = arguments.as_slice() else {
        eprintln!("usage: corpus DIR [--validators]");
        return ExitCode::from(2);
    };
    let mut paths = Vec::new();
    if let Err(error) = collect(Path::new(folder), &mut paths) {
        eprintln!("error: cannot read `{folder}`: {error}");
        return ExitCode::from(2);
    }
    paths.sort();
    let outcomes: Vec<Outcome> = paths.into_iter().map(|path| examine(path, with_validators)).collect();
    if outcomes.is_empty() {
        eprintln!("error: no JSON or YAML documents under `{folder}`");
        return ExitCode::from(2);
    }
    print!("{}", report(&outcomes, with_validators));
    let panics = outcomes.iter().any(|outcome| matches!(outcome.verdict, Verdict::Panicked));
    let usable = outcomes.iter().filter(|outcome| matches!(outcome.verdict, Verdict::Usable { .. })).count();
    if panics || usable * 1000 < outcomes.len() * 995 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if matches!(extension, "json" | "yaml" | "yml") {
            paths.push(path);
        }
    }
    Ok(())
}

fn examine(path: PathBuf, with_validators: bool) -> Outcome {
    let options = LoadOptions { max_bytes: 500_000_000, allow_refs: false };
    let refuse = &mut |_: &_, _| Err("not fetched".to_owned());
    let source = Source::File(path.clone());
    let started = Instant::now();
    let loaded = catch_unwind(AssertUnwindSafe(|| load(&source, &options, refuse)));
    let elapsed = started.elapsed();
    let verdict = match loaded {
        Err(_) => Verdict::Panicked,
        Ok(Err(error)) => Verdict::Refused { reason: error.to_string() },
        Ok(Ok(api)) => catch_unwind(AssertUnwindSafe(|| judge(&path, &api, with_validators)))
            .unwrap_or(Verdict::Panicked),
    };
    Outcome { path, elapsed, verdict }
}

fn judge(path: &Path, api: &Api, with_validators: bool) -> Verdict {
    let described = described(path);
    let operations = api.operations.len();
    if operations == 0 || operations * 100 < described * 99 {
        return Verdict::Unusable { reason: format!("{operations} of {described} operations") };
    }
    let validators = if with_validators { validators(api) } else { Validators::default() };
    Verdict::Usable { operations, validators }
}

/// How many operations a document describes, counted without the loader.
fn described(path: &Path) -> usize {
    const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
    let text = fs::read_to_string(path).unwrap_or_default();
    let yaml = || yaml_serde::from_str(&text).unwrap_or_default();
    let document: Value = serde_json::from_str(&text).unwrap_or_else(|_| yaml());
    let items = document["paths"].as_object().into_iter().flat_map(|paths| paths.values());
    items
        .filter_map(Value::as_object)
        .flat_map(|item| item.keys())
        .filter(|key| METHODS.contains(&key.as_str()))
        .count()
}

fn validators(api: &Api) -> Validators {
    let mut validators = Validators::default();
    let started = Instant::now();
    for operation in &api.operations {
        let parameters = operation.parameters.iter().map(|parameter| &parameter.schema);
        let bodies =
            operation.body.iter().flat_map(|body| &body.content).filter_map(|media| media.schema.as_ref());
        let sent: Vec<&Schema> = parameters.chain(bodies).collect();
        let content = operation.responses.iter().flat_map(|response| &response.content);
        let headers = operation.responses.iter().flat_map(|response| &response.headers);
        let answered: Vec<&Schema> = content
            .filter_map(|media| media.schema.as_ref())
            .chain(headers.filter_map(|header| header.schema.as_ref()))
            .collect();
        let made = sent.into_iter().map(|schema| api.request_validator(schema));
        for validator in made.chain(answered.into_iter().map(|schema| api.validator(schema))) {
            validators.made += 1;
            if let Err(error) = validator {
                validators.failed.push(format!("{}: {error}", operation.id));
            }
        }
    }
    validators.elapsed = started.elapsed();
    validators
}

fn report(outcomes: &[Outcome], with_validators: bool) -> String {
    let mut text = String::new();
    let mut line = |content: String| {
        text.push_str(&content);
        text.push('\n');
    };
    let (mut usable, mut loaded, mut panics, mut operations) = (0, 0, 0, 0);
    let (mut made, mut failed) = (0, Vec::new());
    for outcome in outcomes {
        let path = outcome.path.display();
        match &outcome.verdict {
            Verdict::Usable { operations: found, validators } => {
                usable += 1;
                loaded += 1;
                operations += found;
                made += validators.made;
                failed.extend(validators.failed.iter().map(|failure| format!("  {path}: {failure}")));
            }
            Verdict::Unusable { reason } => {
                loaded += 1;
                line(format!("unusable  {path}: {reason}"));
            }
            Verdict::Refused { reason } => line(format!("refused   {path}: {reason}")),
            Verdict::Panicked => {
                panics += 1;
                line(format!("panicked  {path}"));
            }
        }
    }
    let total: Duration = outcomes.iter().map(|outcome| outcome.elapsed).sum();
    line(format!("documents   {}", outcomes.len()));
    line(format!("loaded      {loaded}"));
    line(format!("usable      {usable} ({:.2} %)", 100.0 * usable as f64 / outcomes.len() as f64));
    line(format!("panics      {panics}"));
    line(format!("operations  {operations}"));
    line(format!("seconds     {:.1}", total.as_secs_f64()));
    if let Some(slowest) = outcomes.iter().max_by_key(|outcome| outcome.elapsed) {
        line(format!("slowest     {:.2} s {}", slowest.elapsed.as_secs_f64(), slowest.path.display()));
    }
    if with_validators {
        line(format!("validators  {made}, {} failed", failed.len()));
        failed.into_iter().take(50).for_each(line);
    }
    text
}
