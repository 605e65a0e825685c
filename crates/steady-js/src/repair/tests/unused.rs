use super::*;

/// What is left of a file when `LONG` is replaced by a number.
#[track_caller]
fn assert_tidied(before: &str, after: &str) {
    let script = Script::read(Path::new("a.test.ts"), before).expect("a file");
    let changed = before.replace("(LONG)", "(8)").replace("(times.LONG)", "(8)");
    assert_eq!(without_unused_imports(&script, &changed).unwrap_or(changed), after, "{before}");
}

#[test]
fn an_import_that_nothing_uses_any_more_goes() {
    for (before, after) in [
        ("import { LONG } from './t';\nsleep(LONG);\n", "sleep(8);\n"),
        ("import { LONG } from './t';\n\nsleep(LONG);\n", "sleep(8);\n"),
        (
            "import a from 'a';\nimport { LONG } from './t';\n\nsleep(LONG, a);\n",
            "import a from 'a';\nimport { LONG } from './t';\n\nsleep(LONG, a);\n",
        ),
        (
            "import a from 'a';\r\nimport { LONG } from './t';\r\n\r\na.sleep(LONG);\r\n",
            "import a from 'a';\r\n\r\na.sleep(8);\r\n",
        ),
        ("import { LONG, a } from './t';\na.sleep(LONG);\n", "import { a } from './t';\na.sleep(8);\n"),
        ("import { a, LONG } from './t';\na.sleep(LONG);\n", "import { a } from './t';\na.sleep(8);\n"),
        (
            "import {\n  a,\n  T as LONG,\n  b,\n} from './t';\na.sleep(LONG); b();\n",
            "import {\n  a,\n  b,\n} from './t';\na.sleep(8); b();\n",
        ),
        (
            "import {\n  a,\n  LONG,\n} from './t';\na.sleep(LONG);\n",
            "import {\n  a,\n} from './t';\na.sleep(8);\n",
        ),
        ("import a, { LONG } from './t';\na.sleep(LONG);\n", "import a from './t';\na.sleep(8);\n"),
        ("import LONG, { a } from './t';\na.sleep(LONG);\n", "import { a } from './t';\na.sleep(8);\n"),
        ("import times from './t';\nsleep(times.LONG);\n", "sleep(8);\n"),
        ("import * as times from './t';\nsleep(times.LONG);\n", "sleep(8);\n"),
        (
            "const { LONG, a } = require('./t');\na.sleep(LONG);\n",
            "const { a } = require('./t');\na.sleep(8);\n",
        ),
        ("const LONG = require('./t').LONG;\nsleep(LONG);\n", "sleep(8);\n"),
        ("import { LONG } from './t'; // all of them\nsleep(LONG);\n", "// all of them\nsleep(8);\n"),
    ] {
        assert_tidied(before, after);
    }
}

#[test]
fn an_import_that_is_used_or_never_was_stays() {
    for (before, after) in [
        (
            "import { LONG } from './t';\nsleep(LONG); rest(LONG + 1);\n",
            "import { LONG } from './t';\nsleep(8); rest(LONG + 1);\n",
        ),
        (
            "import { LONG } from './t';\nsleep(LONG); export { LONG };\n",
            "import { LONG } from './t';\nsleep(8); export { LONG };\n",
        ),
        (
            "import { LONG } from './t';\nsleep(LONG); let a: typeof LONG;\n",
            "import { LONG } from './t';\nsleep(8); let a: typeof LONG;\n",
        ),
        (
            "import { LONG } from './t';\nsleep(LONG); f({ LONG });\n",
            "import { LONG } from './t';\nsleep(8); f({ LONG });\n",
        ),
        (
            "import 'setup';\nimport { unused } from './u';\nsleep(5);\n",
            "import 'setup';\nimport { unused } from './u';\nsleep(5);\n",
        ),
        (
            "const { LONG, ...rest } = require('./t');\nrest.sleep(LONG);\n",
            "const { LONG, ...rest } = require('./t');\nrest.sleep(8);\n",
        ),
    ] {
        assert_tidied(before, after);
    }
}

#[test]
fn the_line_of_the_length_is_that_of_the_tidied_file() {
    let text = "import { LONG } from './t';\n\nit('a', async () => {\n  await sleep(LONG);\n});\n";
    let known = KnownHelpers::default().with_times("./t", [("LONG".to_owned(), 500.0)].into());
    let script = Script::read_with(Path::new("a.test.js"), text, &known).expect("a file");
    let repair = repair(&script, &Target::at(&script, 4).expect("a target"), 800).expect("a repair");
    assert_eq!(repair.line, 4);
    let tidied = repair.tidied(&script);
    assert_eq!(tidied.text, "it('a', async () => {\n  await sleep(800);\n});\n");
    assert_eq!(tidied.line, 2);
}
