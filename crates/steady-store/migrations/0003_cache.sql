-- What is expensive to find out again; any of it may go at any time.

CREATE TABLE cache (
    namespace TEXT NOT NULL,
    name TEXT NOT NULL,
    content BYTEA NOT NULL,
    bytes BIGINT NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (namespace, name)
);
