//! Holds the crates to the layers that `ARCHITECTURE.md` lists.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;

use crate::paths;

/// Which crates each crate of the workspace is built on.
type Edges = BTreeMap<String, Vec<String>>;

/// Fails when a crate uses a crate that is not before it in the list, or is not listed.
pub fn check() -> Result<()> {
    let page = std::fs::read_to_string(paths::root().join("ARCHITECTURE.md"))?;
    let places = listed(&page)?;
    let edges = edges()?;
    let wrong = violations(&places, &edges);
    ensure!(wrong.is_empty(), "the layers of ARCHITECTURE.md do not hold:\n  {}", wrong.join("\n  "));
    println!("{} crates, {} edges", edges.len(), edges.values().map(Vec::len).sum::<usize>());
    Ok(())
}

/// The position of each crate: the line of its layer, and its place in the line.
fn listed(page: &str) -> Result<BTreeMap<String, (usize, usize)>> {
    let section = page.split("\n## Layers\n").nth(1).context("ARCHITECTURE.md has no section `Layers`")?;
    let mut places = BTreeMap::new();
    let mut layer = 0;
    for line in section.lines().skip_while(|line| line.trim().is_empty()) {
        let Some(text) = line.strip_prefix("    ") else { break };
        // A continuation line is indented further.
        layer += usize::from(!text.starts_with(' '));
        let words = text.split(|character: char| !(character.is_ascii_alphanumeric() || character == '-'));
        for word in words.filter(|word| word.starts_with("steady") || *word == "xtask") {
            places.insert(word.to_owned(), (layer, places.len()));
        }
    }
    Ok(places)
}

fn violations(places: &BTreeMap<String, (usize, usize)>, edges: &Edges) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, used) in edges {
        let Some(own) = places.get(name) else {
            wrong.push(format!("{name} is not listed"));
            continue;
        };
        wrong.extend(
            places
                .keys()
                .filter(|listed| !edges.contains_key(*listed))
                .map(|gone| format!("{gone} is listed and does not exist")),
        );
        let later = used.iter().filter(|used| places.get(*used).is_some_and(|place| place >= own));
        wrong.extend(later.map(|used| format!("{name} uses {used}, which is not before it in the list")));
    }
    wrong.sort();
    wrong.dedup();
    wrong
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// Nothing for what the crate itself is built on; tests may use what they like.
    kind: Option<String>,
    path: Option<String>,
}

fn edges() -> Result<Edges> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(paths::root())
        .output()
        .context("could not start `cargo metadata`")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout).context("cargo metadata is not JSON")?;
    let own = |package: Package| {
        let used = package.dependencies.into_iter().filter(|one| one.kind.is_none() && one.path.is_some());
        (package.name, used.map(|one| one.name).collect())
    };
    Ok(metadata.packages.into_iter().map(own).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A\n\n## Layers\n\n    words     steady-model · steady-stats\n    engines   steady-fuzz ·\n              steady-rerun\n\nMore.\n";

    fn found(edges: &[(&str, &[&str])]) -> Vec<String> {
        let edges = edges
            .iter()
            .map(|(name, used)| ((*name).to_owned(), used.iter().map(|used| (*used).to_owned()).collect()));
        violations(&listed(PAGE).unwrap(), &edges.collect())
    }

    #[test]
    fn a_crate_uses_what_stands_before_it() {
        let sound: [(&str, &[&str]); 4] = [
            ("steady-model", &[]),
            ("steady-stats", &["steady-model"]),
            ("steady-fuzz", &["steady-stats"]),
            ("steady-rerun", &["steady-fuzz", "steady-model"]),
        ];
        assert_eq!(found(&sound), Vec::<String>::new());
    }

    #[test]
    fn an_edge_that_points_back_and_an_unlisted_crate_are_told() {
        let wrong = found(&[
            ("steady-model", &["steady-stats"]),
            ("steady-stats", &[]),
            ("steady-fuzz", &["steady-rerun"]),
            ("steady-new", &[]),
        ]);
        assert_eq!(
            wrong,
            [
                "steady-fuzz uses steady-rerun, which is not before it in the list",
                "steady-model uses steady-stats, which is not before it in the list",
                "steady-new is not listed",
                "steady-rerun is listed and does not exist",
            ]
        );
    }
}
