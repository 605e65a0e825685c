//! A real Slurm of one node for a test, from Debian's packages, unpacked below the target directory.

use std::fs;
use std::io::{self, BufRead, BufReader, Read as _};
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use crate::install::once;
use crate::process::must_succeed;
use crate::runners::INSTALL_LIMIT;
use crate::{RunnerError, run};

const PACKAGES: [&str; 7] = [
    "libhwloc15",
    "liblua5.1-0",
    "libmunge2",
    "slurm-client",
    "slurm-wlm-basic-plugins",
    "slurmctld",
    "slurmd",
];

/// Starts both daemons, says `ready` when the node is idle, and ends them when standard input is closed: that happens even
/// if the process that started it was killed.
const SCRIPT: &str = r#"
root=$1 control_port=$2 node_port=$3
folder=$(mktemp -d) || exit 1
trap 'kill $node $control 2>/dev/null; wait; rm -rf "$folder"' EXIT
plugins=$(echo "$root"/usr/lib/*/slurm-wlm)
export LD_LIBRARY_PATH="${plugins%/*}:$plugins" SLURM_CONF="$folder/slurm.conf"
host=$(uname -n) user=$(id -un)
host=${host%%.*}
mkdir "$folder/state" "$folder/spool"
cat >"$SLURM_CONF" <<END
ClusterName=steady
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/none
CredType=cred/none
PluginDir=$plugins
SlurmctldPort=$control_port
SlurmdPort=$node_port
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=tests Nodes=ALL Default=YES State=UP
END
"$root/usr/sbin/slurmctld-wlm" -D -f "$SLURM_CONF" >"$folder/log" 2>&1 &
control=$!
"$root/usr/sbin/slurmd-wlm" -D -f "$SLURM_CONF" -N "$host" -d "$root/usr/sbin/slurmstepd-wlm" >>"$folder/log" 2>&1 &
node=$!
tries=0
until "$root/usr/bin/sinfo" --noheader --format=%T 2>/dev/null | grep -q idle; do
    tries=$((tries + 1))
    [ $tries -lt 240 ] || { cat "$folder/log"; exit 1; }
    sleep 0.25
done
echo "ready $SLURM_CONF $LD_LIBRARY_PATH"
cat >/dev/null
"#;

/// A Slurm of one node with two processors. Its daemons end, and its folder goes, when this is dropped or the process ends
/// in any way.
#[derive(Debug)]
pub struct Slurm {
    supervisor: Child,
    /// Closed to end the daemons.
    leash: Option<ChildStdin>,
    root: PathBuf,
    configuration: String,
    libraries: String,
}

/// No Slurm could be started.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are in the messages")]
pub enum SlurmError {
    /// Its packages could not be had.
    #[error(transparent)]
    Install(#[from] RunnerError),
    /// The shell that watches over it could not be used.
    #[error("cannot start Slurm")]
    Supervisor { source: io::Error },
    /// It did not start.
    #[error("Slurm did not start:\n{output}")]
    NotStarted { output: String },
}

impl Slurm {
    /// Unpacks the packages, once, and returns the folder they are in.
    pub fn install() -> Result<PathBuf, RunnerError> {
        once("slurm", &PACKAGES.join("\n"), |home| {
            must_succeed(
                Command::new("apt-get").arg("download").args(PACKAGES).current_dir(home),
                INSTALL_LIMIT,
            )?;
            let unusable = |source| RunnerError::Folder { path: home.to_owned(), source };
            for entry in fs::read_dir(home).map_err(unusable)? {
                let path = entry.map_err(unusable)?.path();
                if path.extension().is_some_and(|extension| extension == "deb") {
                    let mut unpack = Command::new("dpkg");
                    must_succeed(unpack.arg("-x").arg(&path).arg(home.join("root")), INSTALL_LIMIT)?;
                }
            }
            Ok(())
        })
        .map(|home| home.join("root"))
    }

    /// Starts the daemons on free ports and waits until the node takes jobs.
    pub fn start() -> Result<Self, SlurmError> {
        let root = Self::install()?;
        let failed = |source| SlurmError::Supervisor { source };
        let ports = [free_port().map_err(failed)?, free_port().map_err(failed)?];
        let mut supervisor = Command::new("sh")
            .args(["-c", SCRIPT, "sh"])
            .arg(&root)
            .args(ports.map(|port| port.to_string()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl-C in a terminal reaches the tests; the daemons end by their end.
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let leash = supervisor.stdin.take();
        let mut output = supervisor.stdout.take().map(BufReader::new);
        let mut said = String::new();
        if let Some(output) = &mut output {
            output.read_line(&mut said).map_err(failed)?;
        }
        let words: Vec<String> = said.split_whitespace().map(str::to_owned).collect();
        let mut slurm =
            Self { supervisor, leash, root, configuration: String::new(), libraries: String::new() };
        if let [ready, configuration, libraries] = words.as_slice()
            && ready == "ready"
        {
            (slurm.configuration, slurm.libraries) = (configuration.clone(), libraries.clone());
            return Ok(slurm);
        }
        if let Some(output) = &mut output {
            output.read_to_string(&mut said).map_err(failed)?;
        }
        Err(SlurmError::NotStarted { output: said })
    }

    /// Submits a job script from `folder`, with these programs in reach first, and waits for the end of all its tasks.
    pub fn submit(&self, folder: &Path, script: &Path, path: &str) -> Result<crate::Finished, RunnerError> {
        let mut command = Command::new(self.root.join("usr/bin/sbatch"));
        command.arg("--wait").arg(script).current_dir(folder).env("PATH", path);
        command.env("SLURM_CONF", &self.configuration).env("LD_LIBRARY_PATH", &self.libraries);
        run(&mut command, INSTALL_LIMIT)
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        self.leash = None;
        // The shell waits for the daemons' end.
        let _ = self.supervisor.wait();
    }
}

fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
