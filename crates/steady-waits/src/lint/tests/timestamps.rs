//! Sleeps that make two times differ.

use super::advice;

#[test]
fn a_sleep_between_two_times_is_told_to_set_them() {
    for text in [
        "import { it } from 'vitest'\nit('a', async () => { await save(post); await sleep(9); await save(post); expect(post.updatedAt).not.toBe(old.updatedAt) })",
        "import { it } from 'vitest'\nit('a', async () => { await sleep(9); // so that the timestamps differ\nawait save(post); })",
        "import { it } from 'vitest'\nit('a', async () => { const a = Date.now(); await sleep(9); const b = next(); expect(b.timestamp).toBeGreaterThan(a) })",
    ] {
        assert!(advice(text).contains("`vi.setSystemTime(date)`"), "{text}: {}", advice(text));
    }
}

#[test]
fn a_tick_between_two_steps_that_are_alike_makes_their_times_differ() {
    let vitest = "import { it } from 'vitest'\n";
    for text in [
        "const first = await posts.create({ title: 'a' }); await sleep(1); const second = await posts.create({ title: 'b' }); expect(ids(second)).toBe(1)",
        "const a = Date.now(); await sleep(2); const b = Date.now(); expect(b - a).toBe(2)",
    ] {
        let advice = advice(&format!("{vitest}it('a', async () => {{ {text} }})"));
        assert!(advice.contains("`vi.setSystemTime(date)`"), "{text}: {advice}");
    }
    for text in [
        "await posts.create({ title: 'a' }); await sleep(500); await posts.create({ title: 'b' })",
        "await posts.create({ title: 'a' }); await sleep(1); await posts.remove({ title: 'b' })",
    ] {
        let advice = advice(&format!("{vitest}it('a', async () => {{ {text} }})"));
        assert!(!advice.contains("setSystemTime"), "{text}: {advice}");
    }
}
