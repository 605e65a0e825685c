// Sends requests with Node's own client: fetch would refuse some and change others.

const http = require("node:http");
const https = require("node:https");
const zlib = require("node:zlib");

const { TIMEOUT, readable } = require("./steady_support.js");

const DECODERS = {
  gzip: zlib.gunzipSync,
  "x-gzip": zlib.gunzipSync,
  deflate: (content) => (content[0] === 0x78 ? zlib.inflateSync(content) : zlib.inflateRawSync(content)),
  br: zlib.brotliDecompressSync,
};

/** Sends one request as it is and reads the whole response. */
function exchange({ method, url, headers, content }) {
  const [, scheme, authority, target] = /^(https?):\/\/([^/?#]*)(.*)$/.exec(url);
  const { hostname, port } = new URL(`${scheme}://${authority}`);
  const client = scheme === "https" ? https : http;
  const options = {
    method,
    host: hostname.replace(/^\[|\]$/g, ""),
    port,
    path: target.startsWith("/") ? target : `/${target}`,
    headers: grouped(headers),
    // A connection of its own: one that is kept may be closed by the server just when it is used.
    agent: false,
    rejectUnauthorized: process.env.STEADY_INSECURE !== "1",
  };
  if (content !== undefined || ["POST", "PUT", "PATCH"].includes(method)) {
    options.headers["content-length"] = [String(content?.length ?? 0)];
  }
  return new Promise((resolve, reject) => {
    const request = client.request(options, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        clearTimeout(timer);
        try {
          resolve(received(response, Buffer.concat(chunks)));
        } catch (error) {
          reject(error);
        }
      });
    });
    const late = () => request.destroy(new Error(`no complete response after ${TIMEOUT / 1000} seconds`));
    const timer = setTimeout(late, TIMEOUT);
    request.on("error", (error) => {
      clearTimeout(timer);
      reject(new Error(`${method} ${url}: ${error.message}`, { cause: error }));
    });
    request.end(content);
  });
}

// Node takes Latin-1 and a list where a name comes twice.
function grouped(headers) {
  const lists = {};
  for (const [name, value] of headers) {
    (lists[name] ??= []).push(Buffer.from(value).toString("latin1"));
  }
  return lists;
}

function received(response, raw) {
  const headers = [];
  for (let at = 0; at < response.rawHeaders.length; at += 2) {
    headers.push([response.rawHeaders[at].toLowerCase(), readable(response.rawHeaders[at + 1])]);
  }
  const codings = (response.headers["content-encoding"] ?? "").split(",").map((name) => name.trim().toLowerCase());
  let content = raw;
  for (const coding of codings.reverse()) {
    content = content.length > 0 && DECODERS[coding] ? DECODERS[coding](content) : content;
  }
  return { status: response.statusCode, headers, content };
}

module.exports = { exchange };
