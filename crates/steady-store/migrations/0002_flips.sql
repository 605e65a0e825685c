-- Tests that both passed and failed on the same code with nothing changed around them. `revision` is the commit, or names
-- the session where there is no clean commit.

CREATE TABLE flips (
    test_id BIGINT NOT NULL,
    revision TEXT NOT NULL,
    day BIGINT NOT NULL,
    PRIMARY KEY (test_id, revision)
) {clustered};

INSERT INTO flips (test_id, revision, day)
SELECT test_id, revision, MAX(recorded_at) / 86400000
FROM (
    SELECT
        results.test_id, results.outcome, runs.recorded_at,
        CASE
            WHEN sessions.dirty = 0 AND sessions.commit_id IS NOT NULL THEN sessions.commit_id
            ELSE 'session ' || sessions.id
        END AS revision
    FROM sessions
    JOIN runs ON runs.session_id = sessions.id
    JOIN conditions ON conditions.id = runs.condition_id AND conditions.perturbations = ''
    JOIN results ON results.run_id = runs.id AND results.outcome < 2
) AS plain
GROUP BY test_id, revision
HAVING MIN(outcome) < MAX(outcome);
