//! An API from its start to its end.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use steady_exec::{
    ApplyError, Capabilities, Overrides, PreloadError, StateDir, StateDirError, apply, overrides, probes,
    steer,
};
use steady_http::{BaseUrl, Client, ClientOptions};
use steady_model::rerun::{Condition, Perturbation};
use steady_preload::{Control, Support};
use steady_process::{Ports, Running, Spec, fill_address, ports_in, spawn};
use tokio::time::{Instant, sleep, timeout};

use crate::action::Action;
use crate::beside::{ended, stopped};
use crate::database::Database;
use crate::error::{SutError, What, last_lines};
use crate::ready::{NotReady, Readiness, exited};
use crate::spec::{Reset, SutSpec};
use crate::{beside, command, programs};

/// How long another program may hold the port: closing connections release it.
const PORT_LIMIT: Duration = Duration::from_secs(5);
const PORT_PAUSE: Duration = Duration::from_millis(20);
/// How long a process may take to end after it stopped answering.
const SETTLE: Duration = Duration::from_millis(500);
/// How often an API is started that lost its port to another program.
const STARTS: u32 = 3;
/// How many bytes of each stream of its output are kept.
const OUTPUT_LIMIT: usize = 256 << 10;
/// What the preload shim changes.
const INTERPOSED: [Perturbation; 3] = [Perturbation::Clock, Perturbation::Random, Perturbation::Latency];

/// An API that steady starts. Dropping it ends it, with everything it started.
pub struct Sut {
    /// Ended before the folders it uses are removed.
    live: Option<Live>,
    spec: SutSpec,
    url: String,
    client: Client,
    ports: Arc<Ports>,
    /// The condition of its last start.
    condition: Condition,
    /// What it consists of: the words of its command, or once it ran, the programs that ran.
    programs: Vec<PathBuf>,
    database: Option<Database>,
    state_dir: StateDir,
}

/// The API while it runs.
struct Live {
    running: Running,
    /// Controls its preload shim.
    control: Option<Control>,
    overrides: Overrides,
}

impl Sut {
    /// How long the API has to shut down.
    pub const GRACE: Duration = Duration::from_secs(5);
    /// The same on cancellation, or when the API is given up.
    pub const SHORT_GRACE: Duration = Duration::from_secs(1);

    /// An API that does not run yet, but has its port. `state` is steady's own folder in the project, `.steady`: what a killed
    /// steady left running is ended now.
    pub fn new(spec: SutSpec, state: &Path) -> Result<Self, SutError> {
        let state_dir = StateDir::open(state)?;
        let own_port = ports_in(&spec.url) > 0;
        if own_port && spec.known_to_the_api().all(|text| ports_in(text) == 0) {
            return Err(SutError::PortUnsaid { url: spec.url });
        }
        let count = spec.texts().map(ports_in).max().unwrap_or(0);
        let ports = Ports::reserve(count).map_err(SutError::NoPort)?;
        let (url, client) = located(&spec, &ports)?;
        let database = match &spec.database {
            Some(address) => {
                Some(Database::new(&fill_address(address.reveal(), spec.job, ports.numbers())?)?)
            }
            None => None,
        };
        let programs = command::programs_in(&spec.start);
        Ok(Self {
            live: None,
            url,
            client,
            ports: Arc::new(ports),
            condition: Condition::default(),
            programs,
            database,
            state_dir,
            spec,
        })
    }

    /// Where it is, the same until it [is moved](Sut::relocate); without a slash at the end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Ends it and gives it another free port for its next start; says whether that is possible. It is not where its address has no
    /// `{port}`, and where that of its database has one.
    pub async fn relocate(&mut self) -> Result<bool, SutError> {
        let database = self.spec.database.as_ref().map(|address| ports_in(address.reveal()));
        if ports_in(&self.spec.url) == 0 || database.is_some_and(|ports| ports > 0) {
            return Ok(false);
        }
        self.stop().await?;
        let ports = Ports::reserve(self.ports.numbers().len()).map_err(SutError::NoPort)?;
        (self.url, self.client) = located(&self.spec, &ports)?;
        self.ports = Arc::new(ports);
        Ok(true)
    }

    /// Another address with `{port}`, `{port1}`… and `{job}` replaced, such as that of its OpenAPI document.
    pub fn address(&self, template: &str) -> Result<String, SutError> {
        Ok(fill_address(template, self.spec.job, self.ports.numbers())?)
    }

    /// The id of its first process, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.live.as_ref().map(|live| live.running.pid())
    }

    /// The ids of all its processes, while it runs and where the system lists them.
    pub fn pids(&self) -> Vec<u32> {
        self.pid().map(programs::ids_in_session).unwrap_or_default()
    }

    /// Whether a reset leaves its process as it is.
    pub fn resets_in_place(&self) -> bool {
        match self.spec.reset {
            Some(Reset::Restart) => false,
            Some(Reset::Action(_)) => true,
            None => self.database.is_some(),
        }
    }

    /// The command line that starts it.
    pub fn start_line(&self) -> &str {
        &self.spec.start
    }

    /// The folder it runs in.
    pub fn folder(&self) -> &Path {
        &self.spec.folder
    }

    /// The last lines it printed, while it runs.
    pub fn output(&self) -> Vec<String> {
        self.live.as_ref().map(|live| last_lines(&live.running.output_so_far())).unwrap_or_default()
    }

    /// The conditions this API supports, one change each. Once it has run, its real programs are known, and the list is more exact.
    pub fn perturbations(&self) -> Vec<Condition> {
        let capabilities: Capabilities = programs::capabilities(&self.programs, &self.spec.folder);
        // Order and load do not concern the process.
        let concerning = Perturbation::ALL
            .into_iter()
            .filter(|what| !matches!(what, Perturbation::Order | Perturbation::Load));
        concerning.flat_map(|what| probes(what, &capabilities, 0)).map(|probe| probe.condition).collect()
    }

    /// Starts it under a condition, again if it runs, and waits until it is ready. The first time, the contents of its database are
    /// saved. If that fails, it does not run.
    pub async fn start(&mut self, condition: &Condition) -> Result<(), SutError> {
        self.stop().await?;
        self.condition = condition.clone();
        self.bring_up(condition).await?;
        let prepared = self.prepare().await;
        if prepared.is_err() {
            // The first error says more than one from ending it.
            let _ = self.stop().await;
        }
        prepared
    }

    /// Starts it until it is ready.
    async fn bring_up(&mut self, condition: &Condition) -> Result<(), SutError> {
        let readiness = Readiness::new(self.spec.ready.as_ref());
        let mut starts = 1;
        loop {
            self.claim_port().await?;
            let live = self.launch(condition)?;
            match readiness.wait(&self.client, &live.running, self.spec.timeout).await {
                Ok(()) => {
                    self.state_dir.ledger().note_processes(&live.running).map_err(StateDirError::from)?;
                    self.programs = self.seen_programs(&live);
                    self.live = Some(live);
                    return Ok(());
                }
                Err(NotReady::Exited) => {
                    let finished = ended(live.running).await;
                    // After the port is released and before the API binds it, another program may take it.
                    if starts < STARTS && self.has_lost_port() {
                        starts += 1;
                        continue;
                    }
                    let (command, output) = (self.spec.start.clone(), last_lines(&finished.output));
                    return Err(SutError::ExitedEarly { command, exit: finished.exit, output });
                }
                Err(NotReady::TooLong(last)) => {
                    let output = last_lines(&stopped(live.running, Self::SHORT_GRACE).await.output);
                    let (request, limit) = (readiness.request, self.spec.timeout);
                    let last = last.map(Box::new);
                    return Err(SutError::NeverReady { request, url: self.url.clone(), limit, last, output });
                }
            }
        }
    }

    /// The steps after it is ready.
    async fn prepare(&mut self) -> Result<(), SutError> {
        self.check_reached()?;
        match &mut self.database {
            Some(database) if !database.is_saved() => Ok(database.save().await?),
            _ => Ok(()),
        }
    }

    /// Ends it and starts it again under a condition. Its database stays as it is: [`Sut::reset`] restores that.
    pub async fn restart(&mut self, condition: &Condition) -> Result<(), SutError> {
        self.start(condition).await
    }

    /// Changes its overrides while it runs, and says whether that was possible: the clock and the latency can be changed, for the rest
    /// it must be [restarted](Sut::restart).
    pub fn adjust(&mut self, condition: &Condition) -> Result<bool, SutError> {
        let live = self.live.as_mut().ok_or(SutError::NotRunning)?;
        let wanted = Overrides { steerable: live.overrides.steerable, ..of_process(condition) };
        let steered =
            |overrides: &Overrides| Overrides { clock_shift: None, latency: None, ..overrides.clone() };
        if steered(&wanted) != steered(&live.overrides) {
            return Ok(false);
        }
        match &live.control {
            Some(control) => steer(control, &wanted).map_err(|error| ApplyError::Preload(error.into()))?,
            None if wanted == live.overrides => {}
            None => return Ok(false),
        }
        live.overrides = wanted;
        self.condition = condition.clone();
        Ok(true)
    }

    /// Resets it to its first state: its database first, then by the request, the command or the restart of its specification. The
    /// condition stays.
    pub async fn reset(&mut self) -> Result<(), SutError> {
        let action = match (self.spec.reset.clone(), &self.database) {
            (Some(Reset::Restart), _) | (None, None) => {
                self.stop().await?;
                self.restore().await?;
                return self.start(&self.condition.clone()).await;
            }
            (Some(Reset::Action(action)), _) => Some(action),
            (None, Some(_)) => None,
        };
        self.check(Duration::ZERO).await?;
        self.restore().await?;
        match action {
            None => Ok(()),
            Some(Action::Request(request)) => match beside::send_reset(&self.client, &request).await {
                // If the process has exited, that is the better explanation.
                Err(error) => self.check(SETTLE).await.and(Err(error)),
                Ok(()) => Ok(()),
            },
            Some(Action::Command(line)) => beside::run(What::Reset, self.spec_of(&line)).await,
        }
    }

    /// Fails when its process has ended, or ends within `patience`: connections close a moment before the process has gone.
    pub async fn check(&mut self, patience: Duration) -> Result<(), SutError> {
        if let Some(live) = &self.live {
            let _ = timeout(patience, exited(&live.running)).await;
        }
        let live = self.live.take_if(|live| live.running.exits_before(std::time::Instant::now()));
        match live {
            Some(live) => {
                let finished = ended(live.running).await;
                let (command, output) = (self.spec.start.clone(), last_lines(&finished.output));
                Err(SutError::Died { command, exit: finished.exit, output })
            }
            None if self.live.is_none() => Err(SutError::NotRunning),
            None => Ok(()),
        }
    }

    /// Ends it, with everything it started: by the request or command of its specification, then by signals. Nothing happens when it
    /// does not run.
    pub async fn stop(&mut self) -> Result<(), SutError> {
        self.stop_within(Self::GRACE).await
    }

    /// The same; what is still there after `grace` is killed.
    pub async fn stop_within(&mut self, grace: Duration) -> Result<(), SutError> {
        let Some(live) = self.live.take() else { return Ok(()) };
        let asked = match &self.spec.stop {
            None => Ok(false),
            Some(Action::Request(request)) => {
                // A process that is ending need not answer.
                let _ = self.client.channel().send(&request.request()).await;
                Ok(true)
            }
            Some(Action::Command(line)) => beside::run(What::Stop, self.spec_of(line)).await.map(|()| true),
        };
        if let Ok(true) = asked {
            let _ = timeout(grace, exited(&live.running)).await;
        }
        stopped(live.running, grace).await;
        asked.map(drop)
    }

    async fn restore(&mut self) -> Result<(), SutError> {
        match &mut self.database {
            Some(database) if database.is_saved() => Ok(database.restore().await?),
            _ => Ok(()),
        }
    }

    /// Ensures that no other program listens on the API's port.
    async fn claim_port(&self) -> Result<(), SutError> {
        let deadline = Instant::now() + PORT_LIMIT;
        while self.has_lost_port() {
            if Instant::now() >= deadline {
                return Err(SutError::PortTaken { url: self.url.clone() });
            }
            sleep(PORT_PAUSE).await;
        }
        if ports_in(&self.spec.url) > 0 {
            return Ok(());
        }
        let request = Readiness::new(None).request.request();
        match self.client.channel().send(&request).await {
            Err(error) if error.is_unreachable() => Ok(()),
            _ => Err(SutError::PortTaken { url: self.url.clone() }),
        }
    }

    /// Whether another program has one of our ports. When not, they are held until the next start.
    fn has_lost_port(&self) -> bool {
        self.ports.hold().is_err()
    }

    /// A command line with what all commands of the specification share.
    fn spec_of(&self, line: &str) -> Spec {
        let spec = command::of_line(line)
            .folder(&self.spec.folder)
            .job(self.spec.job)
            .ports(Arc::clone(&self.ports))
            .timeout(self.spec.timeout)
            .output_limit(OUTPUT_LIMIT);
        self.spec.env.iter().fold(spec, |spec, (name, value)| spec.set_variable(name, value))
    }

    fn launch(&self, condition: &Condition) -> Result<Live, SutError> {
        let obstacle = programs::obstacle(&self.programs, &self.spec.folder);
        let mut around = of_process(condition);
        if let Some(obstacle) = &obstacle
            && around.needs_shim()
        {
            return Err(not_perturbable(condition, obstacle.to_string()));
        }
        let plain = self.spec_of(&self.spec.start).grace(Self::SHORT_GRACE);
        let needed = around.needs_shim();
        around.steerable = obstacle.is_none();
        let applied = match apply(plain.clone(), &around, &self.state_dir, self.spec.job) {
            // Without the shim the clock cannot be changed later, but the API can still start.
            Err(ApplyError::Preload(PreloadError::Install(_))) if !needed => {
                around.steerable = false;
                apply(plain, &around, &self.state_dir, self.spec.job)
            }
            applied => applied,
        };
        let (spec, control) = applied?;
        let running = spawn(&spec).map_err(|source| SutError::Spawn { what: What::Start, source })?;
        Ok(Live { running, control, overrides: around })
    }

    /// The programs that really run; where that is unknown, those known before.
    fn seen_programs(&self, live: &Live) -> Vec<PathBuf> {
        let seen = programs::in_session(live.running.pid());
        if seen.is_empty() { self.programs.clone() } else { seen }
    }

    /// Fails when the condition needs the shim and it reached no program, or not the one that matters.
    fn check_reached(&self) -> Result<(), SutError> {
        let Some(live) = &self.live else { return Ok(()) };
        if !(Overrides { steerable: false, ..live.overrides.clone() }).needs_shim() {
            return Ok(());
        }
        if let Some(Support::Fails { program, obstacle }) =
            programs::obstacle(&self.programs, &self.spec.folder)
        {
            return Err(not_perturbable(&self.condition, format!("`{}`: {obstacle}", program.display())));
        }
        if live.control.as_ref().is_some_and(|control| control.programs() == 0) {
            return Err(not_perturbable(
                &self.condition,
                "the preload shim reached none of its programs".to_owned(),
            ));
        }
        Ok(())
    }
}

/// Its address with these ports, and a client for requests about the API itself: they go to its server, not below its base path.
fn located(spec: &SutSpec, ports: &Ports) -> Result<(String, Client), SutError> {
    let base: BaseUrl = fill_address(&spec.url, spec.job, ports.numbers())?.parse()?;
    let client = Client::new(base.origin().parse()?, client_options())?;
    Ok((base.to_string(), client))
}

/// The overrides of a condition for a process: order and load do not concern it.
fn of_process(condition: &Condition) -> Overrides {
    Overrides { order: None, load: None, ..overrides(condition) }
}

fn not_perturbable(condition: &Condition, reason: String) -> SutError {
    let perturbation = INTERPOSED.into_iter().find(|what| condition.0.contains_key(what));
    SutError::NotPerturbable { perturbation: perturbation.unwrap_or(Perturbation::Clock), reason }
}

/// A local API may have any certificate.
fn client_options() -> ClientOptions {
    ClientOptions {
        timeout: Duration::from_secs(10),
        connect_timeout: Duration::from_secs(5),
        max_body: 64 << 10,
        insecure: true,
        ..ClientOptions::default()
    }
}
