//! Sequences of calls to try on an endpoint.

use steady_model::Method;

use super::{Chain, Sampler, shares};
use crate::endpoint_id::EndpointId;
use crate::goals::wanted;
use crate::plan::{Intent, Plan};
use crate::request::{Arguments, Slot};
use crate::resources::shape_of;
use crate::values::{Alteration, Flavour, PROMISED};

/// How often each operation is called without a credential, and with a made-up one.
const UNAUTHENTICATED_CALLS: u32 = 2;

/// A plan for one endpoint.
pub(super) fn compose(sampler: &mut Sampler<'_>, target: EndpointId) -> Plan {
    let identity = identity(sampler);
    let known = sampler.stats[target].successes > 0;
    let method = sampler.model.catalog[target].operation.id.method;
    let draw = sampler.random.fraction();
    if known && draw < shares::scenario::INVALID {
        invalid(sampler, target, identity)
    } else if draw < shares::scenario::MALFORMED {
        malformed(sampler, target, identity)
    } else if known && draw < shares::scenario::EDGE {
        edge(sampler, target, identity)
    } else if known && draw < shares::scenario::ODD {
        odd(sampler, target, identity)
    } else if known && draw < shares::scenario::UNAUTHENTICATED {
        unauthenticated(sampler, target, identity)
    } else if known && draw < shares::scenario::COVER {
        cover(sampler, target, identity)
    } else if method == Method::Delete && draw < shares::scenario::DELETE {
        delete(sampler, target, identity)
    } else if method == Method::Put && known && draw < shares::scenario::PUT_TWICE {
        put_twice(sampler, target, identity)
    } else {
        explore(sampler, target, identity)
    }
}

/// Mostly an identity, now and then none: refusals are behaviour too.
fn identity(sampler: &mut Sampler<'_>) -> Option<usize> {
    let count = sampler.model.identities.len();
    if count == 0 || sampler.random.chance(shares::ANONYMOUS) {
        None
    } else {
        Some(sampler.random.index(count))
    }
}

/// The endpoint once, with what it needs; sometimes without, to see it refuse; then what it created is put away.
fn explore(sampler: &mut Sampler<'_>, target: EndpointId, identity: Option<usize>) -> Plan {
    let prepares = sampler.random.chance(shares::PREPARED);
    let flavour = sampler.flavour();
    let twist = if prepares && sampler.random.chance(shares::OTHER_OPERATION_FIRST) {
        other_on_same_thing(sampler, target)
    } else {
        None
    };
    let mut chain = Chain::new(sampler, identity, prepares);
    if let Some(other) = twist {
        chain.call(other, Flavour::Plain, Intent::Explore);
    }
    let call = chain.call(target, flavour, Intent::Explore);
    tidy(&mut chain, call);
    chain.finish()
}

/// Another operation that changes what the target looks at: the payment of an order, before the order is read.
fn other_on_same_thing(sampler: &mut Sampler<'_>, target: EndpointId) -> Option<EndpointId> {
    let catalog = &sampler.model.catalog;
    let path = shape_of(&catalog[target].operation.id.path);
    let thing = path.rfind("{}").map(|end| &path[..end + 2])?;
    let others: Vec<EndpointId> = sampler
        .model
        .open_endpoints()
        .filter(|other| {
            let id = &catalog[*other].operation.id;
            *other != target && !id.method.is_safe() && shape_of(&id.path).starts_with(thing)
        })
        .collect();
    sampler.random.pick(&others).copied()
}

/// A value that was never tried with success, in a call that otherwise worked.
fn cover(sampler: &mut Sampler<'_>, target: EndpointId, identity: Option<usize>) -> Plan {
    let model = sampler.model;
    let endpoint = &model.catalog[target];
    let missing: Vec<_> =
        wanted(target, endpoint).into_iter().filter(|(goal, ..)| !sampler.archive.has(goal)).collect();
    let recalled = sampler.stats[target].recall(sampler.random);
    let (Some((_, parameter, value)), Some(call)) = (sampler.random.pick(&missing).cloned(), recalled) else {
        return explore(sampler, target, identity);
    };
    let mut arguments = call.arguments.clone();
    sampler.vary(target, &mut arguments);
    let shape = &endpoint.parameters[parameter];
    let drawn = value.unwrap_or_else(|| {
        sampler.generator(Flavour::Plain).value(shape, &endpoint.operation.parameters[parameter].name)
    });
    arguments.parameters[parameter] = Some(drawn);
    let forced: Vec<Slot> = call.bindings.iter().map(|binding| binding.slot.clone()).collect();
    let mut chain = Chain::new(sampler, identity, true);
    chain.call_with(target, arguments, &forced, Intent::Explore);
    chain.finish()
}

/// A call that worked, with one promise of the document broken.
fn invalid(sampler: &mut Sampler<'_>, target: EndpointId, identity: Option<usize>) -> Plan {
    altered(sampler, target, identity, Sampler::make_invalid)
}

/// A call that worked, with one value at the edge of what the document allows.
fn edge(sampler: &mut Sampler<'_>, target: EndpointId, identity: Option<usize>) -> Plan {
    altered(sampler, target, identity, Sampler::make_edge)
}

/// A call that worked, with something odd in one place.
fn odd(sampler: &mut Sampler<'_>, target: EndpointId, identity: Option<usize>) -> Plan {
    altered(sampler, target, identity, Sampler::make_odd)
}

/// A call that worked, without a credential or with one that the API cannot know: a few times only, lest the API lock the run out.
fn unauthenticated(sampler: &mut Sampler<'_>, target: EndpointId, identity: Option<usize>) -> Plan {
    let Some(protection) = &sampler.model.catalog[target].protection else {
        return explore(sampler, target, identity);
    };
    let none = ("no credential", Vec::new());
    let forger = protection.forged.iter().map(|header| ("a made-up credential", vec![header.clone()]));
    let tried = sampler.tries(target, None);
    let credential = |what: &'static str| Alteration { pointer: String::new(), what };
    let untried = std::iter::once(none)
        .chain(forger)
        .find(|(what, _)| tried(&credential(what)) <= UNAUTHENTICATED_CALLS);
    let (Some((what, headers)), Some(call)) = (untried, sampler.stats[target].recall(sampler.random)) else {
        return explore(sampler, target, identity);
    };
    let mut arguments = call.arguments.clone();
    sampler.vary(target, &mut arguments);
    arguments.headers.extend(headers);
    let forced: Vec<Slot> = call.bindings.iter().map(|binding| binding.slot.clone()).collect();
    let mut chain = Chain::new(sampler, identity, true);
    let index =
        chain.call_with(target, arguments, &forced, Intent::Unauthenticated { credential: credential(what) });
    let mut plan = chain.finish();
    plan.calls[index].identity = None;
    plan
}

fn altered<'a>(
    sampler: &mut Sampler<'a>,
    target: EndpointId,
    identity: Option<usize>,
    alter: fn(&mut Sampler<'a>, EndpointId, &mut Arguments) -> Option<Intent>,
) -> Plan {
    let method = sampler.model.catalog[target].operation.id.method;
    let Some(call) = sampler.stats[target].recall(sampler.random) else {
        return explore(sampler, target, identity);
    };
    let mut common = call.arguments.clone();
    sampler.vary(target, &mut common);
    let mut arguments = common.clone();
    let Some(intent) = alter(sampler, target, &mut arguments) else {
        return explore(sampler, target, identity);
    };
    let changed = intent.altered().map(|(parameter, alteration)| match parameter {
        Some(parameter) => Slot::Parameter(parameter),
        None => Slot::Body(alteration.pointer.clone()),
    });
    let below = |slot: &Slot| match (&changed, slot) {
        (Some(Slot::Body(pointer)), Slot::Body(bound)) => bound.starts_with(pointer.as_str()),
        (Some(changed), slot) => changed == slot,
        (None, _) => false,
    };
    let forced: Vec<Slot> = call.bindings.iter().map(|binding| binding.slot.clone()).collect();
    // Whatever stands in place of a reference refers to nothing, and may be refused for that.
    let promised = matches!(&intent, Intent::Edge { edge, .. } if PROMISED.contains(&edge.what))
        && !forced.iter().any(below);
    let filler = filler(sampler, target, &intent);
    let mut chain = Chain::new(sampler, identity, true);
    if let Some(filler) = filler {
        chain.call(filler, Flavour::Plain, Intent::Prepare);
    }
    let index = chain.call_with(target, arguments, &forced, intent);
    if promised {
        let control = chain.repeat_with(index, common, Intent::Control);
        if !method.is_safe() {
            chain.repeat(control, Intent::Control);
        }
    }
    let mut plan = chain.finish();
    // What was changed must reach the API, not be replaced by a good value.
    plan.calls[index].bindings.retain(|binding| !below(&binding.slot));
    plan
}

/// What puts something into the list that an odd query looks into: where nothing is, nothing is compared.
fn filler(sampler: &Sampler<'_>, target: EndpointId, intent: &Intent) -> Option<EndpointId> {
    let model = sampler.model;
    let operation = &model.catalog[target].operation;
    let Intent::Odd { parameter: Some(parameter), .. } = intent else { return None };
    operation.parameters[*parameter].content_type.as_ref()?;
    let path = operation.id.path.as_str();
    // `/todos/count` looks into `/todos`.
    let above = path.rsplit_once('/').map(|(above, _)| above);
    let creator =
        [Some(path), above].into_iter().flatten().find_map(|list| model.catalog.on(Method::Post, list))?;
    let works = sampler.stats[creator].successes > 0 && model.guard.closed(creator).is_none();
    (works && creator != target).then_some(creator)
}

/// A call whose body is none at all.
fn malformed(sampler: &mut Sampler<'_>, target: EndpointId, identity: Option<usize>) -> Plan {
    let mut arguments = sampler.draw(target, Flavour::Plain);
    let Some(intent) = sampler.make_malformed(target, &mut arguments) else {
        return explore(sampler, target, identity);
    };
    let mut chain = Chain::new(sampler, identity, true);
    let index = chain.call_with(target, arguments, &[], intent);
    let mut plan = chain.finish();
    plan.calls[index].bindings.retain(|binding| matches!(binding.slot, Slot::Parameter(_)));
    plan
}

/// Create, delete, look again.
fn delete(sampler: &mut Sampler<'_>, target: EndpointId, identity: Option<usize>) -> Plan {
    let model = sampler.model;
    let path = &model.catalog[target].operation.id.path;
    let reader = model.catalog.on(Method::Get, path).filter(|reader| model.guard.closed(*reader).is_none());
    let mut chain = Chain::new(sampler, identity, true);
    let deletion = chain.call(target, Flavour::Plain, Intent::Explore);
    if let Some(reader) = reader {
        chain.revisit(deletion, reader, Intent::AfterDelete);
    }
    chain.finish()
}

/// Put, look twice, put the same again, look: what moved between the two looks is not the second PUT's doing.
fn put_twice(sampler: &mut Sampler<'_>, target: EndpointId, identity: Option<usize>) -> Plan {
    let model = sampler.model;
    let path = &model.catalog[target].operation.id.path;
    let reader = model.catalog.on(Method::Get, path).filter(|reader| model.guard.closed(*reader).is_none());
    let mut chain = Chain::new(sampler, identity, true);
    let put = chain.call(target, Flavour::Mixed, Intent::Explore);
    let Some(reader) = reader else {
        chain.repeat(put, Intent::Repeat);
        return chain.finish();
    };
    let look = chain.revisit(put, reader, Intent::Explore);
    chain.repeat(look, Intent::Explore);
    chain.repeat(put, Intent::Repeat);
    chain.repeat(look, Intent::Explore);
    chain.finish()
}

/// Deletes what the plan's last call created or looked at, some of the time, which keeps the API from filling up.
fn tidy(chain: &mut Chain<'_, '_>, call: usize) {
    let sampler = chain.sampler();
    let model = sampler.model;
    if call == 0 || !sampler.random.chance(shares::DELETED_AFTERWARDS) {
        return;
    }
    let planned = chain.endpoint_of(call);
    let path = &model.catalog[planned].operation.id.path;
    let deleter = model
        .resources
        .deleter(path)
        .filter(|deleter| *deleter != planned && model.guard.closed(*deleter).is_none());
    if let Some(deleter) = deleter {
        chain.revisit(call, deleter, Intent::Explore);
    }
}
