//! An API of the catalogue, running as a process.

use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use jiff::SignedDuration;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;
use steady_preload::{Control, Preload};
use steady_testkit::catalogue::{Api, MUTANT_VARIABLE};
use tempfile::TempDir;

use crate::client::{Response, ask};

/// A port that was free a moment ago may be taken; then another one is tried.
const ATTEMPTS: u32 = 5;
const START_LIMIT: Duration = Duration::from_secs(60);

/// What is around the process. Everything that moves a value has a fixed setting, and a method that changes it.
#[derive(Clone)]
pub struct Environment {
    folder: Rc<TempDir>,
    interposed: Option<Rc<(Preload, Control)>>,
    zone: &'static str,
    language: (&'static str, &'static str),
    temporary: &'static str,
    working: &'static str,
    hash_seed: &'static str,
    mutant: Option<String>,
}

impl Environment {
    pub fn new() -> Self {
        let folder = TempDir::new().unwrap();
        for name in ["here", "there"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self {
            folder: Rc::new(folder),
            interposed: None,
            zone: "UTC",
            language: ("en", "US"),
            temporary: "here",
            working: "here",
            hash_seed: "1",
            mutant: None,
        }
    }

    pub fn clock(self, shift: SignedDuration) -> Self {
        let preload = Preload::install(self.folder.path()).unwrap();
        let control = Control::create(self.folder.path()).unwrap();
        control.shift_clock(shift).unwrap();
        Self { interposed: Some(Rc::new((preload, control))), ..self }
    }

    pub fn zone(self) -> Self {
        Self { zone: "Pacific/Kiritimati", ..self }
    }

    pub fn language(self) -> Self {
        Self { language: ("de", "DE"), ..self }
    }

    pub fn temporary(self) -> Self {
        Self { temporary: "there", ..self }
    }

    pub fn working(self) -> Self {
        Self { working: "there", ..self }
    }

    pub fn hash_seed(self) -> Self {
        Self { hash_seed: "2", ..self }
    }

    pub fn mutant(self, mutant: &str) -> Self {
        Self { mutant: Some(mutant.to_owned()), ..self }
    }

    fn apply(&self, command: &mut Command) {
        let folder = self.folder.path();
        let (language, country) = self.language;
        let temporary = folder.join(self.temporary);
        command
            .current_dir(folder.join(self.working))
            .env("TZ", self.zone)
            .env("LC_ALL", format!("{language}_{country}.UTF-8"))
            .env("TMPDIR", &temporary)
            .env("PYTHONHASHSEED", self.hash_seed)
            .env("JAVA_TOOL_OPTIONS", java_options(language, country, &temporary))
            .env_remove(MUTANT_VARIABLE);
        if let Some(mutant) = &self.mutant {
            command.env(MUTANT_VARIABLE, mutant);
        }
        if let Some((preload, control)) = self.interposed.as_deref() {
            let inherited = std::env::var_os("LD_PRELOAD");
            command.envs(preload.environment(control, inherited.as_deref()));
        }
    }
}

/// The JVM looks at properties where others look at variables. The client compiler alone starts faster.
fn java_options(language: &str, country: &str, temporary: &Path) -> String {
    format!(
        "-Duser.language={language} -Duser.country={country} -Djava.io.tmpdir={} -XX:TieredStopAtLevel=1",
        temporary.display()
    )
}

/// A running API; it ends when it is dropped.
pub struct Running {
    process: Child,
    port: u16,
}

impl Running {
    pub fn start(api: &Api, environment: &Environment) -> Self {
        let command = api.start_command().unwrap();
        for _ in 0..ATTEMPTS {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            let mut shell = Command::new("sh");
            shell.arg("-c").arg(format!("exec {}", command.replace("{port}", &port.to_string())));
            environment.apply(&mut shell);
            shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
            let mut running = Self { process: shell.spawn().unwrap(), port };
            if running.becomes_ready(api) {
                return running;
            }
        }
        panic!("{} does not start: {command}", api.name());
    }

    /// Whether it is ready in the end; it is not when the process has ended.
    fn becomes_ready(&mut self, api: &Api) -> bool {
        let (method, path) = api.ready().split_once(' ').unwrap();
        let begun = Instant::now();
        while self.process.try_wait().unwrap().is_none() {
            if ask(self.port, method, path, None).is_ok_and(|response| response.status == 200) {
                return true;
            }
            assert!(begun.elapsed() < START_LIMIT, "{} is not ready", api.name());
            thread::sleep(Duration::from_millis(20));
        }
        false
    }

    pub fn ask(&self, method: &str, target: &str, body: Option<&Value>) -> Response {
        ask(self.port, method, target, body).unwrap()
    }

    /// Its OpenAPI document, loaded.
    pub fn document(&self) -> steady_openapi::Api {
        let text = self.ask("GET", "/openapi.json", None).body.to_string();
        steady_openapi::parse(&text, "openapi.json").unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = kill_process_group(Pid::from_child(&self.process), Signal::KILL);
        let _ = self.process.wait();
    }
}
