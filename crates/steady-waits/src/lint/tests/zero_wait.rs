//! Sleeps of 0 ms.

use std::path::Path;

use steady_js::{KnownHelpers, Script};

use super::{advice, read, said};
use crate::lint::{Context, lint};

#[test]
fn a_timer_of_nothing_is_complained_about_in_tests() {
    let text = "it('a', async () => {\n  await new Promise(r => setTimeout(r))\n  setTimeout(done, 0)\n  await sleep(0)\n})\nsetTimeout(app, 0)";
    assert_eq!(said(text), ["2 zero-wait", "3 zero-wait", "4 zero-wait"]);
    let helper =
        "const flush = () => new Promise(r => setTimeout(r))\nit('a', async () => {\n  await flush()\n})";
    assert_eq!(said(helper), ["3 zero-wait"]);
}

#[test]
fn no_wait_for_a_value_that_may_hold_already_is_advised() {
    let text = "import { vi } from 'vitest'\nit('a', async () => {\n  service.register(second)\n  await new Promise((resolve) => setTimeout(resolve, 0))\n  expect(service.current.id).toBe('second')\n})";
    let advice = advice(text);
    assert!(advice.contains("nextTick") && !advice.contains("waitFor"), "{advice}");
}

#[test]
fn a_helper_of_another_file_takes_as_long_as_one_of_its_own() {
    let helpers = read(
        "export const waitAllPromises = async () => await new Promise((resolve) => setTimeout(resolve));\nexport const tick = () => new Promise((resolve) => setTimeout(resolve, 10));\n",
    );
    let text = "import { tick, waitAllPromises } from './utils';\nit('a', async () => {\n  await waitAllPromises();\n  await tick();\n  log();\n});";
    let path = Path::new("a.test.ts");
    let script = Script::read_with(path, text, &KnownHelpers::collect(&[&helpers])).unwrap();
    let complaints = lint(&script, path, &Context::default());
    let said: Vec<&str> = complaints.iter().map(|complaint| complaint.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "`waitAllPromises` of 0 ms waits for one turn of the event loop and for nothing in particular",
            "`tick` sleeps 10 ms in every run and still fails when 10 ms are not enough",
        ]
    );
    // The number stands in the other file: nothing can be changed here.
    assert!(complaints.iter().all(|complaint| complaint.wait.value.is_none()));
}
