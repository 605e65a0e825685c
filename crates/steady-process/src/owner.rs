//! Who started a process: the mark its environment carries.
//!
//! `STEADY_RUN` holds `<owner>.<number>`. An owner is identified by process id, start time and boot, so a reused id is not mistaken for it.
//! A steady started by a steady appends its mark to the one it found, after a colon.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The environment variable that marks every process of a run.
pub const RUN_VARIABLE: &str = "STEADY_RUN";

/// A process that starts commands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Owner(String);

impl Owner {
    /// This process.
    pub(crate) fn this() -> &'static Self {
        static THIS: OnceLock<Owner> = OnceLock::new();
        THIS.get_or_init(|| Self::of(std::process::id()))
    }

    fn of(pid: u32) -> Self {
        Self(format!("{pid}-{}-{}", start_time(pid).unwrap_or(0), boot()))
    }

    /// Reads what [`Owner::as_str`] gave.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let number = |part: Option<&str>| part.is_some_and(|part| part.parse::<u64>().is_ok());
        let whole = number(parts.next())
            && number(parts.next())
            && parts.next().is_some_and(|boot| boot.bytes().all(|byte| byte.is_ascii_hexdigit()))
            && parts.next().is_none();
        whole.then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a process with this id runs that also started when the owner did.
    pub(crate) fn is_alive(&self) -> bool {
        let pid = self.0.split('-').next().and_then(|pid| pid.parse().ok());
        pid.is_some_and(|pid| start_time(pid).is_some() && Self::of(pid) == *self)
    }

    /// Whether start times that it noted still mean the same.
    #[cfg(target_os = "linux")]
    pub(crate) fn is_of_this_boot(&self) -> bool {
        self.0.rsplit('-').next() == Some(boot().as_str())
    }

    /// Whether the value of the variable names a run of this owner.
    #[cfg(target_os = "linux")]
    pub(crate) fn marked(&self, value: &[u8]) -> bool {
        value
            .split(|byte| *byte == b':')
            .any(|mark| mark.strip_prefix(self.0.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'.')))
    }
}

/// A new mark: the one of this run, and the whole value of the variable.
pub(crate) fn new_mark() -> (String, String) {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let mark = format!("{}.{}", Owner::this().as_str(), COUNTER.fetch_add(1, Ordering::Relaxed));
    let value = match std::env::var(RUN_VARIABLE) {
        Ok(outer) if !outer.is_empty() => format!("{outer}:{mark}"),
        _ => mark.clone(),
    };
    (mark, value)
}

#[cfg(target_os = "linux")]
fn start_time(pid: u32) -> Option<u64> {
    let process = crate::processes::Process::read(i32::try_from(pid).ok()?)?;
    process.is_alive().then_some(process.start)
}

/// Without `/proc` an owner is alive as long as its id is.
#[cfg(not(target_os = "linux"))]
fn start_time(pid: u32) -> Option<u64> {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).ok()?)?;
    match rustix::process::test_kill_process(pid) {
        Err(rustix::io::Errno::SRCH) => None,
        _ => Some(0),
    }
}

/// The first digits of the kernel's boot id: start times restart with every boot.
fn boot() -> String {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.chars().filter(char::is_ascii_hexdigit).take(8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_alive_and_reads_back() {
        let this = Owner::this();
        assert!(this.is_alive());
        assert_eq!(Owner::parse(this.as_str()).as_ref(), Some(this));
    }

    #[test]
    fn a_reused_process_id_is_another_owner() {
        let (pid, start) = (std::process::id(), start_time(std::process::id()).unwrap());
        let earlier = Owner(format!("{pid}-{}-{}", start + 1, boot()));
        assert!(!earlier.is_alive());
        let other_boot = Owner(format!("{pid}-{start}-ffff0000"));
        assert!(!other_boot.is_alive());
    }

    #[test]
    fn what_is_no_owner_is_refused() {
        for text in ["", "1", "1-2", "x-2-ab", "1-2-../..", "1-2-ab-3", "1-2-ab/c"] {
            assert_eq!(Owner::parse(text), None, "{text}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn marks_are_told_apart() {
        let owner = Owner("12-34-ab".to_owned());
        assert!(owner.marked(b"12-34-ab.0"));
        assert!(owner.marked(b"9-9-cd.4:12-34-ab.17:5-5-ef.1"));
        assert!(!owner.marked(b"12-34-abc.0"));
        assert!(!owner.marked(b"112-34-ab.0"));
        assert!(!owner.marked(b"12-34-ab"));
    }
}
