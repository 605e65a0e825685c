//! How long: numbers, read through arithmetic, constants, units and texts such as `'5s'`.

use oxc_ast::ast::{
    Argument, BinaryExpression, CallExpression, Expression, ObjectExpression, ObjectProperty,
    ObjectPropertyKind,
};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{BinaryOperator, UnaryOperator};

use crate::chain::names_of;
use crate::facts::{Facts, text_of};
use crate::parse::byte_span::ByteSpan as _;
use crate::{Holder, Unit, Value};

/// Constants that lead to constants are followed this far.
const FURTHEST: usize = 8;

/// The longest time that is believed to be one: 2^31 - 1 milliseconds, where timers overflow.
const LONGEST: f64 = 2_147_483_647.0;

/// A number in a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    pub(crate) number: f64,
    /// The expression that holds it.
    pub(crate) span: Span,
    pub(crate) constant: Option<String>,
    pub(crate) holder: Holder,
}

impl Reading {
    /// A number that is written there.
    fn of(number: f64, span: Span) -> Self {
        Self { number, span, constant: None, holder: Holder::Number }
    }
}

/// What a call is told about how long to wait.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Told {
    Nothing,
    /// Something that only a run knows.
    Unreadable,
    Time(Reading),
}

impl Told {
    fn by(reading: Option<Reading>) -> Self {
        reading.map_or(Self::Unreadable, Self::Time)
    }
}

impl<'a> Facts<'a> {
    /// The number that an expression is.
    pub(crate) fn read(&self, expression: &'a Expression<'a>) -> Option<Reading> {
        self.read_within(expression, FURTHEST)
    }

    /// The object that an expression is.
    pub(crate) fn object_of(&self, expression: &'a Expression<'a>) -> Option<&'a ObjectExpression<'a>> {
        self.object(expression, FURTHEST)
    }

    /// What an argument says: a time, or something that is not readable.
    pub(crate) fn told(&self, expression: Option<&'a Expression<'a>>) -> Told {
        expression.map_or(Told::Nothing, |expression| Told::by(self.read(expression)))
    }

    /// What an object, a constant that is one, or a spread in one says under one of these keys.
    pub(crate) fn told_by_option(
        &self,
        expression: &'a Expression<'a>,
        is_key: &dyn Fn(&str) -> bool,
    ) -> Told {
        self.option_within(expression, is_key, FURTHEST)
    }

    /// What the arguments of a call say in an object among them; the last one counts.
    pub(crate) fn told_by_arguments(
        &self,
        arguments: &'a [Argument<'a>],
        is_key: &dyn Fn(&str) -> bool,
    ) -> Told {
        let given = arguments.iter().rev().filter_map(Argument::as_expression);
        given
            .map(|one| self.told_by_option(one, is_key))
            .find(|told| *told != Told::Nothing)
            .unwrap_or(Told::Nothing)
    }

    /// The value that a number is when it counts this.
    pub(crate) fn value(&self, reading: &Reading, unit: Unit) -> Option<Value> {
        let ms = reading.number * unit.ms() as f64;
        (0.0..=LONGEST).contains(&ms).then(|| Value {
            ms: ms.round() as u64,
            unit,
            span: reading.span.byte_span(),
            line: self.lines.line(reading.span.start as usize),
            constant: reading.constant.clone(),
            holder: reading.holder.clone(),
        })
    }

    fn read_within(&self, expression: &'a Expression<'a>, left: usize) -> Option<Reading> {
        let left = left.checked_sub(1)?;
        let here = |number: f64| Some(Reading::of(number, expression.span()));
        match expression.get_inner_expression() {
            Expression::NumericLiteral(literal) => here(literal.value),
            inner @ (Expression::StringLiteral(_) | Expression::TemplateLiteral(_)) => {
                here(duration(text_of(inner)?)?)
            }
            Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::UnaryPlus => {
                self.read_within(&unary.argument, left)
            }
            Expression::BinaryExpression(binary) => self.arithmetic(binary, left),
            Expression::ConditionalExpression(choice) => self
                .read_within(&choice.consequent, left)
                .or_else(|| self.read_within(&choice.alternate, left)),
            Expression::LogicalExpression(either) => {
                self.read_within(&either.left, left).or_else(|| self.read_within(&either.right, left))
            }
            Expression::CallExpression(call) => self.conversion(call, left),
            inner => {
                let names = names_of(inner)?;
                let value = self.named(&names, inner.span(), left);
                let read = match value.and_then(|value| self.read_within(value, left)) {
                    Some(read) => read,
                    // What is written elsewhere cannot be changed here, but its use can.
                    None => here(self.imported(&names, inner.span())?)?,
                };
                Some(Reading { constant: Some(names.join(".")), ..read })
            }
        }
    }

    fn arithmetic(&self, binary: &'a BinaryExpression<'a>, left: usize) -> Option<Reading> {
        let both = (self.factor(&binary.left, left), self.factor(&binary.right, left));
        let number = match (&both, binary.operator) {
            ((Some(a), Some(b)), BinaryOperator::Multiplication) => a.number * b.number,
            ((Some(a), Some(b)), BinaryOperator::Division) => a.number / b.number,
            ((Some(a), Some(b)), BinaryOperator::Addition) => a.number + b.number,
            ((Some(a), Some(b)), BinaryOperator::Subtraction) => a.number - b.number,
            // `50 * TIME_SCALE`: the factor that is not known here is 1 on an ordinary machine.
            ((Some(_), None), BinaryOperator::Multiplication) if self.is_fixed(&binary.right) => {
                return both.0;
            }
            ((None, Some(_)), BinaryOperator::Multiplication) if self.is_fixed(&binary.left) => {
                return both.1;
            }
            _ => return None,
        };
        Some(Reading::of(number, binary.span))
    }

    /// A number, or a name that says what is counted: `SECONDS`.
    fn factor(&self, expression: &'a Expression<'a>, left: usize) -> Option<Reading> {
        self.read_within(expression, left).or_else(|| {
            let names = names_of(expression).filter(|_| self.is_fixed(expression))?;
            let number = unit_of_name(names.last()?)?.ms() as f64;
            Some(Reading::of(number, expression.span()))
        })
    }

    /// Whether names stand for the same in every call: they are imported, or written as constants are.
    fn is_fixed(&self, expression: &'a Expression<'a>) -> bool {
        names_of(expression).is_some_and(|names| {
            self.imports.contains_key(names[0])
                || !names[names.len() - 1].contains(|sign: char| sign.is_lowercase())
        })
    }

    /// `ms('5s')`, `Number(…)`, `seconds(5)`
    fn conversion(&self, call: &'a CallExpression<'a>, left: usize) -> Option<Reading> {
        let name = call.callee_name()?;
        if let "max" | "min" = name {
            return self.extreme(call, name == "max", left);
        }
        let factor = match name {
            "ms" | "Number" | "parseInt" | "parseFloat" | "round" => 1.0,
            _ => unit_of_name(name)?.ms() as f64,
        };
        // What follows is no time: `parseInt(text, 10)`.
        let read = self.read_within(call.arguments.first()?.as_expression()?, left)?;
        Some(Reading { constant: read.constant, ..Reading::of(read.number * factor, call.span) })
    }

    /// `Math.max(…)`, `Math.min(…)`, where all of them are known.
    fn extreme(&self, call: &'a CallExpression<'a>, is_max: bool, left: usize) -> Option<Reading> {
        let given = call.arguments.iter().map(|argument| self.read_within(argument.as_expression()?, left));
        let numbers: Vec<f64> = given.map(|read| read.map(|read| read.number)).collect::<Option<_>>()?;
        let number = numbers.into_iter().reduce(if is_max { f64::max } else { f64::min })?;
        Some(Reading::of(number, call.span))
    }

    /// What names stand for: a constant, or a member of one.
    fn named(&self, names: &[&str], at: Span, left: usize) -> Option<&'a Expression<'a>> {
        let (first, members) = match names {
            ["this", first, members @ ..] => (first, members),
            [first, members @ ..] => (first, members),
            [] => return None,
        };
        let mut value = self.constant(first, at)?.value;
        for name in members {
            let object = self.object(value, left)?;
            value = property(object, &|key| key == *name)?;
        }
        Some(value)
    }

    /// The object that an expression is, also through a constant and `Object.freeze`.
    fn object(&self, expression: &'a Expression<'a>, left: usize) -> Option<&'a ObjectExpression<'a>> {
        let left = left.checked_sub(1)?;
        match expression.get_inner_expression() {
            Expression::ObjectExpression(object) => Some(object),
            Expression::CallExpression(call) if call.callee_name() == Some("freeze") => {
                self.object(call.arguments.first()?.as_expression()?, left)
            }
            inner @ (Expression::Identifier(_) | Expression::StaticMemberExpression(_)) => {
                let value = self.named(&names_of(inner)?, inner.span(), left)?;
                self.object(value, left)
            }
            _ => None,
        }
    }

    fn option_within(
        &self,
        expression: &'a Expression<'a>,
        is_key: &dyn Fn(&str) -> bool,
        left: usize,
    ) -> Told {
        let Some(left) = left.checked_sub(1) else { return Told::Nothing };
        let Some(object) = self.object(expression, left) else {
            return self.imported_option(expression, is_key);
        };
        // What comes later counts.
        for property in object.properties.iter().rev() {
            let told = match property {
                ObjectPropertyKind::SpreadProperty(spread) => {
                    self.option_within(&spread.argument, is_key, left)
                }
                ObjectPropertyKind::ObjectProperty(property) if is_named(property, is_key) => {
                    let through = names_of(expression).map(|names| names.join("."));
                    Told::by(self.read_property(property, through, left))
                }
                ObjectPropertyKind::ObjectProperty(_) => Told::Nothing,
            };
            if told != Told::Nothing {
                return told;
            }
        }
        Told::Nothing
    }

    fn read_property(
        &self,
        property: &'a ObjectProperty<'a>,
        through: Option<String>,
        left: usize,
    ) -> Option<Reading> {
        let mut read = self.read_within(&property.value, left)?;
        if property.shorthand && read.span == property.value.span() {
            read.holder = Holder::Shorthand;
        }
        Some(Reading { constant: read.constant.or(through), ..read })
    }
}

impl<'a> Facts<'a> {
    /// What an imported object says. It cannot be changed here, but the call can be told something else.
    fn imported_option(&self, expression: &'a Expression<'a>, is_key: &dyn Fn(&str) -> bool) -> Told {
        let Some(names) = names_of(expression) else { return Told::Nothing };
        let mut known = self.imported_below(&names, expression.span()).into_iter();
        let Some((key, number)) = known.find(|(key, _)| is_key(key)) else { return Told::Nothing };
        let constant = Some(format!("{}.{key}", names.join(".")));
        Told::Time(Reading { number, span: expression.span(), constant, holder: Holder::Object(key) })
    }
}

fn property<'a>(
    object: &'a ObjectExpression<'a>,
    is_key: &dyn Fn(&str) -> bool,
) -> Option<&'a Expression<'a>> {
    let mut properties = object.properties.iter().rev().filter_map(ObjectPropertyKind::as_property);
    properties.find(|property| is_named(property, is_key)).map(|property| &property.value)
}

fn is_named(property: &ObjectProperty<'_>, is_key: &dyn Fn(&str) -> bool) -> bool {
    property.key.static_name().is_some_and(|name| is_key(&name))
}

/// What a name such as `SECONDS` or `minutes` counts.
fn unit_of_name(name: &str) -> Option<Unit> {
    match name.to_lowercase().as_str() {
        "ms" | "millis" | "millisecond" | "milliseconds" => Some(Unit::Milliseconds),
        "s" | "sec" | "secs" | "second" | "seconds" | "one_second" | "onesecond" => Some(Unit::Seconds),
        "min" | "mins" | "minute" | "minutes" | "one_minute" | "oneminute" => Some(Unit::Minutes),
        _ => None,
    }
}

/// The milliseconds of `'500'`, `'500ms'`, `'5s'`, `'5 seconds'` or `'1m'`.
fn duration(text: &str) -> Option<f64> {
    let text = text.trim();
    let split = text.find(|sign: char| !sign.is_ascii_digit() && sign != '.').unwrap_or(text.len());
    let number: f64 = text[..split].parse().ok()?;
    let factor = match text[split..].trim() {
        "" => 1,
        "m" => 60_000,
        unit => unit_of_name(unit)?.ms(),
    };
    Some(number * factor as f64)
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn texts_that_say_a_time_are_read() {
        let read: Vec<Option<f64>> = ["500", "1.5s", "2 seconds", "3m", "20ms", "#a", "5 apples", ""]
            .iter()
            .map(|text| duration(text))
            .collect();
        let expected =
            [Some(500.0), Some(1500.0), Some(2000.0), Some(180_000.0), Some(20.0), None, None, None];
        assert_eq!(read, expected);
    }
}
