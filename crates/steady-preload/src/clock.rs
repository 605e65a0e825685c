//! The wall clock of programs that run with the shim.

use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::SignedDuration;
use tempfile::{Builder, NamedTempFile, TempPath};

use crate::layout::{EARLIEST_WALL_SECOND, MAGIC, Page, VERSION};
use crate::system::SharedPage;

/// The clock's file cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot make the shifted clock's file in `{}`", folder.display())]
pub struct ClockError {
    /// Where it should have been.
    pub folder: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// A shift that programs could not work with.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the clock cannot be shifted by {by:#}: the shifted time must lie between 2001-09-10 and 2262-01-01")]
pub struct ShiftError {
    /// What was asked for.
    pub by: SignedDuration,
}

/// A wall clock that can be shifted. Every program started with its variables follows it, as do the program's children.
///
/// The file is removed when this is dropped: running programs keep the last shift, programs started later have none.
#[derive(Debug)]
pub struct Clock {
    page: SharedPage,
    file: TempPath,
}

impl Clock {
    /// Makes a clock that is not shifted, with its file in a folder that is created if need be.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn create(folder: &Path) -> Result<Self, ClockError> {
        let failed = |source| ClockError { folder: folder.to_path_buf(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        let folder = fs::canonicalize(folder).map_err(failed)?;
        let file = Builder::new().prefix("clock-").suffix(".page").tempfile_in(folder).map_err(failed)?;
        let page = write_page(&file).map_err(failed)?;
        Ok(Self { page, file: file.into_temp_path() })
    }

    /// Shifts the clock against the machine's; zero puts it right again. Running programs see it at their next look.
    ///
    /// Programs take a jump as they would take one of the machine's clock: one that waits for a time of day that has now
    /// gone back by an hour waits an hour longer. Waits that are a duration for the program are not touched.
    ///
    /// # Errors
    /// When the shifted time is one that programs or the shim cannot handle.
    pub fn shift(&self, by: SignedDuration) -> Result<(), ShiftError> {
        let nanoseconds = nanoseconds(by, SystemTime::now()).ok_or(ShiftError { by })?;
        self.page.get().wall_offset.store(nanoseconds, Ordering::Relaxed);
        Ok(())
    }

    /// How far the clock is shifted.
    pub fn shifted_by(&self) -> SignedDuration {
        SignedDuration::from_nanos(self.page.get().wall_offset.load(Ordering::Relaxed))
    }

    /// How many programs have been started under the clock so far; forks are not counted again. None means that the shim
    /// reached nobody. A program of a user who may not write the file follows it uncounted.
    pub fn programs(&self) -> u64 {
        self.page.get().programs.load(Ordering::Relaxed)
    }

    /// The file that the programs map.
    pub fn file(&self) -> &Path {
        &self.file
    }
}

fn write_page(file: &NamedTempFile) -> io::Result<SharedPage> {
    let mut bytes = vec![0; size_of::<Page>()];
    bytes[..MAGIC.len()].copy_from_slice(&MAGIC);
    bytes[MAGIC.len()..][..size_of_val(&VERSION)].copy_from_slice(&VERSION.to_ne_bytes());
    file.as_file().write_all(&bytes)?;
    // Tests may run as another user, who may look.
    file.as_file().set_permissions(Permissions::from_mode(0o644))?;
    SharedPage::map(file.as_file())
}

/// The shift as the page holds it, if the shifted time of day is within bounds.
fn nanoseconds(by: SignedDuration, now: SystemTime) -> Option<i64> {
    const DAY: i64 = 86_400;
    let earliest = SignedDuration::from_secs(EARLIEST_WALL_SECOND + DAY);
    // 2262-01-01: soon after, the nanoseconds since 1970 no longer fit into 64 bits.
    let latest = SignedDuration::from_secs(9_214_646_400);
    let now = SignedDuration::try_from(now.duration_since(UNIX_EPOCH).ok()?).ok()?;
    let shifted = now.checked_add(by)?;
    (earliest..=latest).contains(&shifted).then_some(())?;
    i64::try_from(by.as_nanos()).ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn in_2026() -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_790_000_000)
    }

    #[test]
    fn shifts_in_both_directions_are_kept_exactly() {
        for by in [SignedDuration::new(97_200, 1), SignedDuration::new(-97_200, -1), SignedDuration::ZERO] {
            assert_eq!(nanoseconds(by, in_2026()).map(i128::from), Some(by.as_nanos()));
        }
    }

    #[test]
    fn shifts_that_leave_the_bounds_are_refused() {
        for years in [-26, 300, 1_000_000] {
            assert_eq!(nanoseconds(SignedDuration::from_hours(years * 24 * 365), in_2026()), None, "{years}");
        }
        assert_eq!(nanoseconds(SignedDuration::MAX, in_2026()), None);
        assert_eq!(nanoseconds(SignedDuration::MIN, in_2026()), None);
    }

    #[test]
    fn a_refused_shift_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::create(folder.path()).unwrap();
        clock.shift(SignedDuration::from_hours(27)).unwrap();
        let error = clock.shift(SignedDuration::MIN).unwrap_err();
        assert!(error.to_string().starts_with("the clock cannot be shifted by "), "{error}");
        assert_eq!(clock.shifted_by(), SignedDuration::from_hours(27));
    }

    #[test]
    fn the_file_goes_with_the_clock() {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::create(&folder.path().join("new")).unwrap();
        let file = clock.file().to_path_buf();
        assert_eq!(fs::metadata(&file).unwrap().len(), 4096);
        drop(clock);
        assert!(!file.exists());
    }
}
