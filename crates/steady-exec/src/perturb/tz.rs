//! The time zone: the two extremes, where the date differs from most places between.

use crate::Overrides;

pub const FIRST: u32 = 2;
pub const MORE: u32 = 5;

pub fn values() -> Vec<String> {
    ["Pacific/Kiritimati", "Pacific/Pago_Pago"].map(str::to_owned).into()
}

pub fn apply(value: &str, overrides: &mut Overrides) {
    overrides.set("TZ", value);
}
