//! Arguments that are refused, without the secrets in them.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use steady_model::mask_address;

/// `steady rerun pytest`: what the user means is clear, and so is what is missing.
fn put_dashes(refusal: &mut clap::Error) {
    let usage = match refusal.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => usage.to_string(),
        _ => return,
    };
    let takes_a_command = usage.contains("-- <CMD>") || usage.contains("-- [CMD]");
    let Some(ContextValue::String(word)) = refusal.get(ContextKind::InvalidArg) else { return };
    if refusal.kind() != ErrorKind::UnknownArgument || word.starts_with('-') || !takes_a_command {
        return;
    }
    let tip = format!("put `--` before the command: `-- {word} …`");
    refusal.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
}

/// Hides what the refused value may hold: of a header everything but its name, of an address its credentials.
pub fn without_secrets(mut refusal: clap::Error) -> clap::Error {
    let text = |kind| match refusal.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    let (argument, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
    let shown = if argument.contains("--header") {
        value.split([':', ' ']).next().unwrap_or_default().to_owned() + "…"
    } else if let Some((_, host)) = value.rsplit_once('@').filter(|_| !value.contains("://")) {
        format!("***@{host}")
    } else {
        mask_address(&value)
    };
    put_dashes(&mut refusal);
    if shown != value && !value.is_empty() {
        refusal.insert(ContextKind::InvalidValue, ContextValue::String(shown));
    }
    refusal
}
