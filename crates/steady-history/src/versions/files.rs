//! The versions of files that were read, and how many could not be.

use std::path::PathBuf;

use indexmap::IndexMap;

use crate::git::blobs::Blob;
use crate::versions::cutter::Cutter;
use crate::versions::version::{Cut, Version};

/// The total size of the files that are read, in bytes.
const MEMORY: usize = 512 << 20;

/// A request for a version: its blob, and the file's name at that time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BlobRequest {
    pub(crate) blob: String,
    pub(crate) path: PathBuf,
}

impl AsRef<str> for BlobRequest {
    fn as_ref(&self) -> &str {
        &self.blob
    }
}

/// All versions read so far, by their blobs.
#[derive(Debug, Default)]
pub(crate) struct Files {
    cuts: IndexMap<String, Cut>,
    cutter: Cutter,
    absent: Cut,
    bytes: usize,
    pub(crate) missing: usize,
    pub(crate) too_large: usize,
}

impl Files {
    /// Adds a blob; `keep` says which lines are followed.
    pub(crate) fn take_in(&mut self, asked: BlobRequest, blob: Blob, keep: impl Fn(&str) -> bool) {
        match blob {
            Blob::Missing => self.missing += 1,
            Blob::TooLarge => self.too_large += 1,
            Blob::Content(content) if self.bytes + content.len() > MEMORY => self.too_large += 1,
            Blob::Content(content) => {
                self.bytes += content.len();
                let cut = self.cutter.cut(&asked.path, content, keep);
                self.cuts.insert(asked.blob, cut);
            }
        }
    }

    /// A version, if it could be read.
    pub(crate) fn version(&self, blob: &str) -> Option<Version<'_>> {
        self.cuts.get(blob).map(|cut| cut.version(&self.cutter.lines))
    }

    /// The version of a file that does not exist.
    pub(crate) fn absent(&self) -> Version<'_> {
        self.absent.version(&self.cutter.lines)
    }
}
