//! Reads XML into the tree that JSON is read into, which lets one walk compare both.
//!
//! An element's attributes are members `@name`, its text is the member `#text`, and its children are lists by
//! name: the pointer `/order/item/1/@id` is the attribute `id` of the second `item` in `order`. Comments, processing
//! instructions, blank text and the order of attributes do not count; entities are not expanded.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::tree::Tree;

/// The longest document that is read; longer ones are compared as text.
const MAX_TEXT: usize = 16 * 1024 * 1024;
/// Names of children and attributes an element may have; more are no document people wrote.
const MAX_MEMBERS: usize = 1_000;
/// How deep elements may be nested.
const MAX_DEPTH: usize = 128;

type Members = Vec<(Cow<'static, str>, Tree<'static>)>;

struct Element {
    name: String,
    members: Members,
    text: String,
}

/// Reads a document; none if it is not well-formed or nested too deep.
pub fn parse(text: &str) -> Option<Tree<'static>> {
    if text.len() > MAX_TEXT {
        return None;
    }
    let mut reader = Reader::from_str(text);
    let mut open: Vec<Element> = Vec::new();
    let mut root: Members = Vec::new();
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) => {
                if open.len() >= MAX_DEPTH || (open.is_empty() && !root.is_empty()) {
                    return None;
                }
                open.push(element(&tag)?);
            }
            Event::Empty(tag) => {
                let element = element(&tag)?;
                close(element, open.last_mut().map_or(&mut root, |parent| &mut parent.members))?;
            }
            Event::End(_) => {
                let element = open.pop()?;
                close(element, open.last_mut().map_or(&mut root, |parent| &mut parent.members))?;
            }
            Event::Text(part) => match open.last_mut() {
                Some(parent) => parent.text.push_str(&part),
                None if part.trim().is_empty() => {}
                None => return None,
            },
            Event::CData(part) => open.last_mut()?.text.push_str(&part),
            Event::GeneralRef(reference) => {
                let parent = open.last_mut()?;
                parent.text.push('&');
                parent.text.push_str(&reference);
                parent.text.push(';');
            }
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    if !open.is_empty() || root.len() != 1 {
        return None;
    }
    // The root is the one element that is not in a list.
    let (name, list) = root.pop()?;
    let Tree::Array(mut elements) = list else { return None };
    Some(Tree::Object(vec![(name, elements.pop()?)]))
}

fn element(tag: &BytesStart<'_>) -> Option<Element> {
    let name = tag.name().as_ref().to_owned();
    let mut members = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.ok()?;
        let key: &str = attribute.key.as_ref();
        let value = attribute.value.into_owned();
        members.push((Cow::Owned(format!("@{key}")), Tree::Text(Cow::Owned(value))));
    }
    Some(Element { name, members, text: String::new() })
}

fn close(element: Element, siblings: &mut Members) -> Option<()> {
    let Element { name, mut members, text } = element;
    if !text.trim().is_empty() {
        members.push((Cow::Borrowed("#text"), Tree::Text(Cow::Owned(text.trim().to_owned()))));
    }
    if members.len() > MAX_MEMBERS || siblings.len() > MAX_MEMBERS {
        return None;
    }
    let value = Tree::object(members);
    match siblings.iter_mut().find(|(known, _)| *known == name) {
        Some((_, Tree::Array(list))) => list.push(value),
        _ => siblings.push((Cow::Owned(name), Tree::Array(vec![value]))),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::values::Differences;
    use super::*;

    fn places(one: &str, other: &str) -> Vec<String> {
        let trees = [parse(one).expect("XML"), parse(other).expect("XML")];
        Differences::between(&trees.iter().collect::<Vec<_>>())
            .iter()
            .map(|found| found.place.to_string())
            .collect()
    }

    #[test]
    fn attributes_and_texts_have_paths() {
        assert_eq!(
            places("<a x='1'><b>t</b></a>", "<a x='2'><b>u</b></a>"),
            ["body:/a/@x", "body:/a/b/0/#text"]
        );
    }

    #[test]
    fn layout_comments_and_the_order_of_attributes_do_not_count() {
        let one = "<?xml version='1.0'?><a x='1' y='2'><b>t</b></a>";
        let other = "<a y='2' x='1'>\n  <!-- new -->\n  <b> t </b>\n</a>";
        assert!(places(one, other).is_empty());
    }

    #[test]
    fn siblings_that_changed_places_are_a_shuffled_list() {
        assert_eq!(places("<a><b>1</b><b>2</b></a>", "<a><b>2</b><b>1</b></a>"), ["body:/a/b"]);
    }

    #[test]
    fn what_is_not_well_formed_is_not_read() {
        for text in ["", "text", "<a>", "<a></b>", "<a/><b/>", "<a x=1/>", "</a>"] {
            assert!(parse(text).is_none(), "{text}");
        }
        assert!(parse(&"<a>".repeat(100_000)).is_none());
    }
}
