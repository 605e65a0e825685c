//! The steps of a chore: each prints its name and time, and the first that fails ends the chore with the command that
//! repeats it.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::paths;

/// Steps run so far.
#[derive(Debug, Default)]
pub struct Steps {
    done: Vec<(&'static str, Duration)>,
}

impl Steps {
    /// Runs a command in the workspace's folder.
    pub fn run(&mut self, name: &'static str, command: &mut Command) -> Result<()> {
        self.watch(name, command.stdout(Stdio::inherit()), |_| ())
    }

    /// Runs a command, printing each line of its standard output and showing it to `line`.
    pub fn watch(
        &mut self,
        name: &'static str,
        command: &mut Command,
        mut line: impl FnMut(&str),
    ) -> Result<()> {
        println!("\n==> {name}");
        let started = Instant::now();
        let mut child = command
            .current_dir(paths::root())
            .spawn()
            .with_context(|| format!("could not start `{}`; is it installed?", written(command)))?;
        if let Some(output) = child.stdout.take() {
            for text in BufReader::new(output).lines() {
                let text =
                    text.with_context(|| format!("could not read the output of `{}`", written(command)))?;
                println!("{text}");
                line(&text);
            }
        }
        let status = child.wait().with_context(|| format!("could not wait for `{}`", written(command)))?;
        let taken = started.elapsed();
        println!(
            "==> {name}: {} in {:.1} s",
            if status.success() { "done" } else { "FAILED" },
            taken.as_secs_f64()
        );
        if !status.success() {
            bail!("{name} failed ({status}); to repeat it alone:\n  {}", written(command));
        }
        self.done.push((name, taken));
        Ok(())
    }

    /// Prints what ran and how long it took.
    pub fn print_summary(&self) {
        println!("\nsummary");
        for (name, taken) in &self.done {
            println!("  {name:<16} {:>7.1} s", taken.as_secs_f64());
        }
        let total: Duration = self.done.iter().map(|(_, taken)| *taken).sum();
        println!("  {:<16} {:>7.1} s", "total", total.as_secs_f64());
    }
}

/// The cargo that runs this chore.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    command
}

/// A command as one would type it: set variables, program without its folder, quoted arguments.
pub fn written(command: &Command) -> String {
    let variables = command
        .get_envs()
        .filter_map(|(name, value)| Some(format!("{}={}", name.to_string_lossy(), quoted(value?))));
    let program = std::path::Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args()).map(quoted);
    variables.chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "-_=./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_written_as_one_would_type_it() {
        let mut command = Command::new("/usr/lib/rust/bin/cargo");
        command.args(["doc", "--no-deps", "it's"]).env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(written(&command), r"RUSTDOCFLAGS='-D warnings' cargo doc --no-deps 'it'\''s'");
    }

    #[test]
    fn a_failing_step_names_the_command_that_repeats_it() {
        let mut command = Command::new("false");
        let error = Steps::default().run("lint", command.arg("--strict")).unwrap_err();
        assert!(error.to_string().starts_with("lint failed"), "{error}");
        assert!(error.to_string().ends_with("\n  false --strict"), "{error}");
    }
}
