//! Which tests go into which file.

use steady_model::Group;

use super::{Piece, Plan, Step, Template, Test};

/// A file of tests, all of one group.
#[derive(Debug)]
pub(crate) struct TestFile<'p, 'a> {
    /// The plan the tests are of.
    pub(crate) plan: &'p Plan<'a>,
    /// The group.
    pub(crate) group: Group,
    /// Which of the group's files it is, from 1.
    pub(crate) number: usize,
    /// The tests.
    pub(crate) tests: Vec<&'p Test<'a>>,
}

impl<'p, 'a> TestFile<'p, 'a> {
    /// Spreads a plan's tests over files that each have `room` for so much weight.
    pub(crate) fn all(plan: &'p Plan<'a>, room: usize, weight: &dyn Fn(&Test<'a>) -> usize) -> Vec<Self> {
        let mut files = Vec::new();
        for group in [Group::Successes, Group::Faults, Group::Others] {
            let (mut number, mut used) = (0, room);
            for test in plan.tests.iter().filter(|test| test.group == group) {
                used += weight(test);
                if used > room {
                    number += 1;
                    used = weight(test);
                    files.push(Self { plan, group, number, tests: Vec::new() });
                }
                if let Some(file) = files.last_mut() {
                    file.tests.push(test);
                }
            }
        }
        files
    }

    /// Whether a test has a part of the API's address in it.
    pub(crate) fn speaks_of_base(&self) -> bool {
        let templates = self.tests.iter().flat_map(|test| &test.steps).flat_map(Step::templates);
        templates.flat_map(Template::pieces).any(|piece| matches!(piece, Piece::Base(..)))
    }

    /// The group's name.
    pub(crate) fn group_name(&self) -> &'static str {
        match self.group {
            Group::Successes => "successes",
            Group::Faults => "faults",
            Group::Others => "others",
        }
    }

    /// `successes`, then `successes_2` and so on, with `separator` before the number.
    pub(crate) fn stem(&self, separator: &str) -> String {
        match self.number {
            1 => self.group_name().to_owned(),
            number => format!("{}{separator}{number}", self.group_name()),
        }
    }

    /// What the tests have in common, for the file's first line.
    pub(crate) fn summary(&self) -> &'static str {
        match self.group {
            Group::Successes => "Calls that succeed.",
            Group::Faults => "Calls that show a fault; each test records what the API does today.",
            Group::Others => "Calls that the API refuses or redirects.",
        }
    }
}
