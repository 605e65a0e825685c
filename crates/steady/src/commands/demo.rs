//! `steady demo`.

use crate::cli::{DemoArgs, SharedArgs};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::fuzz;
use crate::options::SharedOptions;

/// Tells the whole story on the embedded sample.
pub fn run(shared: &SharedArgs, args: &DemoArgs) -> Result<Exit, CommandError> {
    fuzz::demo(SharedOptions::from_args(shared), args.time.0)
}
