// Gives every Jest test a client.

const { exchange } = require("./steady_http.js");
const { matchers } = require("./steady_matchers.js");
const { Api, Session } = require("./steady_support.js");

/** A client for the tests of a file. What a test leaves to `api.cleanup` is sent when the test is over. */
function connect(url, identities) {
  const api = new Api(new Session(url, identities, exchange), []);
  expect.extend(matchers);
  afterEach(() => api.finish());
  return api;
}

module.exports = { connect };
