//! Which runner a command starts, and what is added to it.

use std::fs;
use std::path::Path;

use steady_model::rerun::TestId;
use steady_runners::{Invocation, Keeping, Order, Project, Recognised, Source, Variable, What, recognise};
use tempfile::TempDir;

const INJECT: &str = "/run/inject";
const RESULTS: &str = "/run/results";

fn recognised(line: &str) -> Recognised {
    recognised_in(line, Path::new("/nowhere"))
}

fn recognised_in(line: &str, folder: &Path) -> Recognised {
    let command: Vec<String> = line.split(' ').map(str::to_owned).collect();
    recognise(&command, &Project::at(folder))
}

fn line(invocation: &Invocation) -> String {
    format!("{} {}", invocation.program, invocation.args.join(" "))
}

fn ids<const N: usize>(tests: [&str; N]) -> [TestId; N] {
    tests.map(TestId::from)
}

#[test]
fn runners_are_recognised_by_their_commands() {
    for (command, name) in [
        ("pytest -x tests", "pytest"),
        (".venv/bin/pytest", "pytest"),
        ("python3 -m pytest", "pytest"),
        ("uv run pytest", "pytest"),
        ("coverage run -m pytest", "pytest"),
        ("python -m unittest discover -s tests", "unittest"),
        ("npx jest --ci", "jest"),
        ("node --experimental-vm-modules node_modules/.bin/jest", "jest"),
        ("yarn jest", "jest"),
        ("npx vitest run", "vitest"),
        ("pnpm exec vitest", "vitest"),
        ("npx vitest bench", "unknown"),
        ("npx playwright test --project=chromium", "playwright"),
        ("npx playwright install", "unknown"),
        ("npx mocha", "mocha"),
        ("node_modules/.bin/mocha spec", "mocha"),
        ("node --test", "node"),
        ("node --import tsx --test a.ts", "node"),
        ("node server.js --test", "unknown"),
        ("cargo nextest run -p a", "nextest"),
        ("cargo +nightly nextest run", "nextest"),
        ("cargo test --workspace", "cargo"),
        ("cargo +1.80 t", "cargo"),
        ("cargo build", "unknown"),
        ("mvn -q test", "maven"),
        ("./mvnw verify", "maven"),
        ("mvn compile", "unknown"),
        ("./gradlew :app:test", "gradle"),
        ("gradle integrationTest", "gradle"),
        ("./gradlew assemble", "unknown"),
        ("go test ./...", "go"),
        ("go build", "unknown"),
        ("make test", "unknown"),
        ("tox", "unknown"),
    ] {
        assert_eq!(recognised(command).runner.name(), name, "{command}");
    }
}

#[test]
fn an_empty_command_is_unknown() {
    let recognised = recognise(&[], &Project::at(Path::new("/nowhere")));
    assert_eq!(recognised.runner.name(), "unknown");
    assert_eq!(line(&recognised.invocation(Path::new(INJECT))), " ");
}

#[test]
fn scripts_are_read_from_the_package() {
    let home = TempDir::new().unwrap();
    let scripts = r#"{"scripts": {"test": "tsc && NODE_ENV=test jest --ci", "e2e": "playwright test",
        "unit": "vitest run -c unit.ts", "piped": "jest | tee log", "rust": "cargo test -- --nocapture"}}"#;
    fs::write(home.path().join("package.json"), scripts).unwrap();
    for (command, name, selecting) in [
        ("npm test", "jest", "npm test -- --testRunner="),
        ("npm test -- --silent", "jest", "npm test -- --silent --testRunner="),
        ("yarn test", "jest", "yarn test --testRunner="),
        ("pnpm run e2e", "playwright", "pnpm run e2e --test-list="),
    ] {
        let recognised = recognised_in(command, home.path());
        assert_eq!(recognised.runner.name(), name, "{command}");
        let invocation = recognised.selecting(Path::new(INJECT), &ids(["a::b"])).unwrap();
        assert!(line(&invocation).starts_with(selecting), "{}", line(&invocation));
    }
    let error =
        recognised_in("npm run unit", home.path()).selecting(Path::new(INJECT), &ids(["a::b"])).unwrap_err();
    assert_eq!((error.runner, error.what), ("vitest", What::Select));
    for command in ["npm run piped", "npm run missing", "npm run rust"] {
        assert_eq!(recognised_in(command, home.path()).runner.name(), "unknown", "{command}");
    }
}

#[test]
fn a_tool_in_a_project_with_pytest_counts_as_pytest() {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("pyproject.toml"), "[tool.pytest.ini_options]\n").unwrap();
    assert_eq!(recognised_in("make test", home.path()).runner.name(), "pytest");
    assert_eq!(recognised_in("cargo test", home.path()).runner.name(), "cargo");
}

#[test]
fn selections_are_words_where_the_runner_takes_them() {
    let tests = ["app.CartTest::total(int)[2]", "app.UserTest::login"];
    for (command, tests, expected) in [
        (
            "mvn test -q",
            tests,
            "mvn test -q -Dtest=app.CartTest#total,app.UserTest#login \
             -Dsurefire.failIfNoSpecifiedTests=false -DfailIfNoTests=false",
        ),
        (
            "go test -v ./... -args x",
            ["m/a::TestA/b c", "m/a::TestB"],
            "go test -run=^TestA$/^b c$|^TestB$ -v m/a -args x",
        ),
        (
            "node --test --watch=false old.js",
            ["a.test.js::x", "a.test.js::y::z?"],
            r"node --test --watch=false --test-name-pattern=/^(?:)?x$/ --test-name-pattern=/^(?:y )?z\?$/ a.test.js",
        ),
        (
            "cargo nextest run -p a",
            ["a::x", "a::it::y"],
            "cargo nextest run -E (binary_id(=a) & test(=x)) | (binary_id(=a) & test(=it::y)) | (binary_id(=a::it) & test(=y)) -p a",
        ),
        (
            "cargo test -p a -- --nocapture",
            ["a::x", "a::y"],
            "cargo test --config /run/inject/steady-cargo.toml --no-fail-fast -p a -- --nocapture",
        ),
        ("make check T={tests:,}", ["x", "y"], "make check T=x,y"),
        ("run {tests} -v", ["x", "y"], "run x y -v"),
    ] {
        let invocation = recognised(command).selecting(Path::new(INJECT), &ids(tests)).unwrap();
        assert_eq!(line(&invocation), expected);
    }
}

#[test]
fn reports_are_asked_for_without_taking_anything_away() {
    for (command, expected) in [
        (
            "npx jest --reporters=mine -- a",
            "npx jest --reporters=mine --testRunner=/run/inject/steady-jest-runner.cjs -- a",
        ),
        ("npx vitest run", "npx vitest run --config=/run/inject/steady-vitest.config.mjs"),
        (
            "npx vitest --config x.ts --reporter=dot run",
            "npx vitest --reporter=dot run --config=/run/inject/steady-vitest.config.mjs \
             --reporter=/run/inject/steady-vitest-reporter.mjs",
        ),
        ("npx mocha -R dot", "npx mocha -R dot --require=/run/inject/steady-mocha.cjs"),
        ("npx playwright test", "npx playwright test"),
        ("python -W error -m unittest -v", "python -W error -m steady_unittest -v"),
        ("go test ./...", "go test -json -count=1 ./..."),
        ("go test -count=3 ./...", "go test -json -count=3 ./..."),
        ("cargo nextest run", "cargo nextest run --tool-config-file=steady:/run/inject/steady-nextest.toml"),
        ("./gradlew test", "./gradlew test --init-script /run/inject/steady-rerun.init.gradle"),
        ("mvn test", "mvn test"),
        ("make test", "make test"),
    ] {
        let recognised = recognised(command);
        let mut invocation = recognised.invocation(Path::new(INJECT));
        let report = recognised.runner.report(&mut invocation, Path::new(RESULTS));
        assert_eq!(line(&invocation), expected);
        assert!(!report.sources.is_empty(), "{command}");
    }
}

#[test]
fn pytest_is_reached_by_variables_alone() {
    let recognised = recognised("pytest -x");
    let mut invocation = recognised.selecting(Path::new(INJECT), &ids(["tests/test_a.py::test_b"])).unwrap();
    let report = recognised.runner.report(&mut invocation, Path::new(RESULTS));
    assert_eq!(report.sources, [Source::Files("/run/results/steady-results.jsonl".to_owned())]);
    assert_eq!(line(&invocation), "pytest -x");
    assert_eq!(invocation.variables["PYTHONPATH"], Variable::PathBefore(INJECT.to_owned()));
    let options = &invocation.variables["PYTEST_ADDOPTS"];
    assert_eq!(options.value(Some("-q".as_ref())), "-q -p steady_pytest");
    assert_eq!(options.value(Some("".as_ref())), "-p steady_pytest");
    assert_eq!(invocation.variables["PYTHONPATH"].value(Some("/a".as_ref())), "/run/inject:/a");
}

#[test]
fn what_a_runner_cannot_do_is_said() {
    let tests = ids(["a::b"]);
    let (listed, shuffled) = (Order::Listed(&tests), Order::Shuffled(7));
    for (command, order, what) in [
        ("node --test", listed, What::Listed),
        ("node --test", shuffled, What::Shuffled),
        ("cargo nextest run", listed, What::Listed),
        ("mvn test", listed, What::Listed),
        ("gradle test", listed, What::Listed),
        ("go test", listed, What::Listed),
        ("make test", shuffled, What::Shuffled),
    ] {
        let recognised = recognised(command);
        let error =
            recognised.runner.order(&mut recognised.invocation(Path::new(INJECT)), order).unwrap_err();
        assert_eq!((error.runner, error.what), (recognised.runner.name(), what));
    }
    let error = recognised("make test").selecting(Path::new(INJECT), &tests).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown cannot run some tests only: the runner is not known; put `{tests}` where the command takes their names"
    );
}

#[test]
fn orders_are_kept_as_closely_as_the_runner_can() {
    let tests = ids(["a::b"]);
    for (command, order, keeping) in [
        ("pytest", Order::Listed(&tests), Keeping::Exactly),
        ("pytest", Order::Shuffled(7), Keeping::ByBlock),
        ("python -m unittest", Order::Listed(&tests), Keeping::Exactly),
        ("npx jest", Order::Listed(&tests), Keeping::ByBlock),
        ("cargo test", Order::Listed(&tests), Keeping::Apart),
        ("mvn test", Order::Shuffled(u64::MAX), Keeping::ByBlock),
    ] {
        let recognised = recognised(command);
        let mut invocation = recognised.invocation(Path::new(INJECT));
        assert_eq!(recognised.runner.order(&mut invocation, order), Ok(keeping), "{command}");
    }
}
