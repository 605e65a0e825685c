//! Which other files could say how long a wait is.

use std::collections::BTreeSet;

use oxc_ast::ast::{Argument, Expression, ObjectPropertyKind};

use crate::chain::root_of;
use crate::facts::Facts;

/// Expressions in expressions are looked into this far.
const DEEPEST: usize = 6;

/// The first names of what an expression is made of, without those in functions.
pub(crate) fn roots<'a>(expression: &'a Expression<'a>) -> BTreeSet<&'a str> {
    let mut names = BTreeSet::new();
    add(expression, DEEPEST, &mut names);
    names
}

fn add<'a>(expression: &'a Expression<'a>, left: usize, names: &mut BTreeSet<&'a str>) {
    let Some(left) = left.checked_sub(1) else { return };
    match expression.get_inner_expression() {
        Expression::ObjectExpression(object) => {
            for property in &object.properties {
                match property {
                    ObjectPropertyKind::ObjectProperty(property) => add(&property.value, left, names),
                    ObjectPropertyKind::SpreadProperty(spread) => add(&spread.argument, left, names),
                }
            }
        }
        Expression::BinaryExpression(binary) => {
            add(&binary.left, left, names);
            add(&binary.right, left, names);
        }
        Expression::LogicalExpression(either) => {
            add(&either.left, left, names);
            add(&either.right, left, names);
        }
        Expression::ConditionalExpression(choice) => {
            add(&choice.consequent, left, names);
            add(&choice.alternate, left, names);
        }
        Expression::CallExpression(call) => {
            call.arguments
                .iter()
                .filter_map(Argument::as_expression)
                .for_each(|argument| add(argument, left, names));
        }
        inner => names.extend(root_of(inner).map(|root| root.name)),
    }
}

impl<'a> Facts<'a> {
    /// These names, and those that they stand for.
    pub(crate) fn reached(&self, names: BTreeSet<&'a str>) -> BTreeSet<&'a str> {
        let mut reached = BTreeSet::new();
        let mut next: Vec<&str> = names.into_iter().collect();
        while let Some(name) = next.pop() {
            if reached.insert(name) {
                let values = self.constants.get(name).into_iter().flatten();
                next.extend(values.flat_map(|constant| roots(constant.value)));
            }
        }
        reached
    }

    /// The files and packages that names come from, as they are written.
    pub(crate) fn origins(&self, names: &BTreeSet<&str>) -> BTreeSet<String> {
        let imports = names.iter().filter_map(|name| self.imports.get(name));
        imports.map(|import| import.source.to_owned()).collect()
    }
}
