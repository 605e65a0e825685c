//! The vocabulary: a wait in test code.

use serde::{Deserialize, Serialize};
use steady_edit::Span;

/// Who pays for a wait, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A pause of fixed length: every run pays for all of it.
    Sleep,
    /// A callback put off by a timer: whoever waits for it pays for all of it.
    Timer,
    /// The polling timeout of a condition wait: free when the condition holds in time.
    // Cases that `cargo xtask bench waits` mined earlier say `ceiling`.
    #[serde(alias = "ceiling")]
    PollTimeout,
    /// The timeout of a test, a hook or a suite: free when it passes.
    #[serde(alias = "limit")]
    TestTimeout,
}

impl Kind {
    /// Whether it blocks every run for its whole value.
    pub fn is_blocking(self) -> bool {
        matches!(self, Self::Sleep | Self::Timer)
    }
}

/// How a wait is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// `setTimeout(callback, ms)`
    SetTimeout,
    /// `new Promise(resolve => setTimeout(resolve, ms))`, awaited or returned.
    TimerPromise,
    /// `sleep(ms)`, `delay(ms)`, `wait(ms)`: a helper of the project or of a library (`timers/promises`).
    Helper,
    /// `page.waitForTimeout(ms)`, `frame.waitForTimeout(ms)`
    WaitForTimeout,
    /// `cy.wait(ms)`
    CyWait,
    /// `browser.pause(ms)`, `t.wait(ms)`
    Pause,
    /// `driver.sleep(ms)`
    DriverSleep,
    /// `{ timeout: ms }` among the arguments of a call.
    TimeoutOption,
    /// A time limit given by its place: `driver.wait(condition, ms)`, `waitForElementVisible('#a', ms)`.
    TimeoutArgument,
    /// `jest.setTimeout(ms)`, `vi.setConfig({ testTimeout: ms })`
    GlobalLimit,
    /// `it('…', () => {…}, ms)`, also hooks, and `{ timeout: ms }` in their options.
    TestLimit,
    /// `this.timeout(ms)`, `it(…).timeout(ms)`, `test.setTimeout(ms)`, `test.slow()`
    LimitCall,
    /// A named constant or property that holds a time and is not seen where it is used: `const timeout = 5000`, `testTimeout: 5000`.
    Setting,
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Thousandths of a second.
    Milliseconds,
    /// Seconds.
    Seconds,
    /// Minutes.
    Minutes,
}

/// How long a wait is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Value {
    /// In milliseconds.
    pub ms: u64,
    /// What the number that is written counts.
    pub unit: Unit,
    /// The expression that holds it in this file: the argument itself, or what the constant is set to.
    pub span: Span,
    /// The line of that expression, from 1.
    pub line: usize,
    /// The constant it was read through.
    pub constant: Option<String>,
    /// What that expression is.
    #[serde(default)]
    pub holder: Holder,
}

/// What the expression is that a value was read from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Holder {
    /// A number, or what is computed from numbers.
    #[default]
    Number,
    /// An object of another file, which has the number under this key.
    Object(String),
    /// A name that is key and value at once: `{ timeout }`, imported.
    Shorthand,
}

/// A wait in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// Who pays for it.
    pub kind: Kind,
    /// How it is written.
    pub form: Form,
    /// The method or function: `findByText`, `sleep`, `setTimeout`, `it`.
    pub callee: String,
    /// What the method is called on, as far as it is names: `page`, `cy`, `screen`; empty for a function.
    pub receiver: String,
    /// How long. `None`: a call that waits, or may be told how long to wait, and is not told.
    pub value: Option<Value>,
    /// The whole call.
    pub call: Span,
    /// The line on which the call's name stands, from 1: what a stack frame says.
    pub line: usize,
    /// The column of the call's name, from 1, counted as V8 does (UTF-16 code units).
    pub column: usize,
    /// Whether something waits for it: `await`, `return`, `yield`, a chain of `cy`, or a call that needs none.
    pub awaited: bool,
    /// Names and words of text in the call's other arguments and in its receiver: what it waits for, as words.
    pub words: Vec<String>,
    /// The title of the test around it.
    pub test: Option<String>,
}

impl Unit {
    /// How many milliseconds one of it is.
    pub fn ms(self) -> u64 {
        match self {
            Self::Milliseconds => 1,
            Self::Seconds => 1_000,
            Self::Minutes => 60_000,
        }
    }
}

impl Wait {
    /// The milliseconds, if it says how long.
    pub fn ms(&self) -> Option<u64> {
        self.value.as_ref().map(|value| value.ms)
    }

    /// The call as a name: `page.waitForTimeout`, `sleep`.
    pub fn call_name(&self) -> String {
        let dot = if self.receiver.is_empty() { "" } else { "." };
        format!("{}{dot}{}", self.receiver, self.callee)
    }
}
