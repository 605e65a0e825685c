//! Getting a document's text from a file, a URL or memory.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use url::{Origin, Url};

use crate::Api;
use crate::address::Address;
use crate::documents::Documents;
use crate::error::LoadError;
use crate::read;

/// Where a document is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// In a file.
    File(PathBuf),
    /// At an `http` or `https` URL.
    Url(Url),
}

impl From<&str> for Source {
    /// A URL when it begins like one, else a file.
    fn from(text: &str) -> Self {
        match Url::parse(text) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => Self::Url(url),
            _ => Self::File(PathBuf::from(text)),
        }
    }
}

/// What loading may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadOptions {
    /// The most bytes to read, all documents together.
    pub max_bytes: u64,
    /// Whether references may lead anywhere. Otherwise those of a file lead only to files in its folder and below, and
    /// those of a URL only to its own origin, redirects included.
    pub allow_refs: bool,
}

/// A document that was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Its text.
    pub text: String,
    /// Its address, after redirects.
    pub url: Url,
}

/// Gets the text of an `http` or `https` URL, or says why it could not. The flag says whether redirects may lead to another
/// origin.
pub type Fetch<'f> = dyn FnMut(&Url, bool) -> Result<Fetched, String> + 'f;

impl Default for LoadOptions {
    fn default() -> Self {
        Self { max_bytes: 50_000_000, allow_refs: false }
    }
}

/// Loads an API from a file or URL, with the documents it refers to.
pub fn load(source: &Source, options: &LoadOptions, fetch: &mut Fetch<'_>) -> Result<Api, LoadError> {
    let (text, address) = match source {
        Source::File(path) => (read_file(path, options.max_bytes)?, Address::file(path)),
        Source::Url(url) => {
            // A URL given by the user may redirect; from the final address on, references are restricted.
            let fetched = fetch(url, true);
            let Fetched { text, url } =
                fetched.map_err(|message| LoadError::Fetch { url: url.clone(), message })?;
            (text, Address::Url(url))
        }
    };
    assemble(&text, address, options, fetch)
}

/// Reads an API from a text in memory; `name` stands for it in messages.
///
/// References to other documents are problems: there is nothing they could be relative to.
pub fn parse(text: &str, name: &str) -> Result<Api, LoadError> {
    let refuse = &mut |_: &Url, _| Err("other documents are not fetched".to_owned());
    assemble(text, Address::Memory(name.to_owned()), &LoadOptions::default(), refuse)
}

fn assemble(
    text: &str,
    address: Address,
    options: &LoadOptions,
    fetch: &mut Fetch<'_>,
) -> Result<Api, LoadError> {
    let name = address.to_string();
    check_size(&name, text.len() as u64, options.max_bytes)?;
    let mut left = options.max_bytes - text.len() as u64;
    let home = Home::of(&address);
    let mut read_other = |other: &Address| {
        let text = match other {
            Address::File(path) => {
                let path = if options.allow_refs { path.clone() } else { home.file_in_reach(path)? };
                read_other_file(&path, left)?
            }
            Address::Url(url) if options.allow_refs || home == Home::Origin(url.origin()) => {
                fetch(url, options.allow_refs)?.text
            }
            Address::Url(_) => {
                return Err("references to other hosts are not followed without --allow-refs".to_owned());
            }
            Address::Memory(_) => return Err("is not in memory".to_owned()),
        };
        check_size(&other.to_string(), text.len() as u64, left).map_err(|error| error.to_string())?;
        left -= text.len() as u64;
        Ok(text)
    };
    let documents = Documents::gather(text, address, &mut read_other)?;
    read::api(&documents, &name)
}

/// Where the references of a document may lead.
#[derive(Debug, PartialEq, Eq)]
enum Home {
    /// To files below this folder.
    Folder(PathBuf),
    /// To URLs of this origin.
    Origin(Origin),
    /// Nowhere.
    None,
}

impl Home {
    fn of(address: &Address) -> Self {
        match address {
            Address::File(path) => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new("."));
                folder.canonicalize().map_or(Self::None, Self::Folder)
            }
            Address::Url(url) => Self::Origin(url.origin()),
            Address::Memory(_) => Self::None,
        }
    }

    /// The file itself, after links, if references may lead to it.
    fn file_in_reach(&self, path: &Path) -> Result<PathBuf, String> {
        let Self::Folder(folder) = self else {
            return Err("files are not read without --allow-refs".to_owned());
        };
        let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
        let file = path.canonicalize().map_err(unreadable).map_err(|error| describe(&error))?;
        if file.starts_with(folder) {
            return Ok(file);
        }
        Err(format!(
            "`{}` is outside of the document's folder; files there are not read without --allow-refs",
            path.display()
        ))
    }
}

fn read_other_file(path: &Path, limit: u64) -> Result<String, String> {
    // A pipe or device would block, or never end.
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(format!("`{}` is not a regular file", path.display()));
    }
    read_file(path, limit).map_err(|error| describe(&error))
}

fn check_size(name: &str, bytes: u64, limit: u64) -> Result<(), LoadError> {
    if bytes > limit { Err(LoadError::TooLarge { name: name.to_owned(), bytes, limit }) } else { Ok(()) }
}

/// Reads at most `limit` bytes, however large the file says it is.
fn read_file(path: &Path, limit: u64) -> Result<String, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(unreadable(io::ErrorKind::IsADirectory.into()));
    }
    check_size(&path.display().to_string(), metadata.len(), limit)?;
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    check_size(&path.display().to_string(), bytes.len() as u64, limit)?;
    Ok(decode(bytes))
}

/// UTF-8, or UTF-16 where a byte order mark says so; what is neither is replaced rather than refused.
fn decode(bytes: Vec<u8>) -> String {
    let wide = |from: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| from([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes.get(..2) {
        Some([0xff, 0xfe]) => wide(u16::from_le_bytes),
        Some([0xfe, 0xff]) => wide(u16::from_be_bytes),
        _ => String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    }
}

fn describe(error: &LoadError) -> String {
    match error {
        LoadError::Unreadable { source, .. } => format!("{error}: {source}"),
        error => error.to_string(),
    }
}
