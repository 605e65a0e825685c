//! What a command printed: bytes, in order, by stream.

use std::borrow::Cow;

/// Where a command printed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// A stretch of a command's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// These bytes were printed; they need not be text.
    Printed {
        /// Where.
        stream: Stream,
        /// What.
        bytes: Vec<u8>,
    },
    /// The middle of a long output, which was not kept.
    Dropped {
        /// Where it was printed.
        stream: Stream,
        /// How many bytes are missing.
        bytes: u64,
    },
}

/// Everything a command printed, up to the limit of its [`Spec`](crate::Spec).
///
/// The streams come through two pipes, so the order within a stream is exact, between the streams as good as it can be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    parts: Vec<Part>,
}

impl Output {
    pub(crate) fn new(parts: Vec<Part>) -> Self {
        Self { parts }
    }

    /// The parts in the order they were printed. Neighbours differ in stream or kind.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// What was kept of one stream, without a mark where bytes were dropped.
    pub fn bytes(&self, stream: Stream) -> Vec<u8> {
        let printed = self.parts.iter().filter_map(|part| match part {
            Part::Printed { stream: from, bytes } if *from == stream => Some(bytes.as_slice()),
            _ => None,
        });
        printed.collect::<Vec<_>>().concat()
    }

    /// How many bytes of one stream were dropped.
    pub fn dropped(&self, stream: Stream) -> u64 {
        let dropped = self.parts.iter().filter_map(|part| match part {
            Part::Dropped { stream: from, bytes } if *from == stream => Some(*bytes),
            _ => None,
        });
        dropped.sum()
    }

    /// Both streams as text for people: bytes that are not UTF-8 become `U+FFFD`, dropped ones a note.
    pub fn text(&self) -> String {
        let parts = self.parts.iter().map(|part| match part {
            Part::Printed { bytes, .. } => String::from_utf8_lossy(bytes),
            Part::Dropped { bytes, .. } => Cow::Owned(format!("\n[… {bytes} bytes left out …]\n")),
        });
        parts.collect()
    }
}
