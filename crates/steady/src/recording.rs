//! `events.jsonl`: the event stream of a run, on disk.

use std::io::{self, BufWriter, Write as _};

use steady_model::{Envelope, Secrets};

use crate::events::Reporter;
use crate::output::UnfinishedFile;

/// Records every event, one JSON object per line.
pub struct Recording {
    name: &'static str,
    writer: BufWriter<UnfinishedFile>,
    secrets: Secrets,
}

impl Recording {
    /// Records to `file`; `name` is for warnings.
    pub fn new(name: &'static str, file: UnfinishedFile, secrets: Secrets) -> Self {
        Self { name, writer: BufWriter::new(file), secrets }
    }
}

impl Reporter for Recording {
    fn name(&self) -> &'static str {
        self.name
    }

    fn on_event(&mut self, envelope: &Envelope) -> io::Result<()> {
        serde_json::to_writer(&mut self.writer, envelope)?;
        self.writer.write_all(b"\n")
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let mut file = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        // An event may show a value that only a later response makes known as a secret.
        if !self.secrets.is_empty()
            && let Some(masked) = masked(&file.content()?, &self.secrets)?
        {
            file.replace(masked.as_bytes())?;
        }
        file.finish().map_err(io::Error::other)
    }
}

/// The lines with all secrets masked that are known by now; `None` when that changes nothing.
fn masked(recorded: &str, secrets: &Secrets) -> io::Result<Option<String>> {
    let mut masked = String::with_capacity(recorded.len());
    for line in recorded.lines() {
        let mut envelope: Envelope = serde_json::from_str(line)?;
        secrets.mask_event(&mut envelope.event);
        masked.push_str(&serde_json::to_string(&envelope)?);
        masked.push('\n');
    }
    Ok((masked != recorded).then_some(masked))
}

#[cfg(test)]
mod tests {
    use steady_model::Event;

    use super::*;

    #[test]
    fn what_is_known_as_a_secret_later_is_not_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.jsonl");
        let secrets = Secrets::default();
        let file = UnfinishedFile::create(&path).unwrap();
        let mut recording = Box::new(Recording::new("events.jsonl", file, secrets.clone()));
        let warn = |message: &str| Envelope {
            version: Envelope::VERSION,
            elapsed_ms: 1,
            event: Event::Warning { message: message.to_owned() },
        };
        recording.on_event(&warn("the API said abcdefghij")).unwrap();
        secrets.issue("abcdefghij");
        recording.on_event(&warn("it ended")).unwrap();
        recording.finish().unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        assert!(written.contains("the API said ***") && !written.contains("abcdefghij"), "{written}");
        assert_eq!(written.lines().count(), 2);
    }
}
