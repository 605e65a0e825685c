//! Where the clock is a fake one.

use super::advice;

const VITEST: &str = "import { describe, it, vi } from 'vitest'\n";

#[test]
fn a_fake_clock_counts_for_its_own_test_and_suite() {
    for text in [
        "it('a', async () => { vi.useFakeTimers(); await sleep(500); log(); })",
        "describe('a', () => { beforeEach(() => { vi.useFakeTimers(); }); it('b', async () => { await sleep(500); log(); }) })",
        "beforeAll(() => vi.useFakeTimers()); describe('a', () => { describe('b', () => { it('c', async () => { await sleep(500); log(); }) }) })",
        "vi.useFakeTimers(); it('a', async () => { await sleep(500); log(); })",
    ] {
        let advice = advice(&format!("{VITEST}{text}"));
        assert!(advice.starts_with("Move the fake clock instead"), "{text}: {advice}");
    }
    for text in [
        "it('a', async () => { await sleep(500); log(); }); it('b', async () => { vi.useFakeTimers(); vi.advanceTimersByTime(9); })",
        "describe('a', () => { it('b', async () => { await sleep(500); log(); }) }); describe('c', () => { beforeEach(() => { vi.useFakeTimers(); }); it('d', () => {}) })",
        "it('a', async () => { vi.useFakeTimers(); open(); vi.useRealTimers(); await sleep(500); log(); })",
        "beforeEach(() => { vi.useFakeTimers(); }); it('a', async () => { vi.useRealTimers(); await sleep(500); log(); })",
        "beforeEach(() => { vi.useFakeTimers({ toFake: ['Date'] }); }); it('a', async () => { await sleep(500); log(); })",
    ] {
        let advice = advice(&format!("{VITEST}{text}"));
        assert!(!advice.contains("Move the fake clock"), "{text}: {advice}");
    }
}

#[test]
fn a_check_of_absence_is_told_of_the_clock_that_its_test_has() {
    let other = "it('b', () => { vi.useFakeTimers(); });";
    let real = format!(
        "{VITEST}{other} it('a', async () => {{ await sleep(10); expect(save).not.toHaveBeenCalled(); }})"
    );
    assert!(advice(&real).contains("First await a sign that the step before is over"), "{}", advice(&real));
}
