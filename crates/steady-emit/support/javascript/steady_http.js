// Sends requests with Node's own client: fetch would refuse some and change others.

const http = require("node:http");
const https = require("node:https");
const zlib = require("node:zlib");

const { LARGEST, TIMEOUT, readable } = require("./steady_support.js");

// A small body may become gigabytes.
const OPTIONS = { maxOutputLength: LARGEST };
const DECODERS = {
  gzip: (content) => zlib.gunzipSync(content, OPTIONS),
  "x-gzip": (content) => zlib.gunzipSync(content, OPTIONS),
  deflate: (content) =>
    content[0] === 0x78 ? zlib.inflateSync(content, OPTIONS) : zlib.inflateRawSync(content, OPTIONS),
  br: (content) => zlib.brotliDecompressSync(content, OPTIONS),
};

/** Sends one request as it is and reads the whole response, or as much as may be read of a body. */
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
      let size = 0;
      const end = () => {
        clearTimeout(timer);
        try {
          resolve(received(response, Buffer.concat(chunks), size > LARGEST));
        } catch (error) {
          reject(error);
        }
      };
      response.on("data", (chunk) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > LARGEST) {
          end();
          request.destroy();
        }
      });
      response.on("error", reject);
      response.on("end", end);
    });
    const late = () => request.destroy(new Error(`the response was not complete after ${TIMEOUT / 1000} seconds`));
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

function received(response, raw, isLarge) {
  const headers = [];
  for (let at = 0; at < response.rawHeaders.length; at += 2) {
    headers.push([response.rawHeaders[at].toLowerCase(), readable(response.rawHeaders[at + 1])]);
  }
  const codings = (response.headers["content-encoding"] ?? "").split(",").map((name) => name.trim().toLowerCase());
  let [content, cut] = [raw.subarray(0, LARGEST), isLarge];
  for (const coding of codings.reverse()) {
    if (!cut && content.length > 0 && DECODERS[coding]) {
      [content, cut] = decoded(content, coding);
    }
  }
  return { status: response.statusCode, headers, content, cut };
}

function decoded(content, coding) {
  try {
    return [DECODERS[coding](content), false];
  } catch (error) {
    if (error.code !== "ERR_BUFFER_TOO_LARGE") {
      throw error;
    }
    return [Buffer.alloc(0), true];
  }
}

module.exports = { exchange };
