//! Chooses values for a call's parameters and body.

use serde_json::Value;
use steady_model::Method;
use steady_openapi::{Location, Parameter};

use super::{Sampler, shares};
use crate::endpoint_id::EndpointId;
use crate::plan::Intent;
use crate::request::{Arguments, BodyArgument, BodyKind, body_kind, header, scalar};
use crate::resources::{LEAST_ABSENT_ID, own_id};
use crate::values::{Alteration, Change, Flavour, Kind, PROMISED, Shape, Shapes, alter, edges, violations};

/// How often a drawn body is checked against its schema and drawn again.
const DRAWS: usize = 4;
/// Headers that are the client's own business.
const RESERVED_HEADERS: [&str; 6] =
    ["authorization", "content-type", "accept", "host", "content-length", "connection"];
/// Characters of a made-up credential.
const CREDENTIAL: usize = 24;
/// Headers that are to be ignored when they make no sense (RFC 9110 sections 13.1.3, 13.1.4, 13.1.5 and 14.2).
const IGNORED_HEADERS: [&str; 4] = ["if-modified-since", "if-unmodified-since", "if-range", "range"];

impl<'a> Sampler<'a> {
    /// Values for every parameter wanted and the body.
    pub(super) fn draw(&mut self, endpoint: EndpointId, flavour: Flavour) -> Arguments {
        let model = self.model;
        let target = &model.catalog[endpoint];
        let parameters = target
            .operation
            .parameters
            .iter()
            .zip(&target.parameters)
            .map(|(spec, shape)| {
                self.wants(spec, flavour).then(|| {
                    if spec.location == Location::Path {
                        self.draw_id(shape, &spec.name)
                    } else if is_credential(spec) && is_any_text(shape) {
                        Value::from(format!("Bearer {}", self.random.word(CREDENTIAL)))
                    } else {
                        self.generator(flavour).value(shape, &spec.name)
                    }
                })
            })
            .collect();
        Arguments { parameters, body: self.draw_body(endpoint, flavour), headers: Vec::new() }
    }

    /// An id that nothing has: mostly one that is far from all that exist, since a test of its absence must stay true.
    fn draw_id(&mut self, shape: &Shape, name: &str) -> Value {
        match &shape.kind {
            Kind::Integer(limits) if self.random.chance(shares::ABSENT_ID) => {
                let high = limits.max.unwrap_or(2e9);
                Value::from(self.random.between((high * 0.6) as i64, high as i64))
            }
            _ => self.generator(Flavour::Plain).value(shape, name),
        }
    }

    fn wants(&mut self, spec: &Parameter, flavour: Flavour) -> bool {
        if self.model.is_sent_by_identities(spec) {
            return false;
        }
        if is_reserved(spec) && !is_credential(spec) && !(spec.required && self.model.identities.is_empty()) {
            return false;
        }
        spec.required
            || match flavour {
                Flavour::Plain => false,
                Flavour::Full => true,
                Flavour::Mixed | Flavour::Edge | Flavour::Novel => {
                    self.random.chance(shares::OPTIONAL_PARAMETER)
                }
            }
    }

    fn draw_body(&mut self, endpoint: EndpointId, flavour: Flavour) -> Option<BodyArgument> {
        let model = self.model;
        let target = &model.catalog[endpoint];
        let body = target.operation.body.as_ref()?;
        let share =
            if flavour == Flavour::Plain { shares::OPTIONAL_BODY_PLAIN } else { shares::OPTIONAL_BODY };
        let wanted = body.required || self.random.chance(share);
        if !wanted || body.content.is_empty() {
            return None;
        }
        let json = body.content.iter().position(|media| body_kind(&media.name) == BodyKind::Json);
        let media = match json {
            Some(json) if self.random.chance(shares::JSON_BODY) => json,
            _ => self.random.index(body.content.len()),
        };
        let shape = &target.bodies[media];
        let check = model.catalog.body_check(endpoint, media);
        let mut value = Value::Null;
        for _ in 0..DRAWS {
            value = self.generator(flavour).value(shape, "");
            if check.is_none_or(|check| check.is_valid(&value)) {
                break;
            }
        }
        if self.stats[endpoint].statuses.contains(&409) {
            self.vary_value(&mut value, shape, shares::NEW_TEXTS_AFTER_CONFLICT, 0);
        }
        if target.operation.id.method == Method::Post && flavour != Flavour::Edge {
            self.avoid_existing_ids(&target.operation.id.path, &mut value, |value| {
                check.is_none_or(|check| check.is_valid(value))
            });
        }
        Some(BodyArgument { media, value, raw: None })
    }

    /// Gives what a POST creates an id that is far from all that exist: where POST also updates, a small number is likely to be
    /// that of another thing, which the test would change and then delete as its own.
    fn avoid_existing_ids(&mut self, path: &str, value: &mut Value, is_valid: impl Fn(&Value) -> bool) {
        let Some(name) = own_id(path, value) else { return };
        let before = value[&name].clone();
        if before.as_u64().is_some_and(|id| id < LEAST_ABSENT_ID) {
            value[&name] = Value::from(self.random.between(LEAST_ABSENT_ID as i64, i64::from(i32::MAX)));
            if !is_valid(value) {
                value[&name] = before;
            }
        }
    }

    /// Gives some texts of a body that worked before new values, more of them where the API has complained of conflicts.
    pub(super) fn vary(&mut self, endpoint: EndpointId, arguments: &mut Arguments) {
        let model = self.model;
        let Some(body) = &mut arguments.body else { return };
        let conflicts = self.stats[endpoint].statuses.contains(&409);
        let share = if conflicts { shares::REPLACED_TEXTS_AFTER_CONFLICT } else { shares::REPLACED_TEXTS };
        if let Some(shape) = model.catalog[endpoint].bodies.get(body.media) {
            self.vary_value(&mut body.value, shape, share, 0);
        }
    }

    fn vary_value(&mut self, value: &mut Value, shape: &Shape, share: f64, depth: usize) {
        match (&shape.kind, value) {
            (Kind::Reference(name), value) if depth < 4 => {
                let shapes = &self.model.catalog.shapes;
                self.vary_value(value, &shapes.named(name), share, depth + 1);
            }
            (Kind::Object { properties, .. }, Value::Object(fields)) if depth < 4 => {
                for property in properties {
                    if let Some(field) = fields.get_mut(&property.name) {
                        self.vary_value(field, &property.shape, share, depth + 1);
                    }
                }
            }
            (Kind::String(_), value @ Value::String(_)) if self.random.chance(share) => {
                *value = self.generator(Flavour::Novel).value(shape, "");
            }
            _ => {}
        }
    }

    /// Breaks one promise of the document in otherwise good arguments; `None` when nothing can be broken for sure.
    pub(super) fn make_invalid(&mut self, endpoint: EndpointId, arguments: &mut Arguments) -> Option<Intent> {
        let model = self.model;
        let target = &model.catalog[endpoint];
        if let Some(body) = &mut arguments.body
            && body_kind(&target.operation.body.as_ref()?.content.get(body.media)?.name) == BodyKind::Json
            && self.random.chance(shares::INVALID_BODY)
        {
            let check = model.catalog.body_check(endpoint, body.media)?;
            let tried = self.tries(endpoint, None);
            let changes = violations(&body.value, &target.bodies[body.media], &model.catalog.shapes);
            let invalid = |spoilt: &Value| !check.is_valid(spoilt);
            let (spoilt, violation) = alter(&body.value, changes, &tried, &invalid, self.random)?;
            body.value = spoilt;
            return Some(Intent::Invalid { parameter: None, violation });
        }
        if self.random.chance(shares::OMITTED_PARAMETER)
            && let Some(intent) = self.omit(endpoint, arguments)
        {
            return Some(intent);
        }
        let choices: Vec<usize> =
            (0..target.parameters.len()).filter(|index| self.can_be_invalid(endpoint, *index)).collect();
        // Everything is text on the wire: only what no reading of the text makes valid counts.
        let invalid = |parameter: usize, spoilt: &Value| {
            let spec = &target.operation.parameters[parameter];
            let text = match spec.location {
                Location::Header => header(spec, spoilt),
                _ => scalar(spoilt),
            };
            let as_json = serde_json::from_str::<Value>(&text).unwrap_or(Value::Null);
            // An empty piece of a path makes it another path.
            let lost = spec.location == Location::Path && text.is_empty();
            let readings = [spoilt, &Value::String(text), &as_json];
            let check = model.catalog.parameter_check(endpoint, parameter);
            !lost && check.is_some_and(|check| readings.into_iter().all(|reading| !check.is_valid(reading)))
        };
        let (parameter, spoilt, violation) =
            self.alter_one(endpoint, arguments, &choices, violations, &invalid)?;
        arguments.parameters[parameter] = Some(spoilt);
        Some(Intent::Invalid { parameter: Some(parameter), violation })
    }

    /// Alters one of the parameters, the least tried way: which one, its new value, and what is different.
    fn alter_one(
        &mut self,
        endpoint: EndpointId,
        arguments: &Arguments,
        choices: &[usize],
        offer: fn(&Value, &Shape, &Shapes) -> Vec<Change>,
        wanted: &dyn Fn(usize, &Value) -> bool,
    ) -> Option<(usize, Value, Alteration)> {
        let model = self.model;
        let target = &model.catalog[endpoint];
        let mut best = None;
        for &parameter in choices {
            let (spec, shape) = (&target.operation.parameters[parameter], &target.parameters[parameter]);
            let value = arguments.parameters[parameter].clone().unwrap_or_else(|| {
                // What is written as JSON has places of its own, if it is not empty.
                let flavour = if spec.content_type.is_some() { Flavour::Full } else { Flavour::Plain };
                self.generator(flavour).value(shape, &spec.name)
            });
            let changes = offer(&value, shape, &model.catalog.shapes);
            let tried = promised_first(self.tries(endpoint, Some(parameter)));
            let fits = |altered: &Value| wanted(parameter, altered);
            let Some((altered, alteration)) = alter(&value, changes, &tried, &fits, self.random) else {
                continue;
            };
            let rank = (tried(&alteration), self.random.bits());
            if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                best = Some((rank, (parameter, altered, alteration)));
            }
        }
        best.map(|(_, chosen)| chosen)
    }

    /// Leaves a required parameter out; `None` when there is none, or none that stays out.
    fn omit(&mut self, endpoint: EndpointId, arguments: &mut Arguments) -> Option<Intent> {
        let model = self.model;
        let specs = &model.catalog[endpoint].operation.parameters;
        let stays_out = |spec: &Parameter| match spec.location {
            Location::Query => !model.credential_names.contains(&spec.name),
            Location::Header => {
                !is_reserved(spec) && !model.credential_names.contains(&spec.name.to_ascii_lowercase())
            }
            Location::Path | Location::Cookie => false,
        };
        // What has a default is there even when it is left out.
        let has_default = |spec: &Parameter| spec.schema.0.get("default").is_some();
        let choices: Vec<usize> = (0..specs.len())
            .filter(|index| {
                specs[*index].required && stays_out(&specs[*index]) && !has_default(&specs[*index])
            })
            .collect();
        let parameter = *self.random.pick(&choices)?;
        arguments.parameters[parameter] = None;
        let violation = Alteration { pointer: String::new(), what: "missing required parameter" };
        Some(Intent::Invalid { parameter: Some(parameter), violation })
    }

    /// Puts one value of otherwise good arguments at the edge of what the document allows; `None` when nothing has an edge.
    pub(super) fn make_edge(&mut self, endpoint: EndpointId, arguments: &mut Arguments) -> Option<Intent> {
        let model = self.model;
        let target = &model.catalog[endpoint];
        let specs = target.operation.parameters.iter().enumerate();
        let altered = specs.filter(|(_, spec)| spec.location != Location::Path && !is_reserved(spec));
        let choices: Vec<usize> = altered.map(|(index, _)| index).collect();
        // A body has many places, and is worth as much as all parameters together.
        if let Some(body) = &mut arguments.body
            && (choices.is_empty() || self.random.chance(shares::EDGE_BODY))
        {
            let check = model.catalog.body_check(endpoint, body.media);
            let valid = |sharpened: &Value| check.is_none_or(|check| check.is_valid(sharpened));
            let changes = edges(&body.value, &target.bodies[body.media], &model.catalog.shapes);
            let tried = promised_first(self.tries(endpoint, None));
            let (sharpened, edge) = alter(&body.value, changes, &tried, &valid, self.random)?;
            body.value = sharpened;
            return Some(Intent::Edge { parameter: None, edge });
        }
        let valid = |parameter: usize, sharpened: &Value| {
            let check = model.catalog.parameter_check(endpoint, parameter);
            check.is_none_or(|check| check.is_valid(sharpened))
        };
        let (parameter, sharpened, edge) = self.alter_one(endpoint, arguments, &choices, edges, &valid)?;
        arguments.parameters[parameter] = Some(sharpened);
        Some(Intent::Edge { parameter: Some(parameter), edge })
    }

    /// Counts how often values of a place were altered, as far as the choice of the next alteration goes.
    pub(super) fn tries(
        &self,
        endpoint: EndpointId,
        parameter: Option<usize>,
    ) -> impl Fn(&Alteration) -> u32 + use<'a> {
        let (model, fault_hints, stats) = (self.model, self.fault_hints, &self.stats[endpoint]);
        move |alteration| fault_hints.times_tried(model, endpoint, parameter, alteration, stats)
    }

    /// Parameters of which every written form is clearly valid or invalid.
    fn can_be_invalid(&self, endpoint: EndpointId, parameter: usize) -> bool {
        let target = &self.model.catalog[endpoint];
        let spec = &target.operation.parameters[parameter];
        let reserved = match spec.location {
            Location::Header => {
                let name = spec.name.to_ascii_lowercase();
                is_reserved(spec)
                    || IGNORED_HEADERS.contains(&name.as_str())
                    || self.model.credential_names.contains(&name)
            }
            Location::Cookie => true,
            Location::Path | Location::Query => false,
        };
        let checkable = match &target.parameters[parameter].kind {
            _ if spec.content_type.is_some() => true,
            Kind::Integer(_) | Kind::Number(_) | Kind::Boolean | Kind::Enumeration(_) => true,
            Kind::String(limits) => {
                limits.pattern.is_some() || limits.format.is_some() || limits.max.is_some() || limits.min > 1
            }
            _ => false,
        };
        checkable && !reserved
    }
}

/// Orders equally often tried alterations: those whose refusal means more come first.
fn promised_first(tried: impl Fn(&Alteration) -> u32) -> impl Fn(&Alteration) -> u32 {
    move |alteration| 2 * tried(alteration) + u32::from(!PROMISED.contains(&alteration.what))
}

/// Whether a header is the client's own business.
pub(super) fn is_reserved(spec: &Parameter) -> bool {
    spec.location == Location::Header && RESERVED_HEADERS.contains(&spec.name.to_ascii_lowercase().as_str())
}

/// Whether a header says who calls. Where no identity does so, the document's word for it is sent.
fn is_credential(spec: &Parameter) -> bool {
    spec.location == Location::Header && spec.name.eq_ignore_ascii_case("authorization")
}

/// Whether the document says nothing about a text.
fn is_any_text(shape: &Shape) -> bool {
    let free = match &shape.kind {
        Kind::String(limits) => limits.pattern.is_none() && limits.format.is_none() && limits.max.is_none(),
        kind => matches!(kind, Kind::Any),
    };
    free && shape.examples.is_empty()
}
