//! Paths into JSON: pointers (RFC 6901) and the GPath expressions of RestAssured.

/// A pointer's steps, unescaped.
pub(crate) fn steps(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
}

/// A pointer with one more step.
pub(crate) fn join(pointer: &str, step: &str) -> String {
    format!("{pointer}/{}", step.replace('~', "~0").replace('/', "~1"))
}

/// The steps that lead from one pointer to a place at or below it.
pub(crate) fn below(pointer: &str, outer: &str) -> Option<Vec<String>> {
    let rest = pointer.strip_prefix(outer)?;
    (rest.is_empty() || rest.starts_with('/')).then(|| steps(rest))
}

/// Whether a step reads as an index into an array.
pub(crate) fn is_index(step: &str) -> bool {
    step == "0"
        || (!step.starts_with('0') && !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What a GPath expression asks of the place it leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    Value,
    Size,
    /// Whether there is nothing in it.
    Empty,
}

/// Where a GPath expression leads, and what it asks there; none when it is more than a path.
pub(crate) fn from_gpath(path: &str) -> Option<(String, Ask)> {
    let mut rest = path.trim();
    rest = match rest.strip_prefix('$') {
        Some(after) if after.is_empty() || after.starts_with(['.', '[']) => {
            after.strip_prefix('.').unwrap_or(after)
        }
        _ => rest,
    };
    let mut pointer = String::new();
    let mut first = true;
    while !rest.is_empty() {
        match rest.strip_prefix('.').unwrap_or(rest) {
            "size()" => return Some((pointer, Ask::Size)),
            "isEmpty()" => return Some((pointer, Ask::Empty)),
            _ => {}
        }
        if let Some(after) = rest.strip_prefix('[') {
            let (inner, after) = after.split_once(']')?;
            let name =
                quoted(inner).map(|(name, _)| name).or_else(|| is_index(inner).then(|| inner.to_owned()))?;
            pointer = join(&pointer, &name);
            rest = after;
        } else {
            let after = if first { rest } else { rest.strip_prefix('.')? };
            let (name, after) = match quoted(after) {
                Some((name, length)) => (name, &after[length..]),
                None => {
                    let end = after.find(['.', '[']).unwrap_or(after.len());
                    let (name, after) = after.split_at(end);
                    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
                    (!name.is_empty() && name.chars().all(plain)).then_some(())?;
                    (name.to_owned(), after)
                }
            };
            pointer = join(&pointer, &name);
            rest = after;
        }
        first = false;
    }
    Some((pointer, Ask::Value))
}

/// A name in quotes at the beginning, and how long it is with them.
fn quoted(text: &str) -> Option<(String, usize)> {
    let mark = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let mut name = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => name.push(match chars.next()?.1 {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'b' => '\u{8}',
                other => other,
            }),
            c if c == mark => return Some((name, at + 1)),
            c => name.push(c),
        }
    }
    None
}

/// The GPath expression for a pointer; every name in quotes when `quote` is set, else only those that need them.
pub(crate) fn to_gpath(pointer: &str, quote: bool) -> String {
    let mut path = String::new();
    for step in steps(pointer) {
        if is_index(&step) {
            path.push_str(&format!("[{step}]"));
            continue;
        }
        if !path.is_empty() {
            path.push('.');
        }
        let plain = step.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && step.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if plain && !quote {
            path.push_str(&step);
        } else {
            path.push_str(&format!("'{}'", escape(&step)));
        }
    }
    path
}

/// A name as it stands in quotes of Groovy.
fn escape(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            '\u{8}' => escaped.push_str("\\b"),
            '\\' | '\'' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpath_becomes_a_pointer_or_nothing() {
        for (path, pointer) in [
            ("'id'", Some(("/id", Ask::Value))),
            ("", Some(("", Ask::Value))),
            ("$", Some(("", Ask::Value))),
            ("$.a", Some(("/a", Ask::Value))),
            ("size()", Some(("", Ask::Size))),
            ("$.size()", Some(("", Ask::Size))),
            ("'items'.size()", Some(("/items", Ask::Size))),
            ("'a'.isEmpty()", Some(("/a", Ask::Empty))),
            ("isEmpty()", Some(("", Ask::Empty))),
            ("'a\\nb'", Some(("/a\nb", Ask::Value))),
            ("[0].'id'", Some(("/0/id", Ask::Value))),
            ("items[2].a.b", Some(("/items/2/a/b", Ask::Value))),
            ("'a.b'.'c/d~e'", Some(("/a.b/c~1d~0e", Ask::Value))),
            ("a['b c'][0]", Some(("/a/b c/0", Ask::Value))),
            ("'it\\'s'", Some(("/it's", Ask::Value))),
            ("items[-1]", None),
            ("items.find { it.id == 3 }.name", None),
            ("items*.id", None),
            ("a..b", None),
            ("items.collect()", None),
        ] {
            let read = from_gpath(path);
            assert_eq!(read.as_ref().map(|(pointer, ask)| (pointer.as_str(), *ask)), pointer, "{path}");
        }
    }

    #[test]
    fn a_pointer_becomes_a_gpath_that_leads_to_it() {
        for pointer in
            ["", "/id", "/items/0/id", "/0", "/a b/c~1d", "/it's\\", "/$/x.y", "/size()", "/-1", "/a\nb"]
        {
            for quote in [true, false] {
                assert_eq!(
                    from_gpath(&to_gpath(pointer, quote)),
                    Some((pointer.to_owned(), Ask::Value)),
                    "{pointer}"
                );
            }
        }
    }
}
