//! RestAssured, 4 and later, on the JUnit platform with Maven's Surefire or Failsafe, 2.22 and later: Java and Kotlin alike.
//!
//! A folder of classes is appended to the test class path, which Surefire supports by a property. JUnit's launcher finds a listener there by
//! itself and notifies it of the running test; the listener adds a filter to RestAssured's own. The classes are compiled when they are
//! first needed, against stubs of the few methods they call, so the project's class path need not be known.
//!
//! A test may reset RestAssured. The filter is checked at the start of each test and, with Jupiter 5.12 and later, again after its
//! set-up methods, by an extension; extension detection is not switched on for projects that do not use it. Two things are not recorded: a test that replaces
//! the filters itself, and a POM with its own `additionalClasspathElements`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use steady_process::{Cancel, Running, SpawnError, Spec, spawn};
use steady_runners::Invocation;

use super::Hook;
use crate::command::TestCommand;
use crate::record::error::RecordError;

/// Maven.
#[derive(Debug)]
pub(super) struct Maven;

const CLASS_PATH: &str = "-Dmaven.test.additionalClasspath=";
const SERVICES: [(&str, &str); 2] = [
    ("META-INF/services/org.junit.jupiter.api.extension.Extension", "steady.record.ReadyExtension\n"),
    ("META-INF/services/org.junit.platform.launcher.TestExecutionListener", "steady.record.TestListener\n"),
];
const COMPILER_LIMIT: Duration = Duration::from_secs(180);

macro_rules! sources {
    ($folder:literal: $($path:literal),+ $(,)?) => {
        [$(($path, include_str!(concat!("../inject/jvm/", $folder, $path)))),+]
    };
}

/// What is compiled.
const RECORDER: [(&str, &str); 4] = sources!("steady/record/":
    "ExchangeLog.java",
    "ReadyExtension.java",
    "RecordingFilter.java",
    "TestListener.java",
);

/// What it is compiled against.
const STUBS: [(&str, &str); 19] = sources!("stubs/":
    "io/restassured/RestAssured.java",
    "io/restassured/builder/ResponseBuilder.java",
    "io/restassured/filter/Filter.java",
    "io/restassured/filter/FilterContext.java",
    "io/restassured/http/Header.java",
    "io/restassured/http/Headers.java",
    "io/restassured/internal/RestAssuredResponseImpl.java",
    "io/restassured/response/Response.java",
    "io/restassured/specification/FilterableRequestSpecification.java",
    "io/restassured/specification/FilterableResponseSpecification.java",
    "org/junit/jupiter/api/extension/BeforeTestExecutionCallback.java",
    "org/junit/jupiter/api/extension/ExtensionContext.java",
    "org/junit/platform/engine/ConfigurationParameters.java",
    "org/junit/platform/engine/TestExecutionResult.java",
    "org/junit/platform/engine/TestSource.java",
    "org/junit/platform/engine/support/descriptor/MethodSource.java",
    "org/junit/platform/launcher/TestExecutionListener.java",
    "org/junit/platform/launcher/TestIdentifier.java",
    "org/junit/platform/launcher/TestPlan.java",
);

impl Hook for Maven {
    fn runner(&self) -> &'static str {
        "maven"
    }

    fn sees(&self) -> &'static str {
        "RestAssured, in tests on the JUnit platform (JUnit 5, or JUnit 4 with the vintage engine)"
    }

    fn build(&self, command: &TestCommand<'_>, home: &Path, cancel: &Cancel) -> Result<(), RecordError> {
        let (sources, stubs, classes) = (home.join("sources"), home.join("stubs"), classes(home));
        for (folder, files) in [(&sources, RECORDER.as_slice()), (&stubs, &STUBS), (&classes, &SERVICES)] {
            for (path, text) in files {
                write(&folder.join(path), text)?;
            }
        }
        let compiler = compiler(command);
        let arguments = |spec: Spec| {
            let spec = spec
                .args(["-nowarn", "-proc:none", "-implicit:none", "-encoding", "UTF-8", "-d"])
                .literal_arg(&classes);
            let spec = spec.arg("-sourcepath").literal_arg(&stubs);
            RECORDER.iter().fold(spec, |spec, (path, _)| spec.literal_arg(sources.join(path)))
        };
        let plain = Spec::program(&compiler).timeout(COMPILER_LIMIT);
        // For the oldest Java that the compiler supports; else for its own version.
        let oldest = plain.clone().args(["--release", "8"]);
        let compile = |spec: Spec| compiled(spawn(&arguments(spec)), &compiler, cancel);
        compile(oldest).or_else(|_| compile(plain))
    }

    fn attach(&self, invocation: &mut Invocation, home: &Path) -> Result<(), RecordError> {
        let classes = classes(home).display().to_string();
        match invocation.args.iter_mut().find(|word| word.starts_with(CLASS_PATH)) {
            Some(theirs) => *theirs = format!("{theirs},{classes}"),
            None => invocation.add(format!("{CLASS_PATH}{classes}")),
        }
        Ok(())
    }
}

fn classes(home: &Path) -> PathBuf {
    home.join("classes")
}

fn write(path: &Path, text: &str) -> Result<(), RecordError> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).and_then(|()| fs::write(path, text)).map_err(RecordError::folder(path))
}

/// The compiler of the JDK that Maven uses, as far as that is known.
fn compiler(command: &TestCommand<'_>) -> String {
    let home = command.variable("JAVA_HOME").map(|home| Path::new(&home).join("bin/javac"));
    home.filter(|path| path.is_file()).map_or_else(|| "javac".to_owned(), |path| path.display().to_string())
}

fn compiled(
    started: Result<Running, SpawnError>,
    compiler: &str,
    cancel: &Cancel,
) -> Result<(), RecordError> {
    let finished = started.map_err(RecordError::NoCompiler)?.wait(cancel);
    if finished.exit.is_success() {
        return Ok(());
    }
    Err(RecordError::Compile { compiler: compiler.to_owned(), output: finished.output.text() })
}

#[cfg(test)]
mod tests {
    use steady_runners::{Project, recognise};

    use super::*;

    fn attached(words: &[&str]) -> Vec<String> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let mut invocation = recognise(&words, &Project::at(Path::new("."))).invocation(Path::new("/inject"));
        Maven.attach(&mut invocation, Path::new("/home")).unwrap();
        invocation.args
    }

    #[test]
    fn the_users_own_class_path_element_stays() {
        let theirs = "-Dmaven.test.additionalClasspath=/theirs";
        assert_eq!(attached(&["mvn", "test"]), ["test", "-Dmaven.test.additionalClasspath=/home/classes"]);
        assert_eq!(attached(&["mvn", theirs, "test"]), [&format!("{theirs},/home/classes"), "test"]);
    }
}
