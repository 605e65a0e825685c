//! Lines of a source.

/// Where the lines of a source begin.
#[derive(Debug, Clone)]
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    pub fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self(std::iter::once(0).chain(breaks).collect())
    }

    /// The line of a byte, counted from 1.
    pub fn line(&self, at: usize) -> usize {
        self.0.partition_point(|&start| start <= at)
    }

    /// Where the line of a byte begins.
    pub fn start(&self, at: usize) -> usize {
        self.0.get(self.line(at) - 1).copied().unwrap_or(0)
    }
}
