//! Times far above what is needed.

use std::path::{Path, PathBuf};

use steady_history::{LineChange, Past};

use super::{complaints, read};
use crate::lint::{Context, Rule, lint};

#[test]
fn long_times_are_measured_by_the_folder_and_the_framework() {
    let long = |text: &str| {
        complaints(text)
            .into_iter()
            .filter(|complaint| complaint.rule == Rule::LongTimeout)
            .map(|complaint| complaint.message)
            .collect::<Vec<_>>()
    };
    let folder = "cy.get('a', { timeout: 9000 }); cy.get('b', { timeout: 8000 }); cy.get('c', { timeout: 7000 }); cy.get('d', { timeout: 60000 })";
    assert_eq!(
        long(folder),
        ["`cy.get` may take 60000 ms, 6 times the 9000 ms that nine of ten such calls have here"]
    );
    assert_eq!(
        long("cy.get('d', { timeout: 60000 })"),
        ["`cy.get` may take 60000 ms, 15 times the 4000 ms that Cypress gives by default"]
    );
    assert_eq!(long("cy.get('d', { timeout: 30000 })"), Vec::<String>::new());
    // A command of the shell is not held to what elements need.
    let shell = folder.replace("cy.get('d'", "cy.exec('kubectl'");
    assert!(long(&shell).iter().all(|message| !message.contains("nine of ten")), "{:?}", long(&shell));
    assert_eq!(long("cy.visit('/'); module.exports = { startTimeout: 900000 }"), Vec::<String>::new());
    assert_eq!(long("await driver.wait(f(), 60000)"), Vec::<String>::new());
    // A sleep is complained about once, by its own rule.
    assert_eq!(long("await sleep(10001)"), Vec::<String>::new());
    assert_eq!(long("// The server restarts.\ncy.get('d', { timeout: 60000 })"), Vec::<String>::new());
}

#[test]
fn a_limit_raised_at_once_is_measured_by_what_its_line_had_before() {
    let text = "cy.get('d', { timeout: 25000 })\n";
    let change = |time, old: &str, new: &str| LineChange {
        commit: "0123456789abcdef".to_owned(),
        time,
        subject: "wait longer".to_owned(),
        path: PathBuf::from("e2e/a.ts"),
        old_line: Some(1),
        old: Some(old.to_owned()),
        new_line: Some(1),
        new: Some(new.to_owned()),
        hunk_before: [None, None],
    };
    let said = |changes: Vec<LineChange>| {
        let script = read(text);
        let mut context = Context::of(&[&script]);
        let mut past = Past::default();
        past.changes.extend(changes);
        context.learn(Path::new("a.ts"), &script, &past, Path::new("e2e/a.ts"));
        lint(&script, Path::new("a.ts"), &context).into_iter().map(|one| one.message).collect::<Vec<_>>()
    };
    let (now, middle, first) =
        (text.trim(), "cy.get('d', { timeout: 9000 })", "cy.get('d', { timeout: 5000 })");
    let april_2023 = 1_681_000_000;
    assert_eq!(
        said(vec![change(april_2023, first, now)]),
        ["`cy.get` may take 25000 ms, 5 times the 5000 ms that this line had until 2023-04 (0123456789)"]
    );
    // 5 s and 9 s were not enough.
    let steps = vec![change(april_2023, middle, now), change(april_2023 - 9, first, middle)];
    assert_eq!(said(steps), Vec::<String>::new());
    assert_eq!(said(Vec::new()), Vec::<String>::new());
}

#[test]
fn a_limit_is_measured_by_what_the_configuration_says() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cypress.config.ts"), "({ defaultCommandTimeout: 20000 })").unwrap();
    let path = folder.path().join("a.cy.ts");
    let said = |text: &str| {
        let script = steady_js::Script::read(&path, text).unwrap();
        let configured = crate::configured::Configured::above([path.as_path()]);
        lint(&script, &path, &Context::of(&[&script]).configured(configured))
    };
    assert_eq!(said("cy.get('d', { timeout: 60000 })"), []);
    let short = said("cy.get('a').click(); cy.wait(4000); cy.get('d').should('have.text', 'x');");
    assert!(short[0].advice.starts_with("Delete it"), "{}", short[0].advice);
}
