//! The seeds of hash tables: with a fixed seed, what depends on the order of a set is the same in every run.

use crate::Surroundings;

pub const FIRST: u32 = 3;
pub const MORE: u32 = 4;

const SEEDS: [&str; 4] = ["0", "1", "2", "3"];

pub fn values() -> Vec<String> {
    SEEDS.map(str::to_owned).into()
}

pub fn apply(value: &str, surroundings: &mut Surroundings) {
    surroundings.set("PYTHONHASHSEED", value);
    surroundings.set("PERL_HASH_SEED", value);
    surroundings.set("PERL_PERTURB_KEYS", "0");
    // HotSpot's ways to number objects: at random, by address, all the same, in sequence.
    surroundings
        .append("JAVA_TOOL_OPTIONS", format!("-XX:+UnlockExperimentalVMOptions -XX:hashCode={value}"));
}
