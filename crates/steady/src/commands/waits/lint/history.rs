//! What long time limits were before, from the history of their lines.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use steady_history::Limits;
use steady_waits::lint::{Context, is_worth_a_look};
use steady_waits::scripts::ScriptFile;

use crate::commands::waits::past::{Remember, read_past, repository};
use crate::commands::waits::tune::HISTORY_DEPTH;
use crate::config::Config;
use crate::session::Session;
use crate::ui::counted;

/// How long the history may be read.
const HISTORY: Duration = Duration::from_secs(2);

/// Looks up what long time limits were before; folders without any are not looked at, nor are more than there is time for.
pub(super) fn learn(context: &mut Context, files: &[ScriptFile], config: &Config, session: &Session) {
    let until = Instant::now() + HISTORY;
    let mut folders: BTreeMap<&Path, Vec<&ScriptFile>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.script.waits().iter().any(is_worth_a_look)) {
        let folder = file.path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        folders.entry(folder).or_default().push(file);
    }
    let Some(repository) = folders.keys().next().and_then(|folder| repository(folder, session)) else {
        return;
    };
    let depth = config.waits.history_depth.map_or(HISTORY_DEPTH, usize::from);
    let Ok(root) = repository.root().canonicalize() else { return };
    let mut left_out = 0;
    for (folder, files) in folders {
        let time = until.saturating_duration_since(Instant::now());
        let Ok(whole) = folder.canonicalize() else { continue };
        // Files of another repository have another past.
        let Ok(name) = whole.strip_prefix(&root) else { continue };
        if time.is_zero() {
            left_out += 1;
            continue;
        }
        let limits = Limits { depth, time };
        let remember = Remember::IfStoreExists;
        let Some(past) = read_past(&repository, name, limits, &config.store, remember, session) else {
            continue;
        };
        for file in files {
            let name = name.join(file.path.file_name().unwrap_or_default());
            context.learn(&file.path, &file.script, &past, &name);
        }
    }
    if left_out > 0 {
        session.note(format!(
            "the history of {} was not read within 2 s: long time limits there are not compared with their history",
            counted(left_out, "folder")
        ));
    }
}
