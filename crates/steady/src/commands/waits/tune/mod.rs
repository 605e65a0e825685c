//! `steady waits tune` for one wait.

mod args;
pub mod candidates;
mod options;
pub mod place;
pub mod report;
mod survey;

use std::path::Path;

use serde::Serialize;
use steady_history::Repository;
use steady_js::repair::{Repair, RepairError, Target, repair};
use steady_js::{Kind, Script};
use steady_model::Event;
use steady_waits::lint::{Context, Rule, lint, without};
use steady_waits::locate::Located;
use steady_waits::tune::drive::Tuned;
use steady_waits::{Candidate, Origin};

pub use args::{HistoryChoice, RankingChoice, TuneArgs};
pub use options::{HISTORY_DEPTH, Mode as TuneMode, TuneOptions};

use super::{attempts, fields};
use crate::config::Config;
use crate::error::{CommandError, UsageError, UserError};
use crate::exit::Exit;
use crate::session::{Ended, Session};
use crate::ui::{self, Verbosity, counted, escape_controls, escape_lines};
use candidates::{candidates_table, clipped, cost_of};
use place::Place;
use report::tuned_report;
use survey::survey;

/// Ranks values for a wait, tries them when there is a command, and shows or writes the change.
pub fn run(
    args: &TuneArgs,
    config: &Config,
    options: &TuneOptions,
    session: &Session,
) -> Result<Ended, CommandError> {
    let cancel = session.cancel();
    if args.from.is_some() && args.command.is_empty() {
        return Err(UsageError {
            message: "`--from` begins with a value that is to be tried, and no command is given".to_owned(),
            hint: "add the command that runs the test at the end: `steady waits tune FILE:LINE --from 2s -- npx vitest run FILE`"
                .to_owned(),
        }
        .into());
    }
    let place = Place::find(args, options, cancel)?;
    if let Some(why) = &place.why {
        session.note(why.clone());
    }
    if args.write {
        refuse_dirty(&place.path, args.allow_dirty)?;
    }
    let immediate = cancel.exit_immediately();
    let fix = Target::near(&place.script, place.line, place.column);
    let fix = fix.map(|fix| if args.pause { fix.with_pause() } else { fix });
    let located = survey(&place, fix.as_ref().ok(), options, &config.store, session)?;
    if !session.is_json() && session.shared().verbosity > Verbosity::Quiet {
        ui::print(&view(&place, fix.as_ref().ok(), &located, session.shared().verbosity))?;
    }
    drop(immediate);
    let tuned = match (&fix, args.command.is_empty(), located.candidates.is_empty()) {
        (Ok(target), false, false) => {
            Some(attempts::one(&place, target, &located, args, options, cancel, session)?)
        }
        (Err(error), false, _) => return Err(Unrepairable::new(&place, error).into()),
        _ => None,
    };
    let chosen = match &tuned {
        Some(tuned) => tuned.proposed,
        None => located.candidates.first().map(|candidate| candidate.ms),
    };
    // Where nothing is proven by runs, the better change is the one that takes the sleep away.
    let deletion = if args.command.is_empty() { deletion_at(&place) } else { None };
    let chosen = chosen.filter(|_| deletion.is_none());
    let change = match (fix, chosen) {
        (fix, Some(ms)) => match fix.and_then(|target| repair(&place.script, &target, ms)) {
            Ok(change) => Some(change.tidied(&place.script)),
            Err(error) if args.write || tuned.is_some() => {
                return Err(Unrepairable::new(&place, &error).into());
            }
            // The values are worth knowing even where somebody has to write them in by hand.
            Err(error) => {
                session.warn(format!("no patch: {error}"));
                None
            }
        },
        (_, None) => None,
    };
    let changed = change.as_ref().map(|change| &change.text).or(deletion.as_ref().map(|(text, _)| text));
    let patch = changed
        .map(|text| steady_assertions::diff(&place.path, place.script.text(), text))
        .unwrap_or_default();
    let mut written = false;
    if let Some(text) = changed.filter(|_| args.write && !patch.is_empty()) {
        steady_assertions::write(&place.path, place.script.text(), text)?;
        session.emit(Event::FileWritten { path: place.path.display().to_string() });
        written = true;
    }
    let advice = match (&deletion, &change) {
        (Some((_, advice)), _) => {
            Some(format!("{advice} The values above are for a sleep that has to stay."))
        }
        (None, Some(change)) if change.stop_gap => Some(better(&place, change)),
        _ => None,
    };
    let exit = exit(&located, tuned.as_ref());
    let interrupted = tuned.as_ref().is_some_and(|tuned| tuned.interrupted);
    let result = TuneResult {
        target: Here::of(&place, &located),
        candidates: &located.candidates,
        chosen,
        patch: &patch,
        stop_gap: change.as_ref().is_some_and(|change| change.stop_gap),
        advice: advice.as_deref(),
        written,
        tuned: tuned.as_ref(),
    };
    session.emit(Event::WaitsTuned { result: fields(&result) });
    let report = ending(&place, &result, change.as_ref(), args.command.is_empty());
    Ok(Ended { interrupted, ..Ended::with(exit, report) })
}

/// What is not committed could not be taken back.
pub fn refuse_dirty(path: &Path, allow: bool) -> Result<(), CommandError> {
    if allow {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Without git nobody can tell; the change is atomic in any case.
    let Ok(Some(repository)) = Repository::find(folder) else { return Ok(()) };
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if repository.is_dirty(&whole).unwrap_or(false) {
        return Err(UsageError {
            message: format!("`{}` has changes that are not committed; nothing is written", path.display()),
            hint: "commit or stash them, or add --allow-dirty".to_owned(),
        }
        .into());
    }
    Ok(())
}

/// The file without the sleep on the line that is asked about, and why that is enough; `None` where it is needed.
fn deletion_at(place: &Place) -> Option<(String, String)> {
    let script = &place.script;
    let mut complaints = lint(script, &place.path, &Context::of(&[script])).into_iter();
    let found = complaints.find(|complaint| {
        let statement = complaint.deletion.map(|span| (script.line_of(span.start), script.line_of(span.end)));
        statement.is_some_and(|(first, last)| (first..=last).contains(&place.line))
    })?;
    Some((without(script, &[found.deletion?])?, found.advice))
}

fn exit(located: &Located, tuned: Option<&Tuned>) -> Exit {
    use steady_waits::tune::Verdict;
    match tuned.map(|tuned| tuned.verdict) {
        None if located.candidates.is_empty() => Exit::Findings,
        None | Some(Verdict::Held { .. } | Verdict::Kept { .. } | Verdict::NotFlaky) => Exit::Clean,
        Some(Verdict::NoneHeld | Verdict::Flaky) => Exit::Findings,
        Some(Verdict::Unfinished { .. }) => Exit::Error,
    }
}

/// The place, what it costs, and the values it could have.
fn view(place: &Place, fix: Option<&Target>, located: &Located, verbosity: Verbosity) -> String {
    let line = place.script.line_text(place.line).unwrap_or_default();
    let unread = place.script.unread_waits().iter().find(|wait| wait.line == place.line);
    let cost = match (located.target.kind(), fix.and_then(|fix| fix.adds)) {
        (None, _) if let Some(wait) = unread => {
            format!("{}; only a run knows how long it is", cost_of(wait.kind, None))
        }
        (Some(kind), _) => cost_of(kind, located.target.old_ms()),
        (None, Some(adds)) => format!("no wait yet; the patch adds {}", cost_of(adds, None)),
        (None, None) => format!("no wait yet; what is missing is probably {}", cost_of(located.kind, None)),
    };
    let mut text = format!(
        "{}:{}  {}\n{cost}\n\n",
        escape_controls(&place.path.display().to_string()),
        place.line,
        clipped(line)
    );
    if located.candidates.is_empty() {
        text.push_str(
            "Not applicable: no larger value in the tests of this folder or in their past\n\
             Try `--ranking learned`, which always has a value, `--history on`, or `--from TIME` with a command\n",
        );
        return text;
    }
    text.push_str(&candidates_table(&located.candidates, verbosity == Verbosity::Verbose));
    if located.candidates.iter().all(|candidate| candidate.origin == Origin::Guess) {
        text.push_str(
            "No line here or in the past has a larger value: these are guesses from what fixes usually are\n",
        );
    }
    text.push('\n');
    text
}

/// The end for people: what was proven, the change, and what would be better.
fn ending(place: &Place, result: &TuneResult<'_>, change: Option<&Repair>, is_untried: bool) -> String {
    let mut text = String::new();
    if let Some(tuned) = result.tuned {
        text.push_str(&format!("\n{}\n", tuned_report(tuned)));
    }
    if result.patch.is_empty() {
        return text;
    }
    text.push_str(&escape_lines(result.patch));
    text.push('\n');
    if let Some(change) = change.filter(|change| change.shared > 0) {
        let others = counted(change.shared, "other wait");
        text.push_str(&format!("The constant is the time of {others} of this file, too\n"));
    }
    if let Some(advice) = result.advice {
        text.push_str(&format!("{}\n", escape_controls(advice)));
    }
    let path = place.path.display();
    text.push_str(&match (result.written, is_untried) {
        (true, _) => format!("Wrote {path}\n"),
        (false, true) => format!(
            "Apply this with --write; try it first with `steady waits tune {path}:{} -- CMD`\n",
            place.line
        ),
        (false, false) => "Apply this with --write\n".to_owned(),
    });
    text
}

/// What to write instead of a fixed time, where the code says what could be waited for.
fn better(place: &Place, change: &Repair) -> String {
    const STOP_GAP: &str = "A stop-gap: every run pays for a fixed time, and a slower machine needs more.";
    let changed = Script::read(&place.path, &change.text).ok();
    let complaints =
        changed.map(|script| lint(&script, &place.path, &Context::of(&[&script]))).unwrap_or_default();
    let advice = complaints
        .into_iter()
        .find(|complaint| complaint.rule == Rule::FixedSleep && complaint.line == change.line)
        .map(|complaint| match complaint.deletion {
            // These values were run with the sleep; without it nothing was.
            Some(_) => {
                "The line after it waits by itself: `steady waits lint --fix` deletes the sleep.".to_owned()
            }
            None => complaint.advice,
        });
    match advice {
        Some(advice) => format!("{STOP_GAP} {advice}"),
        None => format!("{STOP_GAP} Better wait for what the next step needs."),
    }
}

/// What programs get.
#[derive(Debug, Serialize)]
struct TuneResult<'a> {
    target: Here<'a>,
    candidates: &'a [Candidate],
    chosen: Option<u64>,
    patch: &'a str,
    stop_gap: bool,
    advice: Option<&'a str>,
    written: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tuned: Option<&'a Tuned>,
}

#[derive(Debug, Serialize)]
struct Here<'a> {
    path: &'a Path,
    line: usize,
    /// Why this line, unless it was named.
    why: Option<&'a str>,
    kind: Kind,
    ms: Option<u64>,
    call: Option<String>,
}

impl<'a> Here<'a> {
    fn of(place: &'a Place, located: &Located) -> Self {
        Self {
            path: &place.path,
            line: place.line,
            why: place.why.as_deref(),
            kind: located.kind,
            ms: located.target.old_ms(),
            call: located.target.wait().map(steady_js::Wait::call_name),
        }
    }
}

/// A file cannot have another wait at this line.
#[derive(Debug, thiserror::Error)]
#[error("`{}` cannot be changed: {error}", path.display())]
pub struct Unrepairable {
    path: std::path::PathBuf,
    error: RepairError,
}

impl Unrepairable {
    pub fn new(place: &Place, error: &RepairError) -> Self {
        Self { path: place.path.clone(), error: error.clone() }
    }
}

impl UserError for Unrepairable {
    fn hint(&self) -> Option<String> {
        Some("name the line of the call that should wait; the file was not touched".to_owned())
    }
}
