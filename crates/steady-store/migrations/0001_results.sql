-- Sessions, their runs and results, and the daily counts that are kept longer than both.
-- `{key}` is a number the database gives; `{clustered}` keeps rows in the order of their key where that is a choice.
-- Times are milliseconds and days since 1970 in UTC.

CREATE TABLE projects (
    id {key},
    name TEXT NOT NULL UNIQUE
);

CREATE TABLE sessions (
    id {key},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    command TEXT NOT NULL,      -- JSON: a list of words
    version TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT,
    commit_id TEXT,
    branch TEXT,
    dirty BIGINT NOT NULL,
    environment TEXT NOT NULL,  -- JSON
    shard_index BIGINT,
    shard_count BIGINT
);

CREATE INDEX sessions_by_project ON sessions (project_id, started_at);

-- Which perturbations were on, without their values; '' for none.
CREATE TABLE conditions (
    id {key},
    perturbations TEXT NOT NULL UNIQUE
);

CREATE TABLE runs (
    id {key},
    session_id BIGINT NOT NULL REFERENCES sessions (id),
    project_id BIGINT NOT NULL REFERENCES projects (id),
    number BIGINT NOT NULL,
    condition_id BIGINT NOT NULL REFERENCES conditions (id),
    recorded_at BIGINT NOT NULL,
    settings TEXT NOT NULL,     -- JSON: the perturbations with their values
    ending TEXT NOT NULL,       -- JSON
    milliseconds DOUBLE PRECISION NOT NULL,
    excerpt TEXT NOT NULL,
    UNIQUE (session_id, number)
);

CREATE INDEX runs_by_time ON runs (project_id, recorded_at);

CREATE TABLE tests (
    id {key},
    project_id BIGINT NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    first_seen BIGINT NOT NULL,
    UNIQUE (project_id, name)
);

CREATE TABLE messages (
    id {key},
    hash BYTEA NOT NULL UNIQUE,
    body TEXT NOT NULL
);

-- The one large table: no references, no number of its own.
CREATE TABLE results (
    run_id BIGINT NOT NULL,
    position BIGINT NOT NULL,
    test_id BIGINT NOT NULL,
    outcome BIGINT NOT NULL,    -- 0 passed, 1 failed, 2 skipped
    milliseconds DOUBLE PRECISION,
    message_id BIGINT,
    PRIMARY KEY (run_id, position)
) {clustered};

CREATE INDEX results_by_message ON results (message_id) WHERE message_id IS NOT NULL;

CREATE TABLE days (
    test_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    condition_id BIGINT NOT NULL,
    passed BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    skipped BIGINT NOT NULL,
    timed BIGINT NOT NULL,      -- how many passes say how long they took
    milliseconds DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (test_id, day, condition_id)
) {clustered};

CREATE TABLE last_failures (
    test_id BIGINT PRIMARY KEY,
    failed_at BIGINT NOT NULL,
    commit_id TEXT,
    branch TEXT,
    settings TEXT NOT NULL,
    message_id BIGINT
);
