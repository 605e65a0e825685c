//! Changes to a text: byte spans, edits, a line index, unified diffs and atomic writes.
//!
//! A [`Span`] is a range of bytes; an [`Edit`] is a span and the text that replaces it. [`apply`] makes edits and keeps every
//! byte outside their spans. [`diff()`] shows the result, and [`write()`] puts it into the file if the file still has the text
//! that was analysed. [`LineIndex`] turns bytes into lines and columns.
//!
//! ```
//! use steady_edit::{Edit, LineIndex, Span, apply};
//!
//! let text = "const wait = 500;\nsleep(wait);\n";
//! let number = Span::of(text, "500").ok_or("no number")?;
//! assert_eq!((&text[number], LineIndex::new(text).line(number.start)), ("500", 1));
//! let edits = [Edit::new(number, "900"), Edit::insert(0, "// slow\n")];
//! assert_eq!(apply(text, &edits)?, "// slow\nconst wait = 900;\nsleep(wait);\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod diff;
mod edit;
mod line_index;
mod span;
mod write;

pub use diff::diff;
pub use edit::{Edit, EditError, apply, moved};
pub use line_index::LineIndex;
pub use span::Span;
pub use write::{WriteError, write};
