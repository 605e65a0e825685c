//! What is known about an API of the catalogue: which places vary and why, and which do not.

use steady_model::Place;
use steady_model::rerun::Category;

/// A place that varies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The operation, such as `GET /price/estimate`.
    pub operation: String,
    /// The status of the answer it is in.
    pub status: u16,
    /// The place, as findings name it.
    pub place: Place,
    /// Why it varies.
    pub category: Category,
    /// Another category that Table 3 of the study admits as well.
    pub or: Option<Category>,
    /// What moves it.
    pub mover: Mover,
}

impl Label {
    /// Whether a finding may give this category.
    pub fn accepts(&self, category: Category) -> bool {
        self.category == category || self.or == Some(category)
    }
}

/// A place that never varies, however much it looks as if it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// The operation.
    pub operation: String,
    /// The status of the answer it is in.
    pub status: u16,
    /// The place.
    pub place: Place,
}

/// The least that has to happen for a value to be another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mover {
    /// Another call: two in a row give the same value never, or once in a hundred times at most.
    Call,
    /// Calls that change what the API remembers; a reset undoes it.
    State,
    /// A new process.
    Restart,
    /// A wall clock moved by a day and three hours.
    Clock,
    /// Another time zone (`TZ`).
    Zone,
    /// Another language (`LC_ALL`, `LANG`, for a JVM `user.language`).
    Locale,
    /// Another folder for temporary files (`TMPDIR`, for a JVM `java.io.tmpdir`).
    Temp,
    /// Another seed of hash tables (`PYTHONHASHSEED`), or a new process when none is set.
    HashSeed,
    /// Another port.
    Port,
    /// Another working folder.
    Folder,
    /// Another machine: nothing that steady changes moves it.
    Machine,
}

/// The behaviour of one operation: the table from which labels, constants and mutants follow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operation {
    /// Method and path.
    pub name: &'static str,
    /// Its answers by status.
    pub outcomes: &'static [Outcome],
    /// The mutants that show in its answers.
    pub mutants: &'static [&'static str],
}

/// An answer of an operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    status: u16,
    flaky: &'static [Flaky],
    stable: &'static [&'static str],
}

/// A place that varies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Flaky {
    place: &'static str,
    category: Category,
    or: Option<Category>,
    mover: Mover,
}

/// An answer with this status.
pub(crate) const fn on(status: u16) -> Outcome {
    Outcome { status, flaky: &[], stable: &[] }
}

impl Outcome {
    /// With the places that vary.
    pub(crate) const fn flaky(mut self, flaky: &'static [Flaky]) -> Self {
        self.flaky = flaky;
        self
    }

    /// With places that look volatile, or are beside one that is.
    pub(crate) const fn stable(mut self, stable: &'static [&'static str]) -> Self {
        self.stable = stable;
        self
    }
}

/// A place that varies, for this reason.
pub(crate) const fn varies(place: &'static str, category: Category, mover: Mover) -> Flaky {
    Flaky { place, category, or: None, mover }
}

impl Flaky {
    /// The study's table admits another category too.
    pub(crate) const fn or(mut self, category: Category) -> Self {
        self.or = Some(category);
        self
    }
}

impl Operation {
    /// The places that vary.
    pub(crate) fn labels(&self) -> impl Iterator<Item = Label> + '_ {
        self.outcomes.iter().flat_map(|outcome| {
            outcome.flaky.iter().map(|flaky| Label {
                operation: self.name.to_owned(),
                status: outcome.status,
                place: place(flaky.place),
                category: flaky.category,
                or: flaky.or,
                mover: flaky.mover,
            })
        })
    }

    /// The places that do not.
    pub(crate) fn constants(&self) -> impl Iterator<Item = Constant> + '_ {
        self.outcomes.iter().flat_map(|outcome| {
            outcome.stable.iter().map(|stable| Constant {
                operation: self.name.to_owned(),
                status: outcome.status,
                place: place(stable),
            })
        })
    }
}

fn place(text: &str) -> Place {
    #[expect(clippy::expect_used, reason = "the tables are part of this crate and tested")]
    text.parse().expect("a place in a response")
}
