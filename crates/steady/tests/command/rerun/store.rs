//! The store of a team: PostgreSQL, named in `steady.toml`.

use steady_testkit::Postgres;

use super::{EVERY, rerun_script, steady_in};

#[test]
fn a_team_remembers_in_postgresql() {
    let server = Postgres::start().unwrap();
    let config = format!("[store]\nurl = \"{}\"\nproject = \"shop\"\n", server.url("postgres"));
    let options = ["--runs", "6", "--perturb", "off"];
    let one = rerun_script(&options, EVERY).file("steady.toml", &config).run().exits_with(1).says("");
    assert!(!one.is_file(".steady/steady.db"));
    // Another folder of the same project sees the same history.
    rerun_script(&options, EVERY).file("steady.toml", &config).run().exits_with(1).says("");
    let history = steady_in(one.into_folder(), &["history"]).run().exits_with(0).says("");
    assert!(history.stdout.contains("every third\n        4 of 12 failed"), "{}", history.stdout);
    drop(server);
    // A store that is gone is a warning that hides the password, and no other result.
    let gone = rerun_script(&options, EVERY).file("steady.toml", &config).run().exits_with(1);
    assert!(gone.stderr.starts_with("warning: the runs are not stored: "), "{}", gone.stderr);
    assert!(!gone.stderr.contains("correct-horse"), "{}", gone.stderr);
}
