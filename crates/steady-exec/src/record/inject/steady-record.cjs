// Writes every HTTP exchange of the running test, with the lines of the project that asked for it.
'use strict';
const { AsyncLocalStorage } = require('node:async_hooks');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const zlib = require('node:zlib');

const folder = process.env.STEADY_RECORD;
const root = process.env.STEADY_RECORD_ROOT + path.sep;
const LIMIT = 1 << 20;
// When a process has written so much, further exchanges come without their bodies.
const TOTAL_LIMIT = 128 << 20;
const FRAME = /^\s+at (?:.*\()?((?:file:\/\/)?\/.*?):(\d+):\d+\)?$/;
const SUPERAGENT = /(^|\/)superagent(\/|$)/;
const DECODERS = { gzip: zlib.gunzipSync, 'x-gzip': zlib.gunzipSync, deflate: zlib.inflateSync, br: zlib.brotliDecompressSync };

let current = null;
let written = 0;
const counts = new Map();
// The call of the project that leads to a request, through everything that happens later because of it.
const causes = new AsyncLocalStorage();
const seen = new WeakSet();
// Where servers of this process listen, or did.
const ports = new Set();

const begin = test => { current = test; };
const end = () => { current = null; };

function frames() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const lines = String(new Error().stack).split('\n');
  Error.stackTraceLimit = limit;
  return ofProject(lines);
}

function ofProject(lines) {
  return lines.flatMap(line => {
    const [, place, number] = FRAME.exec(line) ?? [];
    const file = place?.startsWith('file://') ? fileURLToPath(place) : place;
    const ours = file?.startsWith(root) && !file.includes('/node_modules/') && path.dirname(file) !== __dirname;
    return ours ? [{ file, line: Number(number) }] : [];
  });
}

// One request, from the moment it is asked for. A request that comes without the project's doing, after another one with the same
// cause, follows a redirect.
function call() {
  const own = frames();
  const cause = own.length ? { frames: own, asked: false } : causes.getStore() ?? { frames: [], asked: false };
  const followed = cause.asked;
  cause.asked = true;
  counts.set(current, (counts.get(current) ?? 0) + 1);
  return { cause, test: current, sequence: counts.get(current), followed };
}

function write({ cause, test, sequence, followed }, request, response, port) {
  const kept = written > TOTAL_LIMIT ? { ...response, body: { text: '' }, truncated: true } : response;
  // The API runs in this process when the process listens where the answer came from.
  const inside = ports.has(Number(port));
  written += append('exchanges', { test, sequence, frames: cause.frames, followed, inside, request, response: kept });
}

function append(kind, value) {
  const line = JSON.stringify(value);
  // A file for each process: lines are too long to be written in one piece.
  fs.appendFileSync(path.join(folder, `${kind}-${process.pid}.jsonl`), `${line}\n`);
  return line.length;
}

function unanswered(url, error) {
  append('unanswered', { url: withoutCredentials(url), error: String(error?.cause?.message || error?.message || error?.code || error).slice(0, 500) });
}

// The lines of the project that a failure came through.
function failed(test, errors) {
  for (const error of errors) {
    const stack = [error].flat().map(one => one?.stack).find(Boolean);
    if (stack) return neverInTheWay(() => append('failures', { test, frames: ofProject(stack.split('\n')) }));
  }
  return undefined;
}

// A recorder that fails must not fail the test.
function neverInTheWay(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}

function payload(bytes, isCut) {
  try {
    // What was cut may end in the middle of a character.
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut }) };
  } catch {
    return { bytes: bytes.toString('base64') };
  }
}

function withoutCredentials(url) {
  const parsed = new URL(url);
  parsed.username = parsed.password = '';
  return parsed.href;
}

class Body {
  constructor() {
    this.chunks = [];
    this.size = 0;
    this.cut = false;
  }

  add(chunk, encoding) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk);
    const kept = bytes.subarray(0, LIMIT - this.size);
    if (kept.length < bytes.length) this.cut = true;
    this.chunks.push(kept);
    this.size += kept.length;
  }

  decoded(coding) {
    let bytes = Buffer.concat(this.chunks);
    const decode = DECODERS[coding?.trim().toLowerCase()];
    if (decode && bytes.length) {
      const partly = this.cut ? { finishFlush: decode === DECODERS.br ? zlib.constants.BROTLI_OPERATION_FLUSH : zlib.constants.Z_SYNC_FLUSH } : {};
      bytes = neverInTheWay(() => decode(bytes, { ...partly, maxOutputLength: 64 * LIMIT })) ?? bytes;
      if (bytes.length > LIMIT) [bytes, this.cut] = [bytes.subarray(0, LIMIT), true];
    }
    return { body: payload(bytes, this.cut), truncated: this.cut };
  }
}

function collect(asked, request, response) {
  const body = new Body();
  const host = request.getHeader('host') ?? request.host;
  const line = { method: request.method, url: withoutCredentials(`${request.protocol}//${host}${request.path}`) };
  // Clients change the headers while they decode.
  const coding = response.headers['content-encoding'];
  const port = request.socket?.remotePort;
  const headers = [];
  for (let at = 0; at < response.rawHeaders.length; at += 2) headers.push([response.rawHeaders[at].toLowerCase(), response.rawHeaders[at + 1]]);
  let finished = false;
  const finish = () => neverInTheWay(() => {
    if (finished) return;
    finished = true;
    write(asked, line, { status: response.statusCode, headers, ...body.decoded(coding) }, port);
  });
  const push = response.push;
  // Listening to the data would start it flowing; this sees it go by.
  response.push = function (chunk, encoding) {
    if (chunk === null) finish();
    else neverInTheWay(() => body.add(chunk, encoding));
    return push.call(this, chunk, encoding);
  };
  response.once('close', () => {
    if (!response.complete) body.cut = true;
    finish();
  });
}

// Everything that goes through node:http and node:https: SuperAgent, supertest, axios, got, node-fetch.
function watchHttp() {
  for (const module of [require('node:http'), require('node:https')]) {
    for (const name of ['request', 'get']) {
      const theirs = module[name];
      module[name] = function (...args) {
        const asked = neverInTheWay(call);
        if (!asked) return theirs.apply(this, args);
        const request = causes.run(asked.cause, () => theirs.apply(this, args));
        const emit = request.emit;
        // A listener for responses would keep Node from throwing away those nobody wants.
        request.emit = function (event, ...rest) {
          if (event === 'response') neverInTheWay(() => collect(asked, request, rest[0]));
          if (event === 'error' && !request.res) neverInTheWay(() => unanswered(`${request.protocol}//${request.host}${request.path}`, rest[0]));
          return emit.call(this, event, ...rest);
        };
        return request;
      };
    }
  }
  const server = require('node:net').Server.prototype;
  const emit = server.emit;
  server.emit = function (event, ...rest) {
    if (event === 'listening') neverInTheWay(() => ports.add(this.address()?.port));
    return emit.call(this, event, ...rest);
  };
  Module.syncBuiltinESMExports();
}

async function read(asked, input, init, response) {
  const body = new Body();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (isStream) body.cut = true;
  const reader = isStream ? undefined : response.clone().body?.getReader();
  while (reader && !body.cut) {
    const { done, value } = await reader.read();
    if (done) break;
    body.add(value);
  }
  if (body.cut) reader?.cancel().catch(() => {});
  const method = init?.method ?? input?.method ?? 'GET';
  const line = { method: method.toUpperCase(), url: withoutCredentials(input?.url ?? String(input)) };
  write(asked, line, { status: response.status, headers: [...response.headers], ...body.decoded() }, new URL(line.url).port);
}

// The platform's own `fetch`, if that is what the scope has: a stand-in is left alone.
function watchFetch(scope) {
  const theirs = globalThis.fetch;
  if (!theirs || (scope !== globalThis && scope.fetch !== theirs)) return;
  scope.fetch = async function fetch(input, init) {
    const asked = neverInTheWay(call);
    const response = await theirs(input, init).catch(error => {
      neverInTheWay(() => unanswered(input?.url ?? String(input), error));
      throw error;
    });
    if (asked) await read(asked, input, init, response).catch(() => {});
    return response;
  };
}

// SuperAgent sends when it is awaited, where the stack does not show the test any more.
function watchClient(name, exported) {
  const Theirs = exported?.Request;
  if (!SUPERAGENT.test(name) || typeof Theirs?.prototype?.request !== 'function' || seen.has(exported)) return exported;
  seen.add(exported);
  const made = new WeakMap();
  exported.Request = class Request extends Theirs {
    constructor(...args) {
      super(...args);
      made.set(this, { frames: frames(), asked: false });
    }

    request(...args) {
      return causes.run(made.get(this), () => super.request(...args));
    }
  };
  return exported;
}

// All of it, for runners whose tests share this process's realm and modules.
function watchProcess() {
  if (seen.has(process)) return;
  seen.add(process);
  watchHttp();
  watchFetch(globalThis);
  const load = Module._load;
  Module._load = function (name, ...rest) {
    return watchClient(name, load.call(this, name, ...rest));
  };
}

module.exports = { begin, end, failed, watchHttp, watchFetch, watchClient, watchProcess };
