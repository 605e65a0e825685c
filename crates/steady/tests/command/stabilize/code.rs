//! Test code in four languages, run by its own runners.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::support::Invocation;

fn projects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/projects/stabilize")
}

/// The fixtures of the recorder, which pin what the runners need.
fn recorder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../steady-exec/tests/fixtures").join(name)
}

/// The API, without steady.
struct Api(Child, String);

impl Api {
    fn start() -> Self {
        let mut child = Command::new("python3")
            .arg(projects().join("api.py"))
            .arg("0")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self(child, url.trim().to_owned())
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// How often a suite must pass once steady has changed it.
const RUNS: usize = 20;

struct Project {
    folder: TempDir,
    command: Vec<String>,
    /// The same for runs after the first, when everything is compiled.
    again: Vec<String>,
    search: String,
}

impl Project {
    fn new(name: &str, command: &[&str], search: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(&projects().join(name), folder.path());
        fs::copy(projects().join("api.py"), folder.path().join("api.py")).unwrap();
        let start = "[sut]\nstart = \"python3 api.py {port}\"\nready = \"GET /version\"\n";
        fs::write(folder.path().join("steady.toml"), start).unwrap();
        let old = std::env::var("PATH").unwrap_or_default();
        let search = format!("{}:{old}", search.display());
        let command: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        Self { folder, again: command.clone(), command, search }
    }

    /// Lets steady change the tests; yields what it printed.
    fn stabilize(self, tests: &str) -> (Self, String) {
        let mut arguments =
            vec!["stabilize".to_owned(), tests.to_owned(), "--write".to_owned(), "--".to_owned()];
        arguments.extend(self.command.clone());
        let invocation = Invocation::within(self.folder, &arguments)
            .env("PATH", &self.search)
            .env("HOME", &std::env::var("HOME").unwrap_or_default());
        let outcome = invocation.run().exits_with(1);
        let printed = outcome.stdout.clone();
        (Self { folder: outcome.into_folder(), ..self }, printed)
    }

    /// Runs the tests without steady; all of them must pass every time.
    #[track_caller]
    fn passes(&self) {
        let api = Api::start();
        for run in 0..RUNS {
            let command = if run == 0 { &self.command } else { &self.again };
            let output = Command::new(&command[0])
                .args(&command[1..])
                .current_dir(self.folder.path())
                .env("PATH", &self.search)
                .env("STEADY_URL", &api.1)
                .env("TMPDIR", self.folder.path())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "run {run}:\n{said}");
        }
    }

    /// The lines that were taken away, in all files.
    fn removed(&self, name: &str) -> Vec<String> {
        let mut removed = Vec::new();
        for file in files(&projects().join(name)) {
            let before = fs::read_to_string(projects().join(name).join(&file)).unwrap();
            let after = fs::read_to_string(self.folder.path().join(&file)).unwrap();
            let gone = before.lines().filter(|line| !after.contains(*line));
            removed.extend(gone.map(|line| line.trim().to_owned()));
        }
        removed
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(&file);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(from.join(&file), target).unwrap();
    }
}

#[test]
fn python() {
    let interpreter =
        steady_testkit::python_packages("record-python", &recorder("requirements.txt")).unwrap();
    let command = ["python", "-m", "pytest", "-q", "tests"];
    let project = Project::new("python", &command, interpreter.parent().unwrap());
    let (project, printed) = project.stabilize("tests");
    assert!(printed.contains("body:/spool") && printed.contains("perturbed:tmp"), "{printed}");
    assert!(!printed.contains("body:/supplier") && !printed.contains("fail every time"), "{printed}");
    project.passes();
    assert_eq!(
        project.removed("python"),
        [
            r#"assert res_0.json()["createdAt"] == "2026-01-01T00:00:01.000001+00:00""#,
            r#"assert res_0.json()["requestId"] == "cd613e30-d8f1-4adf-91b7-584a2265b1f5""#,
            r#"assert res_0.json()["tags"][0] == "green""#,
            r#"self.assertEqual("shop.Incident@1a2b3d", res_0.json()["incident"])"#,
            r#"assert order["tags"] == ["green", "blue", "red"]"#,
            r#"assert order["spool"] == "/tmp/orders.spool""#,
            r#"assert quote["total"] == 537"#,
        ]
    );
}

/// The tests below a headline, without what is said of them.
fn below(printed: &str, headline: &str) -> Vec<String> {
    let lines = printed.lines().skip_while(|line| !line.starts_with(headline)).skip(1);
    let names = lines.take_while(|line| line.starts_with("    ")).filter(|line| !line.starts_with("      "));
    names.map(|line| line.trim().split(": ").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_clock_of_an_application_in_the_tests_process_is_moved_and_every_test_is_in_a_list() {
    let interpreter =
        steady_testkit::python_packages("record-python", &recorder("requirements.txt")).unwrap();
    let command = ["python", "-m", "pytest", "-q", "tests"];
    let project = Project::new("inside", &command, interpreter.parent().unwrap());
    fs::remove_file(project.folder.path().join("steady.toml")).unwrap();
    let (project, printed) = project.stabilize("tests");
    let name = |test: &str| format!("tests/test_inside.py::{test}");
    assert_eq!(below(&printed, "Broken"), [name("test_broken")], "{printed}");
    assert_eq!(below(&printed, "Not followed"), [name("test_not_followed")], "{printed}");
    assert!(printed.contains("failed in 3 of 3 runs, at tests/test_inside.py:39"), "{printed}");
    assert!(printed.contains("it stands in a loop"), "{printed}");
    let counts = "5 tests: 2 rewritten and passing, 1 unchanged and passing, 1 broken, 1 not followed";
    assert!(printed.contains(counts), "{printed}");
    assert!(
        printed.contains("clock +1d3h in the tests' process") && !printed.contains("findings.json"),
        "{printed}"
    );
    let text = fs::read_to_string(project.folder.path().join("tests/test_inside.py")).unwrap();
    let near = |code: &str| {
        format!("    assert abs((datetime.date.fromisoformat({code}) - datetime.date.today()).days) <= 1\n")
    };
    assert!(text.contains(&near("order()[\"today\"]")), "{text}");
    assert!(text.contains(&near("body[\"today\"]")), "{text}");
    let whole = r#"assert body == {"today": ANY, "item": "lamp", "hour": "2:00:04 PM"}"#;
    assert!(text.contains(whole) && !text.contains("pass\n"), "{text}");
    assert!(text.contains(r#"assert body["item"] == "desk""#), "{text}");
}

#[test]
fn test_clients_of_flask_and_fastapi_and_fixtures_of_conftest_are_followed() {
    let interpreter =
        steady_testkit::python_packages("record-python", &recorder("requirements.txt")).unwrap();
    let command = ["python", "-m", "pytest", "-q", "tests"];
    let project = Project::new("clients", &command, interpreter.parent().unwrap());
    fs::remove_file(project.folder.path().join("steady.toml")).unwrap();
    let (project, printed) = project.stabilize("tests");
    assert!(printed.contains("4 tests: 4 rewritten and passing\n"), "{printed}");
    project.passes();
    let text = fs::read_to_string(project.folder.path().join("tests/test_clients.py")).unwrap();
    for line in [
        r#"    assert abs((datetime.date.fromisoformat(response.json["today"]) - datetime.date.today()).days) <= 1"#,
        r#"    assert re.fullmatch(r"tok_[0-9a-f]{16}", flask_order["token"])"#,
        r#"    assert isinstance(flask_order["pid"], int)"#,
        r#"    assert re.fullmatch(r"[0-9]+(?:\.[0-9]+)+", body["python"])"#,
    ] {
        assert!(text.contains(&format!("{line}\n")), "{line}:\n{text}");
    }
    assert_eq!(text.matches("(Env").count(), 2, "{text}");
    assert_eq!(text.matches("(Rand").count(), 1, "{text}");
}

#[test]
fn jest() {
    let modules = steady_testkit::npm_project("record-node", &recorder("jest")).unwrap();
    let project = Project::new("jest", &["npx", "jest"], &modules.join(".bin"));
    std::os::unix::fs::symlink(&modules, project.folder.path().join("node_modules")).unwrap();
    fs::copy(recorder("jest").join("package.json"), project.folder.path().join("package.json")).unwrap();
    let (project, printed) = project.stabilize("tests");
    assert!(!printed.contains("body:/supplier") && !printed.contains("fail every time"), "{printed}");
    project.passes();
    let removed = project.removed("jest");
    assert!(removed.iter().any(|line| line.contains("requestId")), "{removed:?}");
    assert!(removed.iter().all(|line| !line.contains("lamp") && !line.contains("status")), "{removed:?}");
}

#[test]
fn rest_assured_in_java_and_kotlin() {
    let command = ["mvn", "--batch-mode", "--no-transfer-progress", "--quiet", "test"];
    let mut project = Project::new("maven", &command, Path::new("/"));
    project.again =
        ["mvn", "--offline", "--quiet", "-DfailIfNoTests=true", "surefire:test"].map(str::to_owned).into();
    fs::copy(recorder("maven").join("pom.xml"), project.folder.path().join("pom.xml")).unwrap();
    let (project, printed) = project.stabilize("src/test");
    assert!(!printed.contains("body:/released") && !printed.contains("fail every time"), "{printed}");
    project.passes();
    let removed = project.removed("maven");
    assert!(removed.iter().any(|line| line.contains("requestId")), "{removed:?}");
    assert!(
        removed.iter().all(|line| !line.contains("lamp") && !line.contains("statusCode(404)")),
        "{removed:?}"
    );
}
