//! One line of a recording, as a recorder writes it.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use steady_model::Response;

use crate::record::recorded::{Frame, Recorded, RequestLine};
use crate::record::source_files::SourceFiles;

/// More frames than a test's own code has; deeper ones are left out.
const FRAME_LIMIT: usize = 100;

#[derive(Debug, Deserialize)]
pub(crate) struct Line<'a> {
    #[serde(borrow)]
    pub(crate) test: Option<Cow<'a, str>>,
    sequence: u32,
    frames: Vec<LineFrame>,
    /// Whether a client sent it by itself, to follow a redirect.
    #[serde(default)]
    pub(crate) followed: bool,
    /// Whether the API that answered runs in the test's process.
    #[serde(default)]
    inside: bool,
    /// The time that the test's process has, in seconds since 1970.
    #[serde(default)]
    clock: Option<f64>,
    request: LineRequest,
    response: Response,
}

#[derive(Debug, Deserialize)]
struct LineFrame {
    /// On the JVM: the class, since the file is a bare name there.
    #[serde(default)]
    class: Option<String>,
    file: String,
    line: u32,
}

#[derive(Debug, Deserialize)]
struct LineRequest {
    method: String,
    url: String,
}

impl Line<'_> {
    /// The exchange, with frames in files of the project only; the caller names the test.
    pub(crate) fn exchange(self, files: &mut SourceFiles) -> Recorded {
        let frames =
            self.frames.into_iter().take(FRAME_LIMIT).filter_map(|frame| frame.resolved(files)).collect();
        let mut response = self.response;
        for (name, _) in &mut response.headers {
            name.make_ascii_lowercase();
        }
        let request = RequestLine { method: self.request.method, url: self.request.url };
        Recorded {
            test: None,
            frames,
            sequence: self.sequence,
            request,
            response,
            inside: self.inside,
            process: None,
            clock: self.clock.and_then(moment),
        }
    }
}

/// A time in seconds since 1970, if it is one.
fn moment(seconds: f64) -> Option<Timestamp> {
    Timestamp::UNIX_EPOCH.checked_add(SignedDuration::try_from_secs_f64(seconds).ok()?).ok()
}

/// A failure, as a recorder writes it.
#[derive(Debug, Deserialize)]
pub(crate) struct FailureLine {
    pub(crate) test: String,
    frames: Vec<LineFrame>,
}

impl FailureLine {
    /// The lines of the project it came through.
    pub(crate) fn frames(self, files: &mut SourceFiles) -> Vec<Frame> {
        self.frames.into_iter().take(FRAME_LIMIT).filter_map(|frame| frame.resolved(files)).collect()
    }
}

impl LineFrame {
    fn resolved(self, files: &mut SourceFiles) -> Option<Frame> {
        let file = match &self.class {
            Some(class) => files.of_class(class, &self.file)?,
            None => inside(files.root(), Path::new(&self.file))?,
        };
        (self.line > 0).then_some(Frame { file, line: self.line })
    }
}

/// A path relative to the root, if it stays inside.
fn inside(root: &Path, file: &Path) -> Option<PathBuf> {
    let relative = file.strip_prefix(root).ok()?;
    let plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
    (plain && relative.file_name().is_some()).then(|| relative.to_owned())
}
