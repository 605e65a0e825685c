//! How the engines number the jobs they start.

/// An engine that starts several equal jobs and gives each its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Engine {
    /// Its name.
    pub name: &'static str,
    /// The page that documents the variables.
    pub documentation: &'static str,
    /// How it numbers its jobs.
    pub numbering: Numbering,
}

/// How the number of a job is passed, by names of environment variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbering {
    /// One variable holds `K/N`.
    Written {
        /// The variable.
        shard: &'static str,
    },
    /// One variable holds the number of the job, another how many there are.
    Counted {
        /// The number of the job.
        index: &'static str,
        /// What the first job is numbered.
        first: u32,
        /// How many jobs there are; the first that is set is taken.
        counts: &'static [&'static str],
    },
    /// The jobs are numbered from one number to another, perhaps in steps.
    Ranged {
        /// The number of the job.
        id: &'static str,
        /// The number of the first job.
        first: &'static str,
        /// The number of the last job.
        last: &'static str,
        /// The difference between neighbours; 1 when not set.
        step: &'static str,
        /// How many jobs there are, to notice gaps; not needed.
        count: &'static str,
    },
}

impl Numbering {
    /// The variable that is set exactly when the engine numbers its jobs.
    pub fn telltale(self) -> &'static str {
        match self {
            Self::Written { shard } => shard,
            Self::Counted { index, .. } => index,
            Self::Ranged { id, .. } => id,
        }
    }
}

/// The number of shards where an engine does not pass it.
const STEADY_SHARD_COUNT: &str = "STEADY_SHARD_COUNT";

/// The engines, in the order in which they are checked.
///
/// A person's setting for steady comes first, then CI services, then the clusters that a service's
/// runner may itself run in.
pub const ENGINES: &[Engine] = &[
    Engine {
        name: "set by hand",
        documentation: "docs/shards.md",
        numbering: Numbering::Written { shard: "STEADY_SHARD" },
    },
    // GitHub sets no variables of its own: a workflow passes `strategy.job-index` and `strategy.job-total` here.
    Engine {
        name: "GitHub Actions matrix",
        documentation: "https://docs.github.com/en/actions/reference/workflows-and-actions/contexts#strategy-context",
        numbering: Numbering::Counted {
            index: "STEADY_SHARD_INDEX",
            first: 0,
            counts: &[STEADY_SHARD_COUNT],
        },
    },
    Engine {
        name: "GitLab parallel job",
        documentation: "https://docs.gitlab.com/ci/variables/predefined_variables/",
        numbering: Numbering::Counted { index: "CI_NODE_INDEX", first: 1, counts: &["CI_NODE_TOTAL"] },
    },
    Engine {
        name: "CircleCI parallelism",
        documentation: "https://circleci.com/docs/reference/variables/",
        numbering: Numbering::Counted {
            index: "CIRCLE_NODE_INDEX",
            first: 0,
            counts: &["CIRCLE_NODE_TOTAL"],
        },
    },
    Engine {
        name: "Buildkite parallelism",
        documentation: "https://buildkite.com/docs/pipelines/configure/environment-variables",
        numbering: Numbering::Counted {
            index: "BUILDKITE_PARALLEL_JOB",
            first: 0,
            counts: &["BUILDKITE_PARALLEL_JOB_COUNT"],
        },
    },
    // Kubernetes gives a pod its index, but not the total.
    Engine {
        name: "Kubernetes Indexed Job",
        documentation: "https://kubernetes.io/docs/tasks/job/indexed-parallel-processing-static/",
        numbering: Numbering::Counted {
            index: "JOB_COMPLETION_INDEX",
            first: 0,
            counts: &[STEADY_SHARD_COUNT, "JOB_COMPLETIONS"],
        },
    },
    Engine {
        name: "Slurm job array",
        documentation: "https://slurm.schedmd.com/job_array.html",
        numbering: Numbering::Ranged {
            id: "SLURM_ARRAY_TASK_ID",
            first: "SLURM_ARRAY_TASK_MIN",
            last: "SLURM_ARRAY_TASK_MAX",
            step: "SLURM_ARRAY_TASK_STEP",
            count: "SLURM_ARRAY_TASK_COUNT",
        },
    },
];
