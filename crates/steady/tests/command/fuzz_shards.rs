//! `steady fuzz --shard` and `steady merge`: what shards find together is one suite that passes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use steady_demo::Shop;

use crate::support::Invocation;

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn fuzz(shop: &Shop, shard: &str, out: &Path) {
    let out = out.to_str().unwrap();
    let document = shop.openapi_url();
    let arguments =
        ["fuzz", "--openapi", &document, "--url", &shop.url(), "--requests", "2500", "--seed", "5"];
    let more = ["--shard", shard, "--emit", "hurl", "--out", out];
    Invocation::new(arguments.iter().chain(&more)).run().exits_with(1).says("");
}

/// The operations that the tests of a suite call with success.
fn successes(folder: &Path) -> BTreeSet<String> {
    let suite = read(&folder.join("suite.json"));
    let tests = suite["tests"].as_array().unwrap().clone();
    let calls = tests.iter().flat_map(|test| test["calls"].as_array().unwrap().last().cloned());
    let success = |call: &Value| {
        let expect = call["expect"].as_array().unwrap();
        expect
            .iter()
            .any(|one| one["where"] == "status" && one["is"]["equals"].as_u64().is_some_and(|s| s / 100 == 2))
    };
    calls.filter(success).map(|call| call["operation"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn two_shards_make_one_suite_that_passes() {
    let shop = Shop::seeded(3).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let [first, second, all] = ["1", "2", "all"].map(|name| folder.path().join(name));
    fuzz(&shop, "1/2", &first);
    fuzz(&shop, "2/2", &second);
    assert_eq!(read(&first.join("summary.json"))["part"]["index"], 1);
    let paths = [&second, &first, &all].map(|path| path.to_str().unwrap());
    let [later, earlier, out] = paths;
    Invocation::new(["merge", later, earlier, "--emit", "hurl", "--out", out]).run().exits_with(1).says("");
    let union: BTreeSet<String> = successes(&first).union(&successes(&second)).cloned().collect();
    assert!(union.len() > 3, "{union:?}");
    assert_eq!(successes(&all), union);
    let tests = |path: &Path| read(&path.join("suite.json"))["tests"].as_array().unwrap().len();
    assert!(tests(&all) < tests(&first) + tests(&second));
    assert!(all.join("tests/hurl").is_dir());
    Invocation::new(["run", out, "--url", &shop.url()]).run().exits_with(0);

    let one = Invocation::new(["merge", earlier, "--out", out]).run().exits_with(1);
    assert!(one.stderr.contains("shard 2 of 2 is missing"), "{}", one.stderr);
}

#[test]
fn folders_that_do_not_go_together_are_refused() {
    let cases = [
        (vec!["none"], "`none` contains neither rerun.json nor suite.json"),
        (vec!["both"], "`both` contains results of both"),
        (vec!["fuzz", "rerun"], "`fuzz` was written by `steady fuzz`, but `rerun` by `steady rerun`"),
        (vec!["fuzz", "--junit", "x.xml"], "`--junit` does not apply to results of `steady fuzz`"),
        (vec!["fuzz"], "`fuzz/suite.json`"),
    ];
    for (arguments, message) in cases {
        let outcome = Invocation::new(["merge"].iter().chain(&arguments))
            .file("fuzz/suite.json", "{}")
            .file("rerun/rerun.json", "{}")
            .file("both/suite.json", "{}")
            .file("both/rerun.json", "{}")
            .run()
            .exits_with(2)
            .prints("")
            .writes(&[]);
        assert!(outcome.stderr.contains(message), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("hint: "), "{}", outcome.stderr);
    }
}
