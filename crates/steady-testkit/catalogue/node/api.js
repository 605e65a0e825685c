// The catalogue's API in Node, standard library only: node api.js --port 8080
"use strict";

const crypto = require("node:crypto");
const fs = require("node:fs");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");

const DOCUMENT = path.join(__dirname, "openapi.json");
const mutated = (name) => process.env.CATALOGUE_MUTANT === name;

let orders = [];
let turn = Math.random();

/** The same items, beginning with another one than last time. The golden ratio's multiples fall into no short cycle. */
function rotated(items) {
  turn = (turn + 0.618033988749895) % 1;
  const first = Math.floor(turn * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}

const routes = {
  // Time.
  "GET /date": () => [200, { text: new Date().toString(), service: "shop" }],
  "GET /instant": () => {
    const now = new Date();
    return [200, { at: mutated("node-instant-number") ? now.getTime() : now.toISOString() }];
  },
  "GET /day": () => [200, { today: new Date().toLocaleDateString(undefined, { dateStyle: "full" }) }],
  "GET /took": () => {
    const begun = process.hrtime.bigint();
    const sum = Array.from({ length: 2000 }, (_, number) => number).reduce((a, b) => a + b, 0);
    return [200, { sum: mutated("node-took-sum") ? sum + 1 : sum, took_ns: Number(process.hrtime.bigint() - begun) }];
  },

  // Rand and Crypt.
  "GET /number": () => {
    const id = crypto.randomUUID();
    return [200, { id: mutated("node-number-bare") ? id.replaceAll("-", "") : id, href: `/numbers/${id}` }];
  },
  "GET /score": () => [200, { score: Math.random() + (mutated("node-score-range") ? 5000 : 0), scale: 1 }],
  "GET /key": () => [200, { key: crypto.randomBytes(32).toString("base64url"), algorithm: "HS256" }],

  // Unord: a map keeps the order in which answers came in.
  "GET /shelves": () => {
    const shelves = new Map(rotated(["tea", "rice", "milk", "salt", "soap"]).map((name) => [name, name.length]));
    if (mutated("node-shelf-missing")) shelves.delete("salt");
    return [200, { shelves: [...shelves.keys()], aisle: 4 }];
  },

  // RunMsg.
  "GET /crash": () => {
    const error = new TypeError(mutated("node-crash-message") ? "cart is null" : "cart is undefined");
    return [500, { error: error.message, stack: error.stack.split("\n").slice(0, 2) }];
  },
  "GET /peer": (_, request) => [
    502,
    { error: `read ECONNRESET from 127.0.0.1:${request.socket.remotePort}`, code: "ECONNRESET" },
  ],

  // Env.
  "GET /temp": () => [200, { folder: path.join(os.tmpdir(), "shop"), writable: true }],
  "GET /amount": () => {
    const amount = mutated("node-amount") ? 9876.5 : 1234.5;
    return [200, { amount: amount.toLocaleString(undefined, { minimumFractionDigits: 2 }), currency: "EUR" }];
  },
  "GET /process": () => [200, { pid: process.pid, role: "primary" }],

  // State.
  "POST /orders": (body) => {
    if (typeof body?.item !== "string" || body.item === "") return [400, { error: "item is missing" }];
    orders.push(body.item);
    const order = { id: orders.length, item: body.item, createdAt: new Date().toISOString() };
    if (mutated("node-order-without-item")) delete order.item;
    return [201, order];
  },
  "GET /orders": () => [200, { count: orders.length }],

  // Look-alikes.
  "GET /about": () => [
    200,
    {
      version: mutated("node-about-version") ? "20.1.1" : "20.1.0",
      released: "Tue Apr 18 2023 10:20:30 GMT+0000 (Coordinated Universal Time)",
      id: "9b2d7c54-1f0e-4a63-8c1d-5e6f7a8b9c0d",
      digest: "c3499c2729730a7f807efb8676a92dcb6f8a3f8f",
      shelves: ["milk", "rice", "salt", "soap", "tea"],
      example: "at checkout (/tmp/shop/cart.js:10:5)",
    },
  ],
};

function answer(request, text) {
  const target = `${request.method} ${request.url.split("?")[0]}`;
  let body = null;
  try {
    body = JSON.parse(text);
  } catch {
    // A body that is no JSON is none.
  }
  if (target === "GET /health") return [200, { status: "up" }];
  if (target === "GET /openapi.json") return [200, JSON.parse(fs.readFileSync(DOCUMENT, "utf8"))];
  if (target === "POST /__reset") {
    orders = [];
    return [200, { reset: true }];
  }
  if (Object.hasOwn(routes, target)) return routes[target](body, request);
  const named = (route) => route.split(" ");
  const allowed = Object.keys(routes).map(named).filter(([, path]) => path === named(target)[1]);
  if (allowed.length === 0) return [404, { error: "no such route" }];
  return [405, { error: "method not allowed" }, { allow: allowed.map(([method]) => method).join(", ") }];
}

const server = http.createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const [status, body, headers] = answer(request, Buffer.concat(parts).toString());
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  });
});

server.listen(Number(process.argv[process.argv.indexOf("--port") + 1]), "127.0.0.1");
