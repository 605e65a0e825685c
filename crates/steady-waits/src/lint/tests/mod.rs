//! The rules on small files, a file for each rule or part of the advice.

mod advice;
mod cost;
mod deletion;
mod fake_clock;
mod fixed_sleep;
mod guard;
mod limit_below_waits;
mod long_timeout;
mod product_timer;
mod rules;
mod timestamps;
mod unawaited_wait;
mod window;
mod zero_wait;

use std::path::Path;

use steady_js::Script;

use super::{Complaint, Context, lint};

fn read(text: &str) -> Script {
    Script::read(Path::new("a.test.ts"), text).unwrap()
}

fn complaints(text: &str) -> Vec<Complaint> {
    let script = read(text);
    lint(&script, Path::new("a.test.ts"), &Context::of(&[&script]))
}

/// `line rule` of every complaint.
fn said(text: &str) -> Vec<String> {
    complaints(text).iter().map(|complaint| format!("{} {}", complaint.line, complaint.rule)).collect()
}

/// The same for a file of another name.
fn said_in(name: &str, text: &str) -> Vec<String> {
    let path = Path::new(name);
    let script = Script::read(path, text).unwrap();
    let complaints = lint(&script, path, &Context::of(&[&script]));
    complaints.iter().map(|complaint| format!("{} {}", complaint.line, complaint.rule)).collect()
}

fn advice(text: &str) -> String {
    complaints(text).into_iter().next().map(|complaint| complaint.advice).unwrap_or_default()
}

/// The import by which a file is known as one of Playwright.
const PLAYWRIGHT: &str = "import { test, expect } from '@playwright/test'\n";
