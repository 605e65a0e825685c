//! The search: hands out plans, takes in what became of them, and remembers what matters.

use std::collections::VecDeque;
use std::rc::Rc;

use indexmap::IndexMap;
use steady_model::{Document, Event, Fault, FaultCode, Identity, Method, Response};
use xxhash_rust::xxh3::Xxh3;

use crate::archive::{self, Archive};
use crate::curl;
use crate::dictionary::Dictionary;
use crate::execution::Execution;
use crate::faults::{self, Scene, Sighting};
use crate::goals::{self, Goal};
use crate::memory::Track;
use crate::plan::{Intent, Plan};
use crate::random::Random;
use crate::sample::{Chain, Sampler};
use crate::skeleton::{Skeletons, skeleton};
use crate::telling::Telling;
use crate::terrain::Terrain;
use crate::values::Flavour;

/// Distinct answers whose verdict is remembered before the memory starts over.
const MAX_VERDICTS: usize = 100_000;
/// Refusals in a row, after successes, that mean the run has lost its access.
const LOCKED_OUT: u32 = 30;

/// The share of plans that try a method the document does not describe.
const PROBES: f64 = 0.01;

/// A search over one API.
#[derive(Debug)]
pub struct Engine {
    /// The API.
    pub terrain: Rc<Terrain>,
    /// The tests worth keeping.
    pub archive: Archive,
    /// The faults, by what tells them apart.
    pub faults: IndexMap<FaultKey, Fault>,
    /// Calls answered so far.
    pub requests: u64,
    base_url: String,
    identities: Vec<Identity>,
    dictionary: Dictionary,
    tracks: Vec<Track>,
    telling: Telling,
    verdicts: IndexMap<u64, Vec<FaultKey>>,
    skeletons: Skeletons,
    tour: VecDeque<(usize, Flavour)>,
    refusals: u32,
    admitted: bool,
}

/// What tells one fault from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FaultKey {
    /// The endpoint at fault.
    pub endpoint: usize,
    /// What kind of fault.
    pub code: FaultCode,
    /// What tells it from others of the kind.
    pub key: u64,
}

impl FaultKey {
    /// The goal of showing this fault.
    pub fn goal(self) -> Goal {
        Goal::Fault { endpoint: self.endpoint, code: self.code, key: self.key }
    }
}

impl Engine {
    /// A search that has seen nothing yet.
    pub fn new(terrain: Terrain, base_url: String, identities: Vec<Identity>) -> Self {
        let tracks = terrain.catalog.endpoints.iter().map(|_| Track::default()).collect();
        let tour = tour(&terrain);
        Self {
            terrain: Rc::new(terrain),
            archive: Archive::default(),
            faults: IndexMap::new(),
            requests: 0,
            base_url,
            identities,
            dictionary: Dictionary::default(),
            tracks,
            telling: Telling::default(),
            verdicts: IndexMap::new(),
            skeletons: Skeletons::default(),
            tour,
            refusals: 0,
            admitted: false,
        }
    }

    /// The next plan to try: first once around, then where it looks promising. `None` when nothing may be called.
    pub fn plan(&mut self, random: &mut Random) -> Option<Plan> {
        let stop = self.tour.pop_front();
        let mut sampler = self.sampler(random);
        let Some((endpoint, flavour)) = stop else {
            let probe = if sampler.random.chance(PROBES) { sampler.probe() } else { None };
            return probe.or_else(|| sampler.plan());
        };
        let identity = (!self.terrain.identities.is_empty()).then_some(0);
        let mut chain = Chain::new(&mut sampler, identity, true);
        chain.call(endpoint, flavour, Intent::Explore);
        Some(chain.finish())
    }

    fn sampler<'a>(&'a self, random: &'a mut Random) -> Sampler<'a> {
        Sampler {
            terrain: &self.terrain,
            archive: &self.archive,
            dictionary: &self.dictionary,
            tracks: &self.tracks,
            telling: &self.telling,
            random,
        }
    }

    /// A plan that creates something, for the sake of the state it leaves behind; `None` when nothing ever was created.
    pub fn creation(&self, random: &mut Random) -> Option<Plan> {
        let creates = |endpoint: &usize| {
            let method = self.terrain.catalog.endpoints[*endpoint].operation.id.method;
            method == Method::Post && self.tracks[*endpoint].successes > 0
        };
        let creators: Vec<usize> = self.terrain.open_endpoints().filter(creates).collect();
        let creator = *random.pick(&creators)?;
        let mut sampler = self.sampler(random);
        let identity = (!self.terrain.identities.is_empty()).then_some(0);
        let mut chain = Chain::new(&mut sampler, identity, true);
        chain.call(creator, Flavour::Novel, Intent::Prepare);
        Some(chain.finish())
    }

    /// The plan with new values for the calls that prepare the ground; `None` when none of them has a body.
    pub fn reroll(&self, plan: &Plan, random: &mut Random) -> Option<Plan> {
        let mut sampler = self.sampler(random);
        sampler.reroll(plan)
    }

    /// Learns from what became of a plan; says what is new.
    pub fn absorb(&mut self, execution: &Execution, random: &mut Random) -> Vec<Event> {
        let mut events = Vec::new();
        for index in 0..execution.calls.len() {
            self.absorb_call(execution, index, random, &mut events);
        }
        events
    }

    fn absorb_call(
        &mut self,
        execution: &Execution,
        index: usize,
        random: &mut Random,
        events: &mut Vec<Event>,
    ) {
        self.requests += 1;
        let planned = &execution.plan.calls[index];
        let executed = &execution.calls[index];
        let endpoint = planned.endpoint;
        self.tracks[endpoint].attempts += 1;
        self.tracks[endpoint].stale += 1;
        if let Some((parameter, alteration)) = planned.intent.altered() {
            self.tracks[endpoint].altered(parameter, alteration);
        }
        let track = &self.tracks[endpoint];
        let scene = Scene { terrain: &self.terrain, execution, index, track };
        if let Some(status) = executed.status()
            && track.successes == 0
            && scene.is_well_meant()
        {
            self.tracks[endpoint].received(status);
        }
        let seen = self.judge(execution, index, events);
        self.tell(execution, index, &seen);
        let Ok(response) = &executed.outcome else { return };
        self.watch_access(planned.identity.is_some(), response.status);
        let described = endpoint < self.terrain.catalog.described;
        if self.tracks[endpoint].statuses.insert(response.status) && described {
            let operation = executed.call.operation.clone();
            events.push(Event::StatusReached { operation, status: response.status });
        }
        if executed.succeeded() && planned.intent.is_proper() {
            self.tracks[endpoint].succeeded(planned, random);
        }
        let target = &self.terrain.catalog.endpoints[endpoint];
        let fingerprint = goals::fingerprint(endpoint, target, &planned.arguments, response);
        let familiar = self.archive.is_familiar(fingerprint, archive::cost(execution, index));
        if familiar && seen.iter().all(|fault| self.archive.has(&fault.goal())) {
            return;
        }
        let mut reached: Vec<Goal> = if described {
            goals::reached(endpoint, target, &planned.arguments, response)
        } else {
            Vec::new()
        };
        reached.extend(seen.iter().map(|fault| fault.goal()));
        if !self.archive.offer(reached, execution, index).is_empty() {
            self.tracks[endpoint].stale = 0;
        }
    }

    /// Remembers what was different about a call that shows a fault, to try it elsewhere.
    fn tell(&mut self, execution: &Execution, index: usize, seen: &[FaultKey]) {
        let failed = execution.calls[index].status().is_some_and(|status| status >= 500);
        let misjudged = |fault: &FaultKey| {
            matches!(fault.code, FaultCode::InvalidInputAccepted | FaultCode::ValidInputRejected)
        };
        if !failed && !seen.iter().any(misjudged) {
            return;
        }
        // Control calls speak of the call before them.
        let planned = &execution.plan.calls[index.saturating_sub(execution.plan.controls(index))];
        if let Some((parameter, alteration)) = planned.intent.altered() {
            self.telling.remember(&self.terrain, planned.endpoint, parameter, alteration);
        }
    }

    /// The faults a call shows; new ones are recorded.
    fn judge(&mut self, execution: &Execution, index: usize, events: &mut Vec<Event>) -> Vec<FaultKey> {
        let endpoint = execution.plan.calls[index].endpoint;
        let mut seen = Vec::new();
        let mut sightings: Vec<Sighting> = Vec::new();
        let scene = Scene { terrain: &self.terrain, execution, index, track: &self.tracks[endpoint] };
        let of_story = faults::of_story(&scene);
        if let Ok(response) = &execution.calls[index].outcome {
            let digest = digest(endpoint, response);
            let skeleton = || skeleton(endpoint, response);
            if let Some(known) = self.verdicts.get(&digest) {
                seen.extend_from_slice(known);
            } else if !self.skeletons.is_trusted(skeleton()) {
                let found = faults::of_response(&scene);
                self.skeletons.note(skeleton(), found.is_empty());
                if self.verdicts.len() >= MAX_VERDICTS {
                    self.verdicts.clear();
                }
                let keys =
                    found.iter().map(|one| FaultKey { endpoint, code: one.code, key: one.key }).collect();
                self.verdicts.insert(digest, keys);
                sightings.extend(found);
                let learns = self.tracks[endpoint].learns();
                if let (true, Document::Json(value)) = (learns, execution.calls[index].document()) {
                    self.dictionary.learn(value);
                }
            }
        }
        sightings.extend(of_story);
        for key in &seen {
            if let Some(fault) = self.faults.get_mut(key) {
                fault.seen += 1;
            }
        }
        for sighting in sightings {
            let key = FaultKey { endpoint, code: sighting.code, key: sighting.key };
            seen.push(key);
            if let Some(fault) = self.faults.get_mut(&key) {
                fault.seen += 1;
                continue;
            }
            let fault = self.report(execution, index, sighting);
            events.push(Event::FaultFound { fault: Box::new(fault.clone()) });
            self.faults.insert(key, fault);
        }
        seen
    }

    fn report(&self, execution: &Execution, index: usize, sighting: Sighting) -> Fault {
        let guilty = index.saturating_sub(sighting.calls_ago);
        let lines: Vec<String> = (guilty..=index)
            .map(|call| {
                let executed = &execution.calls[call];
                let identity =
                    execution.plan.calls[call].identity.and_then(|identity| self.identities.get(identity));
                curl::line(&self.base_url, &executed.call, &executed.request, identity)
            })
            .collect();
        Fault {
            code: sighting.code,
            operation: execution.calls[guilty].call.operation.clone(),
            status: execution.calls[guilty].status().unwrap_or(0),
            summary: sighting.summary,
            key: format!("{:016x}", sighting.key),
            curl: lines.join("; "),
            seen: 1,
            tests: Vec::new(),
        }
    }

    /// Which of a test's faults show in a run of it.
    pub fn shows(&self, execution: &Execution, index: usize, goal: &Goal) -> bool {
        let Goal::Fault { code, key, .. } = goal else { return true };
        let track = &self.tracks[execution.plan.calls[index].endpoint];
        let scene = Scene { terrain: &self.terrain, execution, index, track };
        let matches = |sighting: &Sighting| sighting.code == *code && sighting.key == *key;
        faults::of_story(&scene).iter().any(matches) || faults::of_response(&scene).iter().any(matches)
    }

    fn watch_access(&mut self, identified: bool, status: u16) {
        if !identified {
            return;
        }
        if status == 401 {
            self.refusals += 1;
        } else {
            self.refusals = 0;
            self.admitted |= (200..300).contains(&status);
        }
    }

    /// Whether the API stopped accepting the run's credentials; asking starts the count anew.
    pub fn lost_access(&mut self) -> bool {
        let lost = self.admitted && self.refusals >= LOCKED_OUT;
        if lost {
            self.refusals = 0;
        }
        lost
    }

    /// Endpoints answered with a 2xx.
    pub fn successful(&self) -> usize {
        self.tracks[..self.terrain.catalog.described]
            .iter()
            .filter(|track| track.successes > 0 || has_success(track))
            .count()
    }

    /// Endpoints answered at all.
    pub fn answered(&self) -> usize {
        self.tracks[..self.terrain.catalog.described]
            .iter()
            .filter(|track| !track.statuses.is_empty())
            .count()
    }

    /// The endpoints never answered with a 2xx, and the statuses they gave instead.
    pub fn unsuccessful(&self) -> Vec<(usize, Vec<u16>)> {
        let tracks = self.tracks[..self.terrain.catalog.described].iter().enumerate();
        tracks
            .filter(|(_, track)| !has_success(track))
            .map(|(index, track)| (index, track.statuses.iter().copied().collect()))
            .collect()
    }
}

fn has_success(track: &Track) -> bool {
    track.statuses.iter().any(|status| (200..300).contains(status))
}

/// Every endpoint twice, creators before readers before deleters, shallow paths first; then the probes. Endpoints that others
/// care for come last, once, and their probes not at all.
fn tour(terrain: &Terrain) -> VecDeque<(usize, Flavour)> {
    let mut stops: Vec<usize> = terrain.open_endpoints().collect();
    stops.sort_by_key(|endpoint| {
        let id = &terrain.catalog.endpoints[*endpoint].operation.id;
        let turn = match id.method {
            Method::Post => 0,
            Method::Put => 1,
            Method::Get | Method::Head | Method::Options | Method::Trace => 2,
            Method::Patch => 3,
            Method::Delete => 4,
        };
        (turn, id.path.matches('/').count())
    });
    let (ours, others): (Vec<usize>, Vec<usize>) =
        stops.into_iter().partition(|stop| terrain.focus.includes(*stop));
    let rounds = [Flavour::Plain, Flavour::Full]
        .into_iter()
        .flat_map(|flavour| ours.iter().map(move |stop| (*stop, flavour)));
    let probes = terrain
        .catalog
        .probes()
        .filter(|probe| terrain.focus.includes(*probe) && terrain.guard.closed(*probe).is_none());
    let once = probes.chain(others).map(|stop| (stop, Flavour::Plain));
    rounds.chain(once).collect()
}

/// A hash of all that the verdict on an answer depends on.
fn digest(endpoint: usize, response: &Response) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&endpoint.to_le_bytes());
    hasher.update(&response.status.to_le_bytes());
    for (name, value) in &response.headers {
        // The date changes every second and is nobody's fault.
        if name != "date" {
            hasher.update(name.as_bytes());
            hasher.update(value.as_bytes());
        }
    }
    hasher.update(response.body.as_bytes());
    hasher.digest()
}
