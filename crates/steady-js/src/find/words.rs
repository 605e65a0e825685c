//! What a call waits for, as words.

use oxc_ast::AstKind;
use oxc_ast::ast::Argument;
use oxc_ast_visit::Visit;

use crate::Kind;
use crate::chain::Call;

/// No call is described by more.
const MOST: usize = 24;

/// Names and words of text in a call's arguments and in what it is called on, each once.
pub(super) fn of(call: &Call<'_>, kind: Kind) -> Vec<String> {
    let mut words = Words::default();
    let links = call.links();
    for link in &links[..links.len() - 1] {
        words.add(link.name);
        for argument in link.arguments.unwrap_or_default() {
            words.visit_argument(argument);
        }
    }
    for argument in call.arguments() {
        // The body of a test says nothing about its limit.
        if kind != Kind::TestTimeout || !super::is_function(argument) {
            words.visit_argument(argument);
        }
    }
    words.0
}

#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn add(&mut self, text: &str) {
        for word in text
            .split(|sign: char| !sign.is_alphanumeric())
            .filter(|word| word.chars().any(char::is_alphabetic))
        {
            if self.0.len() < MOST && !self.0.iter().any(|known| known == word) {
                self.0.push(word.to_owned());
            }
        }
    }
}

impl<'a> Visit<'a> for Words {
    fn visit_argument(&mut self, argument: &Argument<'a>) {
        if self.0.len() < MOST {
            oxc_ast_visit::walk::walk_argument(self, argument);
        }
    }

    fn enter_node(&mut self, kind: AstKind<'a>) {
        match kind {
            AstKind::IdentifierReference(id) => self.add(&id.name),
            AstKind::IdentifierName(id) if id.name != "timeout" => self.add(&id.name),
            AstKind::StringLiteral(text) => self.add(&text.value),
            AstKind::TemplateElement(text) => self.add(&text.value.raw),
            AstKind::RegExpLiteral(pattern) => self.add(&pattern.regex.pattern.text),
            _ => {}
        }
    }
}
