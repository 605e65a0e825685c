use std::path::Path;

use steady_js::Script;
use steady_waits::lint::{Context, cost, lint};

use super::*;

fn report(texts: &[(&str, &str)], unread: usize, verbosity: Verbosity) -> String {
    let scripts: Vec<Script> =
        texts.iter().map(|(path, text)| Script::read(Path::new(path), text).expect("a script")).collect();
    let context = Context::of(&scripts.iter().collect::<Vec<_>>());
    let complaints: Vec<Vec<Complaint>> =
        scripts.iter().map(|script| lint(script, script.path(), &context)).collect();
    let waits: Vec<Vec<Wait>> = scripts
        .iter()
        .map(|script| script.waits().iter().chain(script.unread_waits()).cloned().collect())
        .collect();
    let files = scripts.iter().zip(&waits).zip(&complaints).map(|((script, waits), complaints)| LintedFile {
        path: script.path(),
        waits,
        unread: script.unread_waits(),
        complaints,
        cost: cost(script),
    });
    let text = lint_report(&files.collect::<Vec<_>>(), unread, verbosity);
    anstream::adapter::strip_str(&text).to_string()
}

#[test]
fn the_sum_comes_first_then_the_worst_and_no_sentence_twice() {
    let short = "it('a', async () => { await sleep(5) })\n";
    let long = "it('b', async () => {\n  await sleep(9000)\n})\nit('c', async () => {\n  await sleep(8000)\n})\n\
                it('d', async () => {\n  await page.waitForTimeout(ttl())\n})\n";
    let text = report(&[("a/a.test.ts", short), ("b/b.test.ts", long)], 0, Verbosity::Quiet);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "4 waits in 2 files: 4 sleeps (17.01 s in every run and 1 of unknown length); 4 complaints"
    );
    assert!(lines[3].starts_with("            4   17.01 s  fixed-sleep"), "{text}");
    assert!(text.find("b/b.test.ts") < text.find("a/a.test.ts"), "{text}");
    assert_eq!(text.matches("Await the promise or the event").count(), 1, "{text}");
    assert!(text.contains("      2:9  sleep             9 s  sleep  fixed-sleep [1]\n"), "{text}");
    let folders = text.lines().skip_while(|line| !line.ends_with("folder")).skip(1);
    assert_eq!(
        folders.take(2).collect::<Vec<_>>(),
        ["            3      17 s  b", "            1      5 ms  a"]
    );
}

#[test]
fn files_that_could_not_be_read_are_counted() {
    assert_eq!(
        report(&[], 2, Verbosity::Normal),
        "Nothing was read; 2 files could not be parsed and are skipped\n"
    );
}
