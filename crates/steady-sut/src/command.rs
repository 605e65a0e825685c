//! Command lines as people write them.

use std::path::PathBuf;

use steady_process::Spec;

/// What only a shell understands.
const SHELL_SYNTAX: &str = "|&;<>()$`\"'\\*?[]#~!\n";
/// Commands that only a shell has.
const SHELL_COMMANDS: [&str; 12] =
    [".", "cd", "eval", "exec", "exit", "export", "set", "source", "trap", "ulimit", "umask", "unset"];

/// The command of a line: a program with its arguments, or the shell's where the line has shell syntax.
pub(crate) fn of_line(line: &str) -> Spec {
    match plain_words(line) {
        Some((program, arguments)) => Spec::program(program).args(arguments),
        None => Spec::shell(line),
    }
}

/// The programs that a line starts, as far as that is known before it runs.
pub(crate) fn programs_in(line: &str) -> Vec<PathBuf> {
    match plain_words(line) {
        Some((program, _)) => vec![program.into()],
        None => {
            line.split(|c: char| c.is_whitespace() || SHELL_SYNTAX.contains(c)).map(PathBuf::from).collect()
        }
    }
}

fn plain_words(line: &str) -> Option<(&str, Vec<&str>)> {
    let mut words = line.split_whitespace();
    let program = words.next()?;
    let needs_shell = line.contains(|c| SHELL_SYNTAX.contains(c))
        // `PORT=80 serve` sets a variable.
        || program.contains('=')
        || SHELL_COMMANDS.contains(&program);
    (!needs_shell).then(|| (program, words.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_runs_only_what_needs_one() {
        let plain = ["java -jar app.jar --server.port={port}", "./serve", "node  api.js"];
        for line in plain {
            assert!(plain_words(line).is_some(), "{line}");
        }
        let shell = [
            "cd app && npm start",
            "PORT={port} node api.js",
            "exec ./serve",
            "serve --name 'a b'",
            "serve > log",
            "serve $PORT",
            "",
        ];
        for line in shell {
            assert!(plain_words(line).is_none(), "{line}");
        }
        assert_eq!(of_line("node  api.js {port}").display(), "node api.js '{port}'");
        assert_eq!(of_line("a && b").display(), "a && b");
    }
}
