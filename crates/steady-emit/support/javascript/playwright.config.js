// One after the other: the tests may share data.
module.exports = { globalSetup: require.resolve("./steady_setup.js"), timeout: 300_000, workers: 1 };
