//! The figures as tables.

use std::collections::{BTreeMap, BTreeSet};

use steady_waits::locate::{Model, Ranking};

use super::case::Example;
use super::score::{Among, Hits, LONGEST, Rank, place};

/// A ranking of all reviewed examples.
pub struct Ranked<'a> {
    ranking: Ranking,
    /// Whether waits that were added are asked about once they are written.
    once_written: bool,
    /// Each example, the rank of its value, and whether a line of the folder has or had it.
    places: Vec<(&'a Example, Rank, bool)>,
}

impl<'a> Ranked<'a> {
    /// Ranks examples in every way.
    pub fn all(examples: &[&'a Example], models: &BTreeMap<&str, Model>) -> Vec<Self> {
        let rankings = [Ranking::Traf, Ranking::Frequency, Ranking::Learned];
        let by = rankings.into_iter().map(|ranking| Self::new(ranking, examples, models));
        by.chain([Self::once_written(examples, models)]).collect()
    }

    /// Ranks examples, each by the model fitted without its repository.
    fn new(ranking: Ranking, examples: &[&'a Example], models: &BTreeMap<&str, Model>) -> Self {
        let of = |example: &&'a Example| {
            let model = &models[example.case.repo.as_str()];
            let in_folder = place(example, &example.evidence, Ranking::Traf, model).offered.is_some();
            (*example, place(example, &example.evidence, ranking, model), in_folder)
        };
        Self { ranking, once_written: false, places: examples.iter().map(of).collect() }
    }

    /// Ranks examples where waits that were added are written already, with their time left open.
    fn once_written(examples: &[&'a Example], models: &BTreeMap<&str, Model>) -> Self {
        let of = |example: &&'a Example| {
            let model = &models[example.case.repo.as_str()];
            let in_folder = place(example, &example.evidence, Ranking::Traf, model).offered.is_some();
            let evidence = example.written.as_ref().unwrap_or(&example.evidence);
            (*example, place(example, evidence, Ranking::Learned, model), in_folder)
        };
        Self { ranking: Ranking::Learned, once_written: true, places: examples.iter().map(of).collect() }
    }

    fn name(&self) -> &'static str {
        match self.ranking {
            Ranking::Traf => "TRaf",
            Ranking::Frequency => "most frequent",
            Ranking::Learned if self.once_written => "steady, wait written",
            Ranking::Learned => "steady",
        }
    }
}

type Group = (&'static str, fn(&Example) -> bool);

const GROUPS: [Group; 5] = [
    ("all", |_| true),
    ("polling and test timeouts", |one| !one.kind().is_blocking()),
    ("sleeps and timers", |one| one.kind().is_blocking()),
    ("raised", Example::is_raise),
    ("added", |one| !one.is_raise()),
];

/// The page.
pub fn page(ranked: &[Ranked<'_>], fresh: &[Ranked<'_>], examples: &[Example]) -> String {
    let mut text = String::from(
        "Real fixes of public repositories; steady's model is fitted without the repository that is asked about. *First* and *three*: the developer's value is \
         first, or among the first three. *Offered*: of the cases where the ranking offers it. *Folder*: of the cases where a line of the folder \
         has it, or had it (the same cases for all rankings). A commit, and a repository, counts once, whatever its number of cases, in the last columns. steady offers three values, so that \
         *three* of *offered* says nothing for it: compare *n* and *folder*, and see below what other lengths would give. Features, and how strongly weights are held back, were \
         chosen by these same figures (some 170 evaluations on these cases in all, about 70 of them of something that could have shipped): read them as somewhat kind, and see the fixes that nothing was \
         chosen by, at the end. Where the developer put in a pause, steady is asked for one (`--pause`); of other added waits it is told the place alone. *Wait written*: the same, but an added wait stands in \
         the old file as the developer wrote it, with 0 for its time, and steady is asked for that: the whole statement where all of it is new, else its kind and its call alone.\n\n",
    );
    text.push_str(&table(ranked));
    text.push_str(&applicability(ranked));
    text.push_str(&lengths(ranked));
    text.push_str(&given_ranks(ranked));
    text.push_str(&times(examples));
    text.push_str(&fresh_part(fresh));
    text
}

/// The figures of fixes that nothing was chosen by.
fn fresh_part(fresh: &[Ranked<'_>]) -> String {
    let Some(Ranked { places, .. }) = fresh.first().filter(|one| !one.places.is_empty()) else {
        return String::new();
    };
    let repositories: BTreeSet<&str> =
        places.iter().map(|(example, ..)| example.case.repo.as_str()).collect();
    format!(
        "\n## Fixes that nothing was chosen by\n\nFound in the past of {} other repositories by their messages (`--more`), read by nobody. Features and settings were chosen without \
         them, but for how much such fixes weigh and how many values are offered; the model is fitted without the repository that is asked about here too. In *repositories* each counts once.\n\n{}{}{}",
        repositories.len(),
        table(fresh),
        applicability(fresh),
        lengths(fresh),
    )
}

/// How often each ranking is right.
fn table(ranked: &[Ranked<'_>]) -> String {
    let mut text = String::from(
        "| ranking | cases | n | first | three | offered | first | three | folder | first | three | commits | first | three | repositories | first | three |\n",
    );
    text.push_str(
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (group, is_in) in GROUPS {
        for one in ranked {
            let places: Vec<_> = one.places.iter().filter(|(example, ..)| is_in(example)).copied().collect();
            let mut cells = vec![one.name().to_owned(), group.to_owned()];
            for among in [Among::All, Among::Offered, Among::Folder] {
                cells.extend(shares(Hits::each(&places, among)));
            }
            cells.extend(shares(Hits::by(&places, |example| &example.case.commit)));
            cells.extend(shares(Hits::by(&places, |example| &example.case.repo)));
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
        }
    }
    text
}

fn shares(hits: Hits) -> [String; 3] {
    let share = |part: f64| format!("{:.0} %", 100.0 * part / hits.all.max(1.0));
    [format!("{:.0}", hits.all), share(hits.first), share(hits.three)]
}

fn applicability(ranked: &[Ranked<'_>]) -> String {
    let mut text =
        String::from("\nCases for which a ranking has any candidate, and how many it offers on average:\n\n");
    for one in ranked {
        let some = one.places.iter().filter(|(_, place, _)| place.count > 0).count();
        let all: usize = one.places.iter().map(|(_, place, _)| place.count).sum();
        let likely: f64 = one.places.iter().map(|(_, place, _)| place.likely.max(1e-4).ln()).sum();
        let mean = all as f64 / one.places.len().max(1) as f64;
        text.push_str(&format!("- {}: {some} of {}, {mean:.1}", one.name(), one.places.len()));
        if one.ranking == Ranking::Learned {
            text.push_str(&format!(" (mean log likelihood {:.3})", likely / one.places.len().max(1) as f64));
        }
        text.push('\n');
    }
    text
}

/// What a longer or shorter list would change.
fn lengths(ranked: &[Ranked<'_>]) -> String {
    let Some(steady) = ranked.iter().find(|one| one.ranking == Ranking::Learned && !one.once_written) else {
        return String::new();
    };
    let mut text = String::from(
        "\nWhat the length of steady's list changes: *at least*, how likely a value must be beside the likeliest to be offered; *mean*, how many are. *First* and *three* of all \
         cases, then of those where the value is offered.\n\n| longest | at least | mean | first | three | offered | first | three |\n\
         | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let all = steady.places.len().max(1) as f64;
    for (longest, least) in
        [(2, 0.0), (3, 0.0), (3, 0.2), (4, 0.0), (4, 0.1), (4, 0.2), (4, 0.3), (5, 0.2), (6, 0.2), (8, 0.0)]
    {
        // The first is offered, however likely it is.
        let is_in = |rank: usize, beside_first: f64| rank <= longest && (rank == 1 || beside_first >= least);
        let offered = steady
            .places
            .iter()
            .filter_map(|(_, place, _)| place.among_all.filter(|rank| is_in(*rank, place.beside_first)));
        let offered: Vec<usize> = offered.collect();
        let length = |place: &Rank| (1..=LONGEST).filter(|rank| is_in(*rank, place.list[rank - 1])).count();
        let lengths: usize = steady.places.iter().map(|(_, place, _)| length(place)).sum();
        let within = |most: usize| offered.iter().filter(|rank| **rank <= most).count() as f64;
        let share = |part: f64, of: f64| format!("{:.0} %", 100.0 * part / of.max(1.0));
        let of = offered.len() as f64;
        text.push_str(&format!(
            "| {longest} | {least} | {:.1} | {} | {} | {of} | {} | {} |\n",
            lengths as f64 / all,
            share(within(1), all),
            share(within(3), all),
            share(within(1), of),
            share(within(3), of),
        ));
    }
    text
}

/// How TRaf's places compare with those that came with the cases.
fn given_ranks(ranked: &[Ranked<'_>]) -> String {
    let Some(traf) = ranked.iter().find(|one| one.ranking == Ranking::Traf) else { return String::new() };
    let mut text = String::from("\nTRaf's places beside those that came with the cases:\n\n");
    let mut differing = Vec::new();
    for (group, is_in) in &GROUPS[3..] {
        let (mut equal, mut absent, mut close, mut other) = (0, 0, 0, 0);
        for (example, place, _) in traf.places.iter().filter(|(example, ..)| is_in(example)) {
            let given = example.case.rank_of_dev_value_with_history;
            match (given, place.offered, place.at_worst) {
                (None, None, _) => absent += 1,
                (Some(given), Some(best), Some(worst)) if (best..=worst).contains(&given) => equal += 1,
                (given, best, _) => {
                    let is_close = given.zip(best).is_some_and(|(given, best)| given.abs_diff(best) <= 1);
                    *(if is_close { &mut close } else { &mut other }) += 1;
                    differing.push((example, place));
                }
            }
        }
        text.push_str(&format!(
            "- {group}: {equal} the same (within ties), {absent} in neither list, {close} one place apart, {other} further\n"
        ));
    }
    text.push_str(
        "\nThose that differ, each with the number of values that it is a place among. The given list reads times by patterns, steady by syntax, so that a value \
         can be missing in one or the other; it looks at 400 commits of the past, steady at 10,000; and where a line was added, it does not say which line it asked about: \
         steady asks about the one that the new line was put before.\n\n| case | given | of | steady's TRaf | of | why |\n| --- | ---: | ---: | ---: | ---: | --- |\n",
    );
    for (example, place) in differing {
        let case = &example.case;
        let number = |place: Option<usize>| place.map_or("–".to_owned(), |place| place.to_string());
        let given_count = case.candidate_values_with_history;
        let why = match (case.old_line, given_count == Some(place.count)) {
            (None, _) => "a line was added",
            (_, true) => "as many values, ordered otherwise",
            (_, false) => "other values were read",
        };
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} | {why} |\n",
            case.id,
            number(case.rank_of_dev_value_with_history),
            number(given_count),
            number(place.offered),
            place.count,
        ));
    }
    text
}

fn times(examples: &[Example]) -> String {
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values.get((values.len() as f64 * share) as usize).copied().unwrap_or_default();
        (at(0.5), at(0.95))
    };
    let (read, read_most) = median(examples.iter().map(|one| one.read_ms).collect());
    let (past, past_most) = median(examples.iter().map(|one| one.past_ms).collect());
    let (files, files_most) = median(examples.iter().map(|one| one.files as f64).collect());
    let (commits, commits_most) = median(examples.iter().map(|one| one.commits as f64).collect());
    format!(
        "\nTime (median, 95th percentile), this build: {read:.0} and {read_most:.0} ms to read and rank {files:.0} and {files_most:.0} files, \
         {past:.0} and {past_most:.0} ms for the past, {commits:.0} and {commits_most:.0} commits, not cached.\n"
    )
}

/// Each case on a line, for error analysis.
pub fn each(ranked: &[Ranked<'_>]) -> String {
    let Some((first, others)) = ranked.split_first() else { return String::new() };
    let mut text = String::new();
    for (index, (example, place, _)) in first.places.iter().enumerate() {
        let old = example.evidence.target.old_ms().map_or("-".to_owned(), |ms| ms.to_string());
        let places = others
            .iter()
            .map(|one| format!("{:?}", one.places[index].1.offered))
            .collect::<Vec<_>>()
            .join(" ");
        let case = &example.case;
        text.push_str(&format!(
            "{} {} {old} -> {} {:?} {:?} given {:?}: {:?} {places}\n",
            case.id,
            case.repo,
            case.chosen(),
            example.kind(),
            example.evidence.target.form(),
            case.rank_of_dev_value_with_history,
            place.offered,
        ));
    }
    text
}
