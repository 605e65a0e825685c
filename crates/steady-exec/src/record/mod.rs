//! Records which HTTP exchanges each test makes, and where.
//!
//! No file of the project is changed. A recorder is brought in by what each runner offers: a plugin for pytest, a module in
//! front of unittest, a test runner around Jest's, a set-up file for Vitest, a class path element for Maven. `recorders/` has a
//! file for each. The recorder watches the HTTP clients that tests use, and knows from the runner which test runs.
//!
//! # The recording on disk
//!
//! Each process of the test command appends to a file of its own, `exchanges-*.jsonl`, an object per line:
//!
//! ```json
//! {"test":"tests/test_a.py::test_x","sequence":1,"frames":[{"file":"/shop/tests/test_a.py","line":7}],
//!  "request":{"method":"GET","url":"http://127.0.0.1:8080/orders/1"},
//!  "response":{"status":200,"headers":[["content-type","text/plain"]],"body":{"text":"…"},"truncated":false}}
//! ```
//!
//! `test` is `null` outside of tests (the set-up of a class, say). `frames` are the lines of the project on the call stack,
//! innermost first; on the JVM they have `class` beside the file's bare name. `body` is `text`, or base64 `bytes` where it is not
//! UTF-8, at most 1 MiB. `followed` marks a request that a client sent by itself to follow a redirect, `inside` one that an API in
//! the test's own process answered. In addition, `unanswered-*.jsonl` has the requests without an answer, and `failures-*.jsonl`
//! the lines of the project that a test's failure came through. Request headers and bodies, and credentials in addresses, are not
//! written.

mod error;
mod line;
mod read;
mod recorded;
mod recorder;
mod recorders;
mod source_files;

pub use error::RecordError;
pub use read::Recording;
pub use recorded::{Failure, Frame, Recorded, RequestLine, Unanswered};
pub(crate) use recorder::PendingRecording;
pub use recorder::Recorder;
