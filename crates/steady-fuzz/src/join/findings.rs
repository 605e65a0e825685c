//! The same fault, told once.

use indexmap::IndexMap;
use steady_model::{External, Fault, FaultCode, Findings, Flaky, OperationId, Place};

use super::Results;
use super::tests::Renamed;

/// Values of a varying place that are kept.
const MAX_OBSERVED: usize = 3;

/// Joins the findings; tests go by their new names, and those that were left out are no longer mentioned.
pub fn join(all: &[Results], names: &Renamed) -> Findings {
    let mut joined = Joined::default();
    for (suite, results) in all.iter().enumerate() {
        let renamed = |tests: &[String]| -> Vec<String> {
            tests.iter().filter_map(|test| names.get(&(suite, test.clone())).cloned()).collect()
        };
        for fault in &results.findings.faults {
            joined.add_fault(Fault { tests: renamed(&fault.tests), ..fault.clone() });
        }
        for flaky in &results.findings.flaky {
            joined.add_flaky(Flaky { tests: renamed(&flaky.tests), ..flaky.clone() });
        }
        results.findings.externals.iter().for_each(|external| joined.add_external(external));
    }
    let mut faults: Vec<Fault> = joined.faults.into_values().collect();
    faults.sort_by(|a, b| (a.code, &a.operation).cmp(&(b.code, &b.operation)));
    Findings {
        version: Findings::VERSION,
        flaky: joined.flaky.into_values().collect(),
        faults,
        externals: joined.externals.into_values().collect(),
    }
}

#[derive(Default)]
struct Joined {
    faults: IndexMap<(FaultCode, OperationId, String), Fault>,
    flaky: IndexMap<(OperationId, u16, Place), Flaky>,
    externals: IndexMap<(String, String, u16), External>,
}

impl Joined {
    fn add_fault(&mut self, fault: Fault) {
        let key = (fault.code, fault.operation.clone(), fault.key.clone());
        let Some(known) = self.faults.values_mut().find(|known| is_same(known, &fault)) else {
            self.faults.insert(key, fault);
            return;
        };
        let seen = known.seen.saturating_add(fault.seen);
        let mut operations: Vec<OperationId> =
            [known, &fault].into_iter().flat_map(operations).cloned().collect();
        // Told as by the search whose test shows it.
        if known.tests.is_empty() {
            *known = fault;
        } else {
            add_missing(&mut known.tests, fault.tests);
        }
        operations.sort();
        operations.dedup();
        operations.retain(|operation| *operation != known.operation);
        known.also = operations;
        known.seen = seen;
    }

    fn add_flaky(&mut self, flaky: Flaky) {
        let key = (flaky.operation.clone(), flaky.status, flaky.place.clone());
        let Some(known) = self.flaky.get_mut(&key) else {
            self.flaky.insert(key, flaky);
            return;
        };
        // What one search got around may have been relaxed by another: the weaker assertion is told.
        if known.note.is_some() && flaky.note.is_none() {
            (known.handling, known.matcher, known.note) = (flaky.handling, flaky.matcher, None);
        }
        add_missing(&mut known.tests, flaky.tests);
        add_missing(&mut known.evidence, flaky.evidence);
        add_missing(&mut known.observed, flaky.observed);
        known.observed.truncate(MAX_OBSERVED);
    }

    fn add_external(&mut self, external: &External) {
        let key = (external.scheme.clone(), external.host.clone(), external.port);
        let known = self
            .externals
            .entry(key)
            .or_insert_with(|| External { requests: Vec::new(), ..external.clone() });
        add_missing(&mut known.requests, external.requests.clone());
    }
}

/// Whether two faults have the same cause: what tells them apart is the same, and some operation shows both.
fn is_same(one: &Fault, other: &Fault) -> bool {
    one.code == other.code
        && one.key == other.key
        && operations(one).any(|operation| operations(other).any(|shown| shown == operation))
}

/// All operations that show a fault.
fn operations(fault: &Fault) -> impl Iterator<Item = &OperationId> {
    std::iter::once(&fault.operation).chain(&fault.also)
}

fn add_missing<T: PartialEq>(known: &mut Vec<T>, more: Vec<T>) {
    for one in more {
        if !known.contains(&one) {
            known.push(one);
        }
    }
}

#[cfg(test)]
mod tests {
    use steady_model::rerun::Category;
    use steady_model::{Handling, MatcherName, Step};

    use super::*;

    fn flaky(handling: Handling, matcher: MatcherName, note: Option<&str>) -> Flaky {
        Flaky {
            operation: OperationId::new(steady_model::Method::Post, "/names".to_owned()),
            status: 201,
            place: Place::Status,
            category: Category::State,
            evidence: vec![Step::Rerun],
            observed: vec!["201".to_owned(), "409".to_owned()],
            handling,
            matcher,
            note: note.map(str::to_owned),
            tests: Vec::new(),
        }
    }

    fn fault(operation: &str, also: &[&str], tests: &[&str]) -> Fault {
        Fault {
            code: FaultCode::ServerError,
            operation: operation.parse().expect("an operation"),
            also: also.iter().map(|operation| operation.parse().expect("an operation")).collect(),
            status: 500,
            summary: "boom".to_owned(),
            key: "1".to_owned(),
            curl: "curl".to_owned(),
            seen: 2,
            tests: tests.iter().map(|&test| test.to_owned()).collect(),
        }
    }

    #[test]
    fn one_cause_stays_one_fault_with_all_its_operations() {
        let mut joined = Joined::default();
        joined.add_fault(fault("GET /b", &["GET /c"], &["t"]));
        joined.add_fault(fault("GET /a", &["GET /b"], &["u"]));
        joined.add_fault(fault("GET /z", &[], &[]));
        let faults: Vec<Fault> = joined.faults.into_values().collect();
        let expected = Fault { seen: 4, ..fault("GET /b", &["GET /a", "GET /c"], &["t", "u"]) };
        assert_eq!(faults, [expected, fault("GET /z", &[], &[])]);
    }

    #[test]
    fn the_weaker_assertion_is_told_whichever_search_wrote_it() {
        let got_around = flaky(Handling::Kept, MatcherName::Equals, Some("takes a new name"));
        let relaxed = flaky(Handling::Relaxed, MatcherName::Integer, None);
        for both in [[got_around.clone(), relaxed.clone()], [relaxed.clone(), got_around.clone()]] {
            let mut joined = Joined::default();
            both.into_iter().for_each(|flaky| joined.add_flaky(flaky));
            assert!(joined.flaky.values().eq([&relaxed]), "{:?}", joined.flaky);
        }
    }
}
