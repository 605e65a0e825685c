//! Reads JavaScript and TypeScript tests: every wait in them, what kind it is, how long it is and where it is written.
//!
//! [`Script::read`] parses a file and lists its waits as [`Wait`]s. A wait that every run pays for (a sleep) and one that is
//! free when the test passes (the time limit of a polling call) are different [`Kind`]s. Values are read through constants,
//! arithmetic and units; each knows the bytes that hold it. No file is written and no test is run here.
//!
//! ```
//! use std::path::Path;
//! use steady_js::{Form, Kind, Script};
//!
//! let text = "
//! const patience = { timeout: 10 * 1000 };
//! it('saves', async () => {
//!   await page.waitForTimeout(500);
//!   await screen.findByText('Saved', {}, patience);
//! });
//! ";
//! let script = Script::read(Path::new("save.test.ts"), text)?;
//! let [sleep, search] = script.waits() else { panic!("two waits") };
//! assert_eq!((sleep.kind, sleep.form, sleep.ms(), sleep.line), (Kind::Sleep, Form::WaitForTimeout, Some(500), 4));
//! assert_eq!((search.kind, search.callee.as_str(), search.ms()), (Kind::PollTimeout, "findByText", Some(10_000)));
//! let value = search.value.as_ref().ok_or("no value")?;
//! assert_eq!(&text[value.span], "10 * 1000");
//! assert_eq!(search.test.as_deref(), Some("saves"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A call that polls without being told how long is listed without a value. One that is told by something that only a run
//! knows is listed apart, in [`Script::unread_waits`].

mod chain;
mod facts;
mod find;
mod framework;
mod ignore;
mod parse;
mod promise;
pub mod repair;
mod script;
mod statement;
mod wait;

pub use facts::exports::Exports;
pub use facts::helper::{Helper, KnownHelpers};
pub use framework::Framework;
pub use parse::byte_span::ByteSpan;
pub use parse::error::{LARGEST, ParseError};
pub use parse::{spawn_reader, with_program};
pub use script::{Script, Waits};
pub use statement::Statement;
pub use statement::assertion::Assertion;
pub use statement::check::Check;
pub use statement::target::Target;
pub use wait::{Form, Holder, Kind, Unit, Value, Wait};
