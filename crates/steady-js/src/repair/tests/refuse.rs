use super::*;

#[test]
fn lines_without_anything_that_runs_are_refused() {
    let text = "import a from 'a';\n\n// a comment\nfunction open() {\n  /* all\n   of it */\n}\n";
    for line in [1, 2, 3, 5, 6] {
        assert_eq!(
            repaired("a.test.js", text, line, None, 5),
            Err(RepairError::NoWaitAt { line }),
            "line {line}"
        );
    }
    assert_eq!(repaired("a.test.js", text, 4, None, 5), Err(RepairError::NoWaitAt { line: 4 }));
}

#[test]
fn lines_behind_the_file_are_refused() {
    for line in [0, 3, 99] {
        let refused = Err(RepairError::LineOutOfRange { line, lines: 2 });
        assert_eq!(repaired("a.test.js", "open();\n", line, None, 5), refused, "line {line}");
    }
}

#[test]
fn nothing_is_awaited_where_it_may_not_be() {
    for text in [
        "it('a', () => {\n  open();\n});\n",
        "describe('a', function () {\n  open();\n});\n",
        "const a = 1;\nopen();\n",
    ] {
        assert_eq!(repaired("a.test.js", text, 2, None, 5), Err(RepairError::NotAsync { line: 2 }), "{text}");
    }
}

#[test]
fn lengths_that_only_a_run_knows_are_refused() {
    for (statement, why) in [
        ("await sleep(ms);", Obstacle::ComputedAtRunTime),
        ("await page.waitForTimeout(ms);", Obstacle::ComputedAtRunTime),
        ("await box.hover({ timeout: ms() });", Obstacle::ComputedAtRunTime),
        ("await new Promise(done => setTimeout(done, ms()));", Obstacle::ComputedAtRunTime),
        ("await screen.findByText('a', {}, { timeout: ms() });", Obstacle::ComputedAtRunTime),
        ("await screen.findByText('a', {}, options());", Obstacle::OptionsComputed),
        ("await screen.findByText(...all);", Obstacle::OptionsComputed),
    ] {
        let (text, line) = test_with("", statement);
        assert_eq!(
            repaired("a.test.js", &text, line, None, 5),
            Err(RepairError::NotEditable { line, why }),
            "{statement}"
        );
    }
}

#[test]
fn code_in_a_text_is_not_touched() {
    let text = "it('a', async () => {\n  await run(`\n    await sleep(5);\n    ${await open(\n      1)}\n  `);\n});\n";
    let refused = Err(RepairError::NotEditable { line: 3, why: Obstacle::InText });
    assert_eq!(repaired("a.test.js", text, 3, None, 50), refused);
    assert_eq!(
        repaired("a.test.js", text, 5, None, 50).map(|repair| repair.action),
        Ok(Action::InsertedWait)
    );
}

#[test]
fn an_arrow_hook_of_mocha_has_no_limit_to_set() {
    let text = "const assert = require('assert');\nbefore(async () => {\n  open();\n});\n";
    let refused = Err(RepairError::NotEditable { line: 2, why: Obstacle::ArrowHasNoThis });
    assert_eq!(repaired("a.test.js", text, 2, None, 5), refused);
}

#[test]
fn messages_say_what_to_do() {
    for (error, expected) in [
        (RepairError::NoWaitAt { line: 3 }, "line 3 neither waits nor makes a call: name the line of a call"),
        (RepairError::LineOutOfRange { line: 9, lines: 3 }, "there is no line 9: the file has 3"),
        (
            RepairError::NotEditable { line: 2, why: Obstacle::ComputedAtRunTime },
            "the wait in line 2 cannot be changed here: its length is computed at run time",
        ),
    ] {
        assert_eq!(error.to_string(), expected);
    }
}
