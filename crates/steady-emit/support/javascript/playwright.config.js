// One after the other: the tests may share data.
module.exports = { timeout: 300_000, workers: 1 };
