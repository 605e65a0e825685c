// What the tests of this folder share: a client that sends exactly what it is told, and a way to look into responses.
//
//   const response = await api.post("/orders", { json: { product: "tea" } });
//   expect(response).toHaveStatus(201);
//   expect(response.at("/product")).toBe("tea");
//   const orderId = response.value("/id");
//   api.cleanup.delete(`/orders/${path(orderId)}`);
//
// Nothing is needed beyond Node's own modules.

const crypto = require("node:crypto");

// How many milliseconds a response may take, and how many bytes of a body are read.
const TIMEOUT = Number(process.env.STEADY_TIMEOUT || 30) * 1000;
const LARGEST = 4 << 20;
const DEEPEST = 127;

/** A secret from the environment; `requireSecrets` has seen to it that it is there. */
function env(name) {
  return process.env[name];
}

/** Fails when the environment lacks some of these. */
function requireSecrets(names) {
  const missing = names.filter((name) => process.env[name] === undefined);
  if (missing.length > 0) {
    throw new Error(`set these environment variables, the tests need their values: ${missing.join(", ")}`);
  }
}

/** A value of this run's own, so that a test can create the same thing twice. */
function fresh(prefix, length, suffix = "") {
  const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
  let value = prefix;
  for (let at = 0; at < length; at += 1) {
    value += alphabet[crypto.randomInt(alphabet.length)];
  }
  return value + suffix;
}

/** A value as it stands in a header or a URL: strings as they are, anything else as JSON. */
function text(value) {
  return typeof value === "string" ? value : stringify(value);
}

/** A value percent-encoded, so that it stays within its path segment or query parameter. */
function path(value) {
  return encodeURIComponent(text(value)).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A value as within a JSON string, slashes escaped. */
function jsonText(value) {
  return JSON.stringify(value).slice(1, -1).replaceAll("/", "\\/");
}

/** A value in base64. */
function base64Text(value) {
  return Buffer.from(value).toString("base64");
}

/** A value within a regular expression: each of its characters means itself. */
function escaped(value) {
  return value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Bytes from base64. */
function bytes(base64) {
  return Buffer.from(base64, "base64");
}

/** The last segment of a URL's path, decoded: the id at the end of a `Location`. */
function lastSegment(url) {
  if (typeof url !== "string") {
    return url;
  }
  const path = url.split(/[?#]/)[0].replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "");
  const segment = path.replace(/\/+$/, "").split("/").pop();
  if (segment === "") {
    throw new Error(`expected a path that ends in something, got ${url}`);
  }
  return percentDecoded(segment);
}

function percentDecoded(text) {
  const chunks = text.split(/((?:%[0-9a-f]{2})+)/i);
  return chunks
    .map((chunk, at) => (at % 2 ? Buffer.from(chunk.replaceAll("%", ""), "hex").toString() : chunk))
    .join("");
}

/**
 * A number digit by digit: an integer beyond 2^53, or one that JavaScript would print differently, such as 1.0. Not
 * a BigInt, because test runners cannot report those.
 */
class Exactly {
  constructor(digits) {
    this.digits = digits;
  }
}

/** A number with these digits. */
function exactly(digits) {
  return new Exactly(digits);
}

/** JSON without spaces. */
function stringify(value) {
  if (value instanceof Exactly) {
    return value.digits;
  }
  if (Array.isArray(value)) {
    return `[${value.map(stringify).join(",")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const fields = Object.keys(value).map((key) => `${JSON.stringify(key)}:${stringify(value[key])}`);
    return `{${fields.join(",")}}`;
  }
  return JSON.stringify(value);
}

/**
 * Reads JSON strictly: no infinite numbers, no broken characters, no absurd nesting. Unlike JSON.parse, it keeps
 * integers beyond 2^53, as `exactly` their digits, and keys such as `__proto__`.
 */
function parse(json) {
  let at = 0;

  function fail() {
    throw new SyntaxError(`not JSON at character ${at}`);
  }

  function space() {
    while (at < json.length && " \t\n\r".includes(json[at])) {
      at += 1;
    }
  }

  function match(pattern) {
    pattern.lastIndex = at;
    const found = pattern.exec(json);
    if (found === null) {
      fail();
    }
    at = pattern.lastIndex;
    return found[0];
  }

  function expected(character) {
    space();
    if (json[at] !== character) {
      fail();
    }
    at += 1;
  }

  function string() {
    const value = JSON.parse(match(/"(?:[^"\\\u0000-\u001f]|\\.)*"/y));
    if (/\p{Surrogate}/u.test(value)) {
      fail();
    }
    return value;
  }

  function number() {
    const digits = match(/-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y);
    const value = Number(digits);
    if (!Number.isFinite(value)) {
      fail();
    }
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      const integer = BigInt(/^-?\d+$/.test(digits) ? digits : value);
      if (integer >= -(2n ** 63n) && integer < 2n ** 64n) {
        return exactly(integer.toString());
      }
    }
    // There is no -0 in JSON's eyes.
    return value === 0 ? 0 : value;
  }

  // Items up to the closing bracket, separated by commas.
  function items(close, item) {
    at += 1;
    space();
    if (json[at] === close) {
      at += 1;
      return;
    }
    for (;;) {
      item();
      space();
      if (json[at] === close) {
        at += 1;
        return;
      }
      expected(",");
    }
  }

  function value(depth) {
    space();
    if (depth > DEEPEST) {
      fail();
    }
    if (json[at] === "[") {
      const array = [];
      items("]", () => array.push(value(depth + 1)));
      return array;
    }
    if (json[at] === "{") {
      const object = Object.create(null);
      items("}", () => {
        space();
        const key = string();
        expected(":");
        object[key] = value(depth + 1);
      });
      return object;
    }
    if (json[at] === '"') {
      return string();
    }
    if (json[at] === "-" || (json[at] >= "0" && json[at] <= "9")) {
      return number();
    }
    return { true: true, false: false, null: null }[match(/true|false|null/y)];
  }

  const document = value(0);
  space();
  if (at < json.length) {
    fail();
  }
  return document;
}

/** The JSON type of a value. */
function typeOf(value) {
  if (value === null) {
    return "null";
  }
  if (Array.isArray(value)) {
    return "array";
  }
  if (value instanceof Exactly || Number.isInteger(value)) {
    return "integer";
  }
  return typeof value;
}

/** A response: its status, its headers by name, its body by JSON pointer. */
class Response {
  #request;
  #headers;
  #content;
  #cut;
  #document;

  constructor(request, { status, headers, content, cut }) {
    this.status = status;
    this.#cut = cut;
    this.#request = request;
    this.#headers = headers;
    this.#content = content;
    this.#document = this.#read();
  }

  /** The content type without its parameters, in lower case; undefined when there is none. */
  get mediaType() {
    return this.header("content-type")?.split(";")[0].trim().toLowerCase() || undefined;
  }

  /** The cookies that a login sets, as `name=value`; the last one of a name counts. */
  get cookies() {
    const set = this.#headers.filter(([name]) => name === "set-cookie");
    const pairs = set.map(([, value]) => value.split(";")[0].trim()).filter((pair) => pair.includes("="));
    const cookies = new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair]));
    if (cookies.size === 0 || this.status >= 400) {
      throw new Error(`${this}\nsets no cookie`);
    }
    return [...cookies.values()];
  }

  /** The first value of a header; undefined when there is none. */
  header(name) {
    return this.#headers.find(([key]) => key === name)?.[1];
  }

  /** The value at a JSON pointer of the body, undefined when there is none. A text body is one value at "". */
  at(pointer) {
    if (this.#cut) {
      throw new Error(`${this}\nthe body is larger than ${LARGEST} bytes and was cut`);
    }
    if (pointer !== "" && !this.#document.json) {
      return undefined;
    }
    let value = this.#document.value;
    for (const token of pointer.split("/").slice(1)) {
      const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
      if (Array.isArray(value)) {
        value = /^(0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
      } else {
        value = typeof value === "object" && value !== null ? value[key] : undefined;
      }
    }
    return value;
  }

  /** The value at a JSON pointer of the body; the test fails when there is none. */
  value(pointer) {
    return this.#required(this.at(pointer), `body:${pointer}`);
  }

  /** The first value of a header; the test fails when there is none. */
  headerValue(name) {
    return this.#required(this.header(name), `header:${name}`);
  }

  toString() {
    const body = this.#content.subarray(0, 300).toString();
    return `${this.#request} -> ${this.status} ${body}${this.#content.length > 300 ? "…" : ""}`;
  }

  #required(value, place) {
    if (value === undefined || value === null) {
      throw new Error(`${this}\n${place}: expected a value, got ${value === null ? "null" : "nothing"}`);
    }
    return value;
  }

  #read() {
    if (this.#content.length === 0) {
      return { json: false, value: undefined };
    }
    let content;
    try {
      content = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.#content);
    } catch {
      return { json: false, value: this.#content.toString("base64") };
    }
    const mediaType = this.mediaType ?? "";
    if (["application/json", "text/json"].includes(mediaType) || mediaType.endsWith("+json")) {
      try {
        return { json: true, value: parse(content) };
      } catch {
        // What says it is JSON and is not is text.
      }
    }
    return { json: false, value: content };
  }
}

/** The address of the API in its parts: what it says about itself is another thing on every address. */
class Base {
  constructor(url) {
    const [, scheme, authority, path] = /^([^:]*):\/\/([^/]*)(.*)$/.exec(url);
    const port = { http: ":80", https: ":443" }[scheme.toLowerCase()];
    const isDefault = port !== undefined && authority.endsWith(port);
    this.authority = (isDefault ? authority.slice(0, -port.length) : authority).toLowerCase();
    this.origin = `${scheme.toLowerCase()}://${this.authority}`;
    this.path = path;
    this.url = this.origin + path;
  }
}

/** The address of the API and the logins made so far. `exchange` sends one request as it is. */
class Session {
  #logins = new Map();

  constructor(url, identities, exchange) {
    this.url = (process.env.STEADY_URL || url).replace(/\/+$/, "");
    this.base = new Base(this.url);
    this.identities = identities;
    this.exchange = exchange;
  }

  /** What calls made as `name` carry. A login is made once, also when it fails: trying again may lock an account. */
  credentials(name) {
    if (!this.#logins.has(name)) {
      this.#logins.set(name, this.identities[name](new Api(this, [])));
    }
    return this.#logins.get(name);
  }
}

/** Makes calls: `api.get("/orders")`, `api.actingAs("alice").post("/orders", { json: {} })`. */
class Api {
  #session;
  #left;
  #identity;
  #later;

  constructor(session, left, identity, later = false) {
    this.#session = session;
    this.#left = left;
    this.#identity = identity;
    this.#later = later;
  }

  /** The same client, as someone. */
  actingAs(name) {
    return new Api(this.#session, this.#left, name, this.#later);
  }

  /** The address of the API. */
  get base() {
    return this.#session.base;
  }

  /** The same client, for calls to be made when the test is over. Their answers do not matter. */
  get cleanup() {
    return new Api(this.#session, this.#left, this.#identity, true);
  }

  /** Makes the calls left to `cleanup`, last left first made. */
  async finish() {
    while (this.#left.length > 0) {
      // Nobody waits for a clean-up's answer, and one that fails must not stop the others.
      await this.#left.pop()().catch(() => {});
    }
  }

  get(target, request) {
    return this.#call("GET", target, request);
  }

  put(target, request) {
    return this.#call("PUT", target, request);
  }

  post(target, request) {
    return this.#call("POST", target, request);
  }

  delete(target, request) {
    return this.#call("DELETE", target, request);
  }

  options(target, request) {
    return this.#call("OPTIONS", target, request);
  }

  head(target, request) {
    return this.#call("HEAD", target, request);
  }

  patch(target, request) {
    return this.#call("PATCH", target, request);
  }

  trace(target, request) {
    return this.#call("TRACE", target, request);
  }

  #call(method, target, request = {}) {
    const send = () => this.#send(method, target, request);
    return this.#later ? void this.#left.push(send) : send();
  }

  async #send(method, target, request) {
    const { content, contentType } = encoded(request);
    let headers = pairs(request.headers ?? {});
    const has = (name) => headers.some(([key]) => key.toLowerCase() === name);
    let address = target;
    if (this.#identity !== undefined) {
      const credentials = await this.#session.credentials(this.#identity);
      headers.push(...pairs(credentials.headers ?? {}).filter(([name]) => !has(name)));
      if (credentials.cookies) {
        const isCookie = ([name]) => name.toLowerCase() === "cookie";
        const own = headers.filter(isCookie).map(([, value]) => value);
        headers = headers.filter((pair) => !isCookie(pair));
        headers.push(["cookie", [...own, ...credentials.cookies].join("; ")]);
      }
      for (const [name, value] of pairs(credentials.query ?? {})) {
        address += `${address.includes("?") ? "&" : "?"}${path(name)}=${path(value)}`;
      }
    }
    const defaults = { accept: "*/*", "accept-encoding": "gzip, deflate, br", "accept-language": "en" };
    if (contentType !== undefined) {
      defaults["content-type"] = contentType;
    }
    headers.push(...Object.entries(defaults).filter(([name]) => !has(name)));
    const kept = headers.filter(([name]) => !/^(content-length|transfer-encoding)$/i.test(name));
    const url = /^https?:\/\//.test(address) ? address : this.#session.url + address;
    const answer = await this.#session.exchange({ method, url, headers: kept, content });
    return new Response(`${method} ${target}`, answer);
  }
}

function pairs(pairs) {
  return Array.isArray(pairs) ? [...pairs] : Object.entries(pairs);
}

function encoded({ json, form, multipart, body, contentType }) {
  if (json !== undefined) {
    return { content: Buffer.from(stringify(json)), contentType: "application/json" };
  }
  if (form !== undefined) {
    const content = Buffer.from(new URLSearchParams(pairs(form)).toString());
    return { content, contentType: "application/x-www-form-urlencoded" };
  }
  if (multipart !== undefined) {
    const boundary = `steady-${crypto.randomBytes(16).toString("hex")}`;
    return { content: joined(multipart, boundary), contentType: `multipart/form-data; boundary=${boundary}` };
  }
  return { content: body === undefined ? undefined : Buffer.from(body), contentType };
}

function joined(parts, boundary) {
  const quoted = (name) => name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const chunks = [];
  for (const { name, filename, contentType, content } of parts) {
    let head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`;
    if (filename !== undefined) {
      head += `; filename="${quoted(filename)}"`;
    }
    if (contentType !== undefined) {
      head += `\r\nContent-Type: ${contentType}`;
    }
    chunks.push(Buffer.from(`${head}\r\n\r\n`), Buffer.from(content), Buffer.from("\r\n"));
  }
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

/** A header's bytes are UTF-8, whatever Node makes of them. */
function readable(value) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value, "latin1"));
  } catch {
    return value;
  }
}

module.exports = {
  Api,
  Exactly,
  LARGEST,
  Session,
  TIMEOUT,
  base64Text,
  bytes,
  env,
  escaped,
  exactly,
  fresh,
  jsonText,
  lastSegment,
  parse,
  path,
  readable,
  requireSecrets,
  stringify,
  text,
  typeOf,
};
