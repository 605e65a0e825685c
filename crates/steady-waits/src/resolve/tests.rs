use std::fs;

use super::{Resolver, plain};

/// The file that a source means in `e2e/a.spec.ts` of a project with these files.
fn found(files: &[(&str, &str)], source: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files.iter().chain(&[("e2e/a.spec.ts", "")]) {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("a file");
    }
    let root = folder.path().canonicalize().expect("a path");
    let file = Resolver::default().file(&root.join("e2e/a.spec.ts"), source)?;
    let file = file.canonicalize().expect("a file");
    Some(file.strip_prefix(&root).expect("a file of the project").display().to_string().replace('\\', "/"))
}

#[test]
fn paths_of_a_tsconfig_are_followed_with_what_it_extends() {
    let base = r#"{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["missing/*", "tests/*"], "@/lib/*": ["lib/*"] } } }"#;
    let own = "{\n  // settings of the tests\n  \"extends\": \"../tsconfig.base\",\n  \"compilerOptions\": { \"strict\": true, },\n}";
    let files = [
        ("tsconfig.base.json", base),
        ("e2e/tsconfig.json", own),
        ("tests/times.ts", ""),
        ("lib/times.ts", ""),
        ("shared/index.js", ""),
    ];
    assert_eq!(found(&files, "@/times").as_deref(), Some("tests/times.ts"));
    assert_eq!(found(&files, "@/lib/times").as_deref(), Some("lib/times.ts"));
    assert_eq!(found(&files, "shared").as_deref(), Some("shared/index.js"));
    assert_eq!(found(&files, "react"), None);
}

#[test]
fn paths_without_a_base_are_relative_to_their_file() {
    let files =
        [("tsconfig.json", r#"{"compilerOptions":{"paths":{"@/*":["./tests/*"]}}}"#), ("tests/t2.ts", "")];
    assert_eq!(found(&files, "@/t2").as_deref(), Some("tests/t2.ts"));
}

#[test]
fn imports_and_aliases_of_a_package_are_followed() {
    let package = r##"{ "imports": { "#times": { "types": "./x.d.ts", "default": "./src/times.js" }, "#test/*": "./test/*.ts" }, "_moduleAliases": { "@root": "." } }"##;
    let files = [("package.json", package), ("src/times.ts", ""), ("test/waits.ts", ""), ("consts.js", "")];
    assert_eq!(found(&files, "#times").as_deref(), Some("src/times.ts"));
    assert_eq!(found(&files, "#test/waits").as_deref(), Some("test/waits.ts"));
    assert_eq!(found(&files, "@root/consts").as_deref(), Some("consts.js"));
    assert_eq!(found(&files, "#other"), None);
}

#[test]
fn packages_of_a_workspace_are_followed_to_their_source() {
    let library = r#"{ "name": "@shop/waits", "main": "dist/index.js", "exports": { ".": { "import": "./dist/index.js" }, "./times": "./dist/times.js" } }"#;
    for (name, text) in [
        ("package.json", r#"{ "workspaces": ["packages/*"] }"#),
        ("package.json", r#"{ "workspaces": { "packages": ["packages/**"] } }"#),
        ("pnpm-workspace.yaml", "packages:\n  # all\n  - 'packages/*'\ncatalog:\n  - none\n"),
    ] {
        let files = [
            (name, text),
            ("packages/waits/package.json", library),
            ("packages/waits/src/index.ts", ""),
            ("packages/waits/src/times.ts", ""),
            ("packages/waits/test/more.ts", ""),
        ];
        assert_eq!(found(&files, "@shop/waits").as_deref(), Some("packages/waits/src/index.ts"), "{text}");
        assert_eq!(
            found(&files, "@shop/waits/times").as_deref(),
            Some("packages/waits/src/times.ts"),
            "{text}"
        );
        assert_eq!(
            found(&files, "@shop/waits/test/more").as_deref(),
            Some("packages/waits/test/more.ts"),
            "{text}"
        );
        assert_eq!(found(&files, "@shop/other"), None);
    }
}

#[test]
fn configurations_that_extend_each_other_come_to_an_end() {
    let files = [
        ("tsconfig.json", r#"{ "extends": "./other.json" }"#),
        ("other.json", r#"{ "extends": "./tsconfig.json" }"#),
    ];
    assert_eq!(found(&files, "@/times"), None);
}

#[test]
fn comments_and_last_commas_are_no_json() {
    let text = "{ /* a */ \"a\": \"http://x/*\", // b\n \"b\": [1, 2,], }";
    assert_eq!(serde_json::from_str::<serde_json::Value>(&plain(text)).expect("JSON")["b"][1], 2);
    assert!(plain(text).contains("http://x/*"));
}
