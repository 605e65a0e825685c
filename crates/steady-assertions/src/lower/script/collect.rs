//! The tests among the statements of a file.

use crate::syntax::{Action, Expr, File, Function, Kind, Link, Names, Statement, Step, Test};

/// What stands around a test: the titles, and what runs before it.
#[derive(Debug, Clone, Default)]
pub(super) struct Around {
    titles: String,
    setup: Vec<Statement>,
}

/// The tests among these statements, named as Jest names them: after the blocks they stand in. Functions that are values of
/// constants are functions of the file, too.
pub(super) fn collect(statements: Vec<Statement>, around: &Around, file: &mut File) {
    let mut inside = around.clone();
    for statement in statements {
        let value = match statement.kind {
            Action::Bind(Names::One(name), Expr { kind: Kind::Lambda { parameters, body, .. }, .. }) => {
                file.functions.insert(name, Function { parameters, body, fixture: false });
                continue;
            }
            Action::Evaluate(value) => value,
            _ => continue,
        };
        let Kind::Chain(base, mut links) = value.kind else { continue };
        let Kind::Name(function) = &base.kind else { continue };
        let Some(Link { kind: Step::Call(arguments), .. }) = links.pop() else { continue };
        let title = arguments.first().and_then(Expr::text).map(str::to_owned);
        let Some((parameters, body)) = arguments.into_iter().find_map(|argument| match argument.kind {
            Kind::Lambda { parameters, body, .. } => Some((parameters, body)),
            _ => None,
        }) else {
            continue;
        };
        let name = title.map(|title| match inside.titles.as_str() {
            "" => title,
            outer => format!("{outer} {title}"),
        });
        match (function.as_str(), name) {
            ("beforeEach" | "beforeAll" | "before", _) => inside.setup.extend(body),
            ("describe" | "context" | "suite", Some(titles)) => {
                collect(body, &Around { titles, setup: inside.setup.clone() }, file);
            }
            ("test" | "it" | "specify", Some(name)) => {
                let (span, setup) = (statement.span, inside.setup.clone());
                file.tests.push(Test { name, span, parameters, setup, body });
            }
            _ => {}
        }
    }
}
