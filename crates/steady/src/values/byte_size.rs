//! A number of bytes.

use std::str::FromStr;

use super::{ValueError, split_unit};

/// A number of bytes, written `4096`, `512KB`, `4MB` or `1GB` (powers of 1024).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteSize(pub usize);

impl FromStr for ByteSize {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ValueError {
            given: text.to_owned(),
            expected: "a size; write a whole number of bytes, or of KB, MB or GB, like 4MB",
        };
        let (number, unit) = split_unit(text);
        let number: usize = number.parse().map_err(|_| error())?;
        let shift = match unit.to_ascii_uppercase().as_str() {
            "" | "B" => 0,
            "K" | "KB" | "KIB" => 10,
            "M" | "MB" | "MIB" => 20,
            "G" | "GB" | "GIB" => 30,
            _ => return Err(error()),
        };
        number.checked_mul(1 << shift).filter(|size| *size > 0).map(Self).ok_or_else(error)
    }
}

deserialize_from_str!(ByteSize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_bytes_or_powers_of_1024() {
        for (text, bytes) in [("4096", 4096), ("4KB", 4096), ("2MiB", 2 << 20), ("1gb", 1 << 30)] {
            assert_eq!(text.parse(), Ok(ByteSize(bytes)), "{text}");
        }
        for text in ["", "0", "-1", "4TB", "99999999999GB"] {
            assert!(text.parse::<ByteSize>().is_err(), "{text}");
        }
    }
}
