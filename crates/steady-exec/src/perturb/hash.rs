//! The seeds of hash tables: with a fixed seed, results that depend on the order of a set are the same in every run.

use crate::Overrides;

pub const FIRST: u32 = 2;
pub const MORE: u32 = 5;

const SEEDS: [&str; 4] = ["0", "1", "2", "3"];
const SPARE: [&str; 8] = ["4", "5", "6", "7", "8", "9", "10", "11"];
const PYTHON: &str = "PYTHONHASHSEED";
const PERL: &str = "PERL_HASH_SEED";

pub fn values() -> Vec<String> {
    SEEDS.map(str::to_owned).into()
}

pub fn spare() -> Vec<String> {
    SPARE.map(str::to_owned).into()
}

/// Gives hash tables another seed in every run where randomness is fixed: their seed comes from it, and a dependence on the order of
/// a set would look like one on random numbers. A seed that the user set stays.
pub fn vary(overrides: &mut Overrides, run: u32) {
    if overrides.random.is_some() {
        for name in [PYTHON, PERL] {
            overrides.set_unless_given(name, run.to_string());
        }
    }
}

pub fn apply(value: &str, overrides: &mut Overrides) {
    overrides.set(PYTHON, value);
    overrides.set(PERL, value);
    overrides.set("PERL_PERTURB_KEYS", "0");
    // HotSpot's ways to number objects: at random, by address, all the same, in sequence.
    overrides.append("JAVA_TOOL_OPTIONS", format!("-XX:+UnlockExperimentalVMOptions -XX:hashCode={value}"));
}
