//! Finds the runner's own words in a command line: after launchers such as `npx`, or in a script of `package.json`.

use crate::Project;

/// The words that start the runner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inner {
    /// The words, the program first.
    pub(crate) words: Vec<String>,
    pub(crate) place: RunnerWords,
}

/// Where the runner's words were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunnerWords {
    /// In the command line itself, from this word on.
    At(usize),
    /// In a script that takes what stands at the end of the command line.
    Script,
    /// In a script that takes what follows `--`.
    ScriptAfterDashes,
}

/// Looks through launchers and scripts.
pub(crate) fn inner(command: &[String], project: &Project) -> Inner {
    let start = launched(command);
    let words = &command[start..];
    if let Some((script, place)) = script_of(words, project)
        && let Some(words) = last_command(&script)
    {
        let start = launched(&words);
        return Inner { words: words[start..].to_vec(), place };
    }
    let start = start + package_binary(words);
    Inner { words: command[start..].to_vec(), place: RunnerWords::At(start) }
}

/// How many words at the front only launch what follows.
fn launched(words: &[String]) -> usize {
    let mut start = 0;
    while let Some(length) = launcher(&words[start..]) {
        if start + length >= words.len() {
            break;
        }
        start += length;
    }
    start
}

fn launcher(words: &[String]) -> Option<usize> {
    let word = |index: usize| words.get(index).map(String::as_str);
    let second = word(1);
    match base(word(0)?) {
        "npx" | "bunx" | "pnpx" => Some(1 + options(&words[1..], &["-p", "--package"])),
        "npm" | "pnpm" | "yarn" if matches!(second, Some("exec" | "x" | "dlx")) => {
            Some(2 + options(&words[2..], &["-p", "--package"]))
        }
        "poetry" | "pipenv" | "pdm" | "hatch" | "rye" if second == Some("run") => Some(2),
        "uv" if second == Some("run") => Some(2 + options(&words[2..], UV_VALUES)),
        "xvfb-run" | "time" => Some(1 + options(&words[1..], &["-s", "-n"])),
        "env" | "cross-env" => Some(1 + words[1..].iter().take_while(|word| assigns(word)).count()),
        first if assigns(first) => Some(1),
        _ => None,
    }
}

/// Options of `uv run` that take the next word.
const UV_VALUES: &[&str] = &["--with", "--extra", "--group", "--python", "-p", "--env-file", "--project"];

/// How many words at the front are options, those with a value of their own included.
pub(crate) fn options(words: &[String], with_value: &[&str]) -> usize {
    let mut count = 0;
    while let Some(word) = words.get(count).filter(|word| word.starts_with('-') && word.len() > 1) {
        count += 1;
        if word == "--" {
            break;
        }
        if with_value.contains(&word.as_str()) {
            count += 1;
        }
    }
    count.min(words.len())
}

fn assigns(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|letter| letter == '_' || letter.is_ascii_alphanumeric())
    })
}

/// The script a package manager is asked to run.
fn script_of(words: &[String], project: &Project) -> Option<(String, RunnerWords)> {
    let manager = base(words.first()?);
    let place = match manager {
        "npm" => RunnerWords::ScriptAfterDashes,
        "yarn" | "pnpm" | "bun" => RunnerWords::Script,
        _ => return None,
    };
    let second = words.get(1)?.as_str();
    let name = match second {
        "run" | "run-script" => words.get(2)?,
        "t" | "tst" if manager != "bun" => "test",
        // `bun test` is a runner of its own.
        _ if manager == "bun" => return None,
        name => name,
    };
    project.script(name).map(|script| (script, place))
}

/// `yarn jest` runs the program of that name when there is no such script.
fn package_binary(words: &[String]) -> usize {
    let first = words.first().map(|word| base(word));
    match words.get(1).map(String::as_str) {
        Some("run") if first == Some("yarn") && words.len() > 2 => 2,
        Some("run") => 0,
        Some(_) if matches!(first, Some("yarn" | "pnpm")) => 1,
        _ => 0,
    }
}

/// The words of a script's last command, the one that gets the arguments; none if it needs a shell.
fn last_command(script: &str) -> Option<Vec<String>> {
    let last = script.rsplit("&&").next()?;
    if last.contains(['|', ';', '<', '>', '$', '`', '#', '(', '&', '\\', '\n']) {
        return None;
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in last.chars() {
        match (quote, letter) {
            (Some(open), close) if open == close => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, space) if space.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    (quote.is_none() && !words.is_empty()).then_some(words)
}

/// A program's name without its folder.
pub(crate) fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Where arguments may stand that come last: before a `--`, if there is one.
pub(crate) fn end(words: &[String]) -> usize {
    words.iter().position(|word| word == "--").unwrap_or(words.len())
}

/// The Python module that is run, and where its name stands: `python -m pytest`, `coverage run -m pytest`.
pub(crate) fn python_module(words: &[String]) -> Option<(&str, usize)> {
    let program = base(words.first()?);
    let coverage = program == "coverage" && words.get(1).is_some_and(|word| word == "run");
    if !coverage && !program.starts_with("python") && !program.starts_with("pypy") {
        return None;
    }
    let flag = words.iter().position(|word| word == "-m")?;
    // A script's own `-m` comes after the script.
    let from = if coverage { 2 } else { 1 };
    if from + options(&words[from..flag], &["-W", "-X", "--source", "--rcfile"]) < flag {
        return None;
    }
    Some((words.get(flag + 1)?, flag + 1))
}

/// Where the JavaScript tool `name` stands: `jest`, `.bin/jest`, `node node_modules/jest/bin/jest.js`.
pub(crate) fn js_tool(words: &[String], name: &str) -> Option<usize> {
    let program = base(words.first()?);
    if program == name {
        return Some(0);
    }
    if !matches!(program, "node" | "nodejs" | "tsx" | "bun") {
        return None;
    }
    let script = 1 + options(&words[1..], NODE_VALUES);
    let path = words.get(script)?;
    let stem = base(path).split('.').next()?;
    let folder = format!("{name}/");
    let is = stem == name || (stem == "cli" && path.contains(&folder));
    is.then_some(script)
}

/// Options of Node.js that take the next word.
pub(crate) const NODE_VALUES: &[&str] =
    &["-r", "--require", "--import", "--loader", "--env-file", "-C", "--conditions"];

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn launchers_are_looked_through() {
        let project = Project::at(Path::new("/nowhere"));
        for (line, expected) in [
            ("npx jest a", "jest a"),
            ("npx --no-install -p jest jest", "jest"),
            ("npm exec -- jest --ci", "jest --ci"),
            ("yarn jest", "jest"),
            ("yarn run mocha", "mocha"),
            ("pnpm exec vitest run", "vitest run"),
            ("uv run --with pytest python -m pytest", "python -m pytest"),
            ("poetry run pytest -x", "pytest -x"),
            ("env A=1 B=2 pytest", "pytest"),
            ("xvfb-run -a npx playwright test", "playwright test"),
            ("npm test", "npm test"),
            ("npx", "npx"),
        ] {
            assert_eq!(inner(&words(line), &project).words, words(expected), "{line}");
        }
    }

    #[test]
    fn the_last_command_of_a_script_gets_the_arguments() {
        assert_eq!(
            last_command("tsc -b && jest 'a b' \"\""),
            Some(vec!["jest".into(), "a b".into(), String::new()])
        );
        assert_eq!(last_command("jest | tee log"), None);
        assert_eq!(last_command("jest 'open"), None);
        assert_eq!(last_command(""), None);
    }

    #[test]
    fn python_modules_are_found_where_python_looks_for_them() {
        assert_eq!(python_module(&words("python3.11 -W error -m unittest -v")), Some(("unittest", 4)));
        assert_eq!(python_module(&words("coverage run --branch -m pytest")), Some(("pytest", 4)));
        assert_eq!(python_module(&words("python script.py -m pytest")), None);
        assert_eq!(python_module(&words("python -m")), None);
    }

    #[test]
    fn javascript_tools_are_found_behind_node() {
        assert_eq!(
            js_tool(&words("node --require x.js node_modules/jest/bin/jest.js --ci"), "jest"),
            Some(3)
        );
        assert_eq!(js_tool(&words("node node_modules/@playwright/test/cli.js test"), "playwright"), Some(1));
        assert_eq!(js_tool(&words("node server.js jest"), "jest"), None);
    }
}
