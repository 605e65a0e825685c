// A small API: what surrounds it shows in its answers. `node api.js`, with the port in PORT.
const http = require("node:http");
const os = require("node:os");

http
  .createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        pid: process.pid,
        now: Math.floor(Date.now() / 1000),
        offset: -60 * new Date().getTimezoneOffset(),
        tmp: os.tmpdir(),
        number: (1234.5).toLocaleString(),
      }),
    );
  })
  .listen(Number(process.env.PORT), "127.0.0.1");
