//! The recipes under `docs/shards`: each is read as its engine reads it and its script run with a stand-in for steady.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use steady_model::shard::{ENGINES, Shard};

type Variables = &'static [(&'static str, &'static str)];

/// A recipe: its file, the path of a shard's script, the path of the number of shards, and how task 2 gets its number.
struct Recipe {
    file: &'static str,
    script: &'static str,
    count: &'static str,
    environment: Variables,
}

const RECIPES: [Recipe; 5] = [
    Recipe {
        file: "github.yml",
        script: "/jobs/rerun/steps/1/run",
        count: "/jobs/rerun/strategy/matrix/shard",
        environment: &[("STEADY_SHARD_INDEX", "1"), ("STEADY_SHARD_COUNT", "4")],
    },
    Recipe {
        file: "gitlab.yml",
        script: "/rerun/script/0",
        count: "/rerun/parallel",
        environment: &[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "4")],
    },
    Recipe {
        file: "circleci.yml",
        script: "/jobs/rerun/steps/1/run",
        count: "/jobs/rerun/parallelism",
        environment: &[("CIRCLE_NODE_INDEX", "1"), ("CIRCLE_NODE_TOTAL", "4")],
    },
    Recipe {
        file: "buildkite.yml",
        script: "/steps/0/command",
        count: "/steps/0/parallelism",
        environment: &[("BUILDKITE_PARALLEL_JOB", "1"), ("BUILDKITE_PARALLEL_JOB_COUNT", "4")],
    },
    Recipe {
        file: "kubernetes.yaml",
        script: "/spec/template/spec/containers/0/args/0",
        count: "/spec/completions",
        environment: &[("JOB_COMPLETION_INDEX", "1"), ("STEADY_SHARD_COUNT", "4")],
    },
];

const SLURM: [(&str, &str); 5] = [
    ("SLURM_ARRAY_TASK_ID", "1"),
    ("SLURM_ARRAY_TASK_MIN", "0"),
    ("SLURM_ARRAY_TASK_MAX", "3"),
    ("SLURM_ARRAY_TASK_STEP", "1"),
    ("SLURM_ARRAY_TASK_COUNT", "4"),
];

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn read(file: &str) -> String {
    fs::read_to_string(docs().join("shards").join(file)).unwrap()
}

/// The second document of the manifest is the Job; the other files hold one document.
fn parse(file: &str) -> Value {
    let text = read(file);
    let document = text.split("\n---\n").nth(usize::from(file == "kubernetes.yaml")).unwrap();
    yaml_serde::from_str(document).unwrap()
}

fn script(recipe: &Recipe) -> String {
    let document = parse(recipe.file);
    let script = document.pointer(recipe.script).and_then(Value::as_str).unwrap().to_owned();
    // What each engine does to a script before the shell sees it, and a volume that is not there.
    script.replace("$$", "$").replace("/results/", "")
}

/// Runs a script in a folder of its own with a `steady` that records its arguments and exits with the given code.
///
/// A function rather than a file: a file just written cannot always be executed while other tests start processes.
fn run(script: &str, environment: &[(&str, &str)], steady_exits: i32) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let script = format!("steady() {{ echo \"$@\"; return {steady_exits}; }}\n{script}");
    let mut command = Command::new("sh");
    command.args(["-ec", &script]).current_dir(folder.path()).envs(environment.iter().copied());
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

fn all() -> Vec<(&'static str, String, Variables)> {
    let from_files = RECIPES.iter().map(|recipe| (recipe.file, script(recipe), recipe.environment));
    from_files.chain([("slurm.sh", read("slurm.sh"), &SLURM[..])]).collect()
}

#[test]
fn every_recipe_runs_one_shard_into_a_folder_of_its_own() {
    for (file, script, environment) in all() {
        let (status, said) = run(&script, environment, 0);
        assert_eq!(status, Some(0), "{file}");
        let index = environment[0].1;
        assert_eq!(
            said,
            format!("rerun --until-stable --shard auto --out results-{index} -- pytest\n"),
            "{file}"
        );
    }
}

#[test]
fn findings_do_not_fail_a_shard_but_not_doing_the_job_does() {
    for (file, script, environment) in all() {
        assert_eq!(run(&script, environment, 1).0, Some(0), "{file}");
        assert_ne!(run(&script, environment, 2).0, Some(0), "{file}");
    }
}

#[test]
fn every_recipe_starts_as_many_shards_as_it_says_there_are() {
    for recipe in &RECIPES {
        let document = parse(recipe.file);
        let count = document.pointer(recipe.count).unwrap();
        let count = count.as_array().map_or_else(|| count.as_u64().unwrap(), |shards| shards.len() as u64);
        assert_eq!(count, 4, "{}", recipe.file);
    }
    let job = parse("kubernetes.yaml");
    let env = job.pointer("/spec/template/spec/containers/0/env/0").unwrap();
    assert_eq!(env, &serde_json::json!({"name": "STEADY_SHARD_COUNT", "value": "4"}));
    let workflow = parse("github.yml");
    let env = workflow.pointer("/jobs/rerun/env").unwrap();
    let expected = serde_json::json!({
        "STEADY_SHARD_INDEX": "${{ strategy.job-index }}",
        "STEADY_SHARD_COUNT": "${{ strategy.job-total }}",
    });
    assert_eq!(env, &expected);
}

#[test]
fn steady_understands_the_environment_of_every_recipe() {
    for (file, _, environment) in all() {
        let lookup = |name: &str| {
            environment.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        assert_eq!(Shard::from_environment(&lookup).unwrap().shard.to_string(), "2/4", "{file}");
    }
}

#[test]
fn the_page_names_every_engine_by_its_variable_and_its_documentation() {
    let page = fs::read_to_string(docs().join("shards.md")).unwrap();
    for engine in ENGINES {
        assert!(page.contains(engine.numbering.telltale()), "{}", engine.name);
        assert!(
            engine.documentation == "docs/shards.md" || page.contains(engine.documentation),
            "{}",
            engine.name
        );
    }
}
