-- Finds the tests that failed in a stretch of time without reading the days of those that did not.

CREATE INDEX failing_days ON days (day, test_id, failed) WHERE failed > 0;
