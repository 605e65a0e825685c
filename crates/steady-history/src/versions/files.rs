//! The versions of files that were read, and what became of those that were not.

use std::path::PathBuf;

use indexmap::IndexMap;

use crate::git::blobs::Blob;
use crate::versions::cutter::Cutter;
use crate::versions::version::{Cut, Version};

/// How much of files is read, all together, in bytes.
const MEMORY: usize = 512 << 20;

/// A version to read: its blob, and the name of the file then.
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
    /// Takes in what was read; `keep` says which lines are to be followed.
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

    /// The version of a file that was not there.
    pub(crate) fn absent(&self) -> Version<'_> {
        self.absent.version(&self.cutter.lines)
    }
}
