//! A real PostgreSQL server for a test, from Debian's package.

use std::fs;
use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

/// Where Debian installs servers, a folder per version.
const VERSIONS: &str = "/usr/lib/postgresql";
const USER: &str = "steady";
const PASSWORD: &str = "correct-horse";
/// How often another port is tried when a process took the one before.
const ATTEMPTS: u32 = 5;

/// Makes a server, prints `ready`, and ends it when standard input is closed: that happens even if the process that started it was
/// killed. Key and certificate come on standard input too. The server stays in our session: code under test that ends daemons
/// must not take it for one.
const SCRIPT: &str = r#"
bin=$1 port=$2 server=
folder=$(mktemp -d) || exit 1
trap '[ -z "$server" ] || { kill -QUIT "$server"; wait "$server"; } 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
umask 077
read -r password
echo "$password" >password
while read -r line && [ "$line" != end ]; do echo "$line"; done >server.key
while read -r line && [ "$line" != end ]; do echo "$line"; done >server.crt
"$bin/initdb" --pgdata=data --username=steady --pwfile=password --auth=scram-sha-256 --encoding=UTF8 --no-locale \
    --no-sync >log 2>&1 || { cat log; exit 1; }
options="-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$folder -c fsync=off"
options="$options -c ssl=on -c ssl_key_file=$folder/server.key -c ssl_cert_file=$folder/server.crt"
"$bin/postgres" -D data $options >log 2>&1 &
server=$!
until "$bin/pg_isready" --quiet --host=127.0.0.1 --port="$port"; do
    kill -0 "$server" 2>/dev/null || { cat log; exit 1; }
    sleep 0.02
done
echo ready
cat >/dev/null
"#;

/// A PostgreSQL server on a free port of this machine. It stops, and its folder goes, when this is dropped or the process
/// ends in any way. It offers TLS with a certificate for `localhost`.
#[derive(Debug)]
pub struct Postgres {
    supervisor: Child,
    /// Closed to end the server.
    leash: Option<ChildStdin>,
    port: u16,
    certificate: String,
}

/// No server could be started.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are in the messages")]
pub enum PostgresError {
    /// It is not installed.
    #[error(
        "no PostgreSQL server in {VERSIONS}; install the Debian package `postgresql` (`cargo xtask setup` does it)"
    )]
    NotInstalled,
    /// The shell that watches over it could not be used.
    #[error("cannot start a PostgreSQL server")]
    Supervisor { source: io::Error },
    /// It did not start.
    #[error("PostgreSQL did not start:\n{output}")]
    NotStarted { output: String },
    /// No certificate for it could be made.
    #[error("cannot make a certificate")]
    Certificate { source: rcgen::Error },
}

impl Postgres {
    /// Starts a server with an empty data folder.
    pub fn start() -> Result<Self, PostgresError> {
        let programs = programs().ok_or(PostgresError::NotInstalled)?;
        let mut attempt = 1;
        loop {
            match Self::start_once(&programs) {
                Err(PostgresError::NotStarted { output })
                    if attempt < ATTEMPTS && output.contains("Address already in use") =>
                {
                    attempt += 1;
                }
                outcome => return outcome,
            }
        }
    }

    fn start_once(programs: &Path) -> Result<Self, PostgresError> {
        let failed = |source| PostgresError::Supervisor { source };
        let certified = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()])
            .map_err(|source| PostgresError::Certificate { source })?;
        let (key, certificate) = (certified.signing_key.serialize_pem(), certified.cert.pem());
        let port = free_port().map_err(failed)?;
        let mut supervisor = shell()
            .args(["-c", SCRIPT, "sh"])
            .arg(programs)
            .arg(port.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Ctrl-C in a terminal reaches the tests; the server ends by their end.
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let mut leash = supervisor.stdin.take();
        let mut output = supervisor.stdout.take().map(BufReader::new);
        if let Some(leash) = &mut leash {
            write!(leash, "{PASSWORD}\n{key}end\n{certificate}end\n").map_err(failed)?;
        }
        let mut said = String::new();
        if let Some(output) = &mut output {
            output.read_line(&mut said).map_err(failed)?;
        }
        let server = Self { supervisor, leash, port, certificate };
        if said == "ready\n" {
            return Ok(server);
        }
        if let Some(output) = &mut output {
            output.read_to_string(&mut said).map_err(failed)?;
        }
        Err(PostgresError::NotStarted { output: said })
    }

    /// The address of a database on it; `postgres` is always there.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{USER}:{PASSWORD}@localhost:{}/{database}", self.port)
    }

    /// The password in [`Postgres::url`].
    pub fn password(&self) -> &'static str {
        PASSWORD
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The certificate it shows, in PEM.
    pub fn certificate(&self) -> &str {
        &self.certificate
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.leash = None;
        // The shell waits for the server's end.
        let _ = self.supervisor.wait();
    }
}

/// A shell that is not root's: the server refuses to run for root.
fn shell() -> Command {
    if !rustix::process::geteuid().is_root() {
        return Command::new("sh");
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--", "sh"]);
    // Its own folder may be closed to that user.
    command.current_dir("/");
    command
}

/// The folder with the newest server's programs.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir(VERSIONS).ok()?.filter_map(Result::ok);
    let servers =
        versions.map(|version| version.path().join("bin")).filter(|bin| bin.join("initdb").exists());
    servers.max()
}

fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn the_server_answers_until_it_is_dropped() {
        let server = Postgres::start().unwrap();
        let port = server.port();
        assert!(TcpStream::connect(("127.0.0.1", port)).is_ok());
        drop(server);
        assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    }
}
