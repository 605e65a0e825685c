//! Addresses in memory, as C's `%p` and Go's print them, and as Python's `id()` writes them in decimal digits.

use steady_model::rerun::Category;

use super::engine::{Candidate, Judgement, Rule};
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::Pointer, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r"0x[0-9a-f]{7,16}|0x[0-9A-F]{7,16}|[0-9]{14,15}";

/// Where Linux puts libraries and mapped memory, and where it puts a program and its heap.
const MAPPED: std::ops::Range<u64> = 0x7e00_0000_0000..0x8000_0000_0000;
const PROGRAM: std::ops::Range<u64> = 0x5500_0000_0000..0x5700_0000_0000;

/// Digits of an address on a 64-bit machine, leading zeros aside.
const WIDE: usize = 9;

fn judge(candidate: &Candidate<'_>, _context: &Context) -> Option<Judgement> {
    if !candidate.text.starts_with("0x") {
        let address: u64 = candidate.text.parse().ok()?;
        // Objects lie at multiples of eight.
        let is_one = (MAPPED.contains(&address) || PROGRAM.contains(&address)) && address.is_multiple_of(8);
        return is_one.then(|| Judgement::new(Category::RunMsg, Strength::Weak, "address in decimal digits"));
    }
    let digits = candidate.text.trim_start_matches("0x").trim_start_matches('0');
    let mut distinct = digits.as_bytes().to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    // Windows error codes begin with 8 or C in eight digits; masks have hardly any different digits.
    let error_code = digits.len() == 8 && digits.starts_with(['8', 'C', 'c']);
    if error_code || distinct.len() < 4 || digits.len() < 7 {
        return None;
    }
    let (strength, detail) = if digits.len() < WIDE {
        (Strength::Weak, "32-bit address")
    } else if digits.starts_with("c0") {
        (Strength::Certain, "Go heap address")
    } else {
        (Strength::Likely, "64-bit address")
    };
    Some(Judgement::new(Category::RunMsg, strength, detail))
}

#[cfg(test)]
mod tests {
    use super::super::table::check;
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("m", "0xc000123456"),
            ("m", "0xc00001c0a8"),
            ("m", "0x7ffee4c0a8b8"),
            ("m", "0x00007f9b8c0a1b2c"),
            ("m", "0x55d0c8a9b2e0"),
            ("m", "0x10a3b5d30"),
            ("m", "0x7FFEE4C0A8B8"),
            ("m", "0x1a2b3c4"),
            ("m", "139798965745680"),
        ];
        let look_alikes = [
            ("color", "0xFF00FF"),
            ("account", "139798965745683"),
            ("account", "20260310120000"),
            ("error", "0x80070005"),
            ("error", "0xC0000005"),
            ("mask", "0xFFFFFFFF"),
            ("mask", "0xffff0000ffff0000"),
            ("mask", "0x00000001"),
            ("wallet", "0x52908400098527886E0F7030069857D2E4169EE7"),
            ("dimension", "1920x1080"),
            ("id", "0xyz1234567"),
            ("opcode", "0x1f"),
        ];
        check(&RULE, Category::RunMsg, &known, &look_alikes);
    }
}
