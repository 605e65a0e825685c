//! Applies overrides to a command.

use std::path::Path;

use steady_preload::Control;
use steady_process::Spec;

use crate::overrides::Before;
use crate::preload::{PreloadError, preloaded};
use crate::{Overrides, StateDir, StateDirError};

/// What names the folder for temporary files.
const TEMPORARY: [&str; 3] = ["TMPDIR", "TEMP", "TMP"];

/// The overrides cannot be applied to a command.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The folder they need cannot be made.
    #[error(transparent)]
    StateDir(#[from] StateDirError),
    /// The preload shim cannot be put in place.
    #[error(transparent)]
    Preload(#[from] PreloadError),
}

/// The command of a job with these overrides, as far as they concern a process: order and load are up to the caller.
/// The control, if there is one, steers the preload shim: keep it until the command has ended.
pub fn apply(
    mut spec: Spec,
    overrides: &Overrides,
    state_dir: &StateDir,
    job: usize,
) -> Result<(Spec, Option<Control>), ApplyError> {
    for change in &overrides.variables {
        spec = match change.before {
            Before::JoinedBy(separator) => spec.append_to_variable(change.name, separator, &change.value),
            Before::Kept if spec.variable(change.name).is_some() => spec,
            Before::Kept | Before::Replaced => spec.set_literal_variable(change.name, &change.value),
        };
    }
    if let Some(name) = overrides.temporary_folder {
        let folder = state_dir.fresh(job, name)?;
        for variable in TEMPORARY {
            spec = spec.set_literal_variable(variable, &folder);
        }
        if let Some(option) = java_temporary_folder(&folder) {
            spec = spec.append_to_variable("JAVA_TOOL_OPTIONS", " ", option);
        }
    }
    if !overrides.needs_shim() {
        return Ok((spec, None));
    }
    let folder = state_dir.fresh(job, "preload")?;
    let (spec, control) = preloaded(spec, &folder, overrides)?;
    Ok((spec, Some(control)))
}

/// The JVM ignores these environment variables. Its options are separated by spaces, and old versions support no quotes.
fn java_temporary_folder(folder: &Path) -> Option<String> {
    let path = folder.to_str().filter(|path| !path.contains(char::is_whitespace))?;
    Some(format!("-Djava.io.tmpdir={path}"))
}

#[cfg(test)]
mod tests {
    use steady_model::rerun::{Condition, Perturbation};
    use steady_process::{Cancel, Stream, spawn};

    use super::*;
    use crate::overrides;

    /// The output of a command under a condition.
    fn printed(command: Spec, condition: &Condition) -> String {
        let state = tempfile::tempdir().unwrap();
        let state_dir = StateDir::open(state.path()).unwrap();
        let (command, _control) = apply(command, &overrides(condition), &state_dir, 0).unwrap();
        let finished = spawn(&command).unwrap().wait(&Cancel::new().unwrap());
        String::from_utf8(finished.output.bytes(Stream::Stdout)).unwrap()
    }

    #[test]
    fn lists_keep_what_the_user_put_there() {
        let command = Spec::shell("echo $JAVA_TOOL_OPTIONS").set_variable("JAVA_TOOL_OPTIONS", "-Dp={port}");
        let mut condition = Condition::of(Perturbation::Hash, "2");
        condition.0.insert(Perturbation::Locale, "tr_TR.UTF-8".to_owned());
        let options = printed(command, &condition);
        let (port, rest) = options.trim().strip_prefix("-Dp=").and_then(|rest| rest.split_once(' ')).unwrap();
        assert!(port.parse::<u16>().is_ok(), "{options}");
        assert_eq!(
            rest,
            "-Duser.language=tr -Duser.country=TR -XX:+UnlockExperimentalVMOptions -XX:hashCode=2"
        );
    }

    #[test]
    fn temporary_files_go_to_an_empty_folder() {
        for name in ["elsewhere", "with a space"] {
            let command = Spec::shell(r#"echo "$TMPDIR"; ls -A "$TMPDIR"; echo "$JAVA_TOOL_OPTIONS""#)
                .set_variable("JAVA_TOOL_OPTIONS", "");
            let text = printed(command, &Condition::of(Perturbation::Tmp, name));
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines[0].ends_with(name), "{text}");
            let java =
                if name.contains(' ') { String::new() } else { format!("-Djava.io.tmpdir={}", lines[0]) };
            assert_eq!(lines[1..], [java], "{text}");
        }
    }

    #[test]
    fn a_library_the_user_preloads_stays() {
        let command = Spec::shell("echo $LD_PRELOAD").set_variable("LD_PRELOAD", "libdl.so.2");
        let text = printed(command, &Condition::of(Perturbation::Clock, "+1d3h"));
        assert!(text.starts_with("libdl.so.2:/"), "{text}");
    }

    #[test]
    fn hash_tables_have_another_seed_in_every_run_where_randomness_is_fixed() {
        let seed_of = |run: u32, command: Spec| {
            let state = tempfile::tempdir().unwrap();
            let state_dir = StateDir::open(state.path()).unwrap();
            let mut fixed = overrides(&Condition::of(Perturbation::Random, "1"));
            crate::perturb::vary_hash_seeds(&mut fixed, run);
            let (command, _control) = apply(command, &fixed, &state_dir, 0).unwrap();
            command.variable("PYTHONHASHSEED").unwrap()
        };
        let command = Spec::shell("true").remove_variable("PYTHONHASHSEED");
        assert_ne!(seed_of(1, command.clone()), seed_of(2, command.clone()));
        assert_eq!(seed_of(1, command.set_variable("PYTHONHASHSEED", "77")), "77");
    }
}
