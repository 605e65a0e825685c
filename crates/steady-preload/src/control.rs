//! The settings that programs under the shim follow.

use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::SignedDuration;
use tempfile::{Builder, NamedTempFile, TempPath};

use crate::layout::{EARLIEST_WALL_SECOND, MAGIC, Page, VERSION};
use crate::system::SharedPage;

/// The control file cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot make the preload shim's control file in `{}`", folder.display())]
pub struct ControlError {
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

/// What the shim changes. Every program started with its variables follows it, as do the program's children.
///
/// The file is removed when this is dropped: running programs keep the last settings, programs started later are not
/// affected.
#[derive(Debug)]
pub struct Control {
    page: SharedPage,
    file: TempPath,
}

impl Control {
    /// Makes a control that changes nothing, with its file in a folder that is created if need be.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn create(folder: &Path) -> Result<Self, ControlError> {
        let failed = |source| ControlError { folder: folder.to_path_buf(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        let folder = fs::canonicalize(folder).map_err(failed)?;
        let file = Builder::new().prefix("control-").suffix(".page").tempfile_in(folder).map_err(failed)?;
        let page = write_page(&file).map_err(failed)?;
        Ok(Self { page, file: file.into_temp_path() })
    }

    /// Shifts the clock against the machine's; zero restores it. Running programs see it at their next clock read.
    ///
    /// Programs react to a jump as they would to one of the machine's clock: one that waits for a time of day that is now
    /// an hour further away waits an hour longer. Waits for a duration are not affected.
    ///
    /// # Errors
    /// When the shifted time is one that programs or the shim cannot handle.
    pub fn shift_clock(&self, by: SignedDuration) -> Result<(), ShiftError> {
        let nanoseconds = nanoseconds(by, SystemTime::now()).ok_or(ShiftError { by })?;
        self.page.get().wall_offset.store(nanoseconds, Ordering::Relaxed);
        Ok(())
    }

    /// How far the clock is shifted.
    pub fn shifted_by(&self) -> SignedDuration {
        SignedDuration::from_nanos(self.page.get().wall_offset.load(Ordering::Relaxed))
    }

    /// Makes what programs draw from the system at random follow from a seed; `None`: it is random again.
    ///
    /// What a program draws depends on the seed, its name and how many programs of that name were started under this control
    /// before it. Set the seed before programs start: OpenSSL, which Node.js draws from, takes notice only then.
    pub fn seed_random(&self, seed: Option<u64>) {
        let page = self.page.get();
        if let Some(seed) = seed {
            page.seed.store(seed, Ordering::Relaxed);
        }
        page.seeded.store(u64::from(seed.is_some()), Ordering::Release);
    }

    /// Makes every connection over TCP wait before it is made, loopback included; zero: none waits.
    pub fn delay_connections(&self, by: Duration) {
        let nanoseconds = u64::try_from(by.as_nanos()).unwrap_or(u64::MAX);
        self.page.get().connection_delay.store(nanoseconds, Ordering::Relaxed);
    }

    /// How many programs have been started under the control so far; forks are not counted again. Zero means that the shim
    /// reached no program. A program of a user who may not write the file follows it uncounted.
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
        let control = Control::create(folder.path()).unwrap();
        control.shift_clock(SignedDuration::from_hours(27)).unwrap();
        let error = control.shift_clock(SignedDuration::MIN).unwrap_err();
        assert!(error.to_string().starts_with("the clock cannot be shifted by "), "{error}");
        assert_eq!(control.shifted_by(), SignedDuration::from_hours(27));
    }

    #[test]
    fn the_file_goes_with_the_control() {
        let folder = tempfile::tempdir().unwrap();
        let control = Control::create(&folder.path().join("new")).unwrap();
        let file = control.file().to_path_buf();
        assert_eq!(fs::metadata(&file).unwrap().len(), 4096);
        drop(control);
        assert!(!file.exists());
    }
}
