//! Finds the stub for a request without looking at all of them.
//!
//! Stubs with an exact address are found by a hash of service, method and address; stubs with a pattern by one set of patterns per
//! service, which is a single automaton. Only what is found that way is compared with the request in full. Of several that match, the
//! lowest priority number answers, then the newest.

use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use indexmap::IndexMap;
use regex::RegexSet;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{Received, pattern};
use crate::mapping::{Matcher, UrlMatch};
use crate::stub::Stub;

/// Stubs, prepared to be searched.
#[derive(Debug, Default)]
pub struct StubIndex {
    /// In the order they are asked.
    stubs: Vec<Arc<Stub>>,
    /// Places in `stubs` of those with an exact address, by its hash.
    exact: IndexMap<u64, Vec<u32>, BuildHasherDefault<Hashed>>,
    /// Whether any stub names its host.
    by_host: bool,
    /// Whether any stub names path and query.
    by_url: bool,
    patterns: IndexMap<Option<Box<str>>, PatternGroup>,
    /// Places of those that can be anywhere.
    open: Vec<u32>,
}

/// The patterns of one service, or of all.
#[derive(Debug, Default)]
struct PatternGroup {
    urls: PatternSet,
    paths: PatternSet,
}

#[derive(Debug, Default)]
struct PatternSet {
    sources: Vec<String>,
    places: Vec<u32>,
    set: Option<RegexSet>,
}

/// The keys are hashes already.
#[derive(Default)]
pub(crate) struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Whether an address is a path, or a path with its query.
#[derive(Clone, Copy)]
enum Kind {
    Url,
    Path,
}

const ANY_METHOD: &str = "ANY";

/// Each part seeds the hash of the next.
fn key(kind: Kind, host: &str, method: &str, address: &str) -> u64 {
    let host = xxh3_64_with_seed(host.as_bytes(), kind as u64);
    let method = xxh3_64_with_seed(method.as_bytes(), host);
    xxh3_64_with_seed(address.as_bytes(), method)
}

impl StubIndex {
    /// An index of these stubs.
    pub fn new(mut stubs: Vec<Arc<Stub>>) -> Self {
        stubs.sort_by_key(|stub| (stub.mapping.effective_priority(), std::cmp::Reverse(stub.order)));
        let mut index = Self::default();
        for (place, stub) in stubs.iter().enumerate() {
            index.add(u32::try_from(place).unwrap_or(u32::MAX), stub);
        }
        let mut open = std::mem::take(&mut index.open);
        for group in index.patterns.values_mut() {
            open.extend(group.urls.compile());
            open.extend(group.paths.compile());
        }
        open.sort_unstable();
        Self { stubs, open, ..index }
    }

    fn add(&mut self, place: u32, stub: &Stub) {
        let request = &stub.mapping.request;
        let host = exact_host(request.host.as_ref());
        let method = request.method.as_deref().unwrap_or(ANY_METHOD).to_ascii_uppercase();
        self.by_host |= host.is_some();
        let mut exact = |kind, address: &str| {
            let key = key(kind, host.as_deref().unwrap_or_default(), &method, address);
            self.exact.entry(key).or_default().push(place);
        };
        match &request.url {
            UrlMatch::Any => self.open.push(place),
            UrlMatch::Url(url) => {
                exact(Kind::Url, url);
                self.by_url = true;
            }
            UrlMatch::UrlPath(path) => exact(Kind::Path, path),
            UrlMatch::UrlPattern(pattern) => match pattern.for_set() {
                Some(source) => self.patterns.entry(host).or_default().urls.push(source, place),
                None => self.open.push(place),
            },
            UrlMatch::UrlPathPattern(pattern) | UrlMatch::UrlPathTemplate(_, pattern) => {
                match pattern.for_set() {
                    Some(source) => self.patterns.entry(host).or_default().paths.push(source, place),
                    None => self.open.push(place),
                }
            }
        }
    }

    /// The first stub that matches and that `accept` takes; it is asked once per stub that matches.
    pub fn find(&self, received: &Received, mut accept: impl FnMut(&Stub) -> bool) -> Option<&Arc<Stub>> {
        let mut lists: [&[u32]; 9] = [&[]; 9];
        let mut used = 1;
        lists[0] = &self.open;
        let hosts: &[&str] = if self.by_host { &["", &received.host] } else { &[""] };
        for host in hosts {
            for method in [received.method.as_str(), ANY_METHOD] {
                let mut look = |kind, address| {
                    if let Some(list) = self.exact.get(&key(kind, host, method, address)) {
                        lists[used] = list;
                        used += 1;
                    }
                };
                look(Kind::Path, received.path());
                if self.by_url {
                    look(Kind::Url, received.url());
                }
            }
        }
        let by_pattern = self.by_pattern(received);
        let mut by_pattern = by_pattern.as_slice();
        // The lists are in order; whatever stands first in any of them is next.
        loop {
            let place = lists[..used]
                .iter()
                .filter_map(|list| list.first())
                .chain(by_pattern.first())
                .min()
                .copied()?;
            for list in lists[..used].iter_mut().chain([&mut by_pattern]) {
                if list.first() == Some(&place) {
                    *list = &list[1..];
                }
            }
            let stub = self.stubs.get(place as usize)?;
            if pattern::matches(&stub.mapping.request, received) && accept(stub) {
                return Some(stub);
            }
        }
    }

    fn by_pattern(&self, received: &Received) -> Vec<u32> {
        let mut places = Vec::new();
        if self.patterns.is_empty() {
            return places;
        }
        for (host, group) in &self.patterns {
            if host.as_deref().is_none_or(|host| *host == *received.host) {
                group.urls.find(received.url(), &mut places);
                group.paths.find(received.path(), &mut places);
            }
        }
        places.sort_unstable();
        places
    }

    /// All stubs, in the order they are asked.
    pub fn stubs(&self) -> impl Iterator<Item = &Arc<Stub>> {
        self.stubs.iter()
    }
}

impl PatternSet {
    fn push(&mut self, source: &str, place: u32) {
        self.sources.push(source.to_owned());
        self.places.push(place);
    }

    /// Builds the automaton; patterns that together are too large for one are handed back, to be asked one by one.
    fn compile(&mut self) -> Vec<u32> {
        self.set = RegexSet::new(std::mem::take(&mut self.sources)).ok();
        if self.set.is_some() { Vec::new() } else { std::mem::take(&mut self.places) }
    }

    fn find(&self, address: &str, places: &mut Vec<u32>) {
        if let Some(set) = self.set.as_ref().filter(|set| !set.is_empty()) {
            places.extend(set.matches(address).iter().map(|at| self.places[at]));
        }
    }
}

/// The host a stub names, when it names exactly one.
fn exact_host(host: Option<&Matcher>) -> Option<Box<str>> {
    match host {
        Some(Matcher::EqualTo { value, case_insensitive: false }) => Some(value.as_str().into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::{HeaderMap, Method};
    use serde_json::json;

    use super::super::Scheme;
    use super::*;
    use crate::mapping::Mapping;

    fn index(mappings: &[serde_json::Value]) -> StubIndex {
        let stub = |(order, written): (usize, &serde_json::Value)| {
            let mapping: Mapping = serde_json::from_value(written.clone()).unwrap();
            Arc::new(Stub::new(mapping, order as u64, None).unwrap())
        };
        StubIndex::new(mappings.iter().enumerate().map(stub).collect())
    }

    fn request(method: Method, host: &str, target: &str) -> Received {
        let service = (Scheme::Http, host.into(), 80);
        Received::new(method, service, target.parse().unwrap(), HeaderMap::new(), Bytes::new())
    }

    #[test]
    fn the_lowest_priority_answers_then_the_newest() {
        let stub = |name: &str, url: serde_json::Value, priority: u32| {
            let mut request = url;
            request["method"] = "GET".into();
            json!({"name": name, "request": request, "priority": priority})
        };
        let index = index(&[
            stub("old", json!({"url": "/a"}), 5),
            stub("new", json!({"urlPath": "/a"}), 5),
            stub("pattern", json!({"urlPattern": "/b.*"}), 5),
            stub("path pattern", json!({"urlPathPattern": "/b/c"}), 2),
            stub("template", json!({"urlPathTemplate": "/t/{id}"}), 5),
            stub("backtracking", json!({"urlPattern": "/(?!x)k.*"}), 5),
            stub("catch-all", json!({}), 9),
            json!({"name": "host", "request": {"urlPath": "/a", "host": {"equalTo": "h.test"}}}),
            json!({"name": "any method", "request": {"method": "ANY", "url": "/m?x=1"}}),
        ]);
        let table = [
            (Method::GET, "a.test", "/a", Some("new")),
            (Method::GET, "h.test", "/a", Some("host")),
            (Method::POST, "a.test", "/a", None),
            (Method::GET, "a.test", "/a?q=1", Some("new")),
            (Method::GET, "a.test", "/b?q", Some("pattern")),
            (Method::GET, "a.test", "/b/c", Some("path pattern")),
            (Method::GET, "a.test", "/t/1", Some("template")),
            (Method::GET, "a.test", "/t/1/2", Some("catch-all")),
            (Method::GET, "a.test", "/kk", Some("backtracking")),
            (Method::DELETE, "a.test", "/m?x=1", Some("any method")),
            (Method::DELETE, "a.test", "/m", None),
        ];
        for (method, host, target, expected) in table {
            let received = request(method.clone(), host, target);
            let found = index.find(&received, |_| true).and_then(|stub| stub.mapping.name.as_deref());
            assert_eq!(found, expected, "{method} {host} {target}");
        }
    }

    #[test]
    fn a_stub_that_is_not_accepted_makes_room_for_the_next() {
        let index = index(&[json!({"name": "one"}), json!({"name": "two"})]);
        let mut asked = Vec::new();
        let found = index.find(&request(Method::GET, "a", "/"), |stub| {
            asked.push(stub.mapping.name.clone().unwrap());
            false
        });
        assert!(found.is_none());
        assert_eq!(asked, ["two", "one"]);
    }

    /// Every way to find stubs agrees with asking all of them.
    #[test]
    fn the_index_finds_what_a_full_search_finds() {
        let paths = ["/a", "/a/b", "/a/b?x=1", "/c", "/", "/a?x=2"];
        let mut mappings = Vec::new();
        for (number, path) in paths.iter().cycle().take(60).enumerate() {
            let mut request = match number % 7 {
                0 => json!({"url": path}),
                1 => json!({"urlPath": path}),
                2 => json!({"urlPattern": format!("{}.*", path.replace('?', "."))}),
                3 => json!({"urlPathPattern": "/[ab]+"}),
                4 => json!({"urlPathTemplate": "/a/{x}"}),
                5 => json!({}),
                _ => json!({"urlPath": path, "host": {"equalTo": "h.test"}}),
            };
            if number % 3 == 0 {
                request["method"] = if number % 2 == 0 { "GET" } else { "POST" }.into();
            }
            mappings.push(json!({"request": request, "priority": number % 4 + 1}));
        }
        let index = index(&mappings);
        for method in [Method::GET, Method::POST, Method::PUT] {
            for (host, path) in paths.iter().flat_map(|path| [("a.test", path), ("h.test", path)]) {
                let received = request(method.clone(), host, path);
                let slow = index.stubs().find(|stub| pattern::matches(&stub.mapping.request, &received));
                let fast = index.find(&received, |_| true);
                assert_eq!(
                    fast.map(|stub| stub.order),
                    slow.map(|stub| stub.order),
                    "{method} {host} {path}"
                );
            }
        }
    }
}
