//! Times that tests import from other files of the project.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use steady_js::{Exports, KnownHelpers, Script};

use crate::files::LARGEST;
use crate::resolve::Resolver;

/// A time may be passed on by so many files.
const HOPS: usize = 2;
/// No more files are read than this.
const MOST: usize = 500;

/// What files export, each read once.
#[derive(Debug, Default)]
pub struct Imports {
    read: BTreeMap<(PathBuf, usize), BTreeMap<String, f64>>,
    resolver: Resolver,
}

impl Imports {
    /// What is known of other files, and the times that this one imports. Only files of the project count, by a relative path, an alias
    /// or the name of a workspace's package, and only those that could say how long a wait is.
    pub fn known(&mut self, path: &Path, script: &Script, known: &KnownHelpers) -> Option<KnownHelpers> {
        let known = self.add(path, script.sources().iter().map(String::as_str), known.clone(), HOPS);
        script.sources().iter().any(|source| known.times(source).is_some()).then_some(known)
    }

    fn add<'s>(
        &mut self,
        path: &Path,
        sources: impl Iterator<Item = &'s str>,
        known: KnownHelpers,
        hops: usize,
    ) -> KnownHelpers {
        sources.fold(known, |known, source| {
            let file = self.resolver.file(path, source);
            let times = file.map(|file| self.times(&file, hops)).unwrap_or_default();
            if times.is_empty() { known } else { known.with_times(source, times) }
        })
    }

    /// The times that a file exports.
    fn times(&mut self, path: &Path, hops: usize) -> BTreeMap<String, f64> {
        let key = (path.to_owned(), hops);
        if let Some(times) = self.read.get(&key) {
            return times.clone();
        }
        if hops == 0 || self.read.len() >= MOST {
            return BTreeMap::new();
        }
        // Files that import each other come back here: what is known of them so far is nothing.
        self.read.insert(key.clone(), BTreeMap::new());
        let is_small = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= LARGEST);
        let text = Some(path).filter(|_| is_small).and_then(|path| fs::read_to_string(path).ok());
        let times = text.and_then(|text| self.exported(path, &text, hops)).unwrap_or_default();
        self.read.insert(key, times.clone());
        times
    }

    fn exported(&mut self, path: &Path, text: &str, hops: usize) -> Option<BTreeMap<String, f64>> {
        let own = Exports::read(path, text, &KnownHelpers::default()).ok()?;
        let known = self.add(path, own.sources.iter().map(String::as_str), KnownHelpers::default(), hops - 1);
        if known.is_empty() {
            return Some(own.times);
        }
        Exports::read(path, text, &known).ok().map(|exports| exports.times)
    }
}

/// The same file, with the times that it imports.
pub fn with_imports(path: &Path, script: Script) -> Script {
    let known = Imports::default().known(path, &script, &KnownHelpers::default());
    known.and_then(|known| Script::read_with(path, script.text(), &known).ok()).unwrap_or(script)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The waits of `a.test.ts` among these files.
    fn found(files: &[(&str, &str)]) -> Vec<(u64, String)> {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let path = folder.path().join("a.test.ts");
        let text = fs::read_to_string(&path).expect("the test");
        let script = Script::read(&path, &text).expect("a script");
        let known = Imports::default().known(&path, &script, &KnownHelpers::default()).unwrap_or_default();
        let script = Script::read_with(&path, &text, &known).expect("a script");
        let value = |wait: &steady_js::Wait| {
            let value = wait.value.as_ref()?;
            Some((value.ms, text[value.span.start..value.span.end].to_owned()))
        };
        script.waits().iter().filter_map(value).collect()
    }

    #[test]
    fn times_of_other_files_are_read_at_their_use() {
        let test = "import { LONG, TIMES as T } from './times';\nimport all from './shared';\nconst old = require('./old');\n\
            await page.waitForTimeout(LONG);\nawait page.waitForTimeout(T.short * 2);\n\
            await page.waitForTimeout(all.rest);\nawait page.waitForTimeout(old.nap);\n";
        let files = [
            ("a.test.ts", test),
            ("times.ts", "export const LONG = 5 * 1000;\nexport const TIMES = { short: 200 } as const;\n"),
            ("shared/index.js", "export default { rest: 70 };\n"),
            ("old.cjs", "const nap = 30;\nmodule.exports = { nap };\n"),
        ];
        let expected = [(5000, "LONG"), (400, "T.short * 2"), (70, "all.rest"), (30, "old.nap")];
        assert_eq!(found(&files), expected.map(|(ms, text)| (ms, text.to_owned())));
    }

    #[test]
    fn options_of_other_files_are_read_at_their_use() {
        let test = "import { SLOW } from './options';\nimport { PAGE } from './shared';\n\
            await page.waitForSelector('#a', SLOW);\nawait page.waitForSelector('#b', PAGE.load);\n\
            await page.waitForSelector('#c', { ...SLOW, state: 'hidden' });\nawait page.waitForSelector('#d', PAGE.last);\n";
        let files = [
            ("a.test.ts", test),
            (
                "options.ts",
                "import { LONG } from './times';\nexport const SLOW = { timeout: LONG, polling: 5 };\n",
            ),
            ("times.ts", "export const LONG = 9 * 1000;\n"),
            (
                "shared.ts",
                "import { SLOW } from './options';\nconst base = { timeout: 900 };\nexport const PAGE = { load: { ...SLOW, timeout: 700 }, last: { timeout: 1, ...base } };\n",
            ),
        ];
        let expected = [(9000, "SLOW"), (700, "PAGE.load"), (9000, "SLOW"), (900, "PAGE.last")];
        assert_eq!(found(&files), expected.map(|(ms, text)| (ms, text.to_owned())));
    }

    #[test]
    fn files_that_say_nothing_of_waits_are_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.test.ts");
        let text = "import { LONG } from './times';\nimport { open } from './page';\nawait open();\nawait page.waitForTimeout(LONG);\n";
        for (name, text) in [
            ("a.test.ts", text),
            ("times.ts", "export const LONG = 5;"),
            ("page.ts", "export const open = 7;"),
        ] {
            fs::write(folder.path().join(name), text).expect("a file");
        }
        let mut imports = Imports::default();
        imports.known(&path, &Script::read(&path, text).expect("a script"), &KnownHelpers::default());
        let read: Vec<_> = imports.read.keys().filter_map(|(path, _)| path.file_name()?.to_str()).collect();
        assert_eq!(read, ["times.ts"]);
    }

    #[test]
    fn a_time_may_be_passed_on_once_and_files_may_import_each_other() {
        let test = "import { LONG, HALF } from './index.js';\nawait page.waitForTimeout(LONG);\nawait page.waitForTimeout(HALF);\n";
        let files = [
            ("a.test.ts", test),
            (
                "index.ts",
                "export { LONG } from './times';\nimport { LONG } from './times';\nexport const HALF = LONG / 2;\n",
            ),
            ("times.ts", "import './index';\nexport const LONG = 800;\n"),
        ];
        assert_eq!(found(&files), [(800, "LONG".to_owned()), (400, "HALF".to_owned())]);
    }

    #[test]
    fn times_behind_an_alias_are_read() {
        let test = "import * as T from '@/fixtures/times';\nimport { WAIT } from '@shop/waits';\n\
            await page.waitForTimeout(T.HALF);\nawait page.waitForTimeout(WAIT.long);\n";
        let files = [
            ("a.test.ts", test),
            ("tsconfig.json", r#"{"compilerOptions":{"paths":{"@/*":["./tests/*"]}}}"#),
            ("tests/fixtures/times.ts", "export const HALF = 500;\n"),
            ("package.json", r#"{"workspaces":["packages/*"]}"#),
            ("packages/waits/package.json", r#"{"name":"@shop/waits"}"#),
            ("packages/waits/src/index.ts", "export * from './wait';\n"),
            ("packages/waits/src/wait.ts", "export const WAIT = { long: 7 * 1000 };\n"),
        ];
        assert_eq!(found(&files), [(500, "T.HALF".to_owned()), (7000, "WAIT.long".to_owned())]);
    }

    #[test]
    fn what_is_not_known_stays_unknown() {
        let test = "import { A } from './missing';\nimport { B } from './node_modules/b';\nimport { C } from './c';\n\
            await page.waitForTimeout(A);\nawait page.waitForTimeout(B);\nawait page.waitForTimeout(C);\n";
        let files = [
            ("a.test.ts", test),
            ("node_modules/b.js", "export const B = 1;\n"),
            ("c.ts", "export const C = Number(process.env.C);\n"),
        ];
        assert_eq!(found(&files), []);
    }
}
