//! Takes the assertions of a call one by one.

use std::collections::BTreeSet;

use serde_json::Value;
use steady_model::{Assertion, Body, Handling, Matcher, Place, Text};
use steady_suite::check;

use super::borrowed;
use super::discreet::discreet;
use super::site::Site;
use super::subject::{Handled, Moving, Policy, Subject};
use crate::Observation;
use crate::classify::{Evidence, Step, SuspicionStatus, classify, suspicion_status};
use crate::compare::{Comparison, Kind, Variation};
use crate::infer::{self, Context, Strength, Suspicion};

pub(super) struct Handler<'a> {
    pub subject: &'a Subject<'a>,
    pub policy: Policy,
    pub comparison: Comparison,
    pub handled: Handled,
}

impl Handler<'_> {
    pub fn assertion(&mut self, assertion: &Assertion) {
        let is_size = matches!(assertion.matcher, Matcher::Size(_));
        if let Some(list) = self.list_around(&assertion.place, Kind::Order)
            && !(is_size && list == assertion.place)
        {
            // One statement about the whole list takes the place of those about its items.
            if !self.handled.moving.iter().any(|moving| moving.place == list) {
                self.shuffled(&list);
            }
            return;
        }
        let held: Vec<bool> = self.subject.seen.iter().map(|seen| holds(assertion, seen)).collect();
        if held.iter().all(|held| *held) {
            self.steady(assertion);
        } else {
            self.moved(assertion, &held);
        }
    }

    /// It held every time: is it of a kind that will go on holding?
    fn steady(&mut self, assertion: &Assertion) {
        let own = self.is_captured_at(&assertion.place);
        if self.subject.borrowed
            && !own
            && self.policy != Policy::Keep
            && borrowed::is_about_it(&assertion.place)
        {
            let note = Some(borrowed::NOTE);
            let site = Site::new(&assertion.place, self.subject);
            match borrowed::of(&site) {
                Some(matcher @ Matcher::Variable(_)) => self.state(&assertion.place, vec![matcher], None),
                Some(matcher) => self.state(&assertion.place, vec![matcher], note),
                None => {}
            }
            return;
        }
        let site = Site::new(&assertion.place, self.subject);
        if matches!(assertion.matcher, Matcher::Equals(_))
            && !own
            && self.policy != Policy::Keep
            && let Some(name) = borrowed::variable(&site).filter(|name| self.sends(name))
        {
            // What the call sends comes back; another time the variable holds something else.
            self.state(&assertion.place, vec![Matcher::Variable(name)], None);
            return;
        }
        let suspicions = match &assertion.matcher {
            Matcher::Equals(value) if !own => self.suspicions(&site, value),
            _ => Vec::new(),
        };
        if own && matches!(assertion.matcher, Matcher::Equals(_)) {
            // An id that happened to be the same every time is still the API's to choose.
            let matchers = site.descend(&[]).unwrap_or(vec![Matcher::Present]);
            self.state(&assertion.place, matchers, None);
            return;
        }
        if !assertion.matcher.is_exact() && site.distinct() > 1 {
            self.varied_as_foreseen(assertion, &site);
            return;
        }
        let Some(strongest) = suspicions.iter().max_by_key(|suspicion| suspicion.strength) else {
            self.handled.expect.push(assertion.clone());
            return;
        };
        let note = format!(
            "looks like a value of this run only: {} ({})",
            strongest.family,
            strongest.category.name()
        );
        let moving = Moving {
            place: assertion.place.clone(),
            category: strongest.category,
            evidence: vec![Step::Inferred],
            observed: discreet(site.place, site.variation(Kind::Value).observed),
            handling: Handling::Relaxed,
            avoided: false,
            matcher: assertion.matcher.name(),
        };
        let families: Vec<_> = suspicions.iter().map(|suspicion| suspicion.family).collect();
        self.settle(assertion, &site, moving, &note, &families);
    }

    /// Whether the call sends what a variable holds.
    fn sends(&self, name: &str) -> bool {
        let request = &self.subject.call.request;
        let bound = match &request.body {
            Some(Body::Json { bind, .. }) => bind.values().any(|variable| variable == name),
            _ => false,
        };
        bound || request.templates().flat_map(Text::variables).any(|variable| variable == name)
    }

    /// Less was asserted from the start, and rightly so.
    fn varied_as_foreseen(&mut self, assertion: &Assertion, site: &Site<'_>) {
        let kind = self.comparison.at(site.place).map_or(Kind::Value, |variation| variation.kind);
        let variation = site.variation(kind);
        let same = |value: &Option<std::borrow::Cow<'_, Value>>| value.as_deref() == site.sample();
        let held: Vec<bool> = site.values.iter().map(same).collect();
        let cause = classify(&variation, &self.evidence(&variation, &held));
        self.handled.expect.push(assertion.clone());
        self.handled.moving.push(Moving {
            place: assertion.place.clone(),
            category: cause.category,
            evidence: cause.evidence,
            observed: discreet(&assertion.place, variation.observed),
            handling: Handling::Relaxed,
            avoided: false,
            matcher: assertion.matcher.name(),
        });
    }

    /// What speaks against a value that held every time, perturbations and the test's own input considered.
    fn suspicions(&self, site: &Site<'_>, value: &Value) -> Vec<Suspicion> {
        let context = site.context();
        let steps = self.subject.seen.iter().skip(1).map(|seen| seen.step);
        let evidence = steps.fold(Evidence::default(), Evidence::held);
        let found = match value {
            Value::String(text) => infer::find(text, &context),
            other => infer::suspect(other, &context).into_iter().collect(),
        };
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let sent = || serde_json::to_string(&self.subject.call.request).unwrap_or_default();
        found
            .into_iter()
            .filter(|suspicion| suspicion.strength >= Strength::Likely)
            .filter(|suspicion| suspicion_status(suspicion, &evidence) == SuspicionStatus::Open)
            // What the test itself sends comes back the same.
            .filter(|suspicion| text.get(suspicion.span.clone()).is_none_or(|part| !sent().contains(part)))
            .collect()
    }

    fn moved(&mut self, assertion: &Assertion, held: &[bool]) {
        let place = &assertion.place;
        let site = Site::new(place, self.subject);
        let missing = site.values.iter().any(Option::is_none);
        if missing && self.list_around(place, Kind::Items).is_some_and(|list| list != *place) {
            // The list's own assertion says that its items come and go.
            return;
        }
        if held.iter().all(|held| !held) && site.is_the_same_every_time() {
            if let Some(cause) = self.cause_of_failing(&site) {
                self.elsewhere(assertion, &site, &cause);
                return;
            }
            // Wrong every time is a failure, and failures are not flaky.
            self.handled.expect.push(assertion.clone());
            self.handled.failing.push(place.clone());
            return;
        }
        let status = |seen: &Observation| seen.response.status;
        let statuses_differ =
            self.subject.seen.iter().any(|seen| status(seen) != status(self.subject.seen[0]));
        if statuses_differ && *place != Place::Status {
            // Another status is another answer altogether; the status' own entry says so.
            self.comment(assertion, "holds only when the status is as it was");
            return;
        }
        let kind = match self.comparison.at(place) {
            Some(variation) => variation.kind,
            None if missing => Kind::Presence,
            None => Kind::Value,
        };
        let variation = match &assertion.matcher {
            Matcher::Equals(expected) => site.variation_from(kind, expected),
            _ => site.variation(kind),
        };
        let evidence = self.evidence(&variation, held);
        let cause = classify(&variation, &evidence);
        let observed = discreet(place, variation.observed);
        let note = format!("varies between runs ({}): {}", cause.category.name(), observed.join(" vs. "));
        let moving = Moving {
            place: place.clone(),
            category: cause.category,
            evidence: cause.evidence,
            observed,
            handling: Handling::Relaxed,
            avoided: false,
            matcher: assertion.matcher.name(),
        };
        self.settle(assertion, &site, moving, &note, &[]);
    }

    /// The fact of this machine or its runtime that a value is which an assertion expects to be another: the test was
    /// written on another machine.
    fn cause_of_failing(&self, site: &Site<'_>) -> Option<Suspicion> {
        let suspicions = self.suspicions(site, site.sample()?);
        suspicions.into_iter().find(|suspicion| suspicion.family == infer::Family::Own)
    }

    fn elsewhere(&mut self, assertion: &Assertion, site: &Site<'_>, cause: &Suspicion) {
        let variation = match &assertion.matcher {
            Matcher::Equals(expected) => site.variation_from(Kind::Value, expected),
            _ => site.variation(Kind::Value),
        };
        let observed = discreet(site.place, variation.observed);
        let note =
            format!("is another on every machine ({}): {}", cause.category.name(), observed.join(" vs. "));
        let moving = Moving {
            place: assertion.place.clone(),
            category: cause.category,
            evidence: vec![Step::Inferred],
            observed,
            handling: Handling::Relaxed,
            avoided: false,
            matcher: assertion.matcher.name(),
        };
        self.settle(assertion, site, moving, &note, &[cause.family]);
    }

    fn evidence(&self, variation: &Variation, held: &[bool]) -> Evidence {
        let context = Context::at(&variation.place, self.subject.now).owning(self.subject.own);
        let steps = self.subject.seen.iter().zip(held).skip(1);
        let in_place = self.subject.seen.iter().filter(|seen| seen.step == Step::Rerun);
        let in_place = in_place.filter_map(|seen| seen.at(&variation.place));
        let start = Evidence::of(variation, &context)
            .seen_in_place(in_place)
            .of_process(self.is_process_id(&variation.place));
        steps.fold(
            start,
            |evidence, (seen, held)| {
                if *held { evidence.held(seen.step) } else { evidence.moved(seen.step) }
            },
        )
    }

    /// Whether the value was each time the id of a process that answered then, and not always the same one.
    fn is_process_id(&self, place: &Place) -> bool {
        let id = |seen: &&Observation| {
            let id = seen.at(place).and_then(|value| u32::try_from(value.as_u64()?).ok());
            id.filter(|id| seen.processes.contains(id))
        };
        let ids: Option<BTreeSet<u32>> = self.subject.seen.iter().map(id).collect();
        ids.is_some_and(|ids| ids.len() > 1)
    }

    /// A list whose items are the same and come in another order.
    fn shuffled(&mut self, list: &Place) {
        let site = Site::new(list, self.subject);
        let sample = site.sample().cloned().unwrap_or_default();
        let exact = Assertion::new(list.clone(), Matcher::Equals(sample));
        let held: Vec<bool> = self.subject.seen.iter().map(|seen| holds(&exact, seen)).collect();
        self.moved(&exact, &held);
    }

    /// Writes what is left of an assertion, as the policy wants it.
    fn settle(
        &mut self,
        assertion: &Assertion,
        site: &Site<'_>,
        mut moving: Moving,
        note: &str,
        suspected: &[infer::Family],
    ) {
        match self.policy {
            Policy::Keep => {
                moving.handling = Handling::Kept;
                moving.matcher = assertion.matcher.name();
                self.handled.expect.push(assertion.clone());
            }
            Policy::Disable => self.disable(assertion, &mut moving),
            Policy::Relax => match site.descend(suspected) {
                Some(matchers) => {
                    moving.matcher = matchers.first().map_or(moving.matcher, Matcher::name);
                    let captured = matches!(matchers.first(), Some(Matcher::Variable(_) | Matcher::Text(_)));
                    if captured || self.is_captured_at(&moving.place) {
                        moving.handling = Handling::Captured;
                    }
                    // An exact statement about a variable needs no excuse.
                    self.state(&moving.place, matchers, (!captured).then_some(note));
                }
                None => self.disable(assertion, &mut moving),
            },
        }
        if !self.is_made_up(&moving) {
            self.handled.moving.push(moving);
        }
    }

    /// Whether a place varies only because the test sends another value each time.
    fn is_made_up(&self, moving: &Moving) -> bool {
        let only_fresh = |assertion: &Assertion| match &assertion.matcher {
            Matcher::Variable(name) => self.subject.fresh.contains(&name.as_str()),
            Matcher::Text(text) => text.variables().all(|name| self.subject.fresh.contains(&name)),
            _ => false,
        };
        let mut last = self.handled.expect.iter().rev().filter(|assertion| assertion.place == moving.place);
        moving.handling == Handling::Captured && last.next().is_some_and(only_fresh)
    }

    fn state(&mut self, place: &Place, matchers: Vec<Matcher>, note: Option<&str>) {
        for (index, matcher) in matchers.into_iter().enumerate() {
            let note = note.filter(|_| index == 0).map(str::to_owned);
            self.handled.expect.push(Assertion::new(place.clone(), matcher).noted(note));
        }
    }

    /// The comment FlakyCatch leaves in an assertion's place.
    fn disable(&mut self, assertion: &Assertion, moving: &mut Moving) {
        moving.handling = Handling::Disabled;
        moving.matcher = Matcher::Disabled.name();
        let field = match &assertion.place {
            Place::Body(pointer) if !pointer.is_empty() => pointer.clone(),
            other => other.to_string(),
        };
        let note = format!("Flaky value of field {field}: {}", moving.observed.join(" vs. "));
        self.comment(assertion, &note);
    }

    fn comment(&mut self, assertion: &Assertion, note: &str) {
        let comment = Assertion::new(assertion.place.clone(), Matcher::Disabled);
        self.handled.expect.push(comment.noted(Some(note.to_owned())));
    }

    fn is_captured_at(&self, place: &Place) -> bool {
        self.subject.call.captures.iter().any(|capture| capture.from == *place)
    }

    /// The list around a place, or at it, that varies in this way.
    fn list_around(&self, place: &Place, kind: Kind) -> Option<Place> {
        let Place::Body(pointer) = place else { return None };
        let around = |variation: &&Variation| match &variation.place {
            Place::Body(list) => pointer
                .strip_prefix(list.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
            Place::Status | Place::Header(_) => false,
        };
        let mut lists = self.comparison.variations.iter().filter(|variation| variation.kind == kind);
        lists.find(around).map(|variation| variation.place.clone())
    }
}

pub(super) fn holds(assertion: &Assertion, seen: &Observation) -> bool {
    check(assertion, &seen.response, seen.document(), &seen.variables).is_ok()
}
