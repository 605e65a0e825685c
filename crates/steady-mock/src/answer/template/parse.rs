//! From a template's text to its parts.

use serde_json::Value;

/// A part of a template.
#[derive(Debug, PartialEq)]
pub(super) enum Node {
    Text(String),
    Value(Call),
    Block { call: Call, then: Vec<Node>, otherwise: Vec<Node> },
}

/// A name with its arguments: a helper, or a path when there are none.
#[derive(Debug, PartialEq)]
pub(super) struct Call {
    pub(super) name: Vec<String>,
    pub(super) arguments: Vec<Argument>,
    pub(super) options: Vec<(String, Argument)>,
}

/// What a helper is given.
#[derive(Debug, PartialEq)]
pub(super) enum Argument {
    Literal(Value),
    Path(Vec<String>),
    Call(Call),
}

/// The text is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ParseTemplateError {
    #[error("`{0}` is not closed")]
    NotClosed(String),
    #[error("`{0}` is closed and was not opened")]
    NotOpened(String),
    #[error("`{0}` has a text without an end")]
    Unterminated(String),
    #[error("`{0}` has a parenthesis too many or too few")]
    Parenthesis(String),
    #[error("`{0}` is nested too deep")]
    TooDeep(String),
}

/// Blocks and parentheses deeper than that are a mistake.
const DEEPEST: usize = 32;

/// Parses a template.
pub(super) fn parse(text: &str) -> Result<Vec<Node>, ParseTemplateError> {
    let mut rest = text;
    let (nodes, _) = block(&mut rest, None, 0)?;
    Ok(nodes)
}

/// The parts up to the end of a block, and those after its `else`.
fn block(
    rest: &mut &str,
    opened: Option<&str>,
    depth: usize,
) -> Result<(Vec<Node>, Vec<Node>), ParseTemplateError> {
    if depth > DEEPEST {
        return Err(ParseTemplateError::TooDeep(opened.unwrap_or_default().to_owned()));
    }
    let (mut then, mut otherwise, mut in_else) = (Vec::new(), Vec::new(), false);
    loop {
        let nodes = if in_else { &mut otherwise } else { &mut then };
        let Some(start) = rest.find("{{") else {
            if let Some(opened) = opened {
                return Err(ParseTemplateError::NotClosed(opened.to_owned()));
            }
            push_text(nodes, rest);
            return Ok((then, otherwise));
        };
        if rest[..start].ends_with('\\') {
            push_text(nodes, &rest[..start - 1]);
            push_text(nodes, "{{");
            *rest = &rest[start + 2..];
            continue;
        }
        push_text(nodes, &rest[..start]);
        let tag = &rest[start..];
        let close = if tag.starts_with("{{{") { "}}}" } else { "}}" };
        let not_closed = || ParseTemplateError::NotClosed(tag.chars().take(20).collect());
        let end = tag.find(close).ok_or_else(not_closed)?;
        let inner = tag[close.len()..end].trim().trim_matches('~').trim();
        *rest = &tag[end + close.len()..];
        if inner.starts_with('!') {
            continue;
        }
        if let Some(name) = inner.strip_prefix('/') {
            if opened == Some(name.trim()) {
                return Ok((then, otherwise));
            }
            return Err(ParseTemplateError::NotOpened(name.trim().to_owned()));
        }
        if matches!(inner, "else" | "^") && opened.is_some() {
            in_else = true;
        } else if let Some(opening) = inner.strip_prefix('#') {
            let call = call(opening)?;
            let name = call.name.join(".");
            let (inside, other) = block(rest, Some(&name), depth + 1)?;
            nodes.push(Node::Block { call, then: inside, otherwise: other });
        } else {
            nodes.push(Node::Value(call(inner.trim_start_matches('&'))?));
        }
    }
}

fn push_text(nodes: &mut Vec<Node>, text: &str) {
    match nodes.last_mut() {
        _ if text.is_empty() => {}
        Some(Node::Text(last)) => last.push_str(text),
        _ => nodes.push(Node::Text(text.to_owned())),
    }
}

fn call(text: &str) -> Result<Call, ParseTemplateError> {
    let words = words(text)?;
    let mut words = words.iter().map(String::as_str);
    let name = path(words.next().unwrap_or_default());
    let (mut arguments, mut options) = (Vec::new(), Vec::new());
    for word in words {
        match word.split_once('=').filter(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || c == '_')) {
            Some((name, value)) if !name.is_empty() => options.push((name.to_owned(), argument(value)?)),
            _ => arguments.push(argument(word)?),
        }
    }
    Ok(Call { name, arguments, options })
}

/// Splits at spaces outside of quotes and parentheses.
fn words(text: &str) -> Result<Vec<String>, ParseTemplateError> {
    let (mut words, mut word, mut quote, mut depth) = (Vec::new(), String::new(), None, 0_usize);
    for character in text.chars() {
        match character {
            _ if quote == Some(character) => quote = None,
            '\'' | '"' if quote.is_none() => quote = Some(character),
            '(' if quote.is_none() => depth += 1,
            ')' if quote.is_none() => {
                depth =
                    depth.checked_sub(1).ok_or_else(|| ParseTemplateError::Parenthesis(text.to_owned()))?;
            }
            _ => {}
        }
        if depth > DEEPEST {
            return Err(ParseTemplateError::TooDeep(text.to_owned()));
        }
        if character.is_whitespace() && quote.is_none() && depth == 0 {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        } else {
            word.push(character);
        }
    }
    if quote.is_some() {
        return Err(ParseTemplateError::Unterminated(text.to_owned()));
    }
    if depth > 0 {
        return Err(ParseTemplateError::Parenthesis(text.to_owned()));
    }
    words.extend((!word.is_empty()).then_some(word));
    Ok(words)
}

fn argument(word: &str) -> Result<Argument, ParseTemplateError> {
    if let Some(inner) = word.strip_prefix('(').and_then(|word| word.strip_suffix(')')) {
        return Ok(Argument::Call(call(inner)?));
    }
    for quote in ['\'', '"'] {
        if let Some(inner) = word.strip_prefix(quote).and_then(|word| word.strip_suffix(quote)) {
            return Ok(Argument::Literal(inner.into()));
        }
    }
    match serde_json::from_str::<Value>(word) {
        Ok(value) if !value.is_array() && !value.is_object() => Ok(Argument::Literal(value)),
        _ => Ok(Argument::Path(path(word))),
    }
}

/// `request.headers.[X-A].[0]` into its steps.
fn path(text: &str) -> Vec<String> {
    let mut steps = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        rest = rest.trim_start_matches('.');
        let (step, after) = match rest.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
            Some(bracketed) => bracketed,
            None => rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len())),
        };
        if !step.is_empty() {
            steps.push(step.to_owned());
        }
        rest = after;
    }
    steps
}
