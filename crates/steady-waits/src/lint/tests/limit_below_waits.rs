//! Limits that leave no room for the waits.

use super::said;

#[test]
fn a_limit_must_leave_room_for_the_waits() {
    assert_eq!(
        said("it('a', async () => { await sleep(3000); await sleep(2500) }, 5000)")[0],
        "1 limit-below-waits"
    );
    assert_eq!(
        said("it('a', async () => { await findByText('x', {}, { timeout: 9000 }) }, 5000)"),
        ["1 limit-below-waits"]
    );
    assert_eq!(
        said("it('a', async () => { await findByText('x', {}, { timeout: 900 }) }, 5000)"),
        Vec::<String>::new()
    );
    let call = "it('a', async function () {\n  this.timeout(50)\n  await sleep(60)\n})\nit('b', async () => { await sleep(70) })";
    assert_eq!(said(call), ["2 limit-below-waits", "3 fixed-sleep", "5 fixed-sleep"]);
    let suite =
        "describe('s', { timeout: 50 }, () => {\n  it('a', () => sleep(30))\n  it('b', () => sleep(30))\n})";
    assert_eq!(said(suite), ["2 fixed-sleep", "3 fixed-sleep"]);
}

#[test]
fn only_what_a_test_always_sleeps_under_its_last_limit_counts() {
    let none = |text: &str| {
        let said = said(text);
        assert!(said.iter().all(|said| !said.ends_with("limit-below-waits")), "{text}: {said:?}");
    };
    none("it('a', async () => { if (slow) { await sleep(3000) } else { await sleep(2500) } }, 5000)");
    none("it('a', async () => { await Promise.all([sleep(3000), sleep(2500)]) }, 5000)");
    none("it('a', async function () { this.timeout(50); this.timeout(500); await sleep(60) })");
    none(
        "describe('s', { timeout: 50 }, () => { it('a', async () => { await findByText('x', {}, { timeout: 90 }) }, 500) })",
    );
}
