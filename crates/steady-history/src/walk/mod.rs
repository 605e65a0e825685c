//! Walks a folder's commits, reads the files they touched, and follows files across renames.
//!
//! A walk is three threads and three git processes, because each of them can keep a core busy and none needs to wait for another:
//!
//! 1. **The walk** ([`batches::walk_in_batches`], on the caller's thread) reads `git log --raw` for the folder, newest commit first. Every
//!    touched file becomes an [`Edge`](result::Edge) of the [`WalkResult`](result::WalkResult), and every version it names is requested.
//! 2. **The reader** (`WalkResult::reading`) answers those requests. It owns `git cat-file --batch`, cuts each file into lines and hashes
//!    them. [`BlobRequests`](requests::BlobRequests) is the queue between the two; it drops ids that were requested before.
//! 3. **The rename follower** ([`rename_follower::follow`](crate::rename::rename_follower::follow)) receives a
//!    [`Batch`](batches::Batch) from the walk after every 500 commits: how far the walk is, and which files were added on the way.
//!    It asks git where those files were before, and walks the older paths with a `git log` of its own. The versions it meets are requested
//!    from the same reader.
//!
//! The result must not depend on which thread is faster, or two runs on one repository would differ. Three rules ensure that:
//!
//! - A batch has a fixed number of commits, and the follower looks for renames only at the ends of batches. It never reads the walk's state:
//!   all it knows is in the batches it received.
//! - Positions of the two walks are compared as [`CommitTime`](commit_time::CommitTime)s, never by arrival.
//! - The follower keeps what it finds in [`FollowedRenames`](crate::rename::rename_follower::FollowedRenames). The walk merges it after both
//!   have ended, so nothing but the request queue is shared.
//!
//! The threads end in one order. The walk ends and drops its sender, which ends the follower's loop; the follower returns; the queue is
//! closed, which ends the reader; the reader is joined. A deadline ends the git processes, therefore every loop over their output.
//!
//! What the follower cannot decide before all files are read (a commit that both adds and deletes files) is left to
//! [`moves`](crate::rename::moves), which runs after the walk on one thread.

pub(crate) mod batches;
pub(crate) mod commit_time;
pub(crate) mod requests;
pub(crate) mod result;
pub(crate) mod route;
