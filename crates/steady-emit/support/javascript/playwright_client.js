// Gives every Playwright test a client. It is not Playwright's own, which reads a body to its end, however long it is.

const { expect, test: base } = require("@playwright/test");
const { exchange } = require("./steady_http.js");
const { matchers } = require("./steady_matchers.js");
const { Api, Session } = require("./steady_support.js");

/** A `test` with an `api` fixture. What a test leaves to `api.cleanup` is sent when the test is over. */
function connect(url, identities) {
  const test = base.extend({
    session: [
      // Playwright wants to see what a fixture takes, also when that is nothing.
      // eslint-disable-next-line no-empty-pattern
      async ({}, use) => {
        await use(new Session(url, identities, exchange));
      },
      { scope: "worker" },
    ],
    api: async ({ session }, use) => {
      const api = new Api(session, []);
      await use(api);
      await api.finish();
    },
  });
  return { expect: expect.extend(matchers), test };
}

module.exports = { connect };
