// Gives every Playwright test a client that sends through Playwright's own.

const { expect, test: base } = require("@playwright/test");
const { matchers } = require("./steady_matchers.js");
const { Api, Session, TIMEOUT, readable } = require("./steady_support.js");

/** A `test` with an `api` fixture. What a test leaves to `api.cleanup` is sent when the test is over. */
function connect(url, identities) {
  const test = base.extend({
    session: [
      async ({ playwright }, use) => {
        await use(new Session(url, identities, (request) => exchange(playwright.request, request)));
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

/** Sends one request as it is and reads the whole response. */
async function exchange(factory, { method, url, headers, content }) {
  // A context of its own: one that is kept would send the cookies of earlier responses.
  const context = await factory.newContext({ ignoreHTTPSErrors: process.env.STEADY_INSECURE === "1" });
  try {
    const response = await context.fetch(url, {
      method,
      headers: joined(headers),
      data: content,
      failOnStatusCode: false,
      maxRedirects: 0,
      timeout: TIMEOUT,
    });
    const received = response.headersArray().map(({ name, value }) => [name.toLowerCase(), readable(value)]);
    return { status: response.status(), headers: received, content: await response.body() };
  } finally {
    await context.dispose();
  }
}

// Playwright takes Latin-1, and each name once: RFC 9110 section 5.3 allows to join the values.
function joined(headers) {
  const values = {};
  for (const [name, value] of headers) {
    const bytes = Buffer.from(value).toString("latin1");
    values[name] = name in values ? `${values[name]}, ${bytes}` : bytes;
  }
  return values;
}

module.exports = { connect };
