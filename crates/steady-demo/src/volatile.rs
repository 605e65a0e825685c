//! Values that are different in every answer, as they are in the real world.
//!
//! | where | what | kind |
//! |---|---|---|
//! | lists, estimates, problems | `requestId` | random UUID |
//! | answers | header `x-request-id` | random UUID |
//! | lists, problems, `/health` | `generatedAt`, `timestamp`, `startedAt` | time, microseconds |
//! | customers, products, orders | `createdAt`, `updatedAt`, `placedAt` | time, microseconds |
//! | `/price/estimate` | `validUntil` | epoch milliseconds |
//! | `/price/estimate` | `jitter`, and `total` = `base` + `jitter` | random number |
//! | products | `tags` | a set: any order |
//! | products | header `etag` | hash of content, time and a salt of the process |
//! | customers | `fingerprint` | salted digest |
//! | orders | `id`, `trackingHash` | random UUID, digest |
//! | `/login` | `token`, the session cookie | JWT, opaque text |
//! | `/health` | `uptimeMs`, `pid`, `instance` | duration, environment, object identity |
//!
//! `releaseDate` and `tenantId` look just like these, and never change.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20::ChaCha8Rng;
use jiff::Timestamp;
use rand::seq::SliceRandom as _;
use rand::{Rng as _, RngExt as _, SeedableRng as _};

/// When this version of the shop was released: a date that never changes.
pub(crate) const RELEASE_DATE: &str = "2024-03-15";
/// Whose shop it is: a UUID that never changes.
pub(crate) const TENANT_ID: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

/// The source of everything that varies.
pub(crate) struct Volatile {
    random: ChaCha8Rng,
    started: Timestamp,
    /// The last time that was returned: no two answers have the same.
    last: Timestamp,
    identity: u32,
}

impl Volatile {
    /// A source that draws the same again for the same seed and the same calls; only the time is its own.
    pub(crate) fn new(seed: u64) -> Self {
        let started = Timestamp::now();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let identity = random.next_u32();
        Self { random, started, last: started, identity }
    }

    /// A seed that no other run of the process repeats.
    pub(crate) fn unrepeated_seed() -> u64 {
        (Timestamp::now().as_nanosecond() as u64).rotate_left(16) ^ u64::from(std::process::id())
    }

    /// A random UUID, version 4.
    pub(crate) fn uuid(&mut self) -> String {
        let bits = (self.random.random::<u128>() & !(0xf << 76) & !(0x3 << 62)) | (0x4 << 76) | (0x2 << 62);
        let hex = format!("{bits:032x}");
        format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }

    /// What looks like a salted SHA-256.
    pub(crate) fn digest(&mut self) -> String {
        format!("{:032x}{:032x}", self.random.random::<u128>(), self.random.random::<u128>())
    }

    /// Opaque text, 32 bytes in base64url.
    pub(crate) fn opaque(&mut self) -> String {
        URL_SAFE_NO_PAD.encode(self.random.random::<[u8; 32]>())
    }

    /// A JSON Web Token for a user, with a time of issue and a signature that is never checked.
    pub(crate) fn token(&mut self, user: &str) -> String {
        let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"HS256","typ":"JWT"}"#);
        let claims = format!(r#"{{"sub":"{user}","iss":"shop","iat":{}}}"#, Timestamp::now().as_second());
        format!("{header}.{}.{}", URL_SAFE_NO_PAD.encode(claims), self.opaque())
    }

    /// An entity tag: a hash of what changed when, salted so that no two processes agree.
    pub(crate) fn entity_tag(&self, version: &str) -> String {
        let hash = version.bytes().fold(0xcbf2_9ce4_8422_2325 ^ u64::from(self.identity), |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        format!("\"{hash:016x}\"")
    }

    /// A small random number.
    pub(crate) fn jitter(&mut self) -> i64 {
        self.random.random_range(0..100)
    }

    /// The present time with microseconds.
    pub(crate) fn now(&mut self) -> String {
        written(self.next_time(Duration::from_micros(1)))
    }

    /// The present time in milliseconds since 1970.
    pub(crate) fn epoch_millis(&mut self) -> i64 {
        self.next_time(Duration::from_millis(1)).as_millisecond()
    }

    /// When the shop started.
    pub(crate) fn started(&self) -> String {
        written(self.started)
    }

    /// Milliseconds since the shop started.
    pub(crate) fn uptime(&mut self) -> i64 {
        self.epoch_millis() - self.started.as_millisecond()
    }

    /// An object of the process, the way runtimes print one.
    pub(crate) fn object(&self, class: &str) -> String {
        format!("{class}@{:x}", self.identity)
    }

    /// The present time, at least a step after the last one returned.
    fn next_time(&mut self, step: Duration) -> Timestamp {
        let next = self.last.checked_add(step).unwrap_or(self.last);
        self.last = next.max(Timestamp::now());
        self.last
    }

    /// Puts a set into any order.
    pub(crate) fn shuffle<T>(&mut self, set: &mut [T]) {
        set.shuffle(&mut self.random);
    }
}

fn written(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string()
}
