//! Puts in front of a call the calls that bring forth what it needs.

use indexmap::IndexMap;
use serde_json::Value;
use steady_model::{Fresh, Method, Take};
use steady_openapi::Location;

use super::{Sampler, shares};
use crate::endpoint_id::EndpointId;
use crate::names::Name;
use crate::plan::{Binding, Intent, Plan, PlannedCall, Supply};
use crate::request::{Arguments, Slot};
use crate::resources::{How, Producer, collection_noun, own_id, shape_of};
use crate::values::escape;
use crate::values::{Flavour, Kind, Shape};

/// How many calls may stand before the one that is wanted.
const MAX_CALLS: usize = 7;
/// How deep needs may nest.
const MAX_DEPTH: usize = 4;

/// A plan in the making.
#[derive(Debug)]
pub struct Chain<'a, 'b> {
    sampler: &'a mut Sampler<'b>,
    plan: Plan,
    /// Members of collections already at hand, by the collection's path shape.
    at_hand: IndexMap<String, Supply>,
    identity: Option<usize>,
    /// Whether needs are met; a wanderer tries its luck with drawn values.
    prepares: bool,
}

impl<'a, 'b> Chain<'a, 'b> {
    /// An empty plan whose calls are made as one identity.
    pub fn new(sampler: &'a mut Sampler<'b>, identity: Option<usize>, prepares: bool) -> Self {
        Self { sampler, plan: Plan::default(), at_hand: IndexMap::new(), identity, prepares }
    }

    /// The plan.
    pub fn finish(self) -> Plan {
        self.plan
    }

    /// The sampler that decides for the chain.
    pub fn sampler(&mut self) -> &mut Sampler<'b> {
        self.sampler
    }

    /// The endpoint of a planned call.
    pub fn endpoint_of(&self, call: usize) -> EndpointId {
        self.plan.calls[call].endpoint
    }

    /// Adds a call with drawn or remembered values, after whatever it needs; says which call it became.
    pub fn call(&mut self, endpoint: EndpointId, flavour: Flavour, intent: Intent) -> usize {
        let remembered = match (&intent, flavour) {
            (Intent::Prepare, _) => shares::REUSE_TO_PREPARE,
            (_, Flavour::Edge | Flavour::Full) => shares::REUSE_FOR_RARE_VALUES,
            _ => shares::REUSE,
        };
        let recalled = if self.sampler.random.chance(remembered) {
            self.sampler.stats[endpoint].recall(self.sampler.random)
        } else {
            None
        };
        match recalled {
            Some(call) => {
                let forced: Vec<Slot> = call.bindings.iter().map(|binding| binding.slot.clone()).collect();
                let mut arguments = call.arguments.clone();
                self.sampler.vary(endpoint, &mut arguments);
                self.add(endpoint, arguments, &forced, intent, 0)
            }
            None => {
                let arguments = self.sampler.draw(endpoint, flavour);
                self.add(endpoint, arguments, &[], intent, 0)
            }
        }
    }

    /// Adds a call with these values, after whatever it needs.
    pub fn call_with(
        &mut self,
        endpoint: EndpointId,
        arguments: Arguments,
        forced: &[Slot],
        intent: Intent,
    ) -> usize {
        self.add(endpoint, arguments, forced, intent, 0)
    }

    /// Adds a call that repeats an earlier one's path: the same thing, looked at again.
    pub fn revisit(&mut self, earlier: usize, endpoint: EndpointId, intent: Intent) -> usize {
        let arguments = self.sampler.draw(endpoint, Flavour::Plain);
        let before = self.plan.calls[earlier].clone();
        let mut call = PlannedCall {
            endpoint,
            identity: self.identity,
            arguments,
            bindings: Vec::new(),
            intent,
            borrowed: before.borrowed,
        };
        let model = self.sampler.model;
        let sources: Vec<usize> = model.catalog[before.endpoint].path_parameters().collect();
        let targets: Vec<usize> = model.catalog[endpoint].path_parameters().collect();
        for (source, target) in sources.into_iter().zip(targets) {
            call.arguments.parameters[target] = before.arguments.parameters.get(source).cloned().flatten();
            let bound = before.bindings.iter().find(|binding| binding.slot == Slot::Parameter(source));
            call.bindings.extend(
                bound.map(|bound| Binding { slot: Slot::Parameter(target), supply: bound.supply.clone() }),
            );
        }
        self.plan.calls.push(call);
        self.plan.calls.len() - 1
    }

    /// Adds an earlier call once more, to the letter.
    pub fn repeat(&mut self, earlier: usize, intent: Intent) -> usize {
        let mut call = self.plan.calls[earlier].clone();
        call.intent = intent;
        self.plan.calls.push(call);
        self.plan.calls.len() - 1
    }

    /// Adds an earlier call once more, with other values where no variable stands.
    pub fn repeat_with(&mut self, earlier: usize, arguments: Arguments, intent: Intent) -> usize {
        let again = self.repeat(earlier, intent);
        self.plan.calls[again].arguments = arguments;
        again
    }

    fn add(
        &mut self,
        endpoint: EndpointId,
        arguments: Arguments,
        forced: &[Slot],
        intent: Intent,
        depth: usize,
    ) -> usize {
        let mut bindings = self.bind_parameters(endpoint, &arguments, forced, depth);
        bindings.extend(self.bind_body(endpoint, &arguments, forced, depth));
        let borrowed = self.borrowed(endpoint, &bindings);
        self.plan.calls.push(PlannedCall {
            endpoint,
            identity: self.identity,
            arguments,
            bindings,
            intent,
            borrowed,
        });
        self.plan.calls.len() - 1
    }

    /// Whether a PUT should try an id of its own choice: often where that was seen to create, rarely where it never did.
    fn tries_own_id(&mut self, endpoint: EndpointId) -> bool {
        let stats = &self.sampler.stats[endpoint];
        let share = match (stats.statuses.contains(&201), stats.attempts) {
            (true, _) => shares::OWN_ID_WHERE_IT_CREATES,
            (false, 0..=shares::OWN_ID_ATTEMPTS) => shares::OWN_ID_AT_FIRST,
            (false, _) => shares::OWN_ID_IN_VAIN,
        };
        self.sampler.random.chance(share)
    }

    /// How many path parameters of a call are filled with made-up values.
    fn borrowed(&self, endpoint: EndpointId, bindings: &[Binding]) -> usize {
        let target = &self.sampler.model.catalog[endpoint];
        let is_own = |parameter: usize| {
            let bound = bindings.iter().find(|binding| binding.slot == Slot::Parameter(parameter));
            bound.is_some_and(|bound| self.is_own(&bound.supply))
        };
        target.path_parameters().filter(|parameter| !is_own(*parameter)).count()
    }

    /// Whether a value comes from something the plan creates; what a list holds belongs to others.
    fn is_own(&self, supply: &Supply) -> bool {
        match supply {
            Supply::Literal(_) => false,
            Supply::Fresh(_) => true,
            Supply::Find { call, .. } | Supply::At { call, .. } => {
                let source = self.plan.calls[*call].endpoint;
                !self.sampler.model.catalog[source].operation.id.method.is_safe()
            }
        }
    }

    fn bind_parameters(
        &mut self,
        endpoint: EndpointId,
        arguments: &Arguments,
        forced: &[Slot],
        depth: usize,
    ) -> Vec<Binding> {
        let model = self.sampler.model;
        let target = &model.catalog[endpoint];
        let mut bindings = Vec::new();
        let path: Vec<usize> = target.path_parameters().collect();
        for (position, parameter) in path.iter().copied().enumerate() {
            let spec = &target.operation.parameters[parameter];
            let placeholder = format!("{{{}}}", spec.name);
            let end = target.operation.id.path.find(&placeholder).unwrap_or(0);
            let collection = shape_of(&target.operation.id.path[..end]);
            let slot = Slot::Parameter(parameter);
            if let Some(supply) = self.at_hand.get(&collection) {
                bindings.push(Binding { slot, supply: supply.clone() });
                continue;
            }
            let chooses_itself = target.operation.id.method == Method::Put && position + 1 == path.len();
            let supply = if chooses_itself && (!self.prepares || self.tries_own_id(endpoint)) {
                self.choose(&target.parameters[parameter], &spec.name)
            } else {
                self.obtain(model.resources.producers(endpoint, parameter), &spec.name, depth)
            };
            let own_only = model.guard.own_things_only(endpoint, target.operation.id.method);
            let supply = supply.or_else(|| own_only.then(|| Supply::Literal(Value::from("no-such-account"))));
            if let Some(supply) = supply {
                self.at_hand.insert(collection, supply.clone());
                bindings.push(Binding { slot, supply });
            }
        }
        for (parameter, spec) in target.operation.parameters.iter().enumerate() {
            let given = arguments.parameters.get(parameter).is_some_and(Option::is_some);
            let slot = Slot::Parameter(parameter);
            let wanted = forced.contains(&slot) || self.sampler.random.chance(shares::BIND_QUERY);
            if spec.location == Location::Query && given && wanted {
                let supply = self.obtain(model.resources.producers(endpoint, parameter), &spec.name, depth);
                bindings.extend(supply.map(|supply| Binding { slot, supply }));
            }
        }
        bindings
    }

    /// Binds the body's references, such as `productId`, to things that exist.
    fn bind_body(
        &mut self,
        endpoint: EndpointId,
        arguments: &Arguments,
        forced: &[Slot],
        depth: usize,
    ) -> Vec<Binding> {
        let Some(body) = &arguments.body else { return Vec::new() };
        let mut references = references(&body.value);
        let model = self.sampler.model;
        let id = &model.catalog[endpoint].operation.id;
        if id.method == Method::Post
            && let Some(own) = own_id(&id.path, &body.value)
        {
            // With the id of a thing that exists, a POST may change that thing instead of creating one.
            references.retain(|(pointer, _)| *pointer != format!("/{}", escape(&own)));
        }
        let mut bindings = Vec::new();
        for (pointer, name) in references {
            let slot = Slot::Body(pointer);
            if !forced.contains(&slot) && !self.sampler.random.chance(shares::BIND_REFERENCE) {
                continue;
            }
            let producers: Vec<Producer> = model
                .resources
                .referenced(&Name::new(&name))
                .iter()
                .filter(|one| one.endpoint != endpoint)
                .cloned()
                .collect();
            let supply = self.obtain(&producers, &name, depth);
            bindings.extend(supply.map(|supply| Binding { slot, supply }));
        }
        bindings
    }

    /// A member of a collection from one of its producers, called now.
    fn obtain(&mut self, producers: &[Producer], name: &str, depth: usize) -> Option<Supply> {
        if !self.prepares || depth >= MAX_DEPTH || self.plan.calls.len() >= MAX_CALLS {
            return None;
        }
        let producer = self.choose_producer(producers)?.clone();
        let model = self.sampler.model;
        let id = &model.catalog[producer.endpoint].operation.id;
        let noun = collection_noun(&id.path);
        let recalled = if self.sampler.random.chance(shares::REUSE_TO_PREPARE) {
            self.sampler.stats[producer.endpoint].recall(self.sampler.random)
        } else {
            None
        };
        let (arguments, forced) = match recalled {
            Some(call) => {
                let mut arguments = call.arguments.clone();
                self.sampler.vary(producer.endpoint, &mut arguments);
                (arguments, call.bindings.iter().map(|binding| binding.slot.clone()).collect())
            }
            None => {
                let flavours = [Flavour::Plain, Flavour::Full, Flavour::Mixed];
                let flavour = *self.sampler.random.pick(&flavours).unwrap_or(&Flavour::Plain);
                (self.sampler.draw(producer.endpoint, flavour), Vec::new())
            }
        };
        let call = self.add(producer.endpoint, arguments, &forced, Intent::Prepare, depth + 1);
        let name = Name::new(name);
        match producer.how {
            How::Creates | How::Lists => Some(Supply::Find { call, name, noun }),
            How::Links(place) => Some(Supply::At { call, place, take: Take::Whole, name }),
            How::Chooses(parameter) => {
                let planned = &self.plan.calls[call];
                let bound =
                    planned.bindings.iter().find(|binding| binding.slot == Slot::Parameter(parameter));
                bound.map(|bound| bound.supply.clone()).or_else(|| {
                    planned.arguments.parameters.get(parameter).cloned().flatten().map(Supply::Literal)
                })
            }
        }
    }

    /// Mostly the best producer that ever worked; sometimes another, for variety.
    fn choose_producer<'p>(&mut self, producers: &'p [Producer]) -> Option<&'p Producer> {
        let model = self.sampler.model;
        let usable: Vec<&Producer> =
            producers.iter().filter(|producer| model.guard.closed(producer.endpoint).is_none()).collect();
        if usable.is_empty() {
            return None;
        }
        if self.sampler.random.chance(shares::OTHER_PRODUCER) {
            return self.sampler.random.pick(&usable).copied();
        }
        let hopeless = |producer: &&&Producer| {
            let stats = &self.sampler.stats[producer.endpoint];
            stats.successes == 0 && stats.attempts > shares::PRODUCER_ATTEMPTS
        };
        usable.iter().find(|producer| !hopeless(producer)).or(usable.first()).copied()
    }

    /// An id the client chooses: new in every run where any text will do.
    fn choose(&mut self, shape: &Shape, name: &str) -> Option<Supply> {
        let free_text = match &shape.kind {
            Kind::String(limits) if limits.format.is_none() => {
                let samples = ["s1a2b3c4d", "sz9y8x7w6"];
                let fits = limits
                    .pattern
                    .as_ref()
                    .is_none_or(|pattern| samples.iter().all(|sample| pattern.matches(sample)));
                fits && limits.max.is_none_or(|max| max >= 9) && limits.min <= 9
            }
            _ => false,
        };
        if !free_text || !self.prepares {
            return Some(Supply::Literal(self.sampler.generator(Flavour::Plain).value(shape, name)));
        }
        let stem = Name::new(name).snake();
        let stem = if stem.is_empty() { "value".to_owned() } else { stem };
        let taken = self.plan.fresh.iter().filter(|fresh| fresh.name.starts_with(&stem)).count();
        let name = if taken == 0 { stem } else { format!("{stem}_{}", taken + 1) };
        self.plan.fresh.push(Fresh { name, prefix: "s".to_owned(), length: 8, suffix: String::new() });
        Some(Supply::Fresh(self.plan.fresh.len() - 1))
    }
}

/// Pointers and names of the values in a body that refer to other things, such as `productId`.
pub fn references(body: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect_references(body, "", 0, &mut found);
    found
}

fn collect_references(value: &Value, pointer: &str, depth: usize, found: &mut Vec<(String, String)>) {
    if depth > 4 || found.len() >= 6 {
        return;
    }
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let place = format!("{pointer}/{}", escape(name));
                let scalar = inner.is_string() || inner.is_number();
                if scalar && Name::new(name).referent().is_some() {
                    found.push((place, name.clone()));
                } else {
                    collect_references(inner, &place, depth + 1, found);
                }
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().take(3).enumerate() {
                collect_references(inner, &format!("{pointer}/{index}"), depth + 1, found);
            }
        }
        _ => {}
    }
}
