//! How far a walk has come: where it has to be taken up again to go on as if nothing had happened.

use std::collections::BTreeSet;

use crate::log::Logged;

/// The commits that were met, and those that come next.
#[derive(Debug, Default)]
pub(crate) struct Frontier {
    met: BTreeSet<String>,
    next: BTreeSet<String>,
}

impl Frontier {
    /// That of a walk that is to begin with these commits.
    pub(crate) fn before(commits: impl Iterator<Item = String>) -> Self {
        Self { met: BTreeSet::new(), next: commits.collect() }
    }

    /// The commits to begin with.
    pub(crate) fn next(&self) -> Vec<String> {
        self.next.iter().cloned().collect()
    }

    pub(crate) fn pass(&mut self, commit: &Logged) {
        self.next.remove(&commit.id);
        self.met.insert(commit.id.clone());
        self.next.extend(commit.parents.iter().filter(|parent| !self.met.contains(*parent)).cloned());
    }

    /// That of two walks that go on as one.
    pub(crate) fn join(&mut self, other: Self) {
        self.met.extend(other.met);
        self.next.extend(other.next);
        self.next.retain(|commit| !self.met.contains(commit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(frontier: &mut Frontier, id: &str, parents: &[&str]) {
        let parents = parents.iter().map(ToString::to_string).collect();
        let commit =
            Logged { id: id.to_owned(), parents, time: 0, subject: String::new(), entries: Vec::new() };
        frontier.pass(&commit);
    }

    #[test]
    fn every_way_that_is_open_is_taken_up_again() {
        let mut frontier = Frontier::before(["merge".to_owned()].into_iter());
        pass(&mut frontier, "merge", &["left", "right"]);
        pass(&mut frontier, "right", &["base"]);
        assert_eq!(frontier.next(), ["base", "left"]);
        // A clock that is wrong: the parent comes first.
        pass(&mut frontier, "base", &["root"]);
        pass(&mut frontier, "left", &["base"]);
        assert_eq!(frontier.next(), ["root"]);
    }

    #[test]
    fn what_one_of_two_has_met_is_not_met_again() {
        let mut one = Frontier::before(["a".to_owned()].into_iter());
        pass(&mut one, "a", &["b"]);
        let mut two = Frontier::before(["b".to_owned(), "x".to_owned()].into_iter());
        pass(&mut two, "b", &["c"]);
        one.join(two);
        assert_eq!(one.next(), ["c", "x"]);
    }
}
