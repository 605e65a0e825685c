//! A wait on a busy machine.

use steady_testkit::waits::WaitsRunner;
use steady_waits::tune::drive::Tuned;
use steady_waits::tune::{Settings, Strategy};

use crate::ground::Ground;

/// Needs 90 ms in its first four runs and `LATER` from then on, as if the machine was busy.
const BUSY_LATER: &str = "
const fs = require('node:fs');
const run = fs.existsSync('runs') ? Number(fs.readFileSync('runs', 'utf8')) : 0;
fs.writeFileSync('runs', String(run + 1));
let now = 0;
const wait = async (ms) => { now += ms; };
const main = async () => {
  await wait(50);
  process.exit(now >= (run < 4 ? 90 : LATER) ? 0 : 1);
};
main();
";

fn tuned(later: u64, margin: f64) -> Tuned {
    let ground = Ground::with_tests(WaitsRunner::Node, &BUSY_LATER.replace("LATER", &later.to_string()));
    let settings = Settings {
        strategy: Strategy::Static,
        before: Some(50),
        baseline: 0,
        runs: 4,
        margin,
        ..Settings::default()
    };
    ground.tune(None, 2, &settings, &[100], &mut |_| ()).unwrap()
}

#[test]
fn a_value_that_depends_on_no_machine_holds_under_load() {
    let tuned = tuned(90, 1.5);
    assert_eq!((tuned.after, tuned.proposed), (Some(100), Some(150)));
    let loaded = tuned.loaded.unwrap();
    assert_eq!((loaded.holds, loaded.factor, loaded.margin), (Some(150), None, None));
}

#[test]
fn how_much_longer_a_wait_has_to_be_under_load_is_told_with_a_margin() {
    let tuned = tuned(220, 1.0);
    assert_eq!((tuned.after, tuned.proposed), (Some(100), Some(100)));
    let loaded = tuned.loaded.unwrap();
    // 200 fails and 300 holds; so do 250 and 225 in between.
    let ran: Vec<(u64, u64, u64)> =
        loaded.values.iter().map(|value| (value.ms, value.runs, value.passed)).collect();
    assert_eq!(ran, [(100, 1, 0), (150, 1, 0), (200, 1, 0), (300, 2, 2), (250, 2, 2), (225, 2, 2)]);
    assert_eq!((loaded.holds, loaded.factor, loaded.margin), (Some(225), Some(2.25), Some(2.3)));
}

#[test]
fn the_margin_is_that_of_the_value_itself_when_there_is_one_already() {
    let loaded = tuned(180, 1.5).loaded.unwrap();
    // 150 fails and 225 holds; 187 and what is shorter do not count: 150 to 187 leaves 168, which fails.
    assert_eq!((loaded.holds, loaded.factor, loaded.margin), (Some(187), Some(1.87), Some(1.9)));
}

#[test]
fn a_wait_that_nothing_helps_is_told() {
    let loaded = tuned(1000, 1.0).loaded.unwrap();
    assert_eq!((loaded.holds, loaded.margin), (None, None));
    assert_eq!(loaded.values.last().map(|value| value.ms), Some(400));
}
