//! Lists: equal ones, shuffled ones, and ones where items came or went.
//!
//! Items are paired by what identifies them, otherwise one new item in front would make every later one differ. Lists are
//! tried in this order: the same items shuffled; items with an identity of their own; item by item; and last the
//! longest common subsequence.

use std::collections::BTreeMap;

use serde_json::Value;

use super::tree::Tree;
use super::values::Differences;
use super::variation::Kind;

/// Names of members that identify an item, the most distinctive first.
const IDENTITIES: [&str; 12] =
    ["id", "_id", "@id", "uuid", "key", "code", "slug", "sku", "name", "field", "path", "type"];
/// Items up to which the longest common subsequence is computed.
const MAX_ALIGNED: usize = 512;

type Items<'a> = [Tree<'a>];

impl Differences {
    pub(super) fn arrays(&mut self, trees: &[&Tree<'_>]) {
        let lists: Vec<&Items<'_>> = trees
            .iter()
            .filter_map(|tree| if let Tree::Array(items) = tree { Some(items.as_slice()) } else { None })
            .collect();
        let [first, rest @ ..] = lists.as_slice() else { return };
        let same_length = rest.iter().all(|list| list.len() == first.len());
        if same_length {
            let differs = |index: &usize| rest.iter().any(|list| !list[*index].same(&first[*index]));
            let mut differing = (0..first.len()).filter(differs);
            match (differing.next(), differing.next()) {
                (None, _) => return,
                // A single item has nothing to change places with.
                (Some(index), None) => {
                    let items: Vec<&Tree<'_>> = lists.iter().map(|list| &list[index]).collect();
                    return self.step(&index.to_string(), &items);
                }
                (Some(_), Some(_)) => {}
            }
        }
        let digests: Vec<Vec<u64>> =
            lists.iter().map(|list| list.iter().map(Tree::digest).collect()).collect();
        if same_length && is_shuffled(&digests) {
            self.report(Kind::Order, trees.iter().map(|tree| tree.quoted()));
        } else if let Some(keys) = identities(&lists) {
            self.by_identity(trees, &lists, &keys);
        } else if same_length && !shifted(&digests) {
            self.by_index(&lists);
        } else {
            self.report(Kind::Items, lists.iter().map(|list| count(list)));
        }
    }

    fn by_index(&mut self, lists: &[&Items<'_>]) {
        let length = lists.iter().map(|list| list.len()).min().unwrap_or_default();
        for index in 0..length {
            let items: Vec<&Tree<'_>> = lists.iter().filter_map(|list| list.get(index)).collect();
            self.step(&index.to_string(), &items);
        }
    }

    /// Reports whether items came, went or moved, and what differs within those that all lists have.
    fn by_identity(&mut self, trees: &[&Tree<'_>], lists: &[&Items<'_>], keys: &[Vec<u64>]) {
        let [first, rest @ ..] = keys else { return };
        if rest.iter().any(|other| !same_set(first, other)) {
            self.report(Kind::Items, lists.iter().map(|list| count(list)));
        } else if rest.iter().any(|other| other != first) {
            self.report(Kind::Order, trees.iter().map(|tree| tree.quoted()));
        }
        let places: Vec<BTreeMap<u64, usize>> = keys
            .iter()
            .map(|keys| keys.iter().enumerate().map(|(index, key)| (*key, index)).collect())
            .collect();
        for (index, key) in first.iter().enumerate() {
            let items: Vec<&Tree<'_>> =
                lists.iter().zip(&places).filter_map(|(list, places)| list.get(*places.get(key)?)).collect();
            if items.len() == lists.len() {
                self.step(&index.to_string(), &items);
            }
        }
    }
}

/// Whether all lists hold the same items, however often each.
fn is_shuffled(digests: &[Vec<u64>]) -> bool {
    let [first, rest @ ..] = digests else { return false };
    let first = sorted(first);
    rest.iter().all(|list| sorted(list) == first)
}

/// What identifies each item: the digest of a member that all items have and no two share within a list.
///
/// An identity that is drawn for every response identifies nothing: at least half of the shorter list's have to be found again.
fn identities(lists: &[&Items<'_>]) -> Option<Vec<Vec<u64>>> {
    IDENTITIES.iter().find_map(|name| {
        let keys: Vec<Vec<u64>> = lists
            .iter()
            .map(|list| list.iter().map(|item| key(item, name)).collect())
            .collect::<Option<_>>()?;
        let unique = keys.iter().all(|keys| {
            let sorted = sorted(keys);
            sorted.windows(2).all(|pair| pair[0] != pair[1])
        });
        let (first, rest) = keys.split_first()?;
        let found_again = rest.iter().all(|other| {
            let other = sorted(other);
            let shared = first.iter().filter(|key| other.binary_search(key).is_ok()).count();
            shared > 0 && shared * 2 >= first.len().min(other.len())
        });
        (unique && found_again).then_some(keys)
    })
}

fn key(item: &Tree<'_>, name: &str) -> Option<u64> {
    let Tree::Object(members) = item else { return None };
    match Tree::member(members, name, 0)? {
        value @ (Tree::Text(_) | Tree::Number(_)) => Some(value.digest()),
        _ => None,
    }
}

fn sorted(list: &[u64]) -> Vec<u64> {
    let mut list = list.to_vec();
    list.sort_unstable();
    list
}

fn same_set(one: &[u64], other: &[u64]) -> bool {
    one.len() == other.len() && sorted(one) == sorted(other)
}

/// Whether more items are found again in order than at their index: something came in and something went out.
fn shifted(digests: &[Vec<u64>]) -> bool {
    let [first, rest @ ..] = digests else { return false };
    rest.iter().any(|other| {
        let in_place = first.iter().zip(other).filter(|(one, other)| one == other).count();
        first.len() <= MAX_ALIGNED && common(first, other) > in_place
    })
}

/// The length of the longest common subsequence.
fn common(one: &[u64], other: &[u64]) -> usize {
    let mut row = vec![0_usize; other.len() + 1];
    for item in one {
        let mut diagonal = 0;
        for (index, candidate) in other.iter().enumerate() {
            let above = row[index + 1];
            row[index + 1] = if item == candidate { diagonal + 1 } else { above.max(row[index]) };
            diagonal = above;
        }
    }
    row[other.len()]
}

fn count(list: &Items<'_>) -> Value {
    Value::String(format!("{} items: {}", list.len(), brief(list)))
}

fn brief(list: &Items<'_>) -> String {
    let mut text = String::new();
    for item in list {
        let quoted = match item.quoted() {
            Value::String(text) => text,
            other => other.to_string(),
        };
        text.push_str(if text.is_empty() { "" } else { ", " });
        text.push_str(&quoted);
        if text.len() > 200 {
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(one: &str, other: &str) -> Vec<(String, Kind)> {
        let trees = [Tree::parse(one).expect("JSON"), Tree::parse(other).expect("JSON")];
        Differences::between(&trees.iter().collect::<Vec<_>>())
            .into_iter()
            .map(|found| (found.place.to_string(), found.kind))
            .collect()
    }

    fn at(place: &str, kind: Kind) -> (String, Kind) {
        (place.to_owned(), kind)
    }

    #[test]
    fn a_shuffled_list_is_one_difference() {
        assert_eq!(compare(r#"{"a":[1,2,3]}"#, r#"{"a":[3,1,2]}"#), [at("body:/a", Kind::Order)]);
        assert_eq!(compare(r#"[{"a":1},{"b":[2]}]"#, r#"[{"b":[2]},{"a":1}]"#), [at("body:", Kind::Order)]);
    }

    #[test]
    fn one_changed_item_is_reported_at_its_index() {
        assert_eq!(compare("[1,2,3]", "[1,5,3]"), [at("body:/1", Kind::Value)]);
        assert_eq!(compare(r#"[{"n":[1,2]}]"#, r#"[{"n":[1,3]}]"#), [at("body:/0/n/1", Kind::Value)]);
    }

    #[test]
    fn an_inserted_item_does_not_make_the_others_differ() {
        let one = r#"[{"id":1,"n":"a"},{"id":2,"n":"b"}]"#;
        let other = r#"[{"id":9,"n":"z"},{"id":1,"n":"a"},{"id":2,"n":"c"}]"#;
        assert_eq!(compare(one, other), [at("body:", Kind::Items), at("body:/1/n", Kind::Value)]);
        assert_eq!(compare("[1,2,3]", "[0,1,2,3]"), [at("body:", Kind::Items)]);
        assert_eq!(compare("[1,2,3]", "[0,1,2]"), [at("body:", Kind::Items)]);
    }

    #[test]
    fn items_that_moved_and_changed_are_paired_by_identity() {
        let one = r#"[{"id":1,"t":5},{"id":2,"t":5}]"#;
        let other = r#"[{"id":2,"t":5},{"id":1,"t":6}]"#;
        assert_eq!(compare(one, other), [at("body:", Kind::Order), at("body:/0/t", Kind::Value)]);
    }

    #[test]
    fn drawn_identities_are_values_like_others() {
        let one = r#"[{"id":"x1","n":"a"},{"id":"x2","n":"b"}]"#;
        let other = r#"[{"id":"y1","n":"a"},{"id":"y2","n":"b"}]"#;
        assert_eq!(compare(one, other), [at("body:/0/id", Kind::Value), at("body:/1/id", Kind::Value)]);
    }

    #[test]
    fn whole_numbers_that_no_float_can_tell_apart_are_other_items() {
        let one = "[2031339282232258567,2031339282232258569]";
        let other = "[2031339282232258568,2031339282232258570]";
        assert_eq!(compare(one, other), [at("body:/0", Kind::Value), at("body:/1", Kind::Value)]);
        assert_eq!(compare("[1,2.0]", "[2,1.0]"), [at("body:", Kind::Order)]);
    }

    #[test]
    fn large_documents_are_compared_without_trying_every_pair() {
        let object = |order: &mut dyn Iterator<Item = u32>| {
            format!("{{{}}}", order.map(|n| format!("\"k{n:05}\":{}", n / 7)).collect::<Vec<_>>().join(","))
        };
        assert!(compare(&object(&mut (0..50_000)), &object(&mut (0..50_000).rev())).is_empty());
        let list = |order: &mut dyn Iterator<Item = u32>, at: u32| {
            let item = |n: u32| format!("{{\"id\":{n},\"at\":{}}}", if n == 7 { at } else { 0 });
            format!("[{}]", order.map(item).collect::<Vec<_>>().join(","))
        };
        let found = compare(&list(&mut (0..50_000), 1), &list(&mut (0..50_000).rev(), 2));
        assert_eq!(found, [at("body:", Kind::Order), at("body:/7/at", Kind::Value)]);
    }

    #[test]
    fn an_empty_list_is_another_list() {
        assert_eq!(compare(r#"{"a":[]}"#, r#"{"a":[1]}"#), [at("body:/a", Kind::Items)]);
    }
}
