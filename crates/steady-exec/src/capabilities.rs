//! What can be perturbed on this machine, for this command.

use std::process::Command;

/// What can be perturbed on this machine, for this command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// The locales that are installed, as `locale -a` names them.
    pub locales: Vec<String>,
    /// Whether the command runs in a runtime with language data of its own (Node.js, the JVM).
    pub own_language_data: bool,
    /// Whether the test runner accepts an order.
    pub can_order: bool,
    /// Whether the preload shim works: it moves the clock, fixes randomness and delays connections.
    pub can_preload: bool,
}

/// What `locale -a` lists; systems without it have `C` alone.
pub fn installed_locales() -> Vec<String> {
    let listed = Command::new("locale").arg("-a").output().ok();
    let text = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let mut locales: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
    locales.push("C".to_owned());
    locales
}
